import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import type { SignIns } from '../../core/domain/sign-ins.ts'
import { openSignIns } from '../../core/store/sqlite/open-sign-ins.ts'
import { openTokens } from './open-tokens.ts'
import { openSignIn } from './sign-in.ts'

const ORIGIN = 'https://kb.example'
const BACK = 'https://client.example/callback'
const VERIFIER = 'v'.repeat(50)
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url')

function signInsIn(folder: string, now?: () => number): SignIns {
  const signIns = openSignIns(join(folder, 'sign-in.db'), now && { now })
  onTestFinished(() => signIns.close())
  return signIns
}

function open(folder = temporaryFolder()) {
  const clock = { at: Date.now() }
  const tokens = openTokens(join(temporaryFolder({}), 'tokens.json'), () => clock.at)
  const grant = { may: ['read', 'write'], see: [], hide: ['notes/secret'] } as const
  const { token } = tokens.create('ann', grant)
  const signIn = openSignIn({
    tokens,
    origin: ORIGIN,
    signIns: signInsIn(folder, () => clock.at),
    now: () => clock.at,
  })
  const send = async (path: string, init: RequestInit = {}, peer = '10.0.0.1') =>
    (await signIn.answer(new Request(`${ORIGIN}${path}`, init), peer))!
  const post = (path: string, fields: Record<string, string>, peer?: string) =>
    send(path, { method: 'POST', body: new URLSearchParams(fields) }, peer)
  const register = async (redirects: readonly unknown[] = [BACK], name = 'Chat') => {
    const body = JSON.stringify({ redirect_uris: redirects, client_name: name })
    const response = await send('/oauth/register', { method: 'POST', body })
    const { client_id } = (await response.json()) as { client_id?: string }
    return { status: response.status, client_id: client_id ?? '' }
  }
  return { clock, tokens, token, signIn, send, post, register }
}

type Opened = ReturnType<typeof open>

function request(client: string, more: Record<string, string> = {}) {
  return {
    client_id: client,
    redirect_uri: BACK,
    response_type: 'code',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    state: 'xyz',
    ...more,
  }
}

async function signedIn({ register, post, token }: Opened, more: Record<string, string> = {}) {
  const { client_id: client } = await register()
  const response = await post('/oauth/authorize', { ...request(client, more), token })
  const back = new URL(response.headers.get('location')!)
  const code = back.searchParams.get('code')!
  const exchange = (fields: Record<string, string> = {}) =>
    post('/oauth/token', {
      grant_type: 'authorization_code',
      client_id: client,
      code,
      redirect_uri: BACK,
      code_verifier: VERIFIER,
      ...fields,
    })
  return { client, back, exchange }
}

it('announces itself', async () => {
  const { send, signIn } = open()
  const metadata = (await (await send('/.well-known/oauth-authorization-server')).json()) as any
  expect(metadata).toMatchObject({ issuer: ORIGIN, code_challenge_methods_supported: ['S256'] })
  expect(signIn.isPublic('/oauth/token')).toBe(true)
  expect(signIn.isPublic('/mcp')).toBe(false)
})

it('lets a client in for who shows a token, with what both ask for and have', async () => {
  const opened = open()
  const { back, exchange } = await signedIn(opened, { scope: 'read maintain' })
  expect([back.origin + back.pathname, back.searchParams.get('state')]).toEqual([BACK, 'xyz'])
  expect(back.searchParams.get('iss')).toBe(ORIGIN)
  const pass = (await (await exchange()).json()) as any
  expect([pass.scope, pass.token_type]).toEqual(['read', 'Bearer'])
  const caller = (await opened.signIn.callerOf(pass.access_token))!
  expect([caller.principal, caller.may]).toEqual(['token:ann', ['read']])
  expect(caller.sees?.({ source: 'notes', path: 'secret/a.md' })).toBe(false)
  opened.clock.at += 60 * 60_000
  expect(await opened.signIn.callerOf(pass.access_token)).toBeUndefined()
})

it('is over when the token is revoked, and outlives a restart', async () => {
  const folder = temporaryFolder()
  const opened = open(folder)
  const { exchange, client } = await signedIn(opened)
  const { access_token: access, refresh_token: refresh } = (await (await exchange()).json()) as any
  const from = (place: string, origin = ORIGIN) =>
    openSignIn({ tokens: opened.tokens, origin, signIns: signInsIn(place) })
  const again = from(folder)
  expect((await again.callerOf(access))?.principal).toBe('token:ann')
  expect(await from(temporaryFolder()).callerOf(access)).toBeUndefined()
  expect(await from(folder, 'https://other.example').callerOf(access)).toBeUndefined()
  opened.tokens.revoke('ann')
  expect(await again.callerOf(access)).toBeUndefined()
  const fields = { grant_type: 'refresh_token', client_id: client, refresh_token: refresh }
  expect((await opened.post('/oauth/token', fields)).status).toBe(400)
})

/** What a client got, by the word that the protocol has for it. */
async function passOf(response: Response): Promise<Record<string, string>> {
  return response.status === 200 ? ((await response.json()) as Record<string, string>) : {}
}

it('takes a code once, at whichever server, and ends the sign-in of one that comes again', async () => {
  const folder = temporaryFolder()
  const opened = open(folder)
  const { exchange, client } = await signedIn(opened)
  const other = openSignIn({ tokens: opened.tokens, origin: ORIGIN, signIns: signInsIn(folder) })
  const pass = await passOf(await exchange())
  expect((await other.callerOf(pass['access_token']!))?.principal).toBe('token:ann')
  expect((await exchange()).status).toBe(400)
  expect(await other.callerOf(pass['access_token']!)).toBeUndefined()
  const fields = { client_id: client, refresh_token: pass['refresh_token']! }
  const refreshed = opened.post('/oauth/token', { grant_type: 'refresh_token', ...fields })
  expect((await refreshed).status).toBe(400)
})

it('takes a refresh token once, also after a restart, and ends the sign-in of one that comes again', async () => {
  const folder = temporaryFolder()
  const opened = open(folder)
  const { exchange, client } = await signedIn(opened)
  const first = await passOf(await exchange())
  /** Each time as a server that was started anew. */
  const refresh = async (pass: Record<string, string>) => {
    const { tokens } = opened
    const signIn = openSignIn({ tokens, origin: ORIGIN, signIns: signInsIn(folder) })
    const body = new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: client,
      refresh_token: pass['refresh_token'] ?? '',
    })
    const request = new Request(`${ORIGIN}/oauth/token`, { method: 'POST', body })
    return passOf((await signIn.answer(request, '10.0.0.1'))!)
  }
  const second = await refresh(first)
  const third = await refresh(second)
  expect((await opened.signIn.callerOf(third['access_token']!))?.principal).toBe('token:ann')
  expect(await refresh(first)).toEqual({})
  expect(await refresh(third)).toEqual({})
  for (const pass of [first, second, third])
    expect(await opened.signIn.callerOf(pass['access_token']!)).toBeUndefined()
})

it.each(['access_token', 'refresh_token'])('is over when its %s is revoked', async (kind) => {
  const opened = open()
  const metadata = (await (
    await opened.send('/.well-known/oauth-authorization-server')
  ).json()) as Record<string, string>
  expect(metadata['revocation_endpoint']).toBe(`${ORIGIN}/oauth/revoke`)
  const { exchange, client } = await signedIn(opened)
  const pass = await passOf(await exchange())
  const { client_id: other } = await opened.register([BACK], 'Other')
  const revoke = async (client_id: string, token: string) =>
    (await opened.post('/oauth/revoke', { client_id, token })).status
  expect(await revoke(other, pass[kind]!)).toBe(400)
  expect(await revoke('nobody', pass[kind]!)).toBe(401)
  expect(await opened.signIn.callerOf(pass['access_token']!)).toBeDefined()
  expect(await revoke(client, pass[kind]!)).toBe(200)
  expect(await revoke(client, 'none of ours')).toBe(200)
  expect(await opened.signIn.callerOf(pass['access_token']!)).toBeUndefined()
  const fields = { client_id: client, refresh_token: pass['refresh_token']! }
  const refreshed = opened.post('/oauth/token', { grant_type: 'refresh_token', ...fields })
  expect((await refreshed).status).toBe(400)
})

it.each([
  ['another verifier', { code_verifier: 'w'.repeat(50) }],
  ['another place to call back', { redirect_uri: 'https://client.example/other' }],
  ['another code', { code: 'x' }],
  ['a client nobody registered', { client_id: 'client.e30.x' }],
  ['another kind of grant', { grant_type: 'password' }],
])('gives nothing to %s', async (_, fields) => {
  const { exchange } = await signedIn(open())
  expect((await exchange(fields as Record<string, string>)).status).toBeGreaterThanOrEqual(400)
})

it('gives nothing for a code of another client, or one that is too old', async () => {
  const opened = open()
  const { exchange } = await signedIn(opened)
  const other = await opened.register([BACK], 'Other')
  expect((await exchange({ client_id: other.client_id })).status).toBe(400)
  const late = await signedIn(opened)
  opened.clock.at += 60_000
  expect((await late.exchange()).status).toBe(400)
})

it.each([
  ['no client', { client_id: '' }],
  ['another place to call back', { redirect_uri: 'https://evil.example/' }],
  ['no PKCE', { code_challenge: '' }],
  ['plain PKCE', { code_challenge_method: 'plain' }],
  ['another kind of answer', { response_type: 'token' }],
  ['another server', { resource: 'https://other.example/mcp' }],
])('shows no form for a request with %s', async (_, more) => {
  const { register, send, post, token } = open()
  const { client_id: client } = await register()
  const fields = request(client, more as Record<string, string>)
  const query = new URLSearchParams(fields).toString()
  const response = await send(`/oauth/authorize?${query}`)
  expect([response.status, response.headers.get('location')]).toEqual([400, null])
  expect(await response.text()).not.toContain('<form')
  expect((await post('/oauth/authorize', { ...fields, token })).status).toBe(400)
})

it.each([
  [[]],
  [['http://client.example/']],
  [['javascript:alert(1)']],
  [['https://a.example/#x']],
  [['https://me@a.example/']],
  [['myapp://x']],
  [[1]],
  [Array.from({ length: 11 }, () => BACK)],
])('registers nobody who wants to be called back at %j', async (redirects) => {
  expect((await open().register(redirects)).status).toBe(400)
})

it.each([
  ['http://localhost/callback', 'http://localhost:52001/callback', 200],
  ['http://127.0.0.1/callback', 'http://127.0.0.1:52001/callback', 200],
  ['http://127.0.0.1:1/callback?a=b', 'http://127.0.0.1:2/callback?a=b', 200],
  ['http://[::1]/callback', 'http://[::1]:52001/callback', 200],
  ['http://localhost/callback', 'http://localhost:52001/other', 400],
  ['http://localhost/callback', 'http://127.0.0.1:52001/callback', 400],
  ['http://localhost/callback', 'http://localhost.evil.example:52001/callback', 400],
  ['http://localhost/callback', 'https://localhost:52001/callback', 400],
  ['http://localhost/callback', 'http://me@localhost:52001/callback', 400],
  ['https://client.example/callback', 'https://client.example:444/callback', 400],
])('knows a program on the same machine by any port: %s, %s', async (named, asked, status) => {
  const { register, send } = open()
  const { client_id: client } = await register([named])
  const query = new URLSearchParams(request(client, { redirect_uri: asked })).toString()
  expect((await send(`/oauth/authorize?${query}`)).status).toBe(status)
})

it('shows who asks, as text', async () => {
  const { register, send } = open()
  const { client_id: client } = await register([BACK], '<script>alert(1)</script>')
  const query = new URLSearchParams(request(client, { state: '"><b>' })).toString()
  const response = await send(`/oauth/authorize?${query}`)
  const html = await response.text()
  expect(html).toContain('&lt;script&gt;')
  expect(html).not.toMatch(/<script|"><b>/)
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
})

it('tires of guesses from one address', async () => {
  const { register, post, token } = open()
  const { client_id: client } = await register()
  const guess = (text: string, peer?: string) =>
    post('/oauth/authorize', { ...request(client), token: text }, peer)
  for (let n = 0; n < 10; n++) expect((await guess(`cairn_${n}`)).status).toBe(401)
  expect((await guess(token)).status).toBe(429)
  expect((await guess(token, '10.0.0.2')).status).toBe(303)
})

it('lets a client in that is described at an address of its own', async () => {
  const { tokens, token } = open()
  const id = 'https://client.example/oauth/client.json'
  const documents = {
    find: async (asked: string) =>
      asked === id ? { name: 'Described', redirects: [BACK] } : undefined,
  }
  const signIn = openSignIn({
    tokens,
    origin: ORIGIN,
    signIns: signInsIn(temporaryFolder()),
    documents,
  })
  const post = async (path: string, fields: Record<string, string>) =>
    (await signIn.answer(
      new Request(`${ORIGIN}${path}`, { method: 'POST', body: new URLSearchParams(fields) }),
      '10.0.0.1',
    ))!
  const page = await signIn.answer(
    new Request(`${ORIGIN}/oauth/authorize?${new URLSearchParams(request(id))}`),
    '10.0.0.1',
  )
  expect(await page!.text()).toContain('Described wants to use Cairn')
  const back = await post('/oauth/authorize', { ...request(id), token })
  const code = new URL(back.headers.get('location')!).searchParams.get('code')!
  const fields = {
    grant_type: 'authorization_code',
    client_id: id,
    code,
    redirect_uri: BACK,
    code_verifier: VERIFIER,
  }
  const exchanged = (await (await post('/oauth/token', fields)).json()) as { access_token: string }
  expect((await signIn.callerOf(exchanged.access_token))?.principal).toBe('token:ann')
  const stranger = 'https://other.example/client.json'
  expect((await post('/oauth/authorize', { ...request(stranger), token })).status).toBe(400)
})
