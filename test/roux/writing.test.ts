/** The writing tools of the roux surface: files change, and the next call sees it. */
import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { WriteError } from '../../src/core/domain/source.ts'
import { verifies } from '../support/verifies.ts'
import { GRAPH, ids, openRoux } from './open-roux.ts'

const INVALID = 'INVALID_PARAMS'

const MEETING = {
  title: 'Meeting Notes 2024-01-15',
  content: 'See [[lemon]] and [[ghost]].',
  tags: ['m'],
  directory: 'meetings',
}

describe('create_node', () => {
  it('writes the file, resolves its links and tells which lead nowhere', async () => {
    verifies('roux:check-8-create', 'roux:create-node-parameters', 'roux:synchronous-writes')
    verifies('roux:broken-link-warning', 'roux:warnings-in-response')
    const { call, base } = await openRoux()
    const { value, structured, warnings } = await call('create_node', MEETING)
    expect(value).toEqual({
      id: 'meetings/meeting-notes-2024-01-15.md',
      title: 'Meeting Notes 2024-01-15',
      content: 'See [[lemon]] and [[ghost]].',
      tags: ['m'],
      links: [
        { id: 'notes/lemon.md', title: 'Lemon' },
        { id: 'ghost.md', title: 'ghost.md' },
      ],
      _warnings: ['Broken link: [[ghost]]'],
    })
    expect(warnings).toEqual(['Broken link: [[ghost]]'])
    expect(structured).toEqual({
      node: expect.objectContaining({ id: value.id }),
      _warnings: warnings,
    })
    const file = readFileSync(join(base.folder, 'meetings/meeting-notes-2024-01-15.md'), 'utf8')
    verifies('roux:block-tags')
    expect(file).toMatch(/^---\ntitle: .*Meeting Notes 2024-01-15.*\ntags:\n  - m\n---\n+See /)
    const incoming = await call('get_neighbors', { id: 'notes/lemon.md', direction: 'in' })
    expect(ids(incoming.value)).toEqual(['meetings/meeting-notes-2024-01-15.md'])
    expect(incoming.warnings).toEqual([
      'Broken link: [[ghost]] in meetings/meeting-notes-2024-01-15.md',
    ])
  })

  it('refuses a second time', async () => {
    verifies('roux:check-8-create', 'roux:create-node-exists')
    const { call, base } = await openRoux()
    await call('create_node', MEETING)
    const before = readFileSync(join(base.folder, 'meetings/meeting-notes-2024-01-15.md'), 'utf8')
    const again = { ...MEETING, title: 'MEETING notes, 2024-01-15', directory: 'Meetings' }
    for (const args of [MEETING, again]) {
      const { error } = await call('create_node', args)
      expect(error).toEqual({
        code: 'NODE_EXISTS',
        message: 'Node already exists: meetings/meeting-notes-2024-01-15.md',
      })
    }
    const after = readFileSync(join(base.folder, 'meetings/meeting-notes-2024-01-15.md'), 'utf8')
    expect(after).toBe(before)
  })

  it('says nothing about its own file later, and something about what others do to it', async () => {
    const { call, base, tell } = await openRoux()
    const { value } = await call('create_node', MEETING)
    tell({ put: [`notes/${value.id}`] })
    expect((await call('get_hubs')).warnings).toEqual([])
    expect(base.bugs).toEqual([])
  })

  it('tells about links that could mean several notes', async () => {
    const { call } = await openRoux({ 'a/item.md': '', 'b/item.md': '' })
    const { value, warnings } = await call('create_node', { title: 'x', content: '[[item]]' })
    expect(ids(value.links)).toEqual(['a/item.md'])
    expect(warnings).toEqual(['Ambiguous link: [[item]] could mean a/item.md, b/item.md'])
  })

  it.each([
    [{ title: 'Tea & Coffee!' }, 'tea-coffee.md'],
    [{ title: '  --A  --  b_c--  ' }, 'a-bc.md'],
    [{ title: '???' }, 'untitled.md'],
    [{ title: 'Größe 書籍' }, 'größe-書籍.md'],
    [{ title: 'People/Ada Lovelace' }, 'people/ada-lovelace.md'],
    [{ title: '.hidden' }, 'hidden.md'],
    [{ title: '../../etc/passwd' }, 'etc/passwd.md'],
    [{ title: 'x', directory: './deep/er/' }, 'deep/er/x.md'],
    [{ title: 'x', directory: 'NOTES' }, 'notes/x.md'],
    [{ title: `long ${'word '.repeat(200)}` }, `long-${'word-'.repeat(11)}`.slice(0, -1) + '.md'],
  ])('names the file of %j', async (args, id) => {
    const { call, base } = await openRoux()
    const { value } = await call('create_node', { content: 'x', ...args })
    expect(value).toMatchObject({ id, title: args.title.trim(), content: 'x' })
    expect((await call('get_node', { id })).value).toMatchObject({ title: args.title.trim() })
    expect(base.bugs).toEqual([])
  })

  it('uses a folder in the spelling it has on disk', async () => {
    const { call, base } = await openRoux()
    await call('create_node', { title: 'Lime', content: 'Sour too.', directory: 'notes' })
    expect(readdirSync(join(base.folder, 'Notes')).toSorted()).toEqual(['Lemon.md', 'lime.md'])
  })

  it.each(['yes', 'null', '1984', 'a: b', '# x', '"quoted"', "it's", '- x', '[x]', 'x #y', '{a}'])(
    'keeps the title %j as it is',
    async (title) => {
      const { call } = await openRoux({})
      const { value } = await call('create_node', { title, content: 'x', tags: [title] })
      expect(value).toMatchObject({ title, tags: [title] })
    },
  )

  it.each([
    [{ content: 'x' }, 'title is required and must be a non-empty string'],
    [{ title: ' ', content: 'x' }, 'title is required and must be a non-empty string'],
    [{ title: 'x' }, 'content is required and must be a non-empty string'],
    [{ title: 'x', content: '' }, 'content is required and must be a non-empty string'],
    [{ title: 'x', content: 'y', tags: 'z' }, 'tags must be an array'],
    [{ title: 'x', content: 'y', tags: [1] }, 'tags must contain only strings'],
    [{ title: 'x', content: 'y', directory: 7 }, 'directory must be a string'],
  ])('refuses %j', async (args, message) => {
    verifies('roux:create-node-parameters', 'roux:error-invalid')
    const { call } = await openRoux()
    expect((await call('create_node', args)).error).toEqual({ code: INVALID, message })
  })

  it.each([
    '../out',
    'a/../../out',
    '..\\out',
    '/etc',
    'C:\\Windows',
    'a/\0b',
    '.git',
    '.hidden/x',
    'node_modules',
    'way-out',
    'x'.repeat(300),
  ])('never writes to %j', async (directory) => {
    verifies('roux:check-15-escape')
    const { call, base } = await openRoux({ 'a.md': 'x', 'way/b.md': 'x' })
    const outside = join(dirname(base.folder), 'out')
    symlinkSync(dirname(base.folder), join(base.folder, 'way-out'))
    const { isError, error } = await call('create_node', { title: 'x', content: 'y', directory })
    expect(isError).toBe(true)
    expect(error?.code).toBe(INVALID)
    if (directory.includes('..')) expect(error?.message).toMatch(/outside source/)
    expect(existsSync(outside)).toBe(false)
    expect(existsSync(join(dirname(base.folder), 'x.md'))).toBe(false)
    expect(readdirSync(base.folder).toSorted()).toEqual(['a.md', 'way', 'way-out'])
    expect(base.bugs).toEqual([])
  })
})

describe('update_node', () => {
  it('refuses a new title while others link to the node', async () => {
    verifies('roux:check-9-update', 'roux:update-node-parameters')
    const { call, base } = await openRoux()
    expect((await call('update_node', { id: 'e.md', title: 'New' })).error).toEqual({
      code: 'LINK_INTEGRITY',
      message: 'Cannot rename node with 2 incoming links',
    })
    const same = await call('update_node', { id: 'E.md', title: 'E' })
    expect(same.value).toMatchObject({ id: 'e.md', title: 'E', content: 'text' })
    expect(readFileSync(join(base.folder, 'e.md'), 'utf8')).toBe('text')
  })

  it('gives a node nobody links to a new title, and its file keeps its name', async () => {
    const { call, base } = await openRoux()
    const { value } = await call('update_node', { id: 'a.md', title: 'Alpha' })
    expect(value).toMatchObject({ id: 'a.md', title: 'Alpha', content: '[[b]] [[d]]' })
    expect(readFileSync(join(base.folder, 'a.md'), 'utf8')).toMatch(/^---\ntitle: Alpha\n---\n/)
  })

  it('replaces the content and reads its links again', async () => {
    verifies('roux:check-9-update', 'roux:update-node-replaces', 'roux:synchronous-writes')
    const { call } = await openRoux()
    const { value, warnings } = await call('update_node', { id: 'e.md', content: '[[c]] [[gone]]' })
    expect(value.content).toBe('[[c]] [[gone]]')
    expect(warnings).toEqual(['Broken link: [[gone]]'])
    const out = await call('get_neighbors', { id: 'e.md', direction: 'out' })
    expect(ids(out.value)).toEqual(['c.md'])
  })

  it('replaces tags and keeps every other property', async () => {
    verifies('roux:check-9-update', 'roux:update-node-replaces')
    const { call, base } = await openRoux()
    const { value } = await call('update_node', { id: 'notes/lemon.md', tags: ['yellow'] })
    expect(value).toMatchObject({ tags: ['yellow'], properties: { origin: 'IT' }, title: 'Lemon' })
    expect(readFileSync(join(base.folder, 'Notes/Lemon.md'), 'utf8')).toContain('origin: IT')
    expect(ids((await call('search_by_tags', { tags: ['yellow'] })).value)).toEqual([
      'notes/lemon.md',
    ])
    expect((await call('search_by_tags', { tags: ['fruit'] })).value).toEqual([])
    expect((await call('update_node', { id: 'notes/lemon.md', tags: [] })).value.tags).toEqual([])
  })

  it('needs something to change and a node to change', async () => {
    verifies('roux:check-9-update', 'roux:update-node-missing', 'roux:error-invalid')
    const { call } = await openRoux()
    expect((await call('update_node', { id: 'e.md' })).error?.code).toBe(INVALID)
    expect((await call('update_node', { content: 'x' })).error?.code).toBe(INVALID)
    expect((await call('update_node', { id: 'zzz.md', content: 'x' })).error).toEqual({
      code: 'NODE_NOT_FOUND',
      message: 'Node not found: zzz.md',
    })
  })

  it('with update_links puts the new title into links that say the old one', async () => {
    const { call, base } = await openRoux({
      'tea.md': '---\ntitle: Green Tea\n---\nx',
      'a.md': 'I like [[Green Tea]], [[green tea|that]] and [[tea]].',
      'b.md': '`[[Green Tea]]` [[Green Tea#Milk]]',
      'c.md': 'nothing',
    })
    const refused = await call('update_node', { id: 'tea.md', title: 'Black Tea' })
    expect(refused.error?.message).toBe('Cannot rename node with 2 incoming links')
    const args = { id: 'tea.md', title: 'Black Tea', update_links: true }
    expect((await call('update_node', args)).value).toMatchObject({ title: 'Black Tea' })
    const text = (path: string) => readFileSync(join(base.folder, path), 'utf8')
    expect(text('a.md')).toBe('I like [[Black Tea]], [[Black Tea|that]] and [[tea]].')
    expect(text('b.md')).toBe('`[[Green Tea]]` [[Black Tea#Milk]]')
    const incoming = await call('get_neighbors', { id: 'tea.md', direction: 'in' })
    expect(ids(incoming.value)).toEqual(['a.md', 'b.md'])
  })
})

describe('delete_node', () => {
  it('removes the file; again is false and no error', async () => {
    verifies('roux:check-10-delete', 'roux:delete-node-parameters', 'roux:delete-node-result')
    verifies('roux:error-not-found', 'roux:synchronous-writes')
    const { call, base } = await openRoux()
    const gone = await call('delete_node', { id: 'C.md' })
    expect([gone.value, gone.structured, gone.texts]).toEqual([true, { deleted: true }, ['true']])
    expect(existsSync(join(base.folder, 'c.md'))).toBe(false)
    expect((await call('get_node', { id: 'c.md' })).value).toBe(null)
    const again = await call('delete_node', { id: 'c.md' })
    expect([again.value, again.structured, again.isError]).toEqual([
      false,
      { deleted: false },
      undefined,
    ])
    const links = (await call('get_node', { id: 'b.md' })).value.links
    expect(links[0]).toEqual({ id: 'c.md', title: 'c.md' })
  })

  it('touches nothing but nodes', async () => {
    const { call, base } = await openRoux({ ...GRAPH, 'keep.txt': 'x' })
    for (const id of ['keep.txt', '../x', '', '/etc/passwd']) await call('delete_node', { id })
    expect(existsSync(join(base.folder, 'keep.txt'))).toBe(true)
    expect((await call('delete_node', {})).error?.code).toBe(INVALID)
  })
})

it('a disk that refuses is a provider error, and the server goes on', async () => {
  verifies('roux:error-provider')
  const { call, base } = await openRoux()
  const writer = base.kb.sources.get('notes')!.writer!
  Object.assign(writer, {
    apply: () => Promise.reject(new WriteError('unavailable', 'No space left.', '', [])),
  })
  const calls = {
    create_node: MEETING,
    update_node: { id: 'a.md', content: 'x' },
    delete_node: { id: 'a.md' },
  }
  for (const [tool, args] of Object.entries(calls)) {
    const { error } = await call(tool, args)
    expect(error).toEqual({ code: 'PROVIDER_ERROR', message: 'No space left.' })
  }
  expect((await call('get_node', { id: 'a.md' })).value.content).toBe('[[b]] [[d]]')
  expect(base.bugs).toEqual([])
})

it('every write is in the history, under the name of the client', async () => {
  const { call, base } = await openRoux()
  await call('create_node', MEETING)
  await call('update_node', { id: 'a.md', content: 'x' })
  await call('delete_node', { id: 'a.md' })
  const kinds: string[] = []
  await base.kb.writing!.history.each(({ kind, by }) => {
    kinds.push(`${kind} ${by.client}`)
    return true
  })
  expect(kinds).toEqual(['delete test/1', 'update test/1', 'create test/1'])
})

it('creates a node whose content begins with a rule', async () => {
  const { call } = await openRoux()
  const content = '---\nOnce upon a time\n---\nThere was [[a]].'
  const { value } = await call('create_node', { title: 'Tale', content })
  expect(value).toMatchObject({ id: 'tale.md', title: 'Tale', content, links: [{ id: 'a.md' }] })
})
