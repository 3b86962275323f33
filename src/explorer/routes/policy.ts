/**
 * Who may use the routes of the page, and what the page itself may do. Other pages of this machine
 * pass the server's guard, because MCP clients run there; here only our own page is answered.
 */

/** Sent with every answer. Notes are written by strangers: even if one got a script in, it would not run. */
export const POLICY: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "media-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "font-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types cairn',
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
}

/** A picture may hold a script where it is drawn by itself; in a note it is drawn without. The same for what is played. */
export const PICTURE_POLICY: Readonly<Record<string, string>> = {
  ...POLICY,
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
}

/**
 * A file is shown by the browser's viewer or saved. A viewer draws with styles of its own, and not
 * every one starts in a sandbox; nothing else may come from such an address, least of all a script.
 */
export const FILE_POLICY: Readonly<Record<string, string>> = {
  ...POLICY,
  'content-security-policy':
    "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
}

const FRAMES = new Set(['iframe', 'frame', 'object', 'embed', 'fencedframe'])

/** Why a request for data is refused, or undefined when it comes from our own page. */
export function refusalOf(
  { headers, method, url }: Request,
  body: 'json' | 'bytes' = 'json',
): string | undefined {
  const site = headers.get('sec-fetch-site')
  const origin = headers.get('origin')
  if (FRAMES.has(headers.get('sec-fetch-dest') ?? '')) return 'These routes are not for frames.'
  if (origin !== null && origin !== ownOrigin(url, headers)) {
    return 'These routes are for the pages of this server alone.'
  }
  // Browsers say where a request comes from. Programs do not, and then there is no page to fear.
  if (site !== null && site !== 'same-origin' && site !== 'none') {
    return 'These routes are for the pages of this server alone.'
  }
  if (method !== 'POST') return undefined
  // A form cannot set a header, and another page may not without asking first.
  if (headers.get('x-cairn') === null) return 'The header x-cairn is missing.'
  // Neither is a kind that a form can send.
  const type = headers.get('content-type') ?? ''
  if (body === 'bytes') {
    return /^application\/octet-stream$/i.test(type) ? undefined : 'Send application/octet-stream.'
  }
  if (!/^application\/json\b/i.test(type)) return 'Send JSON.'
  return undefined
}

/** Whether a frame is asked for by our own page. */
export function isOwnFrame({ headers }: Request): boolean {
  return (headers.get('sec-fetch-site') ?? 'same-origin') === 'same-origin'
}

/** The page itself may be opened from anywhere, but not inside of another one. */
export function pageRefusalOf({ headers }: Request): string | undefined {
  return FRAMES.has(headers.get('sec-fetch-dest') ?? '')
    ? 'This page is not for frames.'
    : undefined
}

/** Behind a proxy that speaks TLS the page has an address with https. */
function ownOrigin(url: string, headers: Headers): string {
  const { origin, host } = new URL(url)
  return headers.get('origin') === `https://${host}` ? `https://${host}` : origin
}
