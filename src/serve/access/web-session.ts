/**
 * Signing in to the page for people: a form takes a token of the base and gives a cookie for it, a
 * signed session that ends with the token. The cookie counts for the page's own paths alone, and for
 * changes only where the page itself asks (SameSite and the Origin header against forged requests).
 */
import { createHash, randomBytes } from 'node:crypto'
import type { Caller } from '../../core/domain/caller.ts'
import type { SignIns } from '../../core/domain/sign-ins.ts'
import type { Guesses } from './guesses.ts'
import type { Tokens } from './open-tokens.ts'
import { createSeal } from './seal.ts'
import { deniedPage, signedInPage, signInPage } from './sign-in-page.ts'

export interface WebSessionOptions {
  readonly tokens: Pick<Tokens, 'entryOf' | 'callerById'>
  readonly signIns: Promise<SignIns>
  readonly guesses: Guesses
  /** Which paths are the page's. */
  readonly isPage: (path: string) => boolean
  readonly now?: () => number
}

/** A request as far as it matters here; `asked` is the scheme and host that it asked for. */
export interface Asked {
  readonly path: string
  readonly method: string
  readonly asked: string
}

export interface WebHeaders {
  readonly cookie?: string | undefined
  readonly origin?: string | undefined
}

export interface WebSession {
  isPage(path: string): boolean
  isPublic(path: string): boolean
  callerOf(headers: WebHeaders, asked: Asked): Promise<Caller | undefined>
  /** Undefined for a path that is not one of its own. */
  answer(
    request: Request,
    sender: { readonly peer: string; readonly caller: Caller | undefined },
  ): Promise<Response | undefined>
  /** The form in place of what somebody wanted to see. */
  form(to: string, options: { readonly again: boolean }): Response
}

interface Session {
  readonly id: string
  /** Of the token it stands for. */
  readonly entry: string
  readonly endsAt: number
}

const SIGN_IN = '/sign-in'
const SIGN_OUT = '/sign-out'
const LASTS_MS = 7 * 24 * 60 * 60_000

export function openWebSession(options: WebSessionOptions): WebSession {
  const { tokens, signIns, guesses, isPage, now = Date.now } = options
  const opened = async () => {
    const key = await (await signIns).key()
    return {
      seal: createSeal(Buffer.from(key, 'hex'), 'the page'),
      // Of its own for every base: browsers do not tell the ports of one machine apart.
      cookie: `cairn-${createHash('sha256').update(key).digest('hex').slice(0, 8)}`,
    }
  }
  const sessionIn = async (header: string | undefined): Promise<Session | undefined> => {
    if (header === undefined || !header.includes('cairn-')) return undefined
    const { seal, cookie } = await opened()
    const value = valueOf(header, cookie)
    const session = value === undefined ? undefined : seal.opened<Session>('web', value)
    if (!session || session.endsAt <= now()) return undefined
    return (await (await signIns).hasEnded(session.id)) ? undefined : session
  }

  const enter = async (request: Request, peer: string): Promise<Response> => {
    const form = new URLSearchParams(await request.text())
    const to = ownPath(form.get('to') ?? '/', isPage)
    if (!isOwnForm(request)) return deniedPage()
    if (!guesses.may(peer)) return signInPage(429, to, 'Too many attempts. Wait a minute.')
    const entry = tokens.entryOf((form.get('token') ?? '').trim())
    if (!entry) {
      guesses.missed(peer)
      return signInPage(401, to, 'That is no token of this base, or it has ended.')
    }
    const { seal, cookie } = await opened()
    const id = randomBytes(18).toString('base64url')
    const session: Session = { id, entry: entry.id, endsAt: now() + LASTS_MS }
    return goTo(to, cookieText(cookie, seal.signed('web', session), LASTS_MS, request))
  }

  const leave = async (request: Request): Promise<Response> => {
    if (!isOwnForm(request)) return deniedPage()
    const session = await sessionIn(request.headers.get('cookie') ?? undefined)
    // A copy of the cookie is worth nothing either.
    if (session) await (await signIns).end(session.id, session.endsAt)
    const { cookie } = await opened()
    return goTo(SIGN_IN, cookieText(cookie, '', 0, request))
  }

  const callerIn = async (cookie: string | undefined): Promise<Caller | undefined> => {
    const session = await sessionIn(cookie)
    return session && tokens.callerById(session.entry)
  }

  return {
    isPage,
    isPublic: (path) => path === SIGN_IN || path === SIGN_OUT,
    async callerOf({ cookie, origin }, { path, method, asked }) {
      if (cookie === undefined || !isPage(path)) return undefined
      const reads = method === 'GET' || method === 'HEAD'
      if (!reads && !isOrigin(origin, asked)) return undefined
      return callerIn(cookie)
    },
    async answer(request, { peer, caller }) {
      const { pathname, searchParams } = new URL(request.url)
      switch (`${request.method} ${pathname}`) {
        case `GET ${SIGN_IN}`: {
          const to = ownPath(searchParams.get('to') ?? '/', isPage)
          const who = caller ?? (await callerIn(request.headers.get('cookie') ?? undefined))
          return who ? signedInPage(who, to) : signInPage(200, to)
        }
        case `POST ${SIGN_IN}`:
          return enter(request, peer)
        case `POST ${SIGN_OUT}`:
          return leave(request)
        default:
          return undefined
      }
    },
    form: (to, { again }) => signInPage(401, ownPath(to, isPage), undefined, again),
  }
}

/** Only to a view of this page: whoever makes a link must not choose where it leads. */
function ownPath(to: string, isPage: (path: string) => boolean): string {
  const url = to.startsWith('/') ? URL.parse(to, 'http://here') : null
  if (!url || url.host !== 'here') return '/'
  // Two slashes at the beginning, which may be left of `/n/..//host`, name another server.
  if (/^\/(?:\/|web\/)/.test(url.pathname)) return '/'
  return isPage(url.pathname) ? `${url.pathname}${url.search}` : '/'
}

function goTo(to: string, cookie: string): Response {
  const headers = { location: to, 'set-cookie': cookie, 'cache-control': 'no-store' }
  return new Response(null, { status: 303, headers })
}

function cookieText(name: string, value: string, lastsMs: number, request: Request): string {
  const isSecure =
    request.url.startsWith('https:') || request.headers.get('origin')?.startsWith('https:')
  const parts = [`${name}=${value}`, 'Path=/', `Max-Age=${Math.floor(lastsMs / 1000)}`]
  return [...parts, 'HttpOnly', 'SameSite=Strict', ...(isSecure ? ['Secure'] : [])].join('; ')
}

function valueOf(header: string, name: string): string | undefined {
  const parts = header.split(';').map((each) => each.trim())
  return parts.find((each) => each.startsWith(`${name}=`))?.slice(name.length + 1)
}

/** Sent by a form of ours, or by a program, which no page can make send it. */
function isOwnForm({ headers, url }: Request): boolean {
  const origin = headers.get('origin') ?? undefined
  if (origin !== undefined) return isOrigin(origin, new URL(url).origin)
  return ['same-origin', 'none', null].includes(headers.get('sec-fetch-site'))
}

/** Behind a proxy that speaks TLS and was not named, the page has an address with https. */
function isOrigin(origin: string | undefined, asked: string): boolean {
  return origin === asked || origin === asked.replace(/^http:/, 'https:')
}
