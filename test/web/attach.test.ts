/** The route that takes files: whom it answers, what it takes, and that it goes by the same rules as a tool. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { openTokens, type TokenGrant } from '../../src/serve/access/open-tokens.ts'
import { raw } from '../transports/http-raw.ts'
import { ask, serve, untilIndexed, type Served } from './served.ts'

const FILES = { 'a/tea.md': '# Tea\n', 'b/mug.md': '# Mug\n' }
const BYTES = Buffer.of(0x89, 0x50, 0x4e, 0x47, 0, 1, 255)
const OWN = { 'content-type': 'application/octet-stream', 'x-cairn': '1' }

const finished: (() => void | Promise<void>)[] = []
let served: Served

beforeAll(async () => {
  served = await serve((clean) => finished.unshift(clean), { files: FILES, bare: true })
  await untilIndexed(served, 2)
})

afterAll(async () => {
  for (const clean of finished) await clean()
})

async function other(flags: readonly string[] = []): Promise<Served> {
  const made = await serve(onTestFinished, { files: FILES, bare: true, flags })
  await untilIndexed(made, 2)
  return made
}

async function attach(
  url: string,
  { to = 'a/tea.md', name = 'mug.png', link = '1', body = BYTES as Uint8Array, headers = {} },
) {
  const query = new URLSearchParams({ to, name, link })
  const init = { method: 'POST', headers: { ...OWN, ...headers }, body: Buffer.from(body) }
  const response = await fetch(`${url}/web/attach?${query}`, init)
  return { status: response.status, json: (await response.json()) as Record<string, any> }
}

it('puts a file beside a note, signs it, and shows it', async () => {
  const { url, folder } = served
  const { status, json } = await attach(url, {})
  expect([status, json]).toEqual([
    200,
    {
      file: 'handbook/attachments/mug.png',
      written: '![](../attachments/mug.png)',
      line: 2,
      operation: expect.any(String),
      warnings: [],
    },
  ])
  expect(readFileSync(join(folder, 'attachments/mug.png')).equals(BYTES)).toBe(true)
  expect(readFileSync(join(folder, 'a/tea.md'), 'utf8')).toBe(
    '# Tea\n![](../attachments/mug.png)\n',
  )
  const shown = await fetch(`${url}/web/file/handbook/attachments/mug.png?from=a/tea.md`)
  expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/png'])
  const history = await ask(url, '/web/call/history', { limit: 1 })
  expect(history.json.structured.operations[0]).toMatchObject({
    id: json['operation'],
    client: expect.stringMatching(/^cairn-web\//),
    documents: ['handbook/a/tea.md', 'handbook/attachments/mug.png'],
  })
  await ask(url, '/web/call/history', { action: 'undo', id: json['operation'] })
  expect(existsSync(join(folder, 'attachments/mug.png'))).toBe(false)
})

it.each([
  ['another page of this machine', { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' }],
  ['a page from elsewhere', { origin: 'https://evil.example' }],
  ['a page without an origin', { 'sec-fetch-site': 'cross-site' }],
  ['a frame', { 'sec-fetch-dest': 'iframe' }],
  ['a form', { 'content-type': 'multipart/form-data; boundary=x' }],
  ['a plain text', { 'content-type': 'text/plain' }],
  ['JSON', { 'content-type': 'application/json' }],
  ['a rebound name', { host: 'evil.example:80' }],
])('is closed to %s', async (_, headers) => {
  const path = '/web/attach?to=a/tea.md&name=x.png&link=0'
  const request = { method: 'POST', path, body: 'x', headers: { ...OWN, ...headers } }
  expect((await raw(served.url, request)).status).toBe(403)
  const { 'x-cairn': __, ...without } = OWN
  expect((await raw(served.url, { ...request, headers: without })).status).toBe(403)
})

it.each([
  ['a program', { name: 'run.exe' }, 400],
  ['a page', { name: 'x.html' }, 400],
  ['a note', { name: 'x.md' }, 400],
  ['no name', { name: '' }, 400],
  ['nothing', { body: new Uint8Array() }, 400],
  ['too much', { body: new Uint8Array(11 * 1024 * 1024) }, 400],
  ['far too much', { body: new Uint8Array(17 * 1024 * 1024) }, 413],
  ['what is for no note', { to: 'nobody' }, 404],
  ['what is for a note outside', { to: '../../etc/passwd' }, 400],
])('takes no file that is %s', async (_, request, status) => {
  const before = readdirSync(served.folder)
  expect((await attach(served.url, request)).status).toBe(status)
  expect(readdirSync(served.folder)).toEqual(before)
})

it.each([['--read-only'], ['--exclude-tools', 'write']])(
  'takes nothing with %s',
  async (...flags) => {
    const { url, folder } = await other(flags)
    expect((await attach(url, {})).status).toBe(403)
    expect(existsSync(join(folder, 'attachments'))).toBe(false)
  },
)

it('goes by the rules of a token', async () => {
  const made = await other()
  const tokens = openTokens(join(made.state, 'tokens.json'))
  const grant = (more: Partial<TokenGrant>) =>
    tokens.create(`person-${Math.random()}`, { may: ['read', 'write'], see: [], hide: [], ...more })
  const as = async (more: Partial<TokenGrant>, request: Parameters<typeof attach>[1] = {}) =>
    attach(made.url, {
      ...request,
      headers: { authorization: `Bearer ${grant(more).token}` },
    })
  expect((await as({ may: ['read'] })).status).toBe(403)
  expect((await as({ hide: ['handbook/a'] })).status).toBe(404)
  expect((await as({ write: ['handbook/b'] })).status).toBe(403)
  // Where the usual folder is not his, the file goes beside the note.
  const beside = await as({ write: ['handbook/b'] }, { to: 'b/mug.md' })
  expect([beside.status, beside.json['file']]).toEqual([200, 'handbook/b/mug.png'])
  const hidden = await as({ hide: ['handbook/attachments'] })
  expect([hidden.status, hidden.json['file']]).toEqual([200, 'handbook/a/mug.png'])
  expect((await attach(made.url, {})).status).toBe(401)
})
