/**
 * A small authorization server of our own, for clients that cannot be given a token by hand: OAuth 2.1
 * with PKCE, dynamic registration, and a page that asks for a token of the base. What a client gets
 * stands for that token: it may do no more, and ends when the token is revoked. Nothing is kept but a
 * key: registrations and tokens are signed texts.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { BoundedMap } from '../domain/bounded-map.ts'
import type { Caller, Permission } from '../domain/caller.ts'
import { PERMISSIONS } from '../domain/caller.ts'
import { documentAddress } from './client-documents.ts'
import type { ClientDocuments } from './client-documents.ts'
import { consentPage, messagePage } from './consent-page.ts'
import type { Tokens } from './open-tokens.ts'

export interface SignInOptions {
  readonly tokens: Pick<Tokens, 'entryOf' | 'callerById'>
  /** Scheme and host under which clients reach this server. */
  readonly origin: string
  /** Clients that are described at an address of their own. */
  readonly documents?: ClientDocuments
  /** Signs what is handed out; the same after a restart. */
  readonly key: Buffer
  readonly now?: () => number
}

export interface SignIn {
  readonly origin: string
  callerOf(token: string): Caller | undefined
  isPublic(path: string): boolean
  /** Undefined for a path that is not one of its own. */
  answer(request: Request, peer: string): Promise<Response | undefined>
}

const PATHS = {
  metadata: '/.well-known/oauth-authorization-server',
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  register: '/oauth/register',
} as const

const CODE_MS = 60_000
const ACCESS_MS = 60 * 60_000
const REFRESH_MS = 30 * 24 * 60 * 60_000
const MOST_GUESSES = 10
const GUESSES_MS = 60_000

interface Registration {
  readonly name: string
  readonly redirects: readonly string[]
}

interface Code {
  readonly entry: string
  readonly client: string
  readonly redirect: string
  readonly challenge: string
  readonly may: readonly Permission[]
  readonly endsAt: number
}

interface Pass {
  /** Of the token it stands for. */
  readonly entry: string
  readonly client: string
  readonly may: readonly Permission[]
  readonly endsAt: number
  readonly id: string
}

export function openSignIn(options: SignInOptions): SignIn {
  const { tokens, origin, key, documents, now = Date.now } = options
  const codes = new BoundedMap<string, Code>(10_000)
  /** Refresh tokens that were used: each works once. */
  const spent = new BoundedMap<string, true>(100_000)
  const guesses = new BoundedMap<string, readonly number[]>(10_000)

  const signed = (kind: string, value: object): string => {
    const body = Buffer.from(JSON.stringify(value)).toString('base64url')
    return `${kind}.${body}.${seal(kind, body)}`
  }
  const seal = (kind: string, body: string): string =>
    createHmac('sha256', key).update(`${origin} ${kind} ${body}`).digest('base64url')
  const opened = <Value>(kind: string, text: string): Value | undefined => {
    const [given, body = '', mark = ''] = text.split('.')
    if (given !== kind || text.length > 8_192) return undefined
    const [a, b] = [Buffer.from(mark), Buffer.from(seal(kind, body))]
    if (a.length !== b.length || !timingSafeEqual(a, b)) return undefined
    return JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as Value
  }
  const passFor = (pass: Omit<Pass, 'endsAt' | 'id'>) => {
    const id = randomBytes(12).toString('base64url')
    return {
      access_token: signed('cat', { ...pass, id, endsAt: now() + ACCESS_MS } satisfies Pass),
      refresh_token: signed('crt', { ...pass, id, endsAt: now() + REFRESH_MS } satisfies Pass),
      token_type: 'Bearer',
      expires_in: ACCESS_MS / 1000,
      scope: pass.may.join(' '),
    }
  }

  const register = async (request: Request): Promise<Response> => {
    const body = (await request.json().catch(() => undefined)) as
      Record<string, unknown> | undefined
    const redirects = body?.['redirect_uris']
    const usable =
      Array.isArray(redirects) &&
      redirects.length > 0 &&
      redirects.length <= 10 &&
      redirects.every(isRedirect)
    if (!usable) return oauthError('invalid_redirect_uri', 'Name https or loopback addresses.')
    const name = String(body?.['client_name'] ?? 'A client').slice(0, 100)
    const client = signed('client', { name, redirects } satisfies Registration)
    if (client.length > 4_096) return oauthError('invalid_client_metadata', 'That is too much.')
    const answer = {
      client_id: client,
      client_name: name,
      redirect_uris: redirects,
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    }
    return Response.json(answer, { status: 201, headers: NOT_KEPT })
  }

  /** What is asked for, checked; a text says what is wrong and is shown to the person. */
  const requestIn = async (params: URLSearchParams, peer: string) => {
    const id = params.get('client_id') ?? ''
    const client = opened<Registration>('client', id) ?? (await documents?.find(id, peer))
    const redirect = params.get('redirect_uri') ?? ''
    if (!client) return 'This client is not registered here.'
    const isNamed = client.redirects.some((each) => isSameRedirect(each, redirect))
    if (!isNamed || !isRedirect(redirect)) return 'The client asks to be called back elsewhere.'
    if (params.get('response_type') !== 'code') return 'The client asks for something unknown.'
    const challenge = params.get('code_challenge') ?? ''
    if (params.get('code_challenge_method') !== 'S256' || !/^[\w-]{43}$/.test(challenge)) {
      return 'The client does not protect its request (PKCE).'
    }
    const resource = params.get('resource')
    if (resource !== null && !isOurs(resource, origin)) return 'The client means another server.'
    const words = (params.get('scope') ?? '').split(' ')
    const scopes = PERMISSIONS.filter((each) => words.includes(each))
    return { client, redirect, challenge, scopes }
  }

  const mayGuess = (peer: string): boolean => {
    const recent = (guesses.get(peer) ?? []).filter((at) => at > now() - GUESSES_MS)
    guesses.set(peer, recent)
    return recent.length < MOST_GUESSES
  }

  const authorize = async (request: Request, peer: string): Promise<Response> => {
    const url = new URL(request.url)
    const form = request.method === 'POST' ? new URLSearchParams(await request.text()) : undefined
    const params = form ?? url.searchParams
    const asked = await requestIn(params, peer)
    if (typeof asked === 'string') return messagePage(400, asked)
    const page = {
      client: asked.client.name,
      redirect: asked.redirect,
      scopes: asked.scopes,
      params,
    }
    if (!form) return consentPage(200, page)
    if (!mayGuess(peer))
      return consentPage(429, { ...page, problem: 'Too many attempts. Wait a minute.' })
    const entry = tokens.entryOf((form.get('token') ?? '').trim())
    if (!entry) {
      guesses.set(peer, [...(guesses.get(peer) ?? []), now()])
      return consentPage(401, { ...page, problem: 'That is no token of this base.' })
    }
    const wanted = asked.scopes.length > 0 ? asked.scopes : entry.may
    const code = randomBytes(32).toString('base64url')
    codes.set(code, {
      entry: entry.id,
      client: params.get('client_id') ?? '',
      redirect: asked.redirect,
      challenge: asked.challenge,
      may: entry.may.filter((each) => wanted.includes(each)),
      endsAt: now() + CODE_MS,
    })
    const back = new URL(asked.redirect)
    back.searchParams.set('code', code)
    back.searchParams.set('iss', origin)
    const state = params.get('state')
    if (state !== null) back.searchParams.set('state', state)
    return new Response(null, { status: 303, headers: { location: back.href, ...NOT_KEPT } })
  }

  const exchange = async (request: Request): Promise<Response> => {
    const form = new URLSearchParams(await request.text())
    const client = form.get('client_id') ?? ''
    // A code is bound to the client that asked for it, so a document need not be read again.
    if (!opened<Registration>('client', client) && !(documents && documentAddress(client)))
      return oauthError('invalid_client', 'Register first.', 401)
    switch (form.get('grant_type')) {
      case 'authorization_code': {
        const text = form.get('code') ?? ''
        const code = codes.get(text)
        // Whoever comes second is too late, be it the one it was meant for.
        codes.delete(text)
        const right =
          code !== undefined &&
          code.endsAt > now() &&
          code.client === client &&
          code.redirect === form.get('redirect_uri') &&
          code.challenge === challengeOf(form.get('code_verifier') ?? '')
        if (!right || !tokens.callerById(code.entry))
          return oauthError('invalid_grant', 'Begin again.')
        return Response.json(passFor({ entry: code.entry, client, may: code.may }), {
          headers: NOT_KEPT,
        })
      }
      case 'refresh_token': {
        const pass = opened<Pass>('crt', form.get('refresh_token') ?? '')
        const right = pass && pass.endsAt > now() && pass.client === client && !spent.has(pass.id)
        if (!right || !tokens.callerById(pass.entry))
          return oauthError('invalid_grant', 'Begin again.')
        spent.set(pass.id, true)
        const { entry, may } = pass
        return Response.json(passFor({ entry, client, may }), { headers: NOT_KEPT })
      }
      default:
        return oauthError('unsupported_grant_type', 'Use authorization_code or refresh_token.')
    }
  }

  const routes: Record<string, (request: Request, peer: string) => Promise<Response>> = {
    [`GET ${PATHS.metadata}`]: async () =>
      Response.json(metadataOf(origin, documents !== undefined)),
    [`POST ${PATHS.register}`]: register,
    [`GET ${PATHS.authorize}`]: authorize,
    [`POST ${PATHS.authorize}`]: authorize,
    [`POST ${PATHS.token}`]: exchange,
  }

  return {
    origin,
    callerOf(token) {
      const pass = opened<Pass>('cat', token)
      if (!pass || pass.endsAt <= now()) return undefined
      const caller = tokens.callerById(pass.entry)
      return caller && { ...caller, may: caller.may.filter((each) => pass.may.includes(each)) }
    },
    isPublic: (path) => (Object.values(PATHS) as readonly string[]).includes(path),
    async answer(request, peer) {
      return routes[`${request.method} ${new URL(request.url).pathname}`]?.(request, peer)
    },
  }
}

const NOT_KEPT = { 'cache-control': 'no-store' }

function metadataOf(origin: string, readsDocuments: boolean) {
  return {
    issuer: origin,
    authorization_endpoint: `${origin}${PATHS.authorize}`,
    token_endpoint: `${origin}${PATHS.token}`,
    registration_endpoint: `${origin}${PATHS.register}`,
    scopes_supported: PERMISSIONS,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: readsDocuments,
  }
}

/** A page of the web, or a program on the user's own machine. */
function isRedirect(value: unknown): boolean {
  const url = typeof value === 'string' && value.length <= 1_000 ? URL.parse(value) : null
  if (!url || url.hash !== '' || url.username !== '' || url.password !== '') return false
  return url.protocol === 'https:' || isLoopback(url)
}

function isLoopback({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(hostname)
}

/**
 * Compared letter by letter, save for the port of a program on the user's own machine: it gets one
 * from the system when it is started (RFC 8252, section 7.3).
 */
function isSameRedirect(named: string, asked: string): boolean {
  if (named === asked) return true
  const [a, b] = [URL.parse(named), URL.parse(asked)]
  if (!a || !b || !isLoopback(a) || !isLoopback(b)) return false
  a.port = b.port
  return a.href === b.href
}

function isOurs(resource: string, origin: string): boolean {
  return URL.parse(resource)?.origin === new URL(origin).origin
}

function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}

function oauthError(error: string, description: string, status = 400): Response {
  return Response.json({ error, error_description: description }, { status, headers: NOT_KEPT })
}
