/**
 * Who has said the password? A browser gets a session cookie for a day, a program may send the
 * password with every request. Wrong ones are counted by address, and after a few that address may
 * not try for a while; others are not kept out by its guesses.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { BoundedMap } from '../../../core/kit/bounded-map.ts'

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
  /** `peer` is the address that asks. */
  allows(headers: Headers, need: Need, peer: string): boolean
  isKnown(headers: Headers, peer: string): boolean
  login(password: string, headers: Headers, peer: string): Login
  /** Ends the session; the cookie that makes a browser forget it. */
  logout(headers: Headers): string
}

export const SESSION_COOKIE = 'nexus_auth_session'
const SESSION_SECONDS = 24 * 60 * 60
const MOST_SESSIONS = 10_000
const MOST_GUESSERS = 10_000
const MOST_FAILURES = 10
const FAILURES_MS = 60_000

export function createPasswordGate({ password, open, now = Date.now }: GateOptions): PasswordGate {
  // Digests have one length, so a comparison does not tell how long the password is.
  const salt = randomBytes(32)
  const digest = (text: string) => createHmac('sha256', salt).update(text).digest()
  const expected = digest(password)
  /** When each session ends. Kept as digests: a dump opens no door. */
  const sessions = new BoundedMap<string, number>(MOST_SESSIONS)
  /** When each address guessed wrong lately. */
  const failures = new BoundedMap<string, readonly number[]>(MOST_GUESSERS)

  const failuresOf = (peer: string): readonly number[] =>
    (failures.get(peer) ?? []).filter((at) => at > now() - FAILURES_MS)
  const waitMs = (peer: string): number => {
    const recent = failuresOf(peer)
    return recent.length < MOST_FAILURES ? 0 : recent[0]! + FAILURES_MS - now()
  }
  /** While there is a wait, the right password is not listened to either. */
  const isRight = (given: string, peer: string): boolean => {
    if (waitMs(peer) > 0) return false
    if (timingSafeEqual(digest(given), expected)) return true
    failures.set(peer, [...failuresOf(peer), now()])
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
  const isKnown = (headers: Headers, peer: string): boolean => {
    if (hasSession(headers)) return true
    const sent = sentPassword(headers.get('authorization') ?? '')
    return sent !== undefined && isRight(sent, peer)
  }

  return {
    isKnown,
    allows: (headers, need, peer) => open.includes(need) || isKnown(headers, peer),
    login(given, headers, peer) {
      const wait = waitMs(peer)
      if (wait > 0) return { kind: 'wait', seconds: Math.ceil(wait / 1000) }
      if (!isRight(given, peer)) return { kind: 'wrong' }
      const token = randomBytes(32).toString('base64url')
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
  const bearer = /^bearer +(\S.*)/i.exec(header)?.[1]?.trimEnd()
  // Headers arrive as bytes, one character each; an umlaut is two of them in UTF-8.
  if (bearer !== undefined) return Buffer.from(bearer, 'latin1').toString('utf8')
  const encoded = /^basic +([a-z0-9+/=_-]+) *$/i.exec(header)?.[1]
  if (encoded === undefined) return undefined
  const pair = Buffer.from(encoded, 'base64').toString('utf8')
  return pair.slice(pair.indexOf(':') + 1)
}
