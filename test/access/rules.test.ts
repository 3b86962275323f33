/** Where one may write, what opts out, which tools a request asks for, and how many may ask at once. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runCairn } from '../support/run-cairn.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { bearer, messageOf, serveWorld } from './world.ts'
import type { Credentials, World } from './world.ts'

const NOTES = {
  'inbox/a.md': '# A\nSee [[b]].\n',
  'archive/b.md': '# B\nOld, about [[a]].\n',
  'secret/plan.md': '# Plan\nOurs.\n',
}

async function call(
  world: World,
  who: Credentials,
  name: string,
  args: object,
  surface = 'native',
) {
  const response = await world.rpc(surface, who, 'tools/call', { name, arguments: { ...args } })
  const { result } = await messageOf(response)
  return { text: String(result.content[0].text), failed: result.isError === true }
}

const READ_WRITE = { may: ['read', 'write'] } as const

it('writes only where a token may, and tells nothing of what is there', async () => {
  const world = await serveWorld({
    sources: { notes: NOTES },
    surfaces: ['native', 'roux', 'nexus'],
  })
  const who = bearer(world.token('bot', { ...READ_WRITE, write: ['notes/inbox'] }))
  const write = (id: string, more: object = { action: 'append', content: 'more' }) =>
    call(world, who, 'write', { id, ...more })
  expect((await write('notes/inbox/a.md')).failed).toBe(false)
  expect((await write('notes/inbox/new.md', { action: 'create', content: 'x' })).failed).toBe(false)
  const refused = await Promise.all([
    write('notes/archive/b.md'),
    write('notes/new.md', { action: 'create', content: 'x' }),
    write('notes/inbox/a.md', { action: 'move', to: 'notes/archive/a.md' }),
    call(world, who, 'delete', { id: 'notes/archive/b.md' }),
    call(world, who, 'create_node', { title: 'Root', content: 'x' }, 'roux'),
  ])
  expect(refused.map(({ text, failed }) => [failed, /may not be changed/.test(text)])).toEqual(
    refused.map(() => [true, true]),
  )
  const created = await world.fetch('/api/notes', {
    method: 'POST',
    headers: { ...who, 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'Here' }),
  })
  expect(created.status).toBe(403)
  // A note that moves leaves what it may not write as it is.
  const moved = await write('notes/inbox/a.md', { action: 'move', to: 'notes/inbox/z.md' })
  expect(moved.failed).toBe(false)
  expect(readFileSync(join(world.root, 'notes/archive/b.md'), 'utf8')).toBe(NOTES['archive/b.md'])
})

it('changes nothing that is hidden, and says the same whether it is there or not', async () => {
  const world = await serveWorld({ sources: { notes: NOTES }, surfaces: ['native'] })
  const who = bearer(world.token('guest', { ...READ_WRITE, hide: ['notes/secret'] }))
  const at = (id: string) =>
    Promise.all([
      call(world, who, 'write', { action: 'create', id, content: 'x' }),
      call(world, who, 'write', { action: 'append', id, content: 'x' }),
      call(world, who, 'delete', { id }),
      call(world, who, 'history', { action: 'restore', id }),
    ])
  const there = (await at('notes/secret/plan.md')).map(({ text }) =>
    text.replaceAll('plan', 'none'),
  )
  const missing = (await at('notes/secret/none.md')).map(({ text }) => text)
  expect(there).toEqual(missing)
  expect(readFileSync(join(world.root, 'notes/secret/plan.md'), 'utf8')).toBe(
    NOTES['secret/plan.md'],
  )
  expect(existsSync(join(world.root, 'notes/secret/none.md'))).toBe(false)
})

it('keeps folders from everybody that the operator protects', async () => {
  const world = await serveWorld({
    sources: { notes: NOTES },
    surfaces: ['native'],
    flags: { protect: ['notes/archive'] },
  })
  const who = bearer(world.token('all', READ_WRITE))
  const change = (id: string) => call(world, who, 'write', { action: 'append', id, content: 'x' })
  expect((await change('notes/archive/b.md')).text).toContain('may not be changed')
  expect((await change('notes/inbox/a.md')).failed).toBe(false)
})

it('does not know a note that says it is private', async () => {
  const world = await serveWorld({
    sources: { notes: { ...NOTES, 'diary.md': '---\ncairn: private\n---\n# Diary\nxylophone\n' } },
    surfaces: ['native'],
  })
  const who = bearer(world.token('all', READ_WRITE))
  const answers = await Promise.all([
    call(world, who, 'search', { query: 'xylophone' }),
    call(world, who, 'list', {}),
    call(world, who, 'insights', { report: 'coverage' }),
  ])
  for (const { text } of answers) expect(text).not.toMatch(/diary/i)
  const read = await call(world, who, 'fetch', { id: 'notes/diary.md' })
  const none = await call(world, who, 'fetch', { id: 'notes/other.md' })
  expect(read.text.replaceAll('diary', 'other')).toBe(none.text)
  const edit = await call(world, who, 'write', {
    action: 'append',
    id: 'notes/diary.md',
    content: 'x',
  })
  expect([edit.failed, /xylophone/.test(edit.text)]).toEqual([true, false])
  // What becomes private is gone with the next look.
  await call(world, who, 'write', {
    action: 'set_metadata',
    id: 'notes/inbox/a.md',
    metadata: { cairn: 'private' },
  })
  expect((await call(world, who, 'list', {})).text).not.toContain('inbox/a.md')
})

/** Everything that history can be asked, about this document and these operations. */
async function historyOf(
  world: World,
  who: Credentials,
  id: string,
  operations: readonly string[],
) {
  const asked = [
    {},
    { id },
    { action: 'diff', id },
    ...operations.flatMap((each) => [
      { action: 'diff', id: each },
      { action: 'undo', id: each },
    ]),
    { action: 'restore', id },
    { action: 'undo', id },
  ]
  const answers: string[] = []
  for (const args of asked) answers.push((await call(world, who, 'history', args)).text)
  return answers
}

const operationIn = (text: string): string => /\d{8}T\d{6}-[0-9a-f]{8}/.exec(text)![0]

it('tells nothing of the time before a note went where one may not look', async () => {
  const world = await serveWorld({ sources: { notes: NOTES }, surfaces: ['native'] })
  const all = bearer(world.token('all', READ_WRITE))
  const guest = bearer(world.token('guest', { ...READ_WRITE, hide: ['notes/secret'] }))
  const write = async (args: object): Promise<string> => {
    const { text, failed } = await call(world, all, 'write', args)
    expect([text, failed]).toEqual([text, false])
    return operationIn(text)
  }
  const id = 'notes/inbox/song.md'
  const operations = [
    await write({ action: 'create', id, content: 'xylophone' }),
    await write({ action: 'append', id, content: 'xylophones' }),
  ]
  const before = await historyOf(world, guest, id, operations.slice(0, 1))
  expect(before.join()).toContain('xylophone')
  await call(world, all, 'write', { action: 'create', id, content: 'xylophone' })
  operations.push(await write({ action: 'append', id, content: 'more xylophones' }))
  await write({ action: 'move', id, to: 'notes/inbox/tune.md' })
  await write({ action: 'move', id: 'notes/inbox/tune.md', to: 'notes/secret/song.md' })
  const told = await historyOf(world, guest, id, operations)
  expect(told.join()).not.toMatch(/xylophone|tune/)
  const [missing] = (await historyOf(world, guest, id, ['20260101T000000-00000000'])).slice(3)
  expect(told[3]!.replace(operations[0]!, '')).toBe(
    missing!.replace('20260101T000000-00000000', ''),
  )
  // Somebody else may have the name by now.
  await write({ action: 'create', id, content: 'A new glockenspiel.' })
  expect((await call(world, guest, 'history', { id })).text).toContain('song.md')
  expect((await call(world, guest, 'history', { action: 'diff', id })).text).toContain(
    'glockenspiel',
  )
  expect((await call(world, all, 'history', { id: 'notes/secret/song.md' })).text).toContain('tune')
})

it('tells nothing of the time before a note said that it is private', async () => {
  const world = await serveWorld({ sources: { notes: NOTES }, surfaces: ['native'] })
  const who = bearer(world.token('all', READ_WRITE))
  const id = 'notes/inbox/song.md'
  const operations: string[] = []
  for (const args of [
    { action: 'create', id: 'notes/inbox/tune.md', content: 'xylophone' },
    { action: 'append', id: 'notes/inbox/tune.md', content: 'more xylophones' },
    { action: 'move', id: 'notes/inbox/tune.md', to: id },
    { action: 'append', id: 'notes/inbox/a.md', content: 'A glockenspiel.' },
  ]) {
    operations.push(operationIn((await call(world, who, 'write', args)).text))
  }
  expect((await call(world, who, 'history', { id })).text).toContain('tune')
  const metadata = { cairn: 'private' }
  await call(world, who, 'write', { action: 'set_metadata', id, metadata })
  const told = await historyOf(world, who, id, operations.slice(0, 3))
  expect(told.join()).not.toMatch(/xylophone|song\.md.*tune|inbox\/tune/)
  expect(readFileSync(join(world.root, 'notes/inbox/song.md'), 'utf8')).toContain('more xylophones')
  expect((await call(world, who, 'history', {})).text).toContain('inbox/a.md')
})

it('offers the sets of tools that a request asks for, within what the operator leaves', async () => {
  const world = await serveWorld({
    sources: { notes: NOTES },
    surfaces: ['native'],
    flags: { toolsets: ['search', 'documents', 'write'], 'exclude-tools': ['delete'] },
  })
  const who = bearer(world.token('all', READ_WRITE))
  const listed = async (headers: Credentials = {}) => {
    const response = await world.rpc('native', { ...who, ...headers }, 'tools/list')
    return (await messageOf(response)).result.tools.map(({ name }: { name: string }) => name)
  }
  const all = await listed()
  expect(all).toEqual(expect.arrayContaining(['search', 'fetch', 'write']))
  for (const absent of ['delete', 'neighbors', 'insights']) expect(all).not.toContain(absent)
  expect(await listed({ 'x-mcp-toolsets': 'documents' })).toEqual(['fetch', 'list'])
  expect(await listed({ 'x-mcp-readonly': 'true' })).not.toContain('write')
  expect(await listed({ 'x-mcp-tools': 'search,delete,neighbors' })).toEqual(['search'])
  expect(await listed({ 'x-mcp-exclude-tools': 'search' })).not.toContain('search')
  expect(await listed()).toEqual(all)
  const response = await world.rpc('native', { ...who, 'x-mcp-readonly': '1' }, 'tools/call', {
    name: 'write',
    arguments: {},
  })
  expect(JSON.stringify(await messageOf(response))).toContain('There is no tool')
})

it('offers the same sets over the older wire, where those of the stream count', async () => {
  const world = await serveWorld({ sources: { notes: NOTES }, surfaces: ['acdc'] })
  const who = bearer(world.token('all', READ_WRITE))
  const listed = async (headers: Credentials = {}): Promise<readonly string[]> => {
    const stream = await world.fetch('/sse', { headers: { ...who, ...headers } })
    const reader = stream.body!.getReader()
    let text = ''
    const until = async (what: RegExp): Promise<RegExpExecArray> => {
      for (let found = what.exec(text); ; found = what.exec(text)) {
        if (found) return found
        text += Buffer.from((await reader.read()).value!).toString()
      }
    }
    const [, address] = await until(/data: (\S+)/)
    const post = (body: object) =>
      world.fetch(address!, {
        method: 'POST',
        headers: { ...who, 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', ...body }),
      })
    const clientInfo = { name: 't', version: '1' }
    const params = { protocolVersion: '2024-11-05', capabilities: {}, clientInfo }
    await post({ id: 1, method: 'initialize', params })
    await until(/"id":1/)
    await post({ id: 2, method: 'tools/list' })
    const [, answer] = await until(/data: (.*"id":2.*)\n/)
    await reader.cancel()
    return JSON.parse(answer!).result.tools.map(({ name }: { name: string }) => name)
  }
  expect(await listed()).toEqual(['search', 'read'])
  expect(await listed({ 'x-mcp-tools': 'read,delete' })).toEqual(['read'])
  expect(await listed({ 'x-mcp-exclude-tools': 'read' })).toEqual(['search'])
  expect(await listed({ 'x-mcp-toolsets': 'graph' })).toEqual([])
})

it('lets a client listen so often, and asks it to come back beyond that', async () => {
  const world = await serveWorld({ sources: { notes: NOTES }, surfaces: ['native'] })
  const who = bearer(world.token('all', READ_WRITE))
  const streams: Response[] = []
  const refused: Response[] = []
  // A fifth of the 1,000 that a surface has.
  for (let n = 0; n < 205; n++) {
    const response = await world.rpc('native', who, 'subscriptions/listen', {
      notifications: { resourcesListChanged: true },
    })
    ;(response.status === 200 ? streams : refused).push(response)
  }
  expect([streams.length, refused.length]).toEqual([200, 5])
  expect([refused[0]!.status, refused[0]!.headers.get('retry-after')]).toEqual([503, '30'])
  for (const stream of streams) await stream.body?.cancel()
  expect((await world.rpc('native', who, 'tools/list')).status).toBe(200)
})

it('opens so many streams of the older wire and of the page, and no more', async () => {
  const world = await serveWorld({ sources: { notes: NOTES }, surfaces: ['native', 'acdc'] })
  const who = bearer(world.token('all', READ_WRITE))
  const other = bearer(world.token('other', READ_WRITE))
  const headers = { ...who, 'x-cairn': '1' }
  const streams: Response[] = []
  const refused: Response[] = []
  for (let n = 0; n < 205; n++) {
    const response = await world.fetch(n % 2 === 0 ? '/sse' : '/web/events', { headers })
    ;(response.status === 200 ? streams : refused).push(response)
  }
  expect([streams.length, refused.length]).toEqual([200, 5])
  expect([refused[0]!.status, refused[0]!.headers.get('retry-after')]).toEqual([503, '30'])
  // Nobody is kept out by somebody else.
  streams.push(await world.fetch('/sse', { headers: other }))
  expect(streams.at(-1)!.status).toBe(200)
  for (const stream of [...streams, ...refused]) await stream.body?.cancel()
})

const KEY = `AKIA${'IOSFODNN7EXAMPLE'}`

it('masks what looks like a secret unless someone asks who may, and makes hidden text visible', async () => {
  const text = `# Keys\nThe deploy key is ${KEY}. Turn\u202e around.\n`
  const world = await serveWorld({
    sources: {
      notes: {
        'keys.md': text,
        'shows.md': `# ${KEY}\nSee ![[keys]] and [[keys]] with ${KEY}; Keys are long.\n`,
        'code.txt': `KEY = "${KEY}"\n`,
      },
    },
    surfaces: ['native', 'nexus'],
  })
  const reader = bearer(world.token('reader', { may: ['read', 'write'] }))
  const operator = bearer(world.token('operator', { may: ['read', 'maintain'] }))
  const show = { 'x-cairn-secrets': 'show' }
  const fetched = (who: Credentials) => call(world, who, 'fetch', { id: 'notes/keys.md' })
  const plain = await fetched(reader)
  expect(plain.text).toContain('[masked AWS key]. Turn⟨U+202E⟩ around')
  expect((await fetched({ ...reader, ...show })).text).not.toContain(KEY)
  expect((await fetched({ ...operator, ...show })).text).toContain(KEY)
  const read = await world.rpc('native', reader, 'resources/read', { uri: 'kb://notes/keys.md' })
  expect(JSON.stringify(await messageOf(read))).not.toContain(KEY)
  const routes = await Promise.all(
    ['/api/notes', '/api/notes/keys', '/api/export'].map(async (path) =>
      (await world.fetch(path, { headers: reader })).text(),
    ),
  )
  for (const answer of routes) expect(answer).not.toContain(KEY)
  const onPage = async (who: Credentials, read: string, args: object): Promise<string> =>
    (
      await world.fetch(`/web/read/${read}`, {
        method: 'POST',
        headers: { ...who, 'content-type': 'application/json', 'x-cairn': '1' },
        body: JSON.stringify(args),
      })
    ).text()
  for (const [read, args] of [
    ['note', { id: 'notes/keys.md' }],
    ['note', { id: 'notes/shows.md' }],
    ['note', { id: 'notes/code.txt' }],
    ['source', { id: 'notes/keys.md' }],
    ['search', { query: 'deploy key', titles: true }],
    ['backlinks', { id: 'notes/keys.md' }],
    ['mentions', { id: 'notes/keys.md' }],
    ['labels', {}],
    ['home', {}],
  ] as const) {
    expect([read, (await onPage(reader, read, args)).includes(KEY)]).toEqual([read, false])
  }
  expect(await onPage(reader, 'note', { id: 'notes/shows.md' })).toContain('[masked AWS key]')
  expect(await onPage(operator, 'source', { id: 'notes/keys.md' })).toContain(KEY)
  const found = await call(world, reader, 'get_page', { slug: 'keys' }, 'nexus')
  expect(found.text).not.toContain(KEY)
  // Written back, the mask would take the place of the key.
  const back = await call(world, reader, 'write', {
    action: 'replace',
    id: 'notes/keys.md',
    content: plain.text,
  })
  expect([back.failed, back.text]).toEqual([true, expect.stringContaining('masked')])
  expect(readFileSync(join(world.root, 'notes/keys.md'), 'utf8')).toBe(text)
})

it('makes no token whose rules name nothing: it would see what was meant to be hidden', async () => {
  const root = temporaryFolder({ 'notes/people/ann.md': '# Ann\n' })
  const make = (...rules: string[]) =>
    runCairn(root, 'token', 'create', 'guest', ...rules, '--folder', 'notes')
  const refused = await make('--hide', 'people')
  expect(refused.code).not.toBe(0)
  expect(refused.err).toContain('"people" is in no source of this base.')
  expect(refused.err).toContain('"notes/people"')
  expect((await make('--hide', 'notes/people/**')).err).toContain('is a pattern')
  expect((await make('--hide', 'notes/people')).code).toBe(0)
  const { out } = await runCairn(root, 'token', 'list', '--json', '--folder', 'notes')
  expect(JSON.parse(out).tokens).toHaveLength(1)
})
