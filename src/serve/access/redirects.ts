/** Where a client may be called back: a page of the web, or a program on the user's own machine. */

export function isRedirect(value: unknown): boolean {
  const url = typeof value === 'string' && value.length <= 1_000 ? URL.parse(value) : null
  if (!url || url.hash !== '' || url.username !== '' || url.password !== '') return false
  return url.protocol === 'https:' || isLoopback(url)
}

/**
 * Compared letter by letter, save for the port of a program on the user's own machine: it gets one
 * from the system when it is started (RFC 8252, section 7.3).
 */
export function isSameRedirect(named: string, asked: string): boolean {
  if (named === asked) return true
  const [a, b] = [URL.parse(named), URL.parse(asked)]
  if (!a || !b || !isLoopback(a) || !isLoopback(b)) return false
  a.port = b.port
  return a.href === b.href
}

function isLoopback({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(hostname)
}
