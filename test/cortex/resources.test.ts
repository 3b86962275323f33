/** What a cortex client can read: entities, months of relations and the report. */
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { McpError, ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, it, vi } from 'vitest'
import { SOON } from '../support/soon.ts'
import { verifies } from '../support/verifies.ts'
import { CONCEPTS, fixture, lines, openCortex, RELATIONS } from './open-cortex.ts'

async function codeOf(work: Promise<unknown>): Promise<number> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(McpError)
  return (error as McpError).code
}

it('has two templates, and lists the report and every entity', async () => {
  verifies('cortex:check-2-templates', 'cortex:resources-json', 'cortex:listed-entities')
  const { client } = await openCortex()
  const { resourceTemplates } = await client.listResourceTemplates()
  expect(resourceTemplates.map(({ uriTemplate, mimeType }) => [uriTemplate, mimeType])).toEqual([
    ['knowledge://entities/{type}/{id}', 'application/json'],
    ['knowledge://relations/{year}/{month}', 'application/json'],
  ])
  const { resources, nextCursor } = await client.listResources()
  expect(nextCursor).toBeUndefined()
  expect(resources.map(({ uri, name, description }) => [uri, name, description])).toEqual([
    ['knowledge://stats/entropy', 'entropy', expect.any(String)],
    ['knowledge://entities/concept/tool_use', 'Tool Use', 'Calling functions'],
    ['knowledge://entities/pattern/rag', 'RAG', 'Retrieval augmented'],
    ['knowledge://entities/tech/mcp', 'MCP 协议', '模型上下文协议'],
  ])
  expect(new Set(resources.map(({ mimeType }) => mimeType))).toEqual(new Set(['application/json']))
  expect(await codeOf(client.listResources({ cursor: 'nonsense' }))).toBe(-32602)
})

it('does not list what no URI can name', async () => {
  const { client } = await openCortex({
    [CONCEPTS]: lines({ id: 'half \ud83d', type: 't' }, { id: 'whole', type: 't' }),
  })
  const { resources } = await client.listResources()
  expect(resources.map(({ uri }) => uri)).toEqual([
    'knowledge://stats/entropy',
    'knowledge://entities/t/whole',
  ])
})

it('lists in pages, and what is listed can be read', async () => {
  verifies('cortex:listed-entities', 'cortex:any-stored-id')
  const odd = ['实体 甲', 'a/b', 'a%20b', 'q?x#y', '..', "it's", 'A_B']
  const many = Array.from({ length: 1200 }, (_, n) => ({ id: `e${n}`, type: 't', name: `E ${n}` }))
  const { client, read } = await openCortex({
    [CONCEPTS]: lines(...many),
    'knowledge/entities/odd.jsonl': lines(...odd.map((id) => ({ id, type: '类/型', name: id })), {
      id: 'untyped',
    }),
  })
  const listed: string[] = []
  let cursor: string | undefined
  for (let page = 0; page < 10 && (page === 0 || cursor !== undefined); page++) {
    const { resources, nextCursor } = await client.listResources(cursor ? { cursor } : {})
    listed.push(...resources.map(({ uri }) => uri))
    cursor = nextCursor
  }
  expect(listed).toHaveLength(1 + 1200 + odd.length + 1)
  expect(new Set(listed).size).toBe(listed.length)
  const last = listed.slice(-odd.length - 1)
  const ids = await Promise.all(last.map(async (uri) => (await read(uri)).id))
  expect(ids).toEqual([...odd, 'untyped'])
})

describe('an entity', () => {
  it('is read by its type and id', async () => {
    verifies('cortex:check-10-entity', 'cortex:resource-entity', 'cortex:resource-type')
    const { client, read } = await openCortex()
    expect(await read('knowledge://entities/pattern/rag')).toEqual({
      id: 'rag',
      type: 'pattern',
      name: 'RAG',
      desc: 'Retrieval augmented',
      tags: ['AI', 'search'],
      updated_at: expect.any(String),
    })
    expect(await read('knowledge://entities/concepts/rag')).toMatchObject({ id: 'rag' })
    expect((await read('knowledge://entities/tech/mcp')).name).toBe('MCP 协议')
    const raw = await client.readResource({ uri: 'knowledge://entities/tech/mcp' })
    expect((raw.contents[0] as { text: string }).text).toContain('"name":"MCP 协议"')
    for (const uri of [
      'knowledge://entities/person/rag',
      'knowledge://entities/pattern/nope',
      'knowledge://entities/pattern',
      'knowledge://entities/',
      'knowledge://entities/../../etc/passwd',
      'knowledge://stats/other',
      'knowledge://',
      'file:///etc/passwd',
      `knowledge://entities/t/${'x'.repeat(1_000_000)}`,
    ]) {
      expect(await codeOf(client.readResource({ uri }))).toBe(-32002)
    }
    const missing = client.readResource({ uri: 'knowledge://entities/person/rag' })
    await expect(missing).rejects.toThrow('knowledge://entities/person/rag')
  })

  it('is found under any spelling of its id, with all its keys', async () => {
    verifies('cortex:any-stored-id', 'cortex:storage')
    const { read } = await openCortex({
      [CONCEPTS]: lines(
        { id: '协议', type: '概念', name: '协议', level: 3, desc: 'd', tags: [], updated_at: '' },
        { id: 'twice', type: 't', name: 'first' },
      ),
      'knowledge/entities/people.jsonl': lines({ id: 'twice', type: 't', name: 'last' }),
    })
    for (const uri of [
      'knowledge://entities/概念/协议',
      `knowledge://entities/${encodeURIComponent('概念')}/${encodeURIComponent('协议')}`,
    ]) {
      expect(await read(uri)).toMatchObject({ id: '协议', level: 3 })
    }
    expect((await read('knowledge://entities/t/twice')).name).toBe('last')
  })
})

describe('relations', () => {
  it('are read by month, in the order of the file', async () => {
    verifies('cortex:check-11-relations', 'cortex:resource-relations')
    const { read, client } = await openCortex()
    const both = await read('knowledge://relations/2026/02')
    expect(both).toEqual([
      { src: 'mcp', rel: 'enables', dst: 'tool_use', context: '', created_at: '2026-02-14' },
      { src: 'mcp', rel: 'uses', dst: 'gone', context: '', created_at: '2026-02-15T10:00:00' },
    ])
    expect(await read('knowledge://relations/2026/2')).toEqual(both)
    expect(await read('knowledge://relations/2026/03')).toEqual([])
    expect(await read('knowledge://relations/1999/12')).toEqual([])
    for (const place of [
      '2026/13',
      '2026/0',
      '2026/00',
      '26/02',
      '2026/002',
      '2026',
      '',
      '2026/02/x',
      'a/b',
      '20261/1',
      '2026/-1',
      '../../etc',
    ]) {
      const uri = `knowledge://relations/${place}`
      expect([place, await codeOf(client.readResource({ uri }))]).toEqual([place, -32602])
    }
  })

  it('go by the file they are in, and keep what they say', async () => {
    verifies('cortex:resource-relations', 'cortex:any-stored-id')
    const { read } = await openCortex({
      ...fixture(),
      'knowledge/relations/2025/11.jsonl': lines(
        { src: 'a', rel: 'r', dst: 'b', weight: 0.5, note: '注', created_at: '2026-02-01' },
        'bad',
        { src: 'a', dst: 'b' },
      ),
    })
    expect(await read('knowledge://relations/2025/11')).toEqual([
      { src: 'a', rel: 'r', dst: 'b', weight: 0.5, note: '注', created_at: '2026-02-01' },
    ])
  })
})

it('reports what is stale when it became so, whatever form the time has', async () => {
  verifies('cortex:resource-entropy', 'cortex:report-stale')
  const at = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
  const stamps = {
    fresh: at(29),
    zoneless: at(29).replace('Z', '604'),
    offset: at(29).replace('Z', '+02:00'),
    date: at(28).slice(0, 10),
    old: at(31),
    'old-date': at(32).slice(0, 10),
    empty: '',
    unreadable: 'yesterday',
  }
  const { read } = await openCortex({
    [CONCEPTS]: lines(
      ...Object.entries(stamps).map(([id, updated_at]) => ({ id, type: 't', updated_at })),
    ),
  })
  const { stale_nodes: stale, orphan_nodes: orphans } = await read('knowledge://stats/entropy')
  expect(stale).toEqual(['empty', 'old', 'old-date', 'unreadable'])
  expect(orphans).toEqual(Object.keys(stamps).toSorted())
})

it('completes types, ids and months', async () => {
  const { client } = await openCortex()
  const complete = async (uri: string, name: string, value: string, others = {}) => {
    const ref = { type: 'ref/resource' as const, uri }
    const context = { arguments: others }
    const { completion } = await client.complete({ ref, argument: { name, value }, context })
    return completion.values
  }
  const entity = 'knowledge://entities/{type}/{id}'
  const relations = 'knowledge://relations/{year}/{month}'
  expect(await complete(entity, 'type', '')).toEqual(['concept', 'pattern', 'tech'])
  expect(await complete(entity, 'id', '', { type: 'concepts' })).toEqual(['rag', 'tool_use'])
  expect(await complete(entity, 'id', 'm')).toEqual(['mcp'])
  expect(await complete(relations, 'year', '20')).toEqual(['2026'])
  expect(await complete(relations, 'month', '', { year: '2026' })).toEqual(['02'])
})

it('tells subscribers what changed', async () => {
  verifies('cortex:told-changes')
  const { client, root, call } = await openCortex()
  const told: string[] = []
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
    told.push(params.uri)
  })
  for (const uri of ['knowledge://stats/entropy', 'knowledge://relations/2026/02']) {
    await client.subscribeResource({ uri })
  }
  appendFileSync(join(root, RELATIONS), lines({ src: 'rag', rel: 'r', dst: 'mcp' }))
  await call('search_knowledge', { query: 'rag' })
  const both = ['knowledge://stats/entropy', 'knowledge://relations/2026/02']
  await vi.waitFor(() => expect(told).toEqual(both), SOON)
  await call('add_entity', { category: 'people', id: 'x', type: 't', name: 'n', desc: 'd' })
  await vi.waitFor(() => expect(told).toEqual([...both, 'knowledge://stats/entropy']), SOON)
})
