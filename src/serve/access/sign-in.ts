/**
 * A small authorization server of our own, for clients that cannot be given a token by hand: OAuth 2.1
 * with PKCE, dynamic registration, and a page that asks for a token of the base. What a client gets
 * stands for that token: it may do no more, and ends when the token is revoked. Registrations, codes
 * and tokens are signed texts; what is kept, for all servers of the base, is the key and how far each
 * sign-in has come. Whatever is used a second time ends its sign-in.
 */
import { createHash, randomBytes } from 'node:crypto'
import type { Caller, Permission } from '../../core/domain/caller.ts'
import { PERMISSIONS } from '../../core/domain/caller.ts'
import type { SignIns } from '../../core/domain/sign-ins.ts'
import { documentAddress } from './client-documents.ts'
import type { ClientDocuments } from './client-documents.ts'
import { consentPage, messagePage } from './consent-page.ts'
import { createGuesses, type Guesses } from './guesses.ts'
import type { Tokens } from './open-tokens.ts'
import { isRedirect, isSameRedirect } from './redirects.ts'
import { createSeal, type Seal } from './seal.ts'

export interface SignInOptions {
  readonly tokens: Pick<Tokens, 'entryOf' | 'callerById'>
  /** Scheme and host under which clients reach this server. */
  readonly origin: string
  /** Clients that are described at an address of their own. */
  readonly documents?: ClientDocuments
  /** What all servers of the base know. */
  readonly signIns: SignIns | Promise<SignIns>
  readonly guesses?: Guesses
  readonly now?: () => number
}

export interface SignIn {
  readonly origin: string
  callerOf(token: string): Promise<Caller | undefined>
  isPublic(path: string): boolean
  /** Undefined for a path that is not one of its own. */
  answer(request: Request, peer: string): Promise<Response | undefined>
}

const PATHS = {
  metadata: '/.well-known/oauth-authorization-server',
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
} as const

const CODE_MS = 60_000
const ACCESS_MS = 60 * 60_000
const REFRESH_MS = 30 * 24 * 60 * 60_000

interface Registration {
  readonly name: string
  readonly redirects: readonly string[]
}

/** What one sign-in allows. */
interface Allowed {
  /** Of the sign-in, from its code to its last refresh token. */
  readonly id: string
  /** Of the token it stands for. */
  readonly entry: string
  readonly may: readonly Permission[]
  readonly endsAt: number
}

interface Code extends Allowed {
  /** Digests: a client may have a long name, and a code stands in an address. */
  readonly client: string
  readonly redirect: string
  readonly challenge: string
}

interface Pass extends Allowed {
  readonly client: string
  /** How often it was refreshed. */
  readonly step: number
}

export function openSignIn(options: SignInOptions): SignIn {
  const { tokens, origin, documents, now = Date.now, guesses = createGuesses(now) } = options
  const signIns = Promise.resolve(options.signIns)
  const sealing = async (): Promise<Seal> =>
    createSeal(Buffer.from(await (await signIns).key(), 'hex'), origin)

  const passFor = async (pass: Omit<Pass, 'endsAt'>): Promise<Response> => {
    const { signed } = await sealing()
    const answer = {
      access_token: signed('cat', { ...pass, endsAt: now() + ACCESS_MS } satisfies Pass),
      refresh_token: signed('crt', { ...pass, endsAt: now() + REFRESH_MS } satisfies Pass),
      token_type: 'Bearer',
      expires_in: ACCESS_MS / 1000,
      scope: pass.may.join(' '),
    }
    return Response.json(answer, { headers: NOT_KEPT })
  }
  /** Remembered for as long as an access token of it may be shown; the others need to be known. */
  const end = async (id: string): Promise<void> => (await signIns).end(id, now() + ACCESS_MS)
  const again = async (id: string): Promise<Response> => {
    await end(id)
    return beginAgain()
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
    const { signed } = await sealing()
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
    const { opened } = await sealing()
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
    if (!guesses.may(peer))
      return consentPage(429, { ...page, problem: 'Too many attempts. Wait a minute.' })
    const entry = tokens.entryOf((form.get('token') ?? '').trim())
    if (!entry) {
      guesses.missed(peer)
      return consentPage(401, { ...page, problem: 'That is no token of this base.' })
    }
    const wanted = asked.scopes.length > 0 ? asked.scopes : entry.may
    const { signed } = await sealing()
    const code = signed('code', {
      id: randomBytes(18).toString('base64url'),
      entry: entry.id,
      client: digestOf(params.get('client_id') ?? ''),
      redirect: digestOf(asked.redirect),
      challenge: asked.challenge,
      may: entry.may.filter((each) => wanted.includes(each)),
      endsAt: now() + CODE_MS,
    } satisfies Code)
    const back = new URL(asked.redirect)
    back.searchParams.set('code', code)
    back.searchParams.set('iss', origin)
    const state = params.get('state')
    if (state !== null) back.searchParams.set('state', state)
    return new Response(null, { status: 303, headers: { location: back.href, ...NOT_KEPT } })
  }

  /** Undefined where the client is known. */
  const strange = (client: string, { opened }: Seal): Response | undefined => {
    // A code is bound to the client that asked for it, so a document need not be read again.
    if (opened('client', client) || (documents && documentAddress(client))) return undefined
    return oauthError('invalid_client', 'Register first.', 401)
  }

  const exchange = async (request: Request): Promise<Response> => {
    const form = new URLSearchParams(await request.text())
    const client = form.get('client_id') ?? ''
    const seal = await sealing()
    const why = strange(client, seal)
    if (why) return why
    switch (form.get('grant_type')) {
      case 'authorization_code': {
        const code = seal.opened<Code>('code', form.get('code') ?? '')
        if (!code || code.endsAt <= now()) return beginAgain()
        const { id, entry, may } = code
        // Whoever comes second is too late, be it the one it was meant for; and takes all along.
        if (!(await (await signIns).begin(id, now() + REFRESH_MS))) return again(id)
        const right =
          code.client === digestOf(client) &&
          code.redirect === digestOf(form.get('redirect_uri') ?? '') &&
          code.challenge === challengeOf(form.get('code_verifier') ?? '')
        if (!right || !tokens.callerById(entry)) return again(id)
        return passFor({ id, entry, may, client, step: 0 })
      }
      case 'refresh_token': {
        const pass = seal.opened<Pass>('crt', form.get('refresh_token') ?? '')
        if (!pass || pass.endsAt <= now() || pass.client !== client) return beginAgain()
        const { id, entry, may, step } = pass
        if (!tokens.callerById(entry)) return beginAgain()
        if (!(await (await signIns).advance(id, step, now() + REFRESH_MS))) return again(id)
        return passFor({ id, entry, may, client, step: step + 1 })
      }
      default:
        return oauthError('unsupported_grant_type', 'Use authorization_code or refresh_token.')
    }
  }

  /** RFC 7009: either token ends the sign-in; one that is none of ours is as good as ended. */
  const revoke = async (request: Request): Promise<Response> => {
    const form = new URLSearchParams(await request.text())
    const client = form.get('client_id') ?? ''
    const seal = await sealing()
    const why = strange(client, seal)
    if (why) return why
    const text = form.get('token') ?? ''
    const pass = seal.opened<Pass>('crt', text) ?? seal.opened<Pass>('cat', text)
    if (pass && pass.client !== client)
      return oauthError('invalid_grant', 'It belongs to another client.')
    if (pass) await end(pass.id)
    return new Response(null, { status: 200, headers: NOT_KEPT })
  }

  const routes: Record<string, (request: Request, peer: string) => Promise<Response>> = {
    [`GET ${PATHS.metadata}`]: async () =>
      Response.json(metadataOf(origin, documents !== undefined)),
    [`POST ${PATHS.register}`]: register,
    [`GET ${PATHS.authorize}`]: authorize,
    [`POST ${PATHS.authorize}`]: authorize,
    [`POST ${PATHS.token}`]: exchange,
    [`POST ${PATHS.revoke}`]: revoke,
  }

  return {
    origin,
    async callerOf(token) {
      if (!token.startsWith('cat.')) return undefined
      const pass = (await sealing()).opened<Pass>('cat', token)
      if (!pass || pass.endsAt <= now()) return undefined
      if (await (await signIns).hasEnded(pass.id)) return undefined
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
    revocation_endpoint: `${origin}${PATHS.revoke}`,
    revocation_endpoint_auth_methods_supported: ['none'],
    scopes_supported: PERMISSIONS,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: readsDocuments,
  }
}

function isOurs(resource: string, origin: string): boolean {
  return URL.parse(resource)?.origin === new URL(origin).origin
}

function challengeOf(verifier: string): string {
  return digestOf(verifier)
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

function beginAgain(): Response {
  return oauthError('invalid_grant', 'Begin again.')
}

function oauthError(error: string, description: string, status = 400): Response {
  return Response.json({ error, error_description: description }, { status, headers: NOT_KEPT })
}
