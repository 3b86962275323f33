/**
 * Who has said the password? A browser gets a session cookie for a day, a program may send the
 * password with every request. Wrong ones are counted, and after a few nobody may try for a while.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

export type Need = 'read' | 'write'

export interface PasswordOptions {
  readonly password: string
  /** What everybody may do without a password. */
  readonly open: readonly Need[]
}

export interface GateOptions extends PasswordOptions {
  /** Milliseconds since the epoch. */
  readonly now?: () => number
}

export type Login =
  | { readonly kind: 'welcome'; readonly cookie: string }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'wait'; readonly seconds: number }

export interface PasswordGate {
  allows(headers: Headers, need: Need): boolean
  isKnown(headers: Headers): boolean
  login(password: string, headers: Headers): Login
  /** Ends the session; the cookie that makes a browser forget it. */
  logout(headers: Headers): string
}

export const SESSION_COOKIE = 'nexus_auth_session'
const SESSION_SECONDS = 24 * 60 * 60
const MOST_SESSIONS = 10_000
const MOST_FAILURES = 10
const FAILURES_MS = 60_000

export function openPasswordGate({ password, open, now = Date.now }: GateOptions): PasswordGate {
  // Digests have one length, so a comparison does not tell how long the password is.
  const salt = randomBytes(32)
  const digest = (text: string) => createHmac('sha256', salt).update(text).digest()
  const expected = digest(password)
  /** When each session ends; the oldest comes first. Kept as digests: a dump opens no door. */
  const sessions = new Map<string, number>()
  let failures: number[] = []

  const waitMs = (): number => {
    failures = failures.filter((at) => at > now() - FAILURES_MS)
    return failures.length < MOST_FAILURES ? 0 : failures[0]! + FAILURES_MS - now()
  }
  /** While there is a wait, the right password is not listened to either. */
  const isRight = (given: string): boolean => {
    if (waitMs() > 0) return false
    if (timingSafeEqual(digest(given), expected)) return true
    failures.push(now())
    return false
  }
  const keyOf = (headers: Headers): string | undefined => {
    const token = sessionToken(headers.get('cookie') ?? '')
    return token === undefined ? undefined : digest(token).toString('base64url')
  }
  const hasSession = (headers: Headers): boolean => {
    const key = keyOf(headers)
    const endsAt = key === undefined ? undefined : sessions.get(key)
    if (endsAt !== undefined && endsAt > now()) return true
    if (key !== undefined) sessions.delete(key)
    return false
  }
  const isKnown = (headers: Headers): boolean => {
    if (hasSession(headers)) return true
    const sent = sentPassword(headers.get('authorization') ?? '')
    return sent !== undefined && isRight(sent)
  }

  return {
    isKnown,
    allows: (headers, need) => open.includes(need) || isKnown(headers),
    login(given, headers) {
      const wait = waitMs()
      if (wait > 0) return { kind: 'wait', seconds: Math.ceil(wait / 1000) }
      if (!isRight(given)) return { kind: 'wrong' }
      const token = randomBytes(32).toString('base64url')
      const [oldest] = sessions.keys()
      if (sessions.size >= MOST_SESSIONS && oldest !== undefined) sessions.delete(oldest)
      sessions.set(digest(token).toString('base64url'), now() + SESSION_SECONDS * 1000)
      return { kind: 'welcome', cookie: cookie(token, SESSION_SECONDS, headers) }
    },
    logout(headers) {
      const key = keyOf(headers)
      if (key !== undefined) sessions.delete(key)
      return cookie('', 0, headers)
    },
  }
}

/** Behind a proxy that speaks HTTPS, the cookie never travels without it. */
function cookie(token: string, seconds: number, headers: Headers): string {
  const secure = headers.get('x-forwarded-proto') === 'https' ? '; Secure' : ''
  return `${SESSION_COOKIE}=${token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure}`
}

function sessionToken(header: string): string | undefined {
  const pairs = header.split(';').map((pair) => pair.trim())
  const found = pairs.find((pair) => pair.startsWith(`${SESSION_COOKIE}=`))
  const token = found?.slice(SESSION_COOKIE.length + 1)
  return token === undefined || token === '' ? undefined : token
}

/** `Bearer <password>`, or the password of basic credentials under any name. */
function sentPassword(header: string): string | undefined {
  const bearer = /^bearer +(\S.*?) *$/i.exec(header)?.[1]
  // Headers arrive as bytes, one character each; an umlaut is two of them in UTF-8.
  if (bearer !== undefined) return Buffer.from(bearer, 'latin1').toString('utf8')
  const encoded = /^basic +([a-z0-9+/=_-]+) *$/i.exec(header)?.[1]
  if (encoded === undefined) return undefined
  const pair = Buffer.from(encoded, 'base64').toString('utf8')
  return pair.slice(pair.indexOf(':') + 1)
}
