/** The door of the page: whom it answers, with which policy, and what it says to nonsense. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { decodeMap } from '../../src/core/domain/map-format.ts'
import { open as openRaw, raw } from '../transports/http-raw.ts'
import { SOON } from '../support/soon.ts'
import { endCairn, ROOT, spawnCairn } from '../support/cairn-process.ts'
import { startServerProcess } from '../support/server-process.ts'
import { ask, serve, untilIndexed, type Served } from './served.ts'

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)

const finished: (() => void | Promise<void>)[] = []
let served: Served

beforeAll(async () => {
  served = await serve((clean) => finished.unshift(clean), {
    files: {
      'pictures.md': '# Pictures\n\n![dot](img/dot.png) ![[dot.png]] ![drawn](img/drawn.svg)\n',
      'img/dot.png': PIXEL,
      'img/drawn.svg': '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    },
  })
  await untilIndexed(served, 34)
})

afterAll(async () => {
  for (const clean of finished) await clean()
})

const READ = { method: 'POST', path: '/web/read/facts', body: '{}' } as const
const OWN = { 'x-cairn': '1' }

describe('the policy', () => {
  it.each([
    '/',
    '/n/handbook/index.md',
    '/ask',
    '/reports/hubs',
    '/history',
    '/web/assets/none.js',
    '/web/nothing',
  ])('stands with every answer: %s', async (path) => {
    const { headers } = await raw(served.url, { method: 'GET', path }).catch(async () =>
      fetchHead(path),
    )
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("require-trusted-types-for 'script'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe')
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['referrer-policy']).toBe('no-referrer')
  })

  const fetchHead = async (path: string) => {
    const response = await fetch(`${served.url}${path}`)
    return { headers: Object.fromEntries(response.headers) }
  }

  it('lets no page hold a script or a style of its own', async () => {
    const html = await (await fetch(`${served.url}/n/any/thing`)).text()
    expect(html).toContain('<div id="app">')
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)/)
    expect(html).not.toMatch(/<style|style=|\son\w+=/)
  })
})

describe('callers', () => {
  it('are answered when they are our own page, or no page at all', async () => {
    const { host } = new URL(served.url)
    const own = { ...OWN, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' }
    expect((await raw(served.url, { ...READ, headers: own })).status).toBe(200)
    expect((await raw(served.url, { ...READ, headers: OWN })).status).toBe(200)
  })

  it.each([
    [
      'another port of this machine',
      { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' },
    ],
    [
      'another name of this machine',
      { origin: 'http://localhost:7331', 'sec-fetch-site': 'cross-site' },
    ],
    ['a page from elsewhere', { origin: 'https://evil.example' }],
    ['a page that hides', { origin: 'null' }],
    ['a page without an origin', { 'sec-fetch-site': 'cross-site' }],
    ['a frame', { 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'same-origin' }],
    ['a rebound name', { host: 'evil.example:80' }],
  ])('are refused: %s', async (_, headers) => {
    const { status, json } = await raw(served.url, { ...READ, headers: { ...OWN, ...headers } })
    expect(status).toBe(403)
    expect(json.error).toBeDefined()
  })

  it('are refused when they could be a form', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await raw(served.url, { ...READ, headers: { ...OWN, ...form } })).status).toBe(403)
    const plain = { 'content-type': 'text/plain' }
    expect((await raw(served.url, { ...READ, headers: { ...OWN, ...plain } })).status).toBe(403)
    expect((await raw(served.url, { ...READ, headers: {} })).status).toBe(403)
  })

  it('cannot put the page into a frame', async () => {
    const headers = { 'sec-fetch-dest': 'iframe' }
    expect((await raw(served.url, { method: 'GET', path: '/', headers })).status).toBe(403)
  })
})

describe('addresses', () => {
  it.each([
    ['/', 200],
    ['/n/handbook/index.md', 200],
    ['/favicon.ico', 200],
    ['/web/graph', 200],
    ['/web/file/handbook/img/dot.png', 200],
    ['/web/assets/none.js', 404],
    ['/nonsense', 404],
  ])('are told of without what is there: HEAD %s', async (path, status) => {
    const accept = { accept: 'text/html' }
    const response = await fetch(`${served.url}${path}`, { method: 'HEAD', headers: accept })
    expect(response.status).toBe(status)
    expect(await response.text()).toBe('')
  })

  it("that are nobody's show a browser the page, and tell a program", async () => {
    const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
    const shown = await fetch(`${served.url}/nonsense`, { headers })
    expect(shown.status).toBe(404)
    expect(await shown.text()).toContain('<div id="app">')
    expect(shown.headers.get('content-security-policy')).toContain("default-src 'none'")
    const told = await fetch(`${served.url}/nonsense`)
    expect(told.status).toBe(404)
    expect((await told.json()).error).toBeDefined()
    const framed = { ...headers, 'sec-fetch-dest': 'iframe' }
    expect(
      (await raw(served.url, { method: 'GET', path: '/nonsense', headers: framed })).status,
    ).toBe(403)
  })

  it('have a picture of the page where launchers look for it', async () => {
    const response = await fetch(`${served.url}/favicon.ico`)
    expect(response.headers.get('content-type')).toBe('image/svg+xml')
    expect(await response.text()).toContain('<svg')
  })
})

describe('answers', () => {
  it('that are long are compressed, those to every key are not', async () => {
    const rows = Array.from({ length: 6_000 }, (_, at) => `## Section ${at}\n\nWords.\n`)
    writeFileSync(join(served.folder, 'sections.md'), rows.join('\n'))
    await untilIndexed(served, 35)
    const sent = async (path: string, body: object): Promise<[string | undefined, number]> => {
      const answer = await openRaw(served.url, {
        path,
        body: JSON.stringify(body),
        headers: { ...OWN, 'accept-encoding': 'gzip' },
      })
      let length = 0
      for await (const chunk of answer) length += (chunk as Buffer).length
      const { headers } = answer
      return [headers['content-encoding'], length]
    }
    const [long, length] = await sent('/web/read/note', { id: 'handbook/sections.md' })
    expect(long).toBe('gzip')
    expect(length).toBeLessThan(100_000)
    const [short] = await sent('/web/read/search', { query: 'release' })
    expect(short).toBeUndefined()
  })
})

describe('files of the page', () => {
  it('are the same in every form that a browser takes', async () => {
    const unpack = {
      br: brotliDecompressSync,
      gzip: gunzipSync,
      identity: (bytes: Buffer) => bytes,
    }
    const texts = new Set<string>()
    for (const [form, unpacked] of Object.entries(unpack)) {
      const answer = await openRaw(served.url, {
        path: '/',
        method: 'GET',
        headers: { ...OWN, 'accept-encoding': form },
      })
      const parts: Buffer[] = []
      for await (const part of answer) parts.push(part as Buffer)
      expect(answer.headers['content-encoding'] ?? 'identity').toBe(form)
      texts.add(unpacked(Buffer.concat(parts)).toString())
    }
    expect([...texts]).toEqual([expect.stringContaining('<script type="module"')])
  })
})

describe('tools and reads', () => {
  it('call the native surface by name', async () => {
    const { status, json } = await ask(served.url, '/web/call/search', {
      query: 'rolling back',
      limit: 2,
    })
    expect(status).toBe(200)
    expect(json.structured.results[0].id).toBe('handbook/runbooks/roll-back-a-release.md')
  })

  it('sign what is changed here', async () => {
    const change = { action: 'append', id: 'handbook/glossary.md', content: 'From the page.' }
    expect((await ask(served.url, '/web/call/write', change)).status).toBe(200)
    const { json } = await ask(served.url, '/web/call/history', { action: 'list', limit: 1 })
    expect(json.structured.operations[0].client).toMatch(/^cairn-web\//)
  })

  it('find what is half typed', async () => {
    const { json } = await ask(served.url, '/web/read/search', {
      query: 'relea',
      typing: true,
      titles: true,
    })
    expect(json.titles[0].title).toMatch(/release/i)
    expect(json.hits[0].title).toMatch(/release/i)
    const { text, marks } = json.hits.find((hit: { marks: unknown[] }) => hit.marks.length > 0)
    for (const { start, end } of marks) expect(text.slice(start, end)).toMatch(/relea/i)
    expect(json.facets.folder.length).toBeGreaterThan(1)
  })

  it('show a note, its backlinks and its source', async () => {
    const id = 'handbook/runbooks/roll-back-a-release.md'
    const { json: note } = await ask(served.url, '/web/read/note', { id })
    expect(note.html).toContain('class="note"')
    expect(note.headings.length).toBeGreaterThan(2)
    const { json: backlinks } = await ask(served.url, '/web/read/backlinks', { id })
    expect(backlinks.items[0].text).not.toBe('')
    const { json: source } = await ask(served.url, '/web/read/source', { id })
    expect(source.text).toBe(
      readFileSync(join(served.folder, 'runbooks/roll-back-a-release.md'), 'utf8'),
    )
  })

  it.each([
    ['an unknown tool', '/web/call/nonsense', {}, 404],
    ['an unknown read', '/web/read/nonsense', {}, 404],
    ['a note that is gone', '/web/read/note', { id: 'handbook/gone.md' }, 404],
    ['a note that never was', '/web/read/note', { id: '../../etc/passwd' }, 400],
    ['arguments of the wrong kind', '/web/read/note', { id: 7 }, 400],
    ['an empty question', '/web/read/search', { query: ' ' }, 400],
    ['no JSON', '/web/read/note', '{', 400],
    ['a source that is not there', '/web/read/search', { query: 'a', sources: ['x'] }, 404],
  ])('say what to do about %s', async (_, path, body, status) => {
    const answer = await ask(served.url, path, body)
    expect(answer.status).toBe(status)
    expect(answer.json.error.message).not.toBe('')
    expect(answer.json.error.hint).not.toBe('')
  })

  it('give no name of the prototype for a read', async () => {
    expect((await ask(served.url, '/web/read/constructor', {})).status).toBe(404)
  })
})

describe('the map', () => {
  const load = async () => {
    const response = await fetch(`${served.url}/web/graph`)
    const map = decodeMap(new Uint8Array(await response.arrayBuffer()))!
    const { json: labels } = await ask(served.url, '/web/read/labels', {})
    return { map, labels, etag: response.headers.get('etag') ?? '' }
  }

  it('has a place, a name and a colour for every note', async () => {
    const { map, labels } = await load()
    expect(map.nodeCount).toBe(labels.ids.length)
    expect(labels.ids).toContain('handbook/index.md')
    expect(labels.groupings.map((each: { name: string }) => each.name)).toEqual([
      'folder',
      'region',
      'tag',
      'source',
      'type',
      'kind',
    ])
    expect(new Set(map.groups[0]).size).toBeGreaterThan(4)
    expect(map.to.length).toBeGreaterThan(50)
  })

  it('is sent once', async () => {
    const { etag } = await load()
    const again = await fetch(`${served.url}/web/graph`, { headers: { 'if-none-match': etag } })
    expect(again.status).toBe(304)
  })

  it('moves nobody when notes join, and is the same after a restart', async () => {
    const before = await load()
    for (const name of ['a', 'b']) {
      writeFileSync(join(served.folder, `joined-${name}.md`), '# Joined\n\nSee [[glossary]].\n')
    }
    const after = await vi.waitFor(async () => {
      const found = await load()
      for (const name of ['a', 'b']) {
        expect(found.labels.ids).toContain(`handbook/joined-${name}.md`)
      }
      // Places and names are two answers, and a note may have come between them.
      expect(found.map.nodeCount).toBe(found.labels.ids.length)
      return found
    }, SOON)
    const placeOf = ({ map, labels }: typeof before, id: string) => {
      const node = labels.ids.indexOf(id)
      return [map.places[2 * node], map.places[2 * node + 1]]
    }
    for (const id of before.labels.ids) expect(placeOf(after, id)).toEqual(placeOf(before, id))

    const closing: (() => void | Promise<void>)[] = []
    const other = spawnCairn([
      'serve',
      served.folder,
      '--http',
      '0',
      '--state',
      served.state,
      '--json',
    ])
    closing.push(() => endCairn(other))
    const url = await vi.waitFor(() => {
      const found = /http:\/\/[^"\s/]+(?=["\s/])/.exec(other.stdout())?.[0]
      if (!found) throw new Error('not listening yet')
      return found
    }, SOON)
    const bytes = new Uint8Array(await (await fetch(`${url}/web/graph`)).arrayBuffer())
    const labels = (await ask(url, '/web/read/labels', {})).json
    for (const id of before.labels.ids) {
      expect(placeOf({ ...before, map: decodeMap(bytes)!, labels }, id)).toEqual(
        placeOf(before, id),
      )
    }
    for (const clean of closing) await clean()
  })
})

describe('events', () => {
  /** A stream that is open; reads it until these words were seen, and returns what was said. */
  const follow = async (url: string, last?: string) => {
    const stop = new AbortController()
    const response = await fetch(`${url}/web/events`, {
      signal: stop.signal,
      headers: last === undefined ? {} : { 'last-event-id': last },
    })
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    return async (words: string): Promise<string> => {
      let text = ''
      for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
        text += part
        if (text.includes(words)) break
      }
      stop.abort()
      return text
    }
  }
  const idsIn = (text: string): string[] =>
    [...text.matchAll(/^id: (\S+)\nevent: call$/gm)].map(([, id]) => id!)

  it('tell of calls, and go on where a page was cut off', async () => {
    const first = await follow(served.url)
    await ask(served.url, '/web/call/search', { query: 'first words' })
    const seen = idsIn(await first('"tool":"search"'))
    await ask(served.url, '/web/call/list', {})
    const again = idsIn(await (await follow(served.url, seen.at(-1)))('"tool":"list"'))
    expect(again.length).toBeGreaterThan(0)
    for (const id of again) expect(seen).not.toContain(id)
  })

  it('say nothing of what was asked, of which nothing is written down', async () => {
    const read = await follow(served.url)
    await ask(served.url, '/web/call/fetch', { id: 'handbook/xyzzy-salaries.md' })
    const said = await read('"tool":"fetch"')
    expect(said).not.toContain('xyzzy')
    const folder = join(served.state, 'live')
    const kept = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
    expect(kept.join()).toContain('"tool":"fetch"')
    expect(kept.join()).not.toContain('xyzzy')
  })

  it('are not written down by a process that nobody watches', async () => {
    const alone = await serve((clean) => finished.unshift(clean), { bare: true })
    await untilIndexed(alone, 0)
    await ask(alone.url, '/web/call/search', { query: 'unseen' })
    const agent = await startServerProcess([alone.folder, '--state', alone.state], 'alone')
    await agent.call('search', { query: 'xyzzy' })
    await agent.close()
    expect(existsSync(join(alone.state, 'live'))).toBe(false)
  })

  it('are not written down when that is turned off', async () => {
    const closing: (() => void | Promise<void>)[] = []
    const other = await serve((clean) => closing.unshift(clean), { flags: ['--no-live'] })
    await ask(other.url, '/web/call/search', { query: 'unseen' })
    expect(existsSync(join(other.state, 'live'))).toBe(false)
    for (const clean of closing) await clean()
  })
})

describe('pictures', () => {
  it('come from inside of a source', async () => {
    const { json } = await ask(served.url, '/web/read/note', { id: 'handbook/pictures.md' })
    const [first, second] = [...json.html.matchAll(/src="([^"]+)"/g)].map(([, src]) =>
      src.replaceAll('&amp;', '&'),
    )
    for (const src of [first, second]) {
      const response = await fetch(`${served.url}${src}`)
      expect(response.headers.get('content-type')).toBe('image/png')
      expect(Buffer.from(await response.arrayBuffer())).toEqual(PIXEL)
    }
  })

  it('run no script', async () => {
    const response = await fetch(`${served.url}/web/file/handbook/img/drawn.svg`)
    expect(response.headers.get('content-security-policy')).toContain('sandbox')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  })

  it.each([
    '/web/file/handbook/../../etc/passwd.png',
    '/web/file/handbook/..%2f..%2fetc%2fpasswd.png',
    '/web/file/handbook/index.md',
    '/web/file/nowhere/dot.png',
    '/web/file/handbook/img/%00.png',
  ])('come from nowhere else: %s', async (path) => {
    const response = await fetch(`${served.url}${path}`)
    expect(response.status).toBe(404)
  })
})

describe('a server', () => {
  it('shows nothing that writes when it may only be read', async () => {
    const closing: (() => void | Promise<void>)[] = []
    const other = await serve((clean) => closing.unshift(clean), { flags: ['--read-only'] })
    const { json } = await ask(other.url, '/web/read/facts', {})
    expect(json.writes).toBe(false)
    expect(json.tools).not.toContain('write')
    const change = { action: 'append', id: 'handbook/glossary.md', content: 'x' }
    expect((await ask(other.url, '/web/call/write', change)).status).toBe(404)
    for (const clean of closing) await clean()
  })

  it('has no page when it is turned off', async () => {
    const closing: (() => void | Promise<void>)[] = []
    const other = await serve((clean) => closing.unshift(clean), { flags: ['--no-web'] })
    expect((await fetch(`${other.url}/`)).status).toBe(404)
    expect((await fetch(`${other.url}/web/file/handbook/x.png`)).status).toBe(404)
    for (const clean of closing) await clean()
  })
})

it('is small: a first visit loads at most 5 files and 48 KB', () => {
  const folder = join(ROOT, 'dist', 'web')
  const first = readdirSync(folder).filter((name) => /^(?!later-|frame).*\.br$/.test(name))
  const plain = (name: string): Buffer => brotliDecompressSync(readFileSync(join(folder, name)))
  const gzipped = (name: string): number => gzipSync(plain(name), { level: 9 }).length
  const bytes = first.reduce((sum, name) => sum + gzipped(name), 0)
  expect(first.length).toBeLessThanOrEqual(5)
  // What is loaded later is not loaded at once by another name.
  const script = readdirSync(folder).find((name) => /^app-.*\.js\.br$/.test(name))!
  expect(plain(script).toString()).not.toMatch(/(?:from|import)\s*["'`]\.\/later-/)
  expect(bytes).toBeLessThanOrEqual(48 * 1024)
})

it('says that a note has changed since it was quoted', async () => {
  const id = 'handbook/glossary.md'
  const { json: before } = await ask(served.url, '/web/read/note', { id })
  writeFileSync(join(served.folder, 'glossary.md'), '# Glossary\n\nAll new.\n')
  const quotes = [{ text: 'All new', lines: [3, 3] }]
  const { json: after } = await ask(served.url, '/web/read/note', {
    id,
    quotes,
    digest: before.digest,
  })
  expect(after.changed).toBe(true)
  expect(after.quotes).toEqual(['words'])
  expect(after.html).toContain('<mark class="quote quote-0">All new</mark>')
})
