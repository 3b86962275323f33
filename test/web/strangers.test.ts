/** Pages of strangers in a real browser, on another port of this machine: they get nothing done. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { BROWSER, NO_BROWSER } from './browser.ts'
import { closeBrowser, openPage, prepare, startBrowser } from './page.ts'
import { serve, untilIndexed, type Served } from './served.ts'

const finished: (() => void | Promise<void>)[] = []
let served: Served
let stranger = ''

beforeAll(async () => {
  served = await serve((clean) => finished.unshift(clean))
  await untilIndexed(served, 33)
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html')
    response.end('<!doctype html><title>Stranger</title><p id="p">Nice kittens.')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  finished.push(() => void server.close())
  stranger = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  if (BROWSER) await startBrowser()
})

afterAll(async () => {
  await closeBrowser()
  for (const clean of finished) await clean()
})

const WRITE = { action: 'append', id: 'handbook/glossary.md', content: 'A stranger was here.' }
const glossary = (): string => readFileSync(join(served.folder, 'glossary.md'), 'utf8')

describe.skipIf(!BROWSER)(BROWSER ? 'a page of a stranger' : NO_BROWSER, () => {
  const visit = async () => {
    const context = await (await startBrowser()).newContext()
    onTestFinished(() => context.close())
    await prepare(context)
    const page = await context.newPage()
    await page.goto(stranger)
    return page
  }

  it('cannot read or write by asking', async () => {
    const before = glossary()
    const page = await visit()
    const answers = await page.evaluate(
      async ({ url, write }) => {
        const tries: (readonly [string, RequestInit])[] = [
          [
            '/web/read/facts',
            {
              method: 'POST',
              headers: { 'content-type': 'application/json', 'x-cairn': '1' },
              body: '{}',
            },
          ],
          [
            '/web/call/write',
            {
              method: 'POST',
              headers: { 'content-type': 'application/json', 'x-cairn': '1' },
              body: JSON.stringify(write),
            },
          ],
          [
            '/web/call/write',
            {
              method: 'POST',
              mode: 'no-cors',
              headers: { 'content-type': 'text/plain' },
              body: JSON.stringify(write),
            },
          ],
          ['/web/graph', {}],
          ['/web/events', {}],
          ['/web/file/handbook/x.png', { mode: 'no-cors' }],
        ]
        return Promise.all(
          tries.map(([path, init]) =>
            fetch(`${url}${path}`, init).then(
              async (response) => `${response.type} ${(await response.text()).length}`,
              () => 'refused',
            ),
          ),
        )
      },
      { url: served.url, write: WRITE },
    )
    // What a page is told of an answer that is not for it: nothing.
    expect(answers.filter((each) => each !== 'refused' && each !== 'opaque 0')).toEqual([])
    expect(glossary()).toBe(before)
  })

  it('cannot write by a form', async () => {
    const before = glossary()
    const page = await visit()
    const answer = page.waitForResponse((response) => response.url().includes('/web/call/write'))
    await page.evaluate(
      ({ url, write }) => {
        const form = document.createElement('form')
        form.method = 'post'
        form.action = `${url}/web/call/write`
        form.enctype = 'text/plain'
        const field = document.createElement('input')
        field.name = `${JSON.stringify(write).slice(0, -1)},"x":"`
        field.value = '"}'
        form.append(field)
        document.body.append(form)
        form.submit()
      },
      { url: served.url, write: WRITE },
    )
    expect((await answer).status()).toBe(403)
    expect(glossary()).toBe(before)
  })

  it('cannot show the page inside of itself, nor take its script', async () => {
    const page = await visit()
    const html = await (await fetch(`${served.url}/`)).text()
    const script = /src="([^"]+\.js)"/.exec(html)?.[1] ?? ''
    const taken = await page.evaluate(
      async ({ url, path }) => {
        const frame = document.createElement('iframe')
        frame.src = url
        document.body.append(frame)
        const tag = document.createElement('script')
        tag.type = 'module'
        tag.src = `${url}${path}`
        const loaded = new Promise<string>((done) => {
          tag.addEventListener('load', () => done('loaded'))
          tag.addEventListener('error', () => done('refused'))
        })
        document.body.append(tag)
        return loaded
      },
      { url: served.url, path: script },
    )
    expect(taken).toBe('refused')
    const [frame] = page.frames().slice(1)
    expect(await frame!.locator('.top').count()).toBe(0)
  })

  it('is asked for nothing by the page itself', async () => {
    const { page, faults, close } = await openPage(`${served.url}/`)
    onTestFinished(close)
    for (const key of '2345671') {
      await page.keyboard.press(key)
      await page.locator('main *').first().waitFor()
    }
    // openPage notes every request that leaves the origin.
    expect(faults).toEqual([])
  })
})

describe('every answer', () => {
  const paths: readonly (readonly [string, RequestInit, number])[] = [
    ['/', {}, 200],
    ['/graph', {}, 200],
    ['/live', {}, 200],
    ['/inspect', {}, 200],
    ['/web/graph', {}, 200],
    ['/web/events', {}, 200],
    ['/web/file/handbook/none.png', {}, 404],
    ['/web/read/facts', { method: 'POST', body: '{}' }, 200],
    ['/web/read/note', { method: 'POST', body: '{"id":"handbook/none.md"}' }, 404],
    ['/web/call/search', { method: 'POST', body: '{"query":"release"}' }, 200],
    ['/web/call/search', { method: 'POST', body: '{' }, 400],
    ['/web/call/search', {}, 404],
  ]
  it.each(paths)('bears the policy: %s %j', async (path, init, status) => {
    const stop = new AbortController()
    const headers = { 'content-type': 'application/json', 'x-cairn': '1' }
    const response = await fetch(`${served.url}${path}`, { ...init, headers, signal: stop.signal })
    expect(response.status).toBe(status)
    const of = (name: string): string => response.headers.get(name) ?? ''
    const policy = of('content-security-policy').split('; ')
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      'trusted-types cairn',
    ])
      expect(policy).toContain(rule)
    expect(policy.join()).not.toMatch(/unsafe|\*|http/)
    expect(of('x-content-type-options')).toBe('nosniff')
    expect(of('referrer-policy')).toBe('no-referrer')
    expect(of('cross-origin-opener-policy')).toBe('same-origin')
    expect(of('cross-origin-resource-policy')).toBe('same-origin')
    expect(of('access-control-allow-origin')).toBe('')
    expect(of('set-cookie')).toBe('')
    stop.abort()
    await response.body?.cancel().catch(() => {})
  })
})
