/** Signing in to the page with a token, in a real browser. */
import { createHash } from 'node:crypto'
import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openTokens, type TokenGrant } from '../../src/serve/access/open-tokens.ts'
import { freePort } from '../support/free-port.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { BROWSER, NO_BROWSER } from './browser.ts'
import {
  axeFaults,
  closeBrowser,
  closeContext,
  expectNoFaults,
  prepare,
  startBrowser,
} from './page.ts'
import { serve, untilIndexed, type Served } from './served.ts'

const finished: (() => void | Promise<void>)[] = []
let served: Served
let names = 0

beforeAll(async () => {
  served = await serve((clean) => finished.unshift(clean), {
    files: { 'pay/mara.md': '# Pay of Mara\n\nHer salary is a zygomorphic number.\n' },
  })
  await untilIndexed(served, 34)
  newToken()
})

afterAll(async () => {
  await closeBrowser()
  for (const clean of finished) await clean()
})

const tokensIn = ({ state }: Pick<Served, 'state'>) => openTokens(join(state, 'tokens.json'))

/** A token of its own for every test, and its name. */
function newToken(grant: Partial<TokenGrant> = {}) {
  const name = `person-${++names}`
  const tokens = tokensIn(served)
  const { token } = tokens.create(name, { may: ['read', 'write'], see: [], hide: [], ...grant })
  return { name, token, revoke: () => tokens.revoke(name) }
}

async function openContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await (await startBrowser()).newContext(options)
  await prepare(context)
  onTestFinished(() => closeContext(context))
  return context
}

const field = (page: Page) => page.getByLabel('Your token for this base')

async function signIn(page: Page, token: string): Promise<void> {
  await field(page).fill(token)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

async function signedIn(token: string, path = '/', options: BrowserContextOptions = {}) {
  const context = await openContext(options)
  const page = await context.newPage()
  await page.goto(`${served.url}${path}`)
  await signIn(page, token)
  const [cookie] = await context.cookies()
  return { context, page, cookie: `${cookie?.name}=${cookie?.value}` }
}

const foot = (page: Page, words: RegExp | string) => page.locator('.foot', { hasText: words })

const statusOf = async (path: string, init: RequestInit = {}): Promise<number> =>
  (await fetch(`${served.url}${path}`, { redirect: 'manual', ...init })).status

/** As the page asks, with the headers that a browser would send. */
const asked = (cookie: string, origin?: string): RequestInit => ({
  method: 'POST',
  headers: {
    cookie,
    'content-type': 'application/json',
    'x-cairn': '1',
    ...(origin !== undefined && { origin }),
  },
  body: '{"query":"tea"}',
})

describe.skipIf(!BROWSER)(BROWSER ? 'signing in' : NO_BROWSER, () => {
  it('takes a token once, and shows what was asked for, who one is, and the way out', async () => {
    const { name, token } = newToken()
    const context = await openContext()
    const page = await context.newPage()
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(error.message))
    const first = await page.goto(
      `${served.url}/n/handbook/runbooks/roll-back-a-release.md?q=release`,
    )
    expect(first!.status()).toBe(401)
    expect(await axeFaults(page)).toEqual([])
    await signIn(page, 'cairn_nonsense')
    await page.getByRole('alert').filter({ hasText: 'no token of this base' }).waitFor()
    expect(await axeFaults(page)).toEqual([])
    await signIn(page, token)
    await page.locator('.prose').waitFor()
    expect(new URL(page.url()).pathname).toBe('/n/handbook/runbooks/roll-back-a-release.md')
    await foot(page, name).waitFor()
    await expectNoFaults({ page, faults, close: async () => {} })

    const [cookie] = await context.cookies()
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', secure: false, path: '/' })
    expect(cookie!.value).not.toContain(token.slice(-20))
    expect(await page.evaluate(() => document.cookie)).toBe('')

    await page.goto(`${served.url}/sign-in`)
    await page.getByText(name).waitFor()
    expect(await axeFaults(page)).toEqual([])
    await page.getByRole('link', { name: 'To the base' }).click()
    await foot(page, name).waitFor()
    await page.getByRole('button', { name: 'sign out' }).click()
    await field(page).waitFor()
    expect(await context.cookies()).toEqual([])
    // A copy of the cookie is worth nothing either.
    const copy = { headers: { cookie: `${cookie!.name}=${cookie!.value}` } }
    expect(await statusOf('/', copy)).toBe(401)
    await page.goto(`${served.url}/`)
    await field(page).waitFor()
    expect(faults).toEqual([])
  })

  it('works without scripts, in dark colours and on a phone', async () => {
    const { name, token } = newToken()
    const { page } = await signedIn(token, '/sign-in?to=/graph', {
      javaScriptEnabled: false,
      colorScheme: 'dark',
      viewport: { width: 390, height: 844 },
    })
    await page.waitForURL('**/graph')
    await page.goto(`${served.url}/sign-in`)
    await page.getByText(name).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await field(page).waitFor()
    expect((await page.goto(`${served.url}/`))!.status()).toBe(401)
    await field(page).waitFor()
  })

  it.each(['light', 'dark'] as const)(
    'is within reach of everyone in %s colours',
    async (scheme) => {
      const context = await openContext({ colorScheme: scheme })
      const page = await context.newPage()
      await page.goto(`${served.url}/sign-in`)
      await signIn(page, 'wrong')
      await page.getByRole('alert').waitFor()
      expect(await axeFaults(page)).toEqual([])
    },
  )

  it('shows the holder of a restricted token a part, and no calls of others', async () => {
    const { name, token } = newToken({ may: ['read'], hide: ['handbook/pay'] })
    const { page } = await signedIn(token, '/?q=zygomorphic')
    await foot(page, name).waitFor()
    await foot(page, '33 notes').waitFor()
    await foot(page, 'read-only').waitFor()
    await page.locator('.nothing').waitFor()
    const other = await signedIn(newToken().token, '/?q=zygomorphic')
    await foot(other.page, '34 notes').waitFor()
    await other.page.locator('[role=option]', { hasText: 'Pay of Mara' }).first().waitFor()

    await page.goto(`${served.url}/live`)
    await page.locator('.lead', { hasText: 'not shown to you' }).waitFor()
    // What will not come is not announced.
    expect(await page.locator('.nothing').count()).toBe(0)
    await other.page.goto(`${served.url}/live`)
    await other.page.locator('.lead', { hasText: 'Following' }).waitFor()
    const call = asked(other.cookie, served.url)
    expect(await statusOf('/web/call/search', call)).toBe(200)
    await other.page.locator('.calls li', { hasText: 'search' }).first().waitFor()
    expect(await page.locator('.calls li').count()).toBe(0)
  })

  it('is over at once when the token is revoked, for the page that is open too', async () => {
    const { token, revoke } = newToken()
    const { page, cookie } = await signedIn(token, '/live')
    await page.locator('.lead', { hasText: 'Following' }).waitFor()
    revoke()
    expect(await statusOf('/web/read/facts', asked(cookie, served.url))).toBe(401)
    await page.locator('#q').fill('release')
    await page.locator('.banner', { hasText: 'You are signed out' }).waitFor()
    await page.getByRole('link', { name: 'Sign in again' }).click()
    await field(page).waitFor()
    await signIn(page, token)
    await page.getByRole('alert').waitFor()
    await signIn(page, newToken().token)
    await page.waitForURL('**/live*')
    await foot(page, /person/).waitFor()
  })

  it('is not asked for again by whoever follows a link from elsewhere', async () => {
    const { name, token } = newToken()
    const elsewhere = createServer((_, response) => {
      const link = `<a href="${served.url}/n/handbook/glossary.md">note</a>`
      response.setHeader('content-type', 'text/html').end(`<!doctype html>${link}`)
    })
    await new Promise<void>((resolve) => elsewhere.listen(0, 'localhost', resolve))
    onTestFinished(() => void elsewhere.close())
    // Another site: the name is not the address.
    const linking = `http://localhost:${(elsewhere.address() as AddressInfo).port}/`
    const page = await (await openContext()).newPage()
    const opened: string[] = []
    page.on('request', (request) => {
      if (request.isNavigationRequest()) opened.push(new URL(request.url()).pathname)
    })
    await page.goto(linking)
    await page.getByRole('link', { name: 'note' }).click()
    // It looks once more, and then asks.
    await expect.poll(() => opened.length).toBe(3)
    await page.waitForLoadState()
    await signIn(page, token)
    await page.locator('.prose').waitFor()
    await page.goto(linking)
    await page.getByRole('link', { name: 'note' }).click()
    await page.locator('.prose').waitFor()
    await foot(page, name).waitFor()
    const note = '/n/handbook/glossary.md'
    expect(opened).toEqual(['/', note, note, '/sign-in', note, '/', note, note])
  })

  it('lets a client in for a person who shows a token on the page that asks for it', async () => {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const config = temporaryFolder({
      'cairn.yaml': `http: { publicUrl: '${url}' }\naccess: { signIn: true }\n`,
    })
    const own = await serve(onTestFinished, {
      port,
      flags: ['--config', `${config}/cairn.yaml`],
    })
    const grant = { may: ['read'], see: [], hide: [] } as const
    const { token } = tokensIn(own).create('ann', grant)
    const called: string[] = []
    const client = createServer((request, response) => {
      called.push(request.url ?? '')
      response.setHeader('content-type', 'text/html').end('<!doctype html>Thank you.')
    })
    await new Promise<void>((resolve) => client.listen(0, 'localhost', resolve))
    onTestFinished(() => void client.close())
    const registered = await fetch(`${url}/oauth/register`, {
      method: 'POST',
      body: JSON.stringify({ redirect_uris: ['http://localhost/callback'] }),
    })
    const { client_id } = (await registered.json()) as { client_id: string }
    const query = new URLSearchParams({
      client_id,
      redirect_uri: `http://localhost:${(client.address() as AddressInfo).port}/callback`,
      response_type: 'code',
      code_challenge: createHash('sha256').update('v'.repeat(50)).digest('base64url'),
      code_challenge_method: 'S256',
    })
    const page = await (await openContext()).newPage()
    await page.goto(`${url}/oauth/authorize?${query}`)
    expect(await axeFaults(page)).toEqual([])
    await page.getByLabel('A token of this base').fill(token)
    await page.getByRole('button', { name: 'Let it in' }).click()
    await page.getByText('Thank you.').waitFor()
    expect(called[0]).toMatch(/^\/callback\?code=/)
  })

  it('has a cookie that counts for the page alone, and for its own requests', async () => {
    const { token } = newToken({ may: ['read', 'write', 'maintain'] })
    const { page, cookie } = await signedIn(token)
    await foot(page, /note/).waitFor()
    expect(await statusOf('/web/call/search', asked(cookie, served.url))).toBe(200)
    expect(await statusOf('/web/call/search', asked(cookie))).toBe(401)
    expect(await statusOf('/web/call/search', asked(cookie, 'http://localhost:1'))).toBe(401)
    const evil = asked(cookie, 'https://evil.example')
    expect([401, 403]).toContain(await statusOf('/web/call/search', evil))
    for (const path of ['/mcp', '/mcp/native', '/metrics', '/api/notes'])
      expect([path, await statusOf(path, { headers: { cookie } })]).toEqual([path, 401])
    expect(await statusOf('/', { headers: { cookie: `${cookie}x` } })).toBe(401)
    // Somebody else's form signs nobody in or out.
    const form = (origin: string): RequestInit => ({
      method: 'POST',
      headers: { cookie, origin },
      body: new URLSearchParams({ token }),
    })
    for (const path of ['/sign-in', '/sign-out']) {
      expect(await statusOf(path, form('http://localhost:1'))).toBe(403)
      expect(await statusOf(path, form('null'))).toBe(403)
    }
    expect(await statusOf('/', { headers: { cookie } })).toBe(200)
  })
})

describe('signing in', () => {
  it('is not offered where nobody has to', async () => {
    const open = await serve((clean) => finished.unshift(clean), { bare: true })
    const response = await fetch(`${open.url}/sign-in`, { redirect: 'manual' })
    expect([response.status, response.headers.get('location')]).toEqual([303, '/'])
  })

  const post = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(`${served.url}/sign-in`, {
      method: 'POST',
      body: new URLSearchParams(fields),
      redirect: 'manual',
      headers,
    })

  it.each([
    ['//evil.example', '/'],
    ['/\\evil.example', '/'],
    ['https://evil.example', '/'],
    ['/n/..//evil.example', '/'],
    ['/.//evil.example', '/'],
    ['/graph/%2e%2e/\\evil.example', '/'],
    ['/mcp', '/'],
    ['/web/graph', '/'],
    ['/graph?node=a&depth=1', '/graph?node=a&depth=1'],
  ])('leads from %s to %s', async (to, expected) => {
    const response = await post({ token: newToken().token, to })
    expect([response.status, response.headers.get('location')]).toEqual([303, expected])
  })

  it('gives a cookie for https alone where the page was asked for over https', async () => {
    const { token } = newToken()
    const secure = await post({ token }, { origin: served.url.replace('http:', 'https:') })
    expect(secure.headers.getSetCookie()[0]).toMatch(/; HttpOnly; SameSite=Strict; Secure$/)
    const plain = await post({ token }, { origin: served.url })
    expect(plain.headers.getSetCookie()[0]).toMatch(/; HttpOnly; SameSite=Strict$/)
  })

  it('asks programs for a token, one way a line, and browsers that load the page for none', async () => {
    const challenges = (path: string, accept: string): Promise<string[]> => {
      const { promise, resolve, reject } = Promise.withResolvers<string[]>()
      const sent = httpRequest(`${served.url}${path}`, { headers: { accept } }, (response) => {
        response.resume()
        const raw = response.rawHeaders
        resolve(raw.filter((_, at) => raw[at - 1]?.toLowerCase() === 'www-authenticate'))
      })
      sent.once('error', reject).end()
      return promise
    }
    const both = ['Bearer realm="cairn"', 'Basic realm="cairn"']
    expect(await challenges('/mcp', 'application/json, text/event-stream')).toEqual(both)
    expect(await challenges('/', '*/*')).toEqual(both)
    expect(await challenges('/', 'text/html,*/*')).toEqual(both.slice(0, 1))
    expect(await challenges('/web/graph', '*/*')).toEqual(both.slice(0, 1))
    expect(await challenges('/metrics', 'text/html,*/*')).toEqual(both)
  })

  it('ends the stream of whoever is no longer let in', async () => {
    const { token, revoke } = newToken()
    const response = await fetch(`${served.url}/web/events`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(response.status).toBe(200)
    const reading = response.body!.getReader()
    expect(new TextDecoder().decode((await reading.read()).value)).toContain('hello')
    revoke()
    const other = newToken()
    // Calls go on, and so do the files of the base; the stream says nothing of it and ends.
    const call = fetch(`${served.url}/web/call/search`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${other.token}`,
        'content-type': 'application/json',
        'x-cairn': '1',
      },
      body: '{"query":"tea"}',
    })
    expect((await call).status).toBe(200)
    let rest = ''
    for (;;) {
      const { done, value } = await reading.read()
      if (done) break
      rest += new TextDecoder().decode(value)
    }
    expect(rest).not.toContain(other.name)
  })

  // Last: from then on this machine has to wait for a minute.
  it('tires of guesses', async () => {
    const { token } = newToken()
    const statuses: number[] = []
    for (let guess = 0; guess < 11; guess++) statuses.push((await post({ token: 'x' })).status)
    expect(statuses.at(-1)).toBe(429)
    expect((await post({ token })).status).toBe(429)
  })
})
