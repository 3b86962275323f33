/** The routes around the tools: notes as plain HTTP, written through the base's own operations. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { unzip } from '../support/unzip.ts'
import { FIXTURE, note, openNexusServer } from './open-nexus.ts'

const TIMES = { created_at: expect.any(String), updated_at: expect.any(String) }

it('lists a part of them where one asks for it', async () => {
  const { send } = await openNexusServer()
  const slugs = async (query: string) =>
    (await send('GET', `/api/notes${query}`)).json.data.map(({ slug }: any) => slug)
  expect(await slugs('?limit=2')).toEqual(['gamma', 'beta'])
  expect(await slugs('?limit=2&offset=2')).toEqual(['alpha'])
  expect(await slugs('?offset=9')).toEqual([])
  const refused = await send('GET', '/api/notes?limit=-1')
  expect([refused.status, refused.json]).toEqual([400, { error: 'limit must be a whole number' }])
})

it('lists notes with everything, newest first', async () => {
  const { send } = await openNexusServer()
  const { status, json, headers } = await send('GET', '/api/notes')
  expect([status, headers.get('content-type')]).toEqual([200, 'application/json'])
  expect(json.data.map(({ slug }: any) => slug)).toEqual(['gamma', 'beta', 'alpha'])
  expect(json.data[0]).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
    slug: 'gamma',
    title: 'Gamma',
    content: 'Needle in gamma.',
    tags: [],
    section: null,
    order: null,
    created_at: '2025-01-03T00:00:00.000Z',
    updated_at: expect.any(String),
  })
  const none = await openNexusServer({})
  expect((await none.send('GET', '/api/notes')).text).toBe('{"data":[]}')
})

it('lists more notes than fit into one piece', async () => {
  const many = Array.from({ length: 350 }, (_, i) => [`n${i}.md`, `Number ${i}.`])
  const { send } = await openNexusServer(Object.fromEntries(many))
  const { json } = await send('GET', '/api/notes')
  expect(new Set(json.data.map(({ content }: any) => content)).size).toBe(350)
})

it('says to HEAD what GET would say, and hears nothing of readers that left', async () => {
  const many = Array.from({ length: 350 }, (_, i) => [`n${i}.md`, `Number ${i}.`])
  const { send, bugs, url } = await openNexusServer(Object.fromEntries(many))
  for (const path of ['/api/notes', '/api/export', '/api/notes/n1']) {
    const { status, text } = await send('HEAD', path)
    expect([status, text]).toEqual([200, ''])
  }
  const leaving = new AbortController()
  const response = await fetch(`${url}/api/export`, { signal: leaving.signal })
  leaving.abort()
  await expect(response.text()).rejects.toThrow()
  expect((await send('GET', '/api/notes')).json.data).toHaveLength(350)
  expect(bugs).toEqual([])
})

describe('creating', () => {
  it('makes the slug from the title where the one that is given is empty', async () => {
    const { send } = await openNexusServer()
    const { status, json } = await send('POST', '/api/notes', { body: { title: 'A B', slug: ' ' } })
    expect([status, json.data.slug]).toEqual([201, 'a-b'])
  })

  it('writes a file that tools see at once, and that can be undone', async () => {
    const { send, result, base } = await openNexusServer()
    const body = {
      title: ' Über  Tee! ',
      content: '\nSee [[alpha]].\n\n',
      tags: ['a b', 'c', 'c', ''],
      section: 'Drinks',
      order: 3,
      unknown: true,
    }
    const { status, json } = await send('POST', '/api/notes', { body })
    expect(status).toBe(201)
    const { id, ...data } = json.data
    expect(data).toEqual({
      slug: 'über-tee',
      title: 'Über Tee!',
      content: '\nSee [[alpha]].\n\n',
      tags: ['a b', 'c'],
      section: 'Drinks',
      order: 3,
      ...TIMES,
    })
    expect((await result('list_pages'))[0]).toEqual({ slug: 'über-tee', title: 'Über Tee!' })
    expect((await result('get_page', { slug: 'alpha' })).backlinks).toEqual(['beta', 'über-tee'])
    const read = await send('GET', `/api/notes/${encodeURIComponent('über-tee')}`)
    expect(read.json.data).toEqual({ id, ...data, backlinks: [] })
    const file = readFileSync(join(base.folder, 'über-tee.md'), 'utf8')
    expect(file).toMatch(/^---\ntitle: Über Tee!\ntags: \[a b, c\]\nsection: Drinks\norder: 3\n/)
    const { operations } = await base.call('history', { action: 'list' })
    expect(operations[0]).toMatchObject({ action: 'create', client: 'nexus-http' })
    await base.call('history', { action: 'undo', since: '2020-01-01' })
    expect((await send('GET', `/api/notes/${encodeURIComponent('über-tee')}`)).status).toBe(404)
  })

  it('keeps content to the letter', async () => {
    const { send } = await openNexusServer({})
    const contents = [
      '',
      '\n',
      'a',
      'a\n',
      '\na',
      '---\ntitle: x\n---\n',
      '  a  ',
      '[[x]]\n\n\n',
      '# H',
    ]
    for (const [at, content] of contents.entries()) {
      const { json } = await send('POST', '/api/notes', { body: { title: `N ${at}`, content } })
      expect(json.data.content).toBe(content)
      const put = await send('PUT', `/api/notes/n-${at}`, { body: { content: `${content}!\n` } })
      expect(put.json.data.content).toBe(`${content}!\n`)
      const back = await send('PUT', `/api/notes/n-${at}`, { body: { content } })
      expect(back.json.data).toMatchObject({ content, title: `N ${at}` })
    }
  })

  it.each<[unknown, number, string]>([
    [{}, 400, 'Title is required'],
    [{ title: '  ' }, 400, 'Title is required'],
    [{ title: null }, 400, 'Title is required'],
    [{ title: 7 }, 400, 'title must be a string'],
    [{ title: '!!!' }, 400, 'Could not generate valid slug'],
    [{ title: 'x', slug: '../..' }, 400, 'Could not generate valid slug'],
    [{ title: 'x'.repeat(501) }, 400, 'title must not be longer than 500 characters'],
    [{ title: 'x', content: 7 }, 400, 'content must be a string'],
    [{ title: 'x', content: 'a\0b' }, 400, 'content must be text'],
    [{ title: 'x', tags: 'a' }, 400, 'tags must be an array of strings'],
    [{ title: 'x', tags: [1] }, 400, 'tags must be an array of strings'],
    [{ title: 'x', order: 1.5 }, 400, 'order must be a whole number'],
    [{ title: 'x', section: [] }, 400, 'section must be a string'],
    [{ title: 'Alpha' }, 409, "A note with slug 'alpha' already exists"],
    [{ title: 'New', slug: 'ALPHA' }, 409, "A note with slug 'alpha' already exists"],
    [[], 400, 'Invalid JSON body'],
    [null, 400, 'Invalid JSON body'],
  ])('refuses %j', async (body, status, error) => {
    const { send, base } = await openNexusServer()
    const answer = await send('POST', '/api/notes', { body })
    expect([answer.status, answer.json]).toEqual([status, { error }])
    expect(readdirSync(base.folder).toSorted()).toEqual(Object.keys(FIXTURE))
  })

  it('stays in its folder whatever it is called', async () => {
    const { send, base } = await openNexusServer({})
    const hostile = [
      '../../etc/passwd',
      '/abs',
      'a/b\\c',
      '.env',
      '.git/config',
      'x\r\ny: z',
      '~/a',
    ]
    for (const slug of hostile) {
      const { status, json } = await send('POST', '/api/notes', { body: { title: slug, slug } })
      expect([slug, status]).toEqual([slug, 201])
      expect(json.data.slug).toMatch(/^[a-z-]+$/)
      expect(existsSync(join(base.folder, `${json.data.slug}.md`))).toBe(true)
    }
    const made = readdirSync(base.folder).filter((name) => name !== '.cairn')
    expect(made).toHaveLength(hostile.length)
    const long = await send('POST', '/api/notes', { body: { title: '漢'.repeat(400) } })
    expect([long.status, Buffer.byteLength(long.json.data.slug) <= 200]).toEqual([201, true])
  })

  it('reads nothing that does not say it is JSON', async () => {
    const { send } = await openNexusServer()
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', '']) {
      const { status, json } = await send('POST', '/api/notes', {
        body: '{"title":"x"}',
        headers: { 'content-type': type },
      })
      expect([status, json]).toEqual([415, { error: 'Content-Type must be application/json' }])
    }
    const bad = await send('PUT', '/api/notes/alpha', {
      body: '{',
      headers: { 'content-type': 'application/json' },
    })
    expect([bad.status, bad.json]).toEqual([400, { error: 'Invalid JSON body' }])
  })

  it('makes one of two that want the same slug at once', async () => {
    const { send } = await openNexusServer({})
    const both = await Promise.all(
      ['a', 'b'].map((content) => send('POST', '/api/notes', { body: { title: 'Same', content } })),
    )
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409])
  })
})

describe('changing', () => {
  it('keeps what is not named, the slug and the time it was made', async () => {
    const { send, base, result } = await openNexusServer({
      'Some File.md': '---\n# a comment\ntitle: Some Title\nmine: yes\n---\nText [[x]].\n',
      ...FIXTURE,
    })
    const before = (await send('GET', '/api/notes/some-title')).json.data
    const body = { title: 'Other', tags: ['t'], slug: 'ignored' }
    const { status, json } = await send('PUT', '/api/notes/some-title', { body })
    expect([status, json.data.slug, json.data.title]).toEqual([200, 'some-title', 'Other'])
    expect(json.data.created_at).toBe(before.created_at)
    expect(json.data.updated_at > before.updated_at).toBe(true)
    const file = readFileSync(join(base.folder, 'Some File.md'), 'utf8')
    expect(file).toContain('---\n# a comment\ntitle: Other\nmine: yes\n')
    expect(file).toMatch(/---\nText \[\[x\]\]\.\n$/)
    await send('PUT', '/api/notes/some-title', { body: { content: 'Now [[gamma]].' } })
    expect((await result('get_page', { slug: 'gamma' })).backlinks).toEqual(['beta', 'some-title'])
  })

  it('takes section and order away with null, and does nothing for nothing', async () => {
    const { send, base } = await openNexusServer({
      'a.md': '---\ntitle: A\nsection: S\norder: 2\n---\n',
    })
    const same = await send('PUT', '/api/notes/a', { body: {} })
    expect([same.status, same.json.data.order]).toEqual([200, 2])
    expect(readFileSync(join(base.folder, 'a.md'), 'utf8')).not.toContain('updated_at')
    const { json } = await send('PUT', '/api/notes/a', { body: { section: null, order: null } })
    expect([json.data.section, json.data.order]).toEqual([null, null])
  })

  it('is for notes that are there, under exactly their slug', async () => {
    const { send } = await openNexusServer()
    for (const slug of ['nope', 'ALPHA', 'alpha.md', '..%2Falpha', '%E0%A4%A', '%00']) {
      for (const [method, body] of [
        ['GET', undefined],
        ['PUT', { title: 'x' }],
        ['DELETE', undefined],
      ] as const) {
        const { status, json } = await send(method, `/api/notes/${slug}`, { body })
        expect([slug, method, status, json]).toEqual([
          slug,
          method,
          404,
          { error: 'Note not found' },
        ])
      }
    }
    const blank = await send('PUT', '/api/notes/alpha', { body: { title: ' ' } })
    expect([blank.status, blank.json]).toEqual([400, { error: 'Title is required' }])
  })

  it('deletes once, and leaves links to it dangling', async () => {
    const { send, result, base } = await openNexusServer()
    const gone = await send('DELETE', '/api/notes/gamma')
    expect([gone.status, gone.json]).toEqual([200, { message: 'Note deleted' }])
    expect(existsSync(join(base.folder, 'gamma.md'))).toBe(false)
    expect((await send('DELETE', '/api/notes/gamma')).status).toBe(404)
    expect((await result('get_page', { slug: 'beta' })).outlinks).toEqual(['alpha', 'gamma'])
  })

  it('is refused for a base that may only be read', async () => {
    const { send, base } = await openNexusServer(FIXTURE, {
      change: () => ({ writing: undefined }),
    })
    const form = new FormData()
    form.append('files', new File(['x'], 'x.md'))
    const calls = [
      await send('POST', '/api/notes', { body: { title: 'New' } }),
      await send('PUT', '/api/notes/alpha', { body: { title: 'New' } }),
      await send('DELETE', '/api/notes/alpha'),
      await send('POST', '/api/import', { body: form }),
    ]
    expect(calls.map(({ status }) => status)).toEqual([403, 403, 403, 403])
    expect((await send('GET', '/api/notes')).status).toBe(200)
    expect(readdirSync(base.folder)).toHaveLength(3)
  })

  it('says 404 of a note whose file has just vanished', async () => {
    const { send, base, call } = await openNexusServer()
    rmSync(join(base.folder, 'alpha.md'))
    expect((await send('GET', '/api/notes/alpha')).status).toBe(404)
    expect((await call('get_page', { slug: 'alpha' })).status).toBe(404)
    expect((await send('GET', '/api/notes')).json.data).toHaveLength(2)
  })
})

it('searches with scores', async () => {
  const { send } = await openNexusServer({
    'a.md': note('Tea', '2025-01-01', 'x'),
    'b.md': note('Tea too', '2025-01-01', 'x'),
    'c.md': note('Other', '2025-01-01', 'Some tea.'),
  })
  const { status, json } = await send('POST', '/api/search', { body: { query: 'tea' } })
  expect(status).toBe(200)
  expect(json.results.map(({ slug, score }: any) => [slug, score])).toEqual([
    ['a', 1],
    ['b', 0.99],
    ['c', 0.48],
  ])
  expect(json.aiAnswer).toBeUndefined()
  for (const body of [{}, { query: ' ' }, { query: 7 }, [], null]) {
    const bad = await send('POST', '/api/search', { body })
    expect([bad.status, bad.json]).toEqual([400, { error: 'Query is required' }])
  }
})

it('answers beside the results where that is asked for and possible', async () => {
  const answer = async () => 'X'
  const { send } = await openNexusServer(FIXTURE, { settings: { ai: true }, answer })
  const body = { query: 'needle', includeAI: true }
  const { json } = await send('POST', '/api/search', { body })
  expect(json.aiAnswer).toEqual({ answer: 'X', sources: [{ slug: 'gamma', title: 'Gamma' }] })
  const failing = await openNexusServer(FIXTURE, {
    settings: { ai: true },
    answer: () => Promise.reject(new Error('down')),
  })
  const without = await failing.send('POST', '/api/search', { body })
  expect([without.status, without.json.results.length, without.json.aiAnswer]).toEqual([
    200,
    1,
    undefined,
  ])
  const off = await openNexusServer()
  expect((await off.send('POST', '/api/search', { body })).json.aiAnswer).toBeUndefined()
})

it('speaks of slugs, not of files, where several change one note at once', async () => {
  const { send } = await openNexusServer()
  const changes = Array.from({ length: 12 }, (_, n) =>
    n % 3 === 1
      ? send('DELETE', '/api/notes/gamma')
      : send('PUT', '/api/notes/gamma', { body: { content: `Version ${n}.` } }),
  )
  const answers = await Promise.all(changes)
  const refused = answers.filter(({ status }) => status !== 200)
  expect(refused.length).toBeGreaterThan(0)
  for (const { status, json } of refused) {
    expect([status, json]).toEqual([404, { error: 'Note not found' }])
  }
})

describe('importing', () => {
  const upload = (files: Readonly<Record<string, string | Uint8Array>>) => {
    const form = new FormData()
    for (const [name, content] of Object.entries(files)) {
      form.append('files', new File([Buffer.from(content)], name))
    }
    return form
  }

  it('makes notes of Markdown files and tells which it could not', async () => {
    const { send, result } = await openNexusServer()
    const body = upload({
      'Plain Name.md': 'Text [[alpha]].',
      'x.md':
        '---\ntitle: Titled\ntags: [a, b]\nsection: S\norder: 4\ncreated_at: 2020-05-01\n---\n\nBody\n',
      'alpha.md': 'again',
      'picture.png': 'x',
      '!!!.md': 'x',
      'binary.md': Uint8Array.of(0xff, 0xfe, 0x00),
      '../../evil.md': 'stays here',
    })
    const { status, json } = await send('POST', '/api/import', { body })
    expect([status, json]).toEqual([
      200,
      {
        imported: 3,
        errors: [
          { filename: 'alpha.md', error: "A note with slug 'alpha' already exists" },
          { filename: 'picture.png', error: 'Only .md files can be imported' },
          { filename: '!!!.md', error: 'Could not generate valid slug' },
          { filename: 'binary.md', error: 'The file is not text' },
        ],
      },
    ])
    expect((await result('get_page', { slug: 'plain-name' })).title).toBe('Plain Name')
    expect((await send('GET', '/api/notes/titled')).json.data).toMatchObject({
      content: 'Body\n',
      tags: ['a', 'b'],
      section: 'S',
      order: 4,
      created_at: '2020-05-01T00:00:00.000Z',
    })
    expect((await result('get_page', { slug: 'evil' })).content).toBe('stays here')
    expect((await result('get_page', { slug: 'alpha' })).content).toContain('Start.')
  })

  it('refuses what is no upload', async () => {
    const { send } = await openNexusServer()
    const check = async (
      body: unknown,
      type: string | undefined,
      status: number,
      error: string,
    ) => {
      const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type }
      const answer = await send('POST', '/api/import', { body, headers })
      expect([answer.status, answer.json]).toEqual([status, { error }])
    }
    const wrong = 'Content-Type must be multipart/form-data'
    await check('{}', 'application/json', 415, wrong)
    await check('x', 'text/plain', 415, wrong)
    await check('x', 'multipart/form-data', 400, 'Invalid form data')
    await check('x', 'multipart/form-data; boundary=b', 400, 'Invalid form data')
    await check('--b\r\n\r\n--b', 'multipart/form-data; boundary=b', 400, 'Invalid form data')
    await check(new FormData(), undefined, 400, 'No files provided')
    const text = new FormData()
    text.append('files', 'just text')
    await check(text, undefined, 400, 'No files provided')
    const many = new FormData()
    for (let i = 0; i < 1_001; i++) many.append('files', new File([''], 'x.md'))
    await check(many, undefined, 400, 'No more than 1000 files at once')
  })
})

describe('exporting', () => {
  it('gives an archive that makes the same notes when it is imported', async () => {
    const files = {
      ...FIXTURE,
      'deep/folder/über.md': '---\ntags: [x]\nsection: S\norder: 2\n---\nText.\n',
      'y.md': '---\nslug: Web/CSS/color\ntitle: Color\n---\nRed.\n',
    }
    const { send, url } = await openNexusServer(files)
    const response = await fetch(`${url}/api/export?includeBacklinks=true`)
    expect(response.headers.get('content-type')).toBe('application/zip')
    expect(response.headers.get('content-disposition')).toContain('nexus-export.zip')
    const archive = unzip(Buffer.from(await response.arrayBuffer()))
    expect(Object.keys(archive)).toEqual([
      'alpha.md',
      'beta.md',
      'gamma.md',
      'web-css-color.md',
      'über.md',
    ])
    expect(archive['alpha.md']).toMatch(
      /^---\ntitle: Alpha\ntags: \[\]\ncreated_at: 2025-01-01T00:00:00.000Z\nupdated_at: .*\nbacklinks: \[beta\]\n---\n\nStart\. /,
    )
    const plain = unzip(Buffer.from(await (await fetch(`${url}/api/export`)).arrayBuffer()))
    expect(plain['alpha.md']).not.toContain('backlinks')

    const other = await openNexusServer({})
    const form = new FormData()
    for (const [name, text] of Object.entries(plain)) form.append('files', new File([text], name))
    const report = await other.send('POST', '/api/import', { body: form })
    expect(report.json).toEqual({ imported: 5, errors: [] })
    const notes = async (server: typeof other) =>
      (await server.send('GET', '/api/notes')).json.data
        .map(({ id: _id, ...rest }: any) => rest)
        .toSorted((a: any, b: any) => (a.slug < b.slug ? -1 : 1))
    expect(await notes(other)).toEqual(await notes({ ...other, send }))
  })

  it('gives an empty archive of nothing', async () => {
    const { url } = await openNexusServer({})
    const bytes = Buffer.from(await (await fetch(`${url}/api/export`)).arrayBuffer())
    expect([bytes.length, unzip(bytes)]).toEqual([22, {}])
  })
})
