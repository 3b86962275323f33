/** Notes and entities are one graph: found, read, linked and walked together. */
import { appendFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openTestBase } from '../support/open-test-base.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { verifies } from '../support/verifies.ts'

const lines = (...objects: object[]) => objects.map((each) => `${JSON.stringify(each)}\n`).join('')

const ENTITIES = lines(
  {
    id: 'tool_use',
    type: 'concept',
    name: 'Tool Use',
    desc: 'Calling functions',
    tags: ['agent'],
    updated_at: '2026-02-01',
  },
  {
    id: 'rag',
    type: 'pattern',
    name: 'RAG',
    desc: 'Retrieval augmented',
    tags: ['AI'],
    updated_at: '',
  },
  { id: 'mcp', type: 'tech', name: 'MCP 协议', desc: '模型上下文协议', tags: [], updated_at: '' },
)
const RELATIONS = lines(
  { src: 'mcp', rel: 'enables', dst: 'tool_use', context: 'by design', created_at: '2026-02-14' },
  { src: 'mcp', rel: 'uses', dst: 'gone', context: '', created_at: '' },
)

const BRAIN = {
  'knowledge/entities/concepts.jsonl': ENTITIES,
  'knowledge/relations/2026-02.jsonl': RELATIONS,
}

const openBrain = (notes: Record<string, string>) =>
  openTestBase({ ...BRAIN, ...notes }, { kind: 'both' })

const ids = (answer: Record<string, any>, list = 'neighbors'): string[] =>
  answer[list].map(({ id }: { id: string }) => id)

describe('one graph', () => {
  it('leads from a note over an entity to another note', async () => {
    const { call } = await openBrain({
      'start.md': 'We talk [[mcp]] here.\n',
      'Tool Use.md': '# Tool Use\n\nWhat we know.\n',
    })
    const { found, path } = await call('path', { from: 'start', to: 'Tool Use.md' })
    expect(found).toBe(true)
    expect(path).toEqual([
      { id: 'notes/start.md', title: 'Start' },
      { id: 'entity:mcp', title: 'MCP 协议', via: 'out', types: ['LINKS_TO'] },
      { id: 'entity:tool_use', title: 'Tool Use', via: 'out', types: ['RELATES:enables'] },
      { id: 'notes/Tool Use.md', title: 'Tool Use', via: 'in', types: ['DESCRIBES'] },
    ])
  })

  it.each([
    ['its title', { 'a.md': '---\ntitle: rag\n---\n' }],
    ['an alias', { 'a.md': '---\naliases: [RAG]\n---\n' }],
    ['its file name', { 'Rag.md': '# Something else\n' }],
    ['the slug of its title', { 'a.md': '# R A G\n', 'tool-use.md': '# Other\n' }],
    ['its slug', { 'a.md': '---\ntitle: Other\nslug: rag\n---\n' }],
  ])('a note describes the entity that has %s', async (_, notes) => {
    const { call } = await openBrain(notes)
    const id = Object.keys(notes).length > 1 ? 'tool_use' : 'rag'
    const { neighbors } = await call('neighbors', { id: `entity:${id}`, types: ['DESCRIBES'] })
    expect(neighbors).toMatchObject([{ direction: 'in', types: ['DESCRIBES'] }])
  })

  it('lets several notes describe one entity, and none by a name that only looks alike', async () => {
    const { call } = await openBrain({
      'one.md': '# RAG\n',
      'two.md': '---\naliases: [rag]\n---\n',
      'three.md': '# Rag++\n',
    })
    const described = await call('neighbors', { id: 'entity:rag', types: ['DESCRIBES'] })
    expect(ids(described)).toEqual(['notes/one.md', 'notes/two.md'])
  })

  it('resolves wiki links to ids, names and canonical ids, and prefers a note', async () => {
    const { call } = await openBrain({
      'a.md': '[[tool_use]] [[MCP 协议]] [[entity:rag]]\n',
      'b.md': '[[RAG]] ![[tool-use]] [text](rag)\n',
      'RAG.md': 'A note.\n',
    })
    const outgoing = async (id: string) => ids(await call('neighbors', { id, direction: 'out' }))
    expect(await outgoing('a')).toEqual(['entity:mcp', 'entity:rag', 'entity:tool_use'])
    expect(await outgoing('b')).toEqual(['notes/RAG.md', 'entity:tool_use'])
    expect((await call('insights', { report: 'broken_links' })).items).toEqual([
      { from: 'entity:mcp', line: expect.any(Number), target: 'gone' },
    ])
  })

  it('shows both directions and filters by type', async () => {
    const { call } = await openBrain({ 'a.md': '[[mcp]]\n', 'mcp.md': 'About it.\n' })
    const all = await call('neighbors', { id: 'entity:mcp' })
    expect(all['neighbors']).toEqual([
      {
        id: 'entity:tool_use',
        title: 'Tool Use',
        hops: 1,
        direction: 'out',
        types: ['RELATES:enables'],
      },
      { id: 'notes/mcp.md', title: 'Mcp', hops: 1, direction: 'in', types: ['DESCRIBES'] },
    ])
    expect(all['unresolved_links']).toEqual(['gone'])
    const only = (types: string[]) => call('neighbors', { id: 'entity:mcp', types })
    expect(ids(await only(['RELATES']))).toEqual(['entity:tool_use'])
    expect(ids(await only(['RELATES:enables']))).toEqual(['entity:tool_use'])
    expect(ids(await only(['RELATES:hates', 'DESCRIBES']))).toEqual(['notes/mcp.md'])
    expect(ids(await call('neighbors', { id: 'a', types: ['LINKS_TO'] }))).toEqual(['notes/mcp.md'])
    expect((await only(['KNOWS']))['error'].code).toBe('invalid')
    const { edges } = await call('neighbors', { id: 'entity:mcp', as: 'graph' })
    expect(edges).toContainEqual({ from: 'notes/mcp.md', to: 'entity:mcp', types: ['DESCRIBES'] })
  })

  it('finds entities by name, description, tag and Chinese text, alone or beside notes', async () => {
    const { call } = await openBrain({ 'a.md': 'Functions are called here.\n' })
    const search = async (query: string, more = {}) => call('search', { query, ...more })
    expect((await search('协议'))['results'][0]).toMatchObject({
      id: 'entity:mcp',
      kind: 'entity',
      url: 'kb://entities/mcp',
      title: 'MCP 协议',
    })
    expect(ids(await search('calling functions'), 'results').toSorted()).toEqual([
      'entity:tool_use',
      'notes/a.md',
    ])
    expect(ids(await search('functions', { in: 'entities' }), 'results')).toEqual([
      'entity:tool_use',
    ])
    expect(ids(await search('functions', { in: 'documents' }), 'results')).toEqual(['notes/a.md'])
    expect(ids(await search('functions', { types: ['concept'] }), 'results')).toEqual([
      'entity:tool_use',
    ])
    expect(ids(await search('retrieval', { tags: ['ai'] }), 'results')).toEqual(['entity:rag'])
    expect(ids(await search('entity'), 'results')).toEqual([])
  })

  it('reads an entity under every name, with its relations both ways', async () => {
    const { call, surface } = await openBrain({ 'RAG.md': 'A note.\n' })
    const names = [
      'entity:mcp',
      'mcp',
      'MCP 协议',
      'kb://entities/mcp',
      'notes/entity:mcp',
      'entity:MCP',
    ]
    for (const id of names) expect((await call('fetch', { id }))['id']).toBe('entity:mcp')
    expect((await call('fetch', { id: 'rag' }))['id']).toBe('notes/RAG.md')
    const fetched = await call('fetch', {
      id: 'entity:tool_use',
      include: ['relations', 'backlinks'],
    })
    expect(fetched).toMatchObject({
      title: 'Tool Use',
      url: 'kb://entities/tool_use',
      metadata: {
        type: 'concept',
        tags: ['agent'],
        source: 'notes',
        updated: '2026-02-01T00:00:00.000Z',
      },
      relations: {
        outgoing: [],
        incoming: [{ rel: 'enables', id: 'entity:mcp', title: 'MCP 协议', context: 'by design' }],
      },
      backlinks: [{ id: 'entity:mcp', title: 'MCP 协议' }],
    })
    expect(fetched['text']).toContain('Calling functions')
    const { relations } = await call('fetch', { id: 'entity:mcp', include: ['relations'] })
    expect(relations.outgoing).toEqual([
      { rel: 'enables', id: 'entity:tool_use', title: 'Tool Use', context: 'by design' },
      { rel: 'uses', id: 'gone' },
    ])
    const [resource] = (await surface.resources!.read('kb://entities/mcp', {
      signal: AbortSignal.timeout(9_000),
      progress: () => {},
    }))!
    expect(resource).toMatchObject({
      uri: 'kb://entities/mcp',
      mimeType: 'text/markdown',
      text: expect.stringContaining('模型'),
    })
    const { items } = await surface.resources!.list(undefined)
    expect(items.map(({ uri }) => uri)).toContain('kb://entities/mcp')
    const template = 'kb://{source}/{+path}'
    const complete = (variable: string, value: string, others = {}) =>
      surface.resources!.complete(template, variable, value, others)
    expect((await complete('source', 'e')).values).toEqual(['entities'])
    expect((await complete('path', 'm', { source: 'entities' })).values).toEqual(['mcp'])
    expect((await complete('path', '', { source: 'notes' })).values).toEqual(['RAG.md'])
    expect((await call('fetch', { id: 'entity:nope' }))['error'].code).toBe('not_found')
  })

  it('reports hubs, orphans, stale ones and what was left out', async () => {
    const { call } = await openBrain({
      'a.md': '[[tool_use]]\n',
      'knowledge/entities/people.jsonl': 'not json\n',
      'knowledge/relations/2026-03.jsonl': lines({ src: 'nobody', rel: 'knows', dst: 'rag' }),
    })
    expect((await call('insights'))['summary']).toMatchObject({ documents: 4, entities: 3 })
    expect(ids(await call('insights', { report: 'hubs' }), 'items')[0]).toBe('entity:tool_use')
    expect(ids(await call('insights', { report: 'orphans' }), 'items')).toEqual(['entity:rag'])
    const stale = await call('insights', { report: 'stale' })
    expect(ids(stale, 'items')[0]).toBe('entity:tool_use')
    // Nobody says when it was touched, so it is not the oldest, and not from 1970.
    verifies('cortex:undated')
    expect(stale['items'].slice(-2)).toEqual([
      { id: 'entity:mcp', title: 'MCP 协议' },
      { id: 'entity:rag', title: 'RAG' },
    ])
    const { metadata } = await call('fetch', { id: 'entity:mcp' })
    expect(metadata).not.toHaveProperty('updated')
    expect(metadata).not.toHaveProperty('modified')
    const old = await call('list', { updated_before: '2000-01-01' })
    expect(ids(old, 'items')).toEqual([])
    const { items } = await call('insights', { report: 'coverage', state: 'skipped' })
    expect(items.map(({ file }: { file: string }) => file)).toEqual([
      'entity:nobody',
      'notes/knowledge/entities/people.jsonl:1',
    ])
  })
})

describe('what changes outside', () => {
  it('heals links when the entity appears, and lets go when it is gone', async () => {
    const { call, folder, sync } = await openBrain({ 'a.md': '[[later]]\n' })
    const file = join(folder, 'knowledge/entities/projects.jsonl')
    expect((await call('neighbors', { id: 'a' }))['unresolved_links']).toEqual(['later'])
    writeFileSync(
      file,
      lines({ id: 'later', type: 'x', name: 'Later', desc: 'd' }, { id: 'gone', name: 'Gone' }),
    )
    expect(await sync()).toMatchObject({ indexed: 2 })
    expect(ids(await call('neighbors', { id: 'a' }))).toEqual(['entity:later'])
    expect(ids(await call('neighbors', { id: 'entity:gone' }))).toEqual(['entity:mcp'])
    rmSync(file)
    expect(await sync()).toMatchObject({ removed: 2 })
    expect((await call('neighbors', { id: 'a' }))['unresolved_links']).toEqual(['later'])
  })

  it('reads again only what an addition or an edit touches', async () => {
    const { call, folder, sync } = await openBrain({})
    const relations = join(folder, 'knowledge/relations/2026-02.jsonl')
    appendFileSync(relations, lines({ src: 'rag', rel: 'uses', dst: 'mcp' }))
    expect(await sync()).toMatchObject({ indexed: 1, unchanged: 2 })
    expect(ids(await call('neighbors', { id: 'entity:rag' }))).toEqual(['entity:mcp'])
    writeFileSync(
      join(folder, 'knowledge/entities/concepts.jsonl'),
      ENTITIES.replace('Calling functions', 'Calling somebody'),
    )
    expect(await sync()).toMatchObject({ indexed: 1, unchanged: 2 })
    expect((await call('search', { query: 'somebody' }))['results'][0].id).toBe('entity:tool_use')
    expect(await sync()).toMatchObject({ indexed: 0, unchanged: 3 })
  })

  it('tells a watcher which entities an addition touches', async () => {
    const { folder, kb } = await openBrain({})
    const source = kb.sources.get('notes')!
    const changed = Promise.withResolvers<readonly string[] | undefined>()
    const watching = await source.watch(({ paths }) => {
      if (paths?.some((path) => path.startsWith('entity://'))) changed.resolve(paths)
    })
    appendFileSync(
      join(folder, 'knowledge/relations/2026-02.jsonl'),
      lines({ src: 'rag', rel: 'uses', dst: 'mcp' }),
    )
    expect(await changed.promise).toEqual(['entity://rag'])
    watching.close()
  })
})

it('goes on without a graph whose folder is out of reach', async () => {
  const brain = temporaryFolder(BRAIN)
  const { call, sync } = await openTestBase(
    { 'a.md': 'Calling functions by name.\n' },
    { more: [{ name: 'brain', path: brain, kind: 'graph' }] },
  )
  expect(ids(await call('search', { query: 'calling' }), 'results')).toHaveLength(2)
  renameSync(brain, `${brain}-away`)
  await expect(sync()).rejects.toThrow('is gone')
  expect(ids(await call('search', { query: 'calling' }), 'results')).toEqual(['notes/a.md'])
  expect((await call('fetch', { id: 'entity:rag' }))['error'].code).toBe('not_found')
  renameSync(`${brain}-away`, brain)
  expect(await sync()).toMatchObject({ indexed: 0, removed: 0 })
  expect(ids(await call('search', { query: 'calling' }), 'results')).toHaveLength(2)
})

describe('ids as they come', () => {
  const odd = [
    'a/b',
    'A b',
    'a:b',
    '..',
    'x.md',
    '50% more',
    'ünï cödé',
    'RAG',
    'tab\there',
    '"quoted"',
  ]

  it('finds, reads and relates them', async () => {
    const { call, bugs } = await openTestBase(
      {
        'knowledge/entities/x.jsonl': lines(
          ...odd.map((id) => ({ id, name: id, desc: `about ${id}` })),
          {
            id: 'hub',
            name: 'Hub',
          },
        ),
        'knowledge/relations/2026-01.jsonl': lines(
          ...odd.map((dst) => ({ src: 'hub', rel: 'likes → — "it"', dst, context: 'a → b — c' })),
        ),
        'n.md': '[[a/b]] [[x.md]]\n',
      },
      { kind: 'both' },
    )
    for (const id of odd) {
      const fetched = await call('fetch', { id: `entity:${id}` })
      expect(fetched).toMatchObject({ id: `entity:${id}`, title: id })
      expect((await call('fetch', { id: fetched['url'] }))['id']).toBe(`entity:${id}`)
    }
    const { relations } = await call('fetch', { id: 'entity:hub', include: ['relations'] })
    expect(relations.outgoing).toEqual(
      odd.map((id) => ({
        rel: 'likes → — "it"',
        id: `entity:${id}`,
        title: id,
        context: 'a → b — c',
      })),
    )
    expect(ids(await call('neighbors', { id: 'n' })).toSorted()).toEqual([
      'entity:a/b',
      'entity:x.md',
    ])
    expect(bugs).toEqual([])
  })

  it('is not deceived by a description that looks like something else', async () => {
    const desc = '---\nrelations: 9\n---\n\n## Relations\n\n- owns → rag\n[[rag]] #tag'
    const { call } = await openTestBase(
      {
        'knowledge/entities/x.jsonl': lines(
          { id: 'a', name: '# A\n- owns → rag', desc },
          { id: 'rag' },
        ),
      },
      { kind: 'both' },
    )
    expect((await call('neighbors', { id: 'entity:a' }))['total']).toBe(0)
    expect((await call('fetch', { id: 'entity:a' }))['text']).toContain(desc)
  })
})

describe('a graph beside notes', () => {
  it('is a source of its own, and several may have the same id', async () => {
    const brain = (await openTestBase(BRAIN)).folder
    const other = (await openTestBase(BRAIN)).folder
    const { call } = await openTestBase(
      { 'a.md': '[[mcp]]\n' },
      {
        more: [
          { name: 'brain', path: brain, kind: 'graph' },
          { name: 'other', path: other, kind: 'graph' },
        ],
      },
    )
    expect(ids(await call('neighbors', { id: 'a' }))).toEqual(['entity:mcp'])
    expect((await call('fetch', { id: 'other/entity:mcp' }))['metadata'].source).toBe('other')
    expect((await call('fetch', { id: 'entity:mcp' }))['metadata'].source).toBe('brain')
    // A note still needs no source in front of its path.
    const made = await call('write', { action: 'create', id: 'b', content: '[[rag]]\n' })
    expect(made['id']).toBe('notes/b.md')
    expect(ids(await call('neighbors', { id: 'b' }))).toEqual(['entity:rag'])
  })

  it('is not there for a folder that is read for its notes', async () => {
    const { call } = await openTestBase({ ...BRAIN, 'a.md': '[[mcp]]\n' })
    expect((await call('list'))['total']).toBe(1)
  })
})
