/** A served base for tests of who may do and see what: every surface, tokens, and a plain client. */
import { generateKeyPairSync } from 'node:crypto'
import { mkdirSync, utimesSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { exportJWK, SignJWT } from 'jose'
import { onTestFinished, vi } from 'vitest'
import { tokensOf } from '../../src/serve/wiring/access.ts'
import { startServer } from '../../src/serve/wiring/start-server.ts'
import { loadConfig } from '../../src/serve/config/load-config.ts'
import type { FlagValue } from '../../src/serve/config/config.ts'
import type { TokenGrant } from '../../src/serve/access/open-tokens.ts'
import { SOON } from '../support/soon.ts'
import { temporaryFolder, writeFiles } from '../support/temporary-folder.ts'
import type { OnFinished } from '../support/temporary-folder.ts'

export const SURFACES = ['native', 'roux', 'nexus', 'acdc', 'cortex', 'duskmantle'] as const
export type SurfaceWord = (typeof SURFACES)[number]

/** As old as each other, wherever a test stands. */
const LONG_AGO = new Date('2026-01-01T00:00:00Z')

export interface WorldOptions {
  /** Path → content, by source. */
  readonly sources: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly surfaces?: readonly SurfaceWord[]
  readonly flags?: Record<string, FlagValue>
  readonly access?: Readonly<Record<string, unknown>>
  /** For a world that outlives one test: takes what must be done at the end. */
  readonly onFinished?: OnFinished
}

export async function serveWorld({
  sources,
  surfaces = SURFACES,
  flags,
  access,
  onFinished = onTestFinished,
}: WorldOptions) {
  const root = temporaryFolder({}, onFinished)
  for (const [name, files] of Object.entries(sources)) {
    mkdirSync(join(root, name), { recursive: true })
    writeFiles(join(root, name), files)
    for (const path of Object.keys(files)) utimesSync(join(root, name, path), LONG_AGO, LONG_AGO)
  }
  const { config } = await loadConfig({
    folders: Object.keys(sources).map((name) => `${name}=${join(root, name)}`),
    configFile: undefined,
    flags: {
      port: 0,
      'log-level': 'silent',
      embedding: 'none',
      state: join(root, 'state'),
      surface: [...surfaces],
      ...flags,
    },
    env: {},
    cwd: root,
    home: root,
  })
  const whole = access ? { ...config, access: { ...config.access!, ...access } } : config
  const tokens = tokensOf(whole)
  const server = await startServer(whole, { transport: 'http' })
  onFinished(() => server.close())
  const url = server.url!
  await untilReady(url)
  const fetchIt = (path: string, init: RequestInit = {}) => fetch(new URL(path, url), init)
  return {
    root,
    config: whole,
    url,
    tokens,
    fetch: fetchIt,
    token: (name: string, grant: Partial<TokenGrant>): string =>
      tokens.create(name, { may: ['read'], see: [], hide: [], ...grant }).token,
    rpc: (surface: string, token: Credentials, method: string, params: Params = {}) =>
      fetchIt(`/mcp/${surface}`, rpcRequest(token, method, params)),
  }
}

/** Until the index has caught up with the files. */
export async function untilReady(url: string): Promise<void> {
  await vi.waitFor(async () => {
    const ready = await fetch(new URL('/readyz', url))
    if (!ready.ok) throw new Error(`The index does not catch up: ${await ready.text()}`)
  }, SOON)
}

export type World = Awaited<ReturnType<typeof serveWorld>>
export type Credentials = Readonly<Record<string, string>>
type Params = Readonly<Record<string, unknown>>

export function bearer(token: string): Credentials {
  return { authorization: `Bearer ${token}` }
}

/** One request of the 2026 revision: nothing before it, nothing after it. */
export function rpcRequest(credentials: Credentials, method: string, params: Params): RequestInit {
  const name = params['name'] ?? params['uri']
  const asked = { method: 'POST', 'content-type': 'application/json' }
  return {
    method: asked.method,
    headers: {
      'content-type': asked['content-type'],
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': headerValue(name) }),
      ...credentials,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method,
      params: {
        ...params,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    }),
  }
}

/** What no header can hold is sent in base64, as the protocol says. */
function headerValue(text: string): string {
  if (/^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/.test(text) && !text.startsWith('=?')) return text
  return `=?base64?${Buffer.from(text).toString('base64')}?=`
}

/** The JSON-RPC message of an answer, be it JSON or the first event of a stream. */
export async function messageOf(response: Response): Promise<any> {
  const text = await response.text()
  if (!response.headers.get('content-type')?.includes('event-stream')) return JSON.parse(text)
  const data = text
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5))
  return JSON.parse(data.at(-1) ?? 'null')
}

/** An authorization server that somebody else runs. */
export async function openForeignIssuer() {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256' }
  const server = createServer((request, response) => {
    const origin = `http://${request.headers.host}`
    const body = request.url?.startsWith('/keys')
      ? { keys: [key] }
      : { issuer: origin, jwks_uri: `${origin}/keys` }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    issuer,
    sign: (scope: string, audience: string, expires = '1h', claims: object = {}) =>
      new SignJWT({ ...claims, scope })
        .setProtectedHeader({ alg: 'RS256', kid: 'one' })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject('ann')
        .setExpirationTime(expires)
        .sign(privateKey),
  }
}
