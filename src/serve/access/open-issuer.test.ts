import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SignJWT, exportJWK, generateKeyPair } from 'jose'
import type { JWTPayload } from 'jose'
import { expect, it, onTestFinished } from 'vitest'
import { openIssuer } from './open-issuer.ts'

const AUDIENCE = 'https://kb.example'

async function startIssuer() {
  const signers = new Map<string, Awaited<ReturnType<typeof generateKeyPair>>['privateKey']>()
  const published: object[] = []
  let asked = 0
  const server = createServer((request, response) => {
    asked++
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const body = request.url?.startsWith('/.well-known')
      ? { issuer: url, jwks_uri: `${url}/keys` }
      : { keys: published }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const addKey = async (kid: string) => {
    const { publicKey, privateKey } = await generateKeyPair('ES256')
    signers.set(kid, privateKey)
    published.push({ ...(await exportJWK(publicKey)), kid, alg: 'ES256' })
  }
  const sign = (claims: JWTPayload, kid = 'a') =>
    new SignJWT({ iss: url, aud: AUDIENCE, sub: 'ann', exp: now() + 60, ...claims })
      .setProtectedHeader({ alg: 'ES256', kid })
      .sign(signers.get(kid)!)
  await addKey('a')
  return { url, addKey, sign, asked: () => asked }
}

const now = () => Math.floor(Date.now() / 1000)

it('lets in who holds a good token, with what it allows', async () => {
  const { url, sign } = await startIssuer()
  const issuer = openIssuer({ url, audiences: [AUDIENCE] })
  const caller = await issuer.callerOf(await sign({ scope: 'openid read write' }))
  expect(caller).toEqual({ principal: `ann@${new URL(url).host}`, may: ['read', 'write'] })
  expect((await issuer.callerOf(await sign({ scp: ['read'] })))?.may).toEqual(['read'])
  expect((await issuer.callerOf(await sign({})))?.may).toEqual([])
})

it('knows a token for any of its addresses', async () => {
  const { url, sign } = await startIssuer()
  const issuer = openIssuer({ url, audiences: [AUDIENCE, `${AUDIENCE}/mcp`] })
  const named = async (aud: string) =>
    (await issuer.callerOf(await sign({ aud, scope: 'read' }))) !== undefined
  expect([await named(AUDIENCE), await named(`${AUDIENCE}/mcp`)]).toEqual([true, true])
  expect(await named(`${AUDIENCE}/other`)).toBe(false)
})

it('believes nothing else', async () => {
  const { url, sign } = await startIssuer()
  const other = await startIssuer()
  const issuer = openIssuer({ url, audiences: [AUDIENCE] })
  const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(
    JSON.stringify({ iss: url, aud: AUDIENCE, sub: 'ann', exp: now() + 60 }),
  ).toString('base64url')}.`
  const wrong = [
    await sign({ aud: 'https://other.example' }),
    await sign({ iss: 'https://other.example' }),
    await sign({ exp: now() - 120 }),
    await sign({ nbf: now() + 120 }),
    await sign({ sub: undefined }),
    await other.sign({ iss: url }),
    `${(await sign({})).slice(0, -4)}AAAA`,
    none,
    'text',
  ]
  for (const token of wrong) expect(await issuer.callerOf(token)).toBeUndefined()
})

it('asks for keys once, and again when a new one signs', async () => {
  const { url, sign, addKey, asked } = await startIssuer()
  const issuer = openIssuer({ url, audiences: [AUDIENCE], keysUrl: `${url}/keys` })
  for (let n = 0; n < 5; n++) expect(await issuer.callerOf(await sign({}))).toBeDefined()
  expect(asked()).toBe(1)
  await addKey('b')
  // Within the pause after a fetch, a key that nobody knows is not asked for again.
  expect(await issuer.callerOf(await sign({}, 'b'))).toBeUndefined()
  expect(
    await openIssuer({ url, audiences: [AUDIENCE] }).callerOf(await sign({}, 'b')),
  ).toBeDefined()
})

it('lets nobody in while its keys cannot be had, and says why', async () => {
  const { sign } = await startIssuer()
  const said: string[] = []
  const url = 'http://127.0.0.1:1'
  const issuer = openIssuer({ url, audiences: [AUDIENCE], log: (message) => said.push(message) })
  expect(await issuer.callerOf(await sign({ iss: url }))).toBeUndefined()
  expect(said.join()).toContain('announces no keys')
})
