/** Adding entities and relations through the native tool. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { KnowledgeError } from '../../src/core/domain/error.ts'
import type { GraphAddition } from '../../src/core/domain/entity-graph.ts'
import { receiveSent } from '../../src/team/homes/receive-sent.ts'
import { openNativeSurface } from '../../src/serve/native/open-native-surface.ts'
import { addEntity } from '../../src/core/operations/entities/relate.ts'
import { viewFor } from '../../src/core/operations/view/view.ts'
import { openTestBase } from '../support/open-test-base.ts'
import type { TestBase } from '../support/open-test-base.ts'

const RAG = { id: 'rag', type: 'pattern', name: 'RAG', desc: 'Retrieval augmented', tags: [] }
const FILES = { 'knowledge/entities/concepts.jsonl': `${JSON.stringify(RAG)}\n` }

const open = (notes: Record<string, string> = {}) =>
  openTestBase({ ...FILES, ...notes }, { kind: 'both' })

const GRAPH_DB = {
  action: 'entity',
  category: 'tech_stack',
  id: 'graph-db',
  type: 'tech',
  name: 'Graph DB',
  desc: 'Nodes and edges',
}

function graphFiles({ folder }: TestBase): Record<string, string> {
  const names = readdirSync(join(folder, 'knowledge'), { recursive: true, encoding: 'utf8' })
  const files = names.filter((name) => name.endsWith('.jsonl')).toSorted()
  return Object.fromEntries(
    files.map((name) => [name, readFileSync(join(folder, 'knowledge', name), 'utf8')]),
  )
}

describe('relate', () => {
  it('adds an entity that the next call finds, links to and describes', async () => {
    const base = await open({ 'a.md': '[[entity:graph-db]]\n', 'b.md': '# Graph DB\n' })
    const { call, folder } = base
    expect(await call('relate', { ...GRAPH_DB, tags: ['store'] })).toEqual({
      id: 'entity:graph-db',
      created: true,
      source: 'notes',
      file: 'knowledge/entities/tech_stack.jsonl',
    })
    const line = readFileSync(join(folder, 'knowledge/entities/tech_stack.jsonl'), 'utf8')
    expect(Object.keys(JSON.parse(line))).toEqual([
      'id',
      'type',
      'name',
      'desc',
      'tags',
      'updated_at',
    ])
    const { results } = await call('search', { query: 'nodes and edges', tags: ['store'] })
    expect(results[0]).toMatchObject({ id: 'entity:graph-db', kind: 'entity' })
    const { neighbors } = await call('neighbors', { id: 'entity:graph-db' })
    expect(neighbors).toMatchObject([
      { id: 'notes/a.md', types: ['LINKS_TO'] },
      { id: 'notes/b.md', types: ['DESCRIBES'] },
    ])
  })

  it('files an entity under any name that can be one of a file', async () => {
    const { call, folder } = await open()
    const added = await call('relate', { ...GRAPH_DB, category: 'datasets' })
    expect(added).toMatchObject({ created: true, file: 'knowledge/entities/datasets.jsonl' })
    expect(existsSync(join(folder, 'knowledge/entities/datasets.jsonl'))).toBe(true)
    const { results } = await call('search', { query: 'nodes and edges' })
    expect(results[0]).toMatchObject({ id: 'entity:graph-db' })
    for (const category of ['../up', '/etc', 'a\nb', '', '.hidden']) {
      const { error } = await call('relate', {
        ...GRAPH_DB,
        id: 'other',
        name: 'Other',
        category,
      })
      expect(error.code, category).toBe('invalid')
    }
  })

  it('asks before it makes a second entity of one name', async () => {
    const base = await open()
    const { call } = base
    const before = graphFiles(base)
    const again = { ...GRAPH_DB, name: ' Rag' }
    const { error } = await call('relate', again)
    expect(error).toMatchObject({ code: 'exists', message: expect.stringContaining('entity:rag') })
    expect(error.hint).toContain('same_name')
    expect(graphFiles(base)).toEqual(before)
    expect(await call('relate', { ...again, same_name: true })).toMatchObject({ created: true })
    // Of an id that is there, that is said, whatever it is called.
    const twice = await call('relate', { ...GRAPH_DB, id: 'rag', name: 'RAG' })
    expect(twice['error'].message).toContain('"rag"')
    const { error: stray } = await call('relate', {
      action: 'relation',
      src: 'rag',
      rel: 'uses',
      dst: 'graph-db',
      same_name: true,
    })
    expect(stray).toMatchObject({ code: 'invalid' })
  })

  it('asks nobody about an entity that they may not see', async () => {
    const { base } = await open()
    const sees = ({ path }: { readonly path: string }) => !path.includes('rag')
    const part = viewFor(base, { principal: 'writer', may: ['read', 'write'], sees })
    const draft = { id: 'r2', category: 'concepts', type: 'x', name: 'RAG', desc: 'Another' }
    const added = await addEntity(part, draft)
    expect(added.entity.id).toBe('r2')
  })

  it('adds a relation once, from any name of the entity to an entity or a note', async () => {
    const base = await open({ 'guides/Setup.md': 'How to begin.\n', 'a/setup.md': 'Another.\n' })
    const { call } = base
    await call('relate', GRAPH_DB)
    const uses = {
      action: 'relation',
      src: 'RAG',
      rel: 'uses',
      dst: 'entity:graph-db',
      context: 'why',
    }
    expect(await call('relate', uses)).toMatchObject({
      id: 'entity:rag',
      dst: 'graph-db',
      created: true,
    })
    const before = graphFiles(base)
    expect(await call('relate', uses)).toMatchObject({ created: false })
    expect(graphFiles(base)).toEqual(before)
    const told = await call('relate', {
      action: 'relation',
      src: 'rag',
      rel: 'told_in',
      dst: 'guides/Setup',
    })
    expect(told).toMatchObject({ dst: 'notes/guides/Setup.md', created: true })
    const { relations } = await call('fetch', { id: 'entity:rag', include: ['relations'] })
    expect(relations.outgoing).toEqual([
      { rel: 'uses', id: 'entity:graph-db', title: 'Graph DB', context: 'why' },
      { rel: 'told_in', id: 'notes/guides/Setup.md', title: 'Setup' },
    ])
    const setup = await call('fetch', { id: 'guides/Setup', include: ['relations'] })
    expect(setup['relations'].incoming).toEqual([
      { rel: 'told_in', id: 'entity:rag', title: 'RAG' },
    ])
  })

  it('keeps a relation to a note that moves, and says what one loses that is renamed', async () => {
    const { call } = await open({ 'guides/setup.md': 'Begin.\n', 'rag.md': 'About it.\n' })
    await call('relate', { action: 'relation', src: 'rag', rel: 'told_in', dst: 'setup' })
    const moved = await call('write', { action: 'move', id: 'setup', to: 'old/setup.md' })
    expect(moved['broken_links']).toBeUndefined()
    const towards = await call('neighbors', { id: 'entity:rag', direction: 'out' })
    expect(towards['neighbors']).toMatchObject([{ id: 'notes/old/setup.md' }])
    const renamed = await call('write', { action: 'move', id: 'setup', to: 'begin.md' })
    expect(renamed['broken_links']).toEqual([{ id: 'entity:rag', target: 'notes/guides/setup.md' }])
    const told = await call('write', { action: 'move', id: 'notes/rag.md', to: 'deep/er/rag.md' })
    expect(told).toMatchObject({ id: 'notes/deep/er/rag.md' })
    const describing = await call('neighbors', { id: 'entity:rag', types: ['DESCRIBES'] })
    expect(describing['neighbors']).toMatchObject([{ id: 'notes/deep/er/rag.md' }])
  })

  const big = 'x'.repeat(1024 * 1024)
  it.each([
    ['exists', { ...GRAPH_DB, id: 'rag' }],
    ['invalid', { ...GRAPH_DB, id: '../../etc/x' }],
    ['invalid', { ...GRAPH_DB, id: 'Bad_ID' }],
    ['invalid', { ...GRAPH_DB, id: big }],
    ['invalid', { ...GRAPH_DB, category: '../x' }],
    ['invalid', { ...GRAPH_DB, name: 'two\nlines' }],
    ['invalid', { ...GRAPH_DB, name: big }],
    ['invalid', { ...GRAPH_DB, desc: big }],
    ['invalid', { ...GRAPH_DB, desc: ' ' }],
    ['invalid', { ...GRAPH_DB, desc: undefined }],
    ['invalid', { ...GRAPH_DB, src: 'rag' }],
    ['invalid', { action: 'relation', src: 'rag', rel: big, dst: 'rag' }],
    ['invalid', { action: 'relation', src: 'rag', rel: 'uses' }],
    ['invalid', { action: 'relation', src: 'rag', rel: '', dst: 'rag' }],
    ['invalid', { action: 'relation', src: 'a.md', rel: 'uses', dst: 'rag' }],
    ['not_found', { action: 'relation', src: 'rag', rel: 'uses', dst: 'nope' }],
    ['not_found', { action: 'relation', src: 'nope', rel: 'uses', dst: 'rag' }],
    ['not_found', { action: 'relation', src: big, rel: 'uses', dst: 'rag' }],
    ['not_found', { action: 'relation', src: 'rag', rel: 'uses', dst: big }],
    ['not_found', { ...GRAPH_DB, source: 'elsewhere' }],
  ])('refuses with %s and changes nothing', async (code, args) => {
    const base = await open({ 'a.md': 'A note.\n' })
    const before = graphFiles(base)
    const { error } = await base.call('relate', args)
    expect(error.code).toBe(code)
    expect(JSON.stringify(error).length).toBeLessThan(2_000)
    expect(graphFiles(base)).toEqual(before)
    expect(base.bugs).toEqual([])
  })

  it('is saved even when the index cannot take it now', async () => {
    const { base: kb, bugs } = await open()
    const busy = new KnowledgeError('unavailable', 'Busy.', 'Later.')
    const lock = {
      hold: () => Promise.reject(busy),
      fence() {},
      disarm: async () => false,
      isKept: () => true,
      unheldBelow: () => [],
      close: async () => {},
    }
    const noticed: string[] = []
    const surface = openNativeSurface(
      {
        ...kb,
        writing: { ...kb.writing!, lock },
        noticeChange: (source, path) => noticed.push(`${source} ${path}`),
      },
      { version: '0', log: (error) => bugs.push(error) },
    )
    const call = { signal: new AbortController().signal, progress: () => {} }
    const { structured, isError } = await surface.call('relate', GRAPH_DB, call)
    expect(isError ?? false).toBe(false)
    expect(structured).toMatchObject({
      created: true,
      warnings: [expect.stringContaining('saved')],
    })
    expect(noticed).toEqual(['notes entity://graph-db'])
    expect(bugs).toEqual([])
  })

  it('asks which graph, and never makes an id mean two entities', async () => {
    const brain = (await openTestBase(FILES)).folder
    const { call } = await openTestBase(
      { 'knowledge/entities/people.jsonl': '{"id":"ada","name":"Ada"}\n' },
      { kind: 'both', more: [{ name: 'brain', path: brain, kind: 'graph' }] },
    )
    expect((await call('relate', GRAPH_DB))['error']).toMatchObject({
      code: 'invalid',
      hint: 'Say which with source: notes, brain.',
    })
    expect((await call('relate', { ...GRAPH_DB, source: 'brain' }))['source']).toBe('brain')
    const twin = await call('relate', { ...GRAPH_DB, source: 'notes' })
    expect(twin['error'].code).toBe('exists')
    const across = await call('relate', {
      action: 'relation',
      src: 'ada',
      rel: 'knows',
      dst: 'rag',
    })
    expect(across).toMatchObject({ source: 'notes', created: true })
    const { neighbors } = await call('neighbors', { id: 'entity:rag' })
    expect(neighbors).toMatchObject([{ id: 'entity:ada', direction: 'in' }])
  })

  it('is not shown where there is no graph, and says how to get one', async () => {
    const { call, surface, folder } = await openTestBase({ 'a.md': 'A.\n' })
    expect(surface.tools().map(({ name }) => name)).not.toContain('relate')
    const { error } = await call('relate', GRAPH_DB)
    expect(error).toMatchObject({
      code: 'unsupported',
      hint: expect.stringContaining('kind: both'),
    })
    expect(existsSync(join(folder, 'knowledge'))).toBe(false)
    expect((await open()).surface.tools().map(({ name }) => name)).toContain('relate')
  })

  it('begins a graph in a folder that is meant to have one', async () => {
    const { call } = await openTestBase({ 'a.md': 'A.\n' }, { kind: 'both' })
    expect(await call('relate', GRAPH_DB)).toMatchObject({ created: true })
    expect((await call('fetch', { id: 'entity:graph-db' }))['title']).toBe('Graph DB')
  })

  it('is not there for a base that may only be read', async () => {
    const base = await openTestBase(FILES, { kind: 'both', readOnly: true })
    expect(base.surface.tools().map(({ name }) => name)).not.toContain('relate')
    await expect(base.call('relate', GRAPH_DB)).rejects.toThrow('There is no tool')
    expect((await base.call('fetch', { id: 'entity:rag' }))['title']).toBe('RAG')
    const writable = openNativeSurface(
      { ...base.base, writing: undefined },
      { version: '0', log() {} },
    )
    expect(writable.tools().some(({ name }) => name === 'relate')).toBe(false)
  })
})

describe('write and delete', () => {
  it.each([
    ['write', { action: 'append', id: 'entity:rag', content: 'more' }],
    ['write', { action: 'replace', id: 'kb://entities/rag', content: 'more' }],
    ['write', { action: 'set_metadata', id: 'RAG', tags: ['x'] }],
    ['write', { action: 'move', id: 'entity:rag', to: 'b.md' }],
    ['write', { action: 'create', id: 'entity:new', content: 'x' }],
    ['write', { action: 'move', id: 'a.md', to: 'entity:new' }],
    ['delete', { id: 'entity:rag' }],
  ])('%s leaves entities alone: %j', async (tool, args) => {
    const base = await open({ 'a.md': 'A.\n' })
    const before = graphFiles(base)
    const { error } = await base.call(tool, args)
    expect(error).toMatchObject({ code: 'forbidden', hint: expect.stringContaining('relate') })
    expect(graphFiles(base)).toEqual(before)
  })

  it('lets a note take the name of an entity that others link to', async () => {
    const { call } = await open({ 'a.md': '[[rag]]\n', 'b.md': 'B.\n' })
    await call('write', { action: 'move', id: 'b', to: 'rag.md' })
    expect((await call('fetch', { id: 'a' }))['text']).toBe('[[rag]]\n')
    const { neighbors } = await call('neighbors', { id: 'notes/rag.md' })
    expect(neighbors).toMatchObject([
      { id: 'entity:rag', types: ['DESCRIBES'], direction: 'out' },
      { id: 'notes/a.md', types: ['LINKS_TO'], direction: 'in' },
    ])
    expect((await call('delete', { id: 'notes/rag.md' }))['broken_links']).toHaveLength(1)
    expect((await call('neighbors', { id: 'a' }))['neighbors']).toMatchObject([
      { id: 'entity:rag' },
    ])
  })
})

it('adds what another server sends once, though it may be asked again', async () => {
  const base = await open({ 'a.md': '# A\n' })
  const { action: _, ...draft } = GRAPH_DB
  const updatedAt = '2026-11-16T08:00:00.000123'
  const send = (addition: GraphAddition) =>
    receiveSent(base.kb, { id: 'x', source: 'notes', addition })
  const entity = { kind: 'entity' as const, draft: { ...draft, updatedAt } }
  const relation = {
    kind: 'relation' as const,
    draft: { src: 'graph-db', rel: 'named_in', dst: 'notes/a.md', createdAt: updatedAt },
    knownEnd: 'notes/a.md',
  }
  const first = [await send(entity), await send(relation)]
  expect(first).toMatchObject([
    { kind: 'done', added: { entity: { id: 'graph-db' } } },
    { kind: 'done', added: { created: true } },
  ])
  const files = graphFiles(base)
  // As if the server that added them had been killed before it could say so.
  expect([await send(entity), await send(relation)]).toEqual(first)
  expect(graphFiles(base)).toEqual(files)
  // Another one of the same name is not the same.
  const twin = { ...entity, draft: { ...entity.draft, updatedAt: '2026-11-16T08:00:00.000124' } }
  expect(await send(twin)).toMatchObject({ kind: 'refused', refusal: 'entity_exists' })
  const nowhere = { ...relation, draft: { ...relation.draft, dst: 'nothing' } }
  expect(await send(nowhere)).toMatchObject({ refusal: 'destination_missing' })
})
