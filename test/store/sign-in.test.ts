/** Signing in where any of several servers may answer each request, as behind a load balancer. */
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { tokensOf } from '../../src/serve/wiring/access.ts'
import { startServer } from '../../src/serve/wiring/start-server.ts'
import { loadConfig } from '../../src/serve/config/load-config.ts'
import { startPglite } from '../support/pglite-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const ORIGIN = 'https://kb.example'
const BACK = 'http://localhost/callback'
const VERIFIER = 'v'.repeat(50)
const LONG = { timeout: 600_000 }

async function serve(state: string, folder: string, store?: string): Promise<string> {
  const { config } = await loadConfig({
    folders: [`notes=${folder}`],
    configFile: undefined,
    flags: {
      state,
      port: '0',
      embedding: 'none',
      'log-level': 'silent',
      'public-url': ORIGIN,
      ...(store !== undefined && { store }),
    },
    env: { CAIRN_ACCESS_SIGN_IN: 'on' },
    cwd: folder,
    home: folder,
  })
  const server = await startServer(config, { transport: 'http' })
  onTestFinished(() => server.close())
  return new URL(server.url!).origin
}

async function twoServers(kind: 'a folder' | 'PostgreSQL') {
  const folder = temporaryFolder({ 'tea.md': '# Tea\n' })
  const states = [join(temporaryFolder(), 'one'), join(temporaryFolder(), 'two')]
  for (const state of states) mkdirSync(state, { recursive: true })
  const grant = { may: ['read'], see: [], hide: [] } as const
  const { token } = tokensOf({ state: states[0]! }).create('ann', grant)
  if (kind === 'a folder') {
    return { token, urls: [await serve(states[0]!, folder), await serve(states[0]!, folder)] }
  }
  const database = await startPglite()
  onTestFinished(() => database.close())
  // Tokens are not in the database.
  copyFileSync(join(states[0]!, 'tokens.json'), join(states[1]!, 'tokens.json'))
  const store = `${database.url}?base=shared`
  const urls = [await serve(states[0]!, folder, store), await serve(states[1]!, folder, store)]
  return { token, urls }
}

describe.each(['a folder', 'PostgreSQL'] as const)('two servers of a base in %s', (kind) => {
  it('let a client sign in whichever it asks, and end what is used twice', LONG, async () => {
    const { token, urls } = await twoServers(kind)
    const post = (server: number, path: string, fields: Record<string, string>) =>
      fetch(`${urls[server]}${path}`, {
        method: 'POST',
        body: new URLSearchParams(fields),
        redirect: 'manual',
      })
    const registered = await fetch(`${urls[0]}/oauth/register`, {
      method: 'POST',
      body: JSON.stringify({ redirect_uris: [BACK] }),
    })
    const { client_id } = (await registered.json()) as { client_id: string }
    const redirect_uri = 'http://localhost:52001/callback'
    const signIn = async () => {
      const answer = await post(1, '/oauth/authorize', {
        client_id,
        redirect_uri,
        response_type: 'code',
        code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
        code_challenge_method: 'S256',
        token,
      })
      const code = new URL(answer.headers.get('location')!).searchParams.get('code')!
      const fields = { client_id, redirect_uri, code, code_verifier: VERIFIER }
      return (server: number) =>
        post(server, '/oauth/token', { grant_type: 'authorization_code', ...fields })
    }
    const calls = async (server: number, { access_token }: any) =>
      (await fetch(`${urls[server]}/mcp`, { headers: { authorization: `Bearer ${access_token}` } }))
        .status !== 401
    const refresh = (server: number, { refresh_token }: any) =>
      post(server, '/oauth/token', { grant_type: 'refresh_token', client_id, refresh_token })
    const isOver = (server: number, pass: unknown) =>
      expect.poll(() => calls(server, pass), { timeout: 60_000 }).toBe(false)

    const first = await (await (await signIn())(0)).json()
    expect([await calls(0, first), await calls(1, first)]).toEqual([true, true])
    const second = await (await refresh(1, first)).json()
    expect(await calls(0, second)).toBe(true)
    expect((await refresh(0, first)).status).toBe(400)
    expect((await refresh(1, second)).status).toBe(400)
    await isOver(0, second)
    await isOver(1, second)

    const exchange = await signIn()
    const third = await (await exchange(1)).json()
    expect(await calls(0, third)).toBe(true)
    expect((await exchange(0)).status).toBe(400)
    await isOver(1, third)

    const fourth: any = await (await (await signIn())(0)).json()
    const revoked = { client_id, token: fourth.refresh_token }
    expect((await post(1, '/oauth/revoke', revoked)).status).toBe(200)
    await isOver(0, fourth)
    expect((await refresh(0, fourth)).status).toBe(400)
  })
})
