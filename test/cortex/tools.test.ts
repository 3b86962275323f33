/** What a cortex client can do: the four tools on the fixture of the contract. */
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { McpError } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, it, vi } from 'vitest'
import { openGraph } from '../../src/serve/parts/open-graph.ts'
import { openCortexSurface } from '../../src/vocabularies/cortex/open-cortex-surface.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { verifies } from '../support/verifies.ts'
import { CONCEPTS, fixture, lines, openCortex, RELATIONS, thisMonth } from './open-cortex.ts'

const NEW = { category: 'concepts', id: 'graph-db', type: 'tech', name: 'Graph DB', desc: 'd' }

it('introduces itself and has exactly four tools', async () => {
  verifies('cortex:check-1-tools', 'cortex:add-input', 'cortex:connect-input')
  verifies('cortex:search-input', 'cortex:report-input')
  const { client } = await openCortex()
  expect(client.getServerVersion()?.name).toBe('nexus-cortex')
  const { tools } = await client.listTools()
  const schemas = new Map(tools.map(({ name, inputSchema }) => [name, inputSchema]))
  expect([...schemas.keys()]).toEqual([
    'add_entity',
    'connect_entities',
    'search_knowledge',
    'get_entropy_report',
  ])
  const add = schemas.get('add_entity')!
  expect(add.required).toEqual(['category', 'id', 'type', 'name', 'desc'])
  expect(add.properties).toMatchObject({
    category: { type: 'string', enum: ['concepts', 'tech_stack', 'people', 'projects'] },
    id: { type: 'string', pattern: '^[a-z0-9-]+$' },
    tags: { type: 'array', items: { type: 'string' } },
  })
  expect(schemas.get('connect_entities')!.required).toEqual(['src', 'rel', 'dst'])
  expect(Object.keys(schemas.get('connect_entities')!.properties!)).not.toContain('weight')
  expect(schemas.get('search_knowledge')!.required).toEqual(['query'])
  expect(schemas.get('get_entropy_report')!.properties ?? {}).toEqual({})
})

describe('add_entity', () => {
  it('appends one line and changes nothing else', async () => {
    verifies('cortex:check-3-add', 'cortex:storage', 'cortex:append-only')
    verifies('cortex:structured-results')
    const { root, call, files, found } = await openCortex()
    const before = files()
    const { text, isError, data } = await call('add_entity', NEW)
    expect([text, isError]).toEqual([
      "Successfully added entity 'graph-db' to category 'concepts'.",
      false,
    ])
    const after = readFileSync(join(root, CONCEPTS), 'utf8')
    const old = before[`brain/${CONCEPTS}`]!
    expect(after.startsWith(old)).toBe(true)
    const [line, ...rest] = after.slice(old.length).split('\n')
    expect(rest).toEqual([''])
    const entity = JSON.parse(line!)
    expect(Object.keys(entity)).toEqual(['id', 'type', 'name', 'desc', 'tags', 'updated_at'])
    const { category, ...said } = NEW
    expect(entity).toMatchObject({ ...said, tags: [] })
    expect(entity.updated_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/)
    expect(data).toEqual({ entity, category, file: CONCEPTS })
    expect({ ...files(), [`brain/${CONCEPTS}`]: old }).toEqual(before)
    expect(await found('graph db')).toEqual(['graph-db'])
  })

  it('tidies tags, keeps Chinese and makes the file of a category', async () => {
    verifies('cortex:any-stored-id', 'cortex:add-categories')
    const { root, call } = await openCortex({})
    const tags = [' a ', '', 'a', '协议']
    const args = { ...NEW, category: 'tech_stack', name: '图数据库', desc: '说明', tags }
    expect((await call('add_entity', args)).isError).toBe(false)
    const text = readFileSync(join(root, 'knowledge/entities/tech_stack.jsonl'), 'utf8')
    expect(text).toContain('"name":"图数据库","desc":"说明","tags":["a","协议"]')
    expect((await call('add_entity', { ...NEW, id: 'x', tags: null })).data['entity'].tags).toEqual(
      [],
    )
  })

  it('refuses an id that exists in any category', async () => {
    verifies('cortex:check-4-duplicate', 'cortex:add-unique')
    const { call, files } = await openCortex()
    const before = files()
    for (const category of ['people', 'tech_stack', 'concepts']) {
      const { text, isError } = await call('add_entity', { ...NEW, id: 'mcp', category })
      expect(isError).toBe(true)
      expect(text).toBe(
        "Integrity Violation: Entity 'mcp' already exists. Modification is forbidden.",
      )
    }
    expect(files()).toEqual(before)
  })

  it('refuses what leads elsewhere', async () => {
    verifies('cortex:check-5-traversal', 'cortex:new-ids', 'cortex:add-paths')
    verifies('cortex:add-rejects', 'cortex:hostile')
    const { call, files } = await openCortex()
    const before = files()
    for (const id of [
      '../../etc/x',
      'Bad_ID',
      'a/b',
      'ünï',
      'a b',
      '',
      'a\n',
      `a${'a'.repeat(128)}`,
    ]) {
      const { text, isError } = await call('add_entity', { ...NEW, id })
      expect(isError).toBe(true)
      expect(text).toMatch(/^Security Violation: ID '.*lower-case alphanumerics and hyphens/s)
    }
    expect((await call('add_entity', { ...NEW, id: '../../etc/x' })).text).toMatch(
      /^Security Violation: ID '\.\.\/\.\.\/etc\/x' /,
    )
    for (const category of [
      '../x',
      '',
      'Concepts',
      '__proto__',
      'concepts/../../x',
      'concepts\0',
    ]) {
      const { text, isError } = await call('add_entity', { ...NEW, category })
      expect(isError).toBe(true)
      expect(text).toContain('is not allowed. Allowed categories: concepts, tech_stack, people')
    }
    expect((await call('add_entity', { ...NEW, category: '../x' })).text).toMatch(
      /^Security Violation: Category '\.\.\/x' is not allowed\./,
    )
    expect(files()).toEqual(before)
  })

  it.each([
    ['a missing name', { name: undefined }],
    ['a blank name', { name: '  ' }],
    ['a blank type', { type: '' }],
    ['a blank description', { desc: '\n' }],
    ['a number for an id', { id: 7 }],
    ['a name of two lines', { name: 'a\nb' }],
    ['a type with a control character', { type: 'a\u0007' }],
    ['a name of 1 MB', { name: 'x'.repeat(1_000_000) }],
    ['a description of 1 MB', { desc: 'x'.repeat(1_000_000) }],
    ['tags that are no list', { tags: 'a,b' }],
    ['tags that are no texts', { tags: [1] }],
    ['a tag of two lines', { tags: ['a\nb'] }],
    ['a tag of 1 MB', { tags: ['x'.repeat(1_000_000)] }],
    ['a thousand tags', { tags: Array.from({ length: 1000 }, (_, n) => `t${n}`) }],
  ])('refuses %s', async (_what, change) => {
    verifies('cortex:hostile')
    const { call, files } = await openCortex()
    const before = files()
    const { text, isError } = await call('add_entity', { ...NEW, ...change })
    expect(isError).toBe(true)
    expect(text).toMatch(/^Invalid params: /)
    expect(text.length).toBeLessThan(500)
    expect(files()).toEqual(before)
  })

  it('refuses an id and a category of 1 MB, and repeats little of them', async () => {
    verifies('cortex:hostile')
    const { call, files } = await openCortex()
    const before = files()
    for (const change of [{ id: '../'.repeat(350_000) }, { category: '\u0000x'.repeat(500_000) }]) {
      const { text, isError } = await call('add_entity', { ...NEW, ...change })
      expect([isError, text.length < 500]).toEqual([true, true])
    }
    expect(files()).toEqual(before)
  })
})

describe('connect_entities', () => {
  it('appends to the file of the month', async () => {
    verifies('cortex:check-6-connect', 'cortex:append-only', 'cortex:structured-results')
    const { root, call, files } = await openCortex()
    const before = files()
    const { text, data } = await call('connect_entities', { src: 'rag', rel: 'uses', dst: 'mcp' })
    expect(text).toBe("Successfully connected 'rag' --[uses]--> 'mcp'.")
    const line = readFileSync(join(root, thisMonth()), 'utf8')
    const relation = JSON.parse(line)
    expect(Object.keys(relation)).toEqual(['src', 'rel', 'dst', 'context', 'created_at'])
    expect(relation).toMatchObject({ src: 'rag', rel: 'uses', dst: 'mcp', context: '' })
    expect(data).toEqual({ relation, created: true, file: thisMonth() })
    expect(files()).toEqual({ ...before, [`brain/${thisMonth()}`]: line })
  })

  it('connects old ids, Chinese ones, and an entity with itself', async () => {
    verifies('cortex:check-7-legacy', 'cortex:any-stored-id')
    const legacy = ['arch_pattern_gemma-2b_1', '实体 甲', 'A/B "c"']
    const { call } = await openCortex({
      ...fixture(),
      'knowledge/entities/old.jsonl': lines(...legacy.map((id) => ({ id, type: 't', name: id }))),
    })
    const rag = { src: 'rag', rel: 'supports', dst: 'tool_use' }
    expect((await call('connect_entities', rag)).isError).toBe(false)
    for (const id of legacy) {
      const { text } = await call('connect_entities', { src: id, rel: '支持', dst: id })
      expect(text).toBe(`Successfully connected '${id}' --[支持]--> '${id}'.`)
    }
  })

  it('refuses ends that do not exist', async () => {
    verifies('cortex:check-8-missing', 'cortex:connect-existing')
    const { call, files } = await openCortex()
    const before = files()
    const missing = await call('connect_entities', { src: 'rag', rel: 'uses', dst: 'nope' })
    expect(missing).toMatchObject({
      isError: true,
      text: "Integrity Violation: Destination entity 'nope' does not exist.",
    })
    const from = await call('connect_entities', { src: 'gone', rel: 'uses', dst: 'nope' })
    expect(from.text).toBe("Integrity Violation: Source entity 'gone' does not exist.")
    expect(files()).toEqual(before)
  })

  it('writes the same link once, and the way back is another', async () => {
    verifies('cortex:same-link-once', 'cortex:connect-directed')
    const { root, call, read } = await openCortex()
    const link = { src: 'rag', rel: 'uses', dst: 'mcp', context: 'why' }
    await call('connect_entities', link)
    const written = readFileSync(join(root, thisMonth()), 'utf8')
    const again = await call('connect_entities', { ...link, context: 'other' })
    expect(again).toMatchObject({ isError: false, data: { created: false } })
    expect(again.text).toBe("The link 'rag' --[uses]--> 'mcp' was already there.")
    expect(readFileSync(join(root, thisMonth()), 'utf8')).toBe(written)
    const old = await call('connect_entities', { src: 'mcp', rel: 'enables', dst: 'tool_use' })
    expect(old.data).toMatchObject({ created: false, file: RELATIONS })
    const back = await call('connect_entities', { src: 'tool_use', rel: 'enables', dst: 'mcp' })
    expect(back.data['created']).toBe(true)
    expect((await read('knowledge://relations/2026/02')).length).toBe(2)
  })

  it.each([
    ['a blank predicate', { rel: ' ' }],
    ['a predicate of two lines', { rel: 'a\nb' }],
    ['a predicate of 65 characters', { rel: 'x'.repeat(65) }],
    ['no source', { src: undefined }],
    ['a list for a destination', { dst: ['mcp'] }],
    ['a context of 1 MB', { context: 'x'.repeat(1_000_000) }],
    ['a number for a context', { context: 1 }],
  ])('refuses %s', async (_what, change) => {
    verifies('cortex:hostile')
    const { call, files } = await openCortex()
    const before = files()
    const link = { src: 'rag', rel: 'uses', dst: 'mcp', ...change }
    const { text, isError } = await call('connect_entities', link)
    expect(isError).toBe(true)
    expect(text).toMatch(/^Invalid params: /)
    expect(files()).toEqual(before)
  })

  it('refuses ends of 1 MB and with control characters', async () => {
    verifies('cortex:hostile')
    const { call, files } = await openCortex()
    const before = files()
    for (const src of ['x'.repeat(1_000_000), '../../x', 'a\n{"src":1}', '\u0000']) {
      const { text, isError } = await call('connect_entities', { src, rel: 'uses', dst: 'mcp' })
      expect([isError, text.length < 500]).toEqual([true, true])
      expect(text).not.toMatch(/[\n\u0000]/)
    }
    expect(files()).toEqual(before)
  })
})

describe('search_knowledge', () => {
  it('finds by tag, text and id, and forgives', async () => {
    verifies('cortex:check-9-search', 'cortex:search-fields', 'cortex:any-stored-id')
    const { found, call } = await openCortex()
    expect(await found('ai')).toContain('rag')
    expect(await found('协议')).toEqual(['mcp'])
    expect(await found('zzz')).toEqual([])
    expect((await found('tool_use'))[0]).toBe('tool_use')
    expect(await found('retreival')).toContain('rag')
    expect(await found('FUNCTIONS')).toEqual(['tool_use'])
    const { data, text } = await call('search_knowledge', { query: 'RAG' })
    expect(JSON.parse(text)).toEqual(data['results'])
    expect(data['results']).toEqual([
      {
        id: 'rag',
        type: 'pattern',
        name: 'RAG',
        desc: 'Retrieval augmented',
        tags: ['AI', 'search'],
        updated_at: expect.any(String),
        score: 1,
      },
    ])
  })

  it('ranks by where the query was found, then by id, and gives 50 at most', async () => {
    verifies('cortex:ranking')
    const entity = (id: string, more: object) => ({ id, type: 't', name: 'n', desc: '', ...more })
    const many = Array.from({ length: 60 }, (_, n) => entity(`z${n + 10}`, { desc: 'many words' }))
    const { found, call } = await openCortex({
      [CONCEPTS]: lines(
        ...many.toReversed(),
        entity('fuzzy', { desc: 'grpah' }),
        entity('desc', { desc: 'about a graph' }),
        entity('tag-part', { tags: ['graphs'] }),
        entity('tag', { tags: ['GRAPH'] }),
        entity('part', { name: 'A graph' }),
        entity('start-b', { name: 'Graph B' }),
        entity('start-a', { name: 'Graph A' }),
        entity('name', { name: 'Graph' }),
        entity('graph', {}),
      ),
    })
    expect(await found('graph')).toEqual([
      'graph',
      'name',
      'start-a',
      'start-b',
      'part',
      'tag',
      'tag-part',
      'desc',
      'fuzzy',
    ])
    const { data } = await call('search_knowledge', { query: 'graph' })
    const scores = data['results'].map(({ score }: { score: number }) => score)
    expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a))
    expect(await found('many')).toEqual(many.slice(0, 50).map(({ id }) => id))
  })

  it.each([
    ['blank', ' \n'],
    ['missing', undefined],
    ['a list', ['rag']],
    ['1 MB', 'x'.repeat(1e6)],
  ])('refuses a query that is %s', async (_what, query) => {
    verifies('cortex:hostile')
    const { call } = await openCortex()
    const { isError, text } = await call('search_knowledge', { query })
    expect(isError).toBe(true)
    expect(text).toMatch(/^Invalid params: /)
  })

  it('passes on keys it does not know', async () => {
    verifies('cortex:any-stored-id')
    const { call } = await openCortex({
      [CONCEPTS]: lines({ id: 'a', name: 'Alpha', level: 3, type: 't', desc: 'd' }),
    })
    const { data } = await call('search_knowledge', { query: 'alpha' })
    expect(data['results']).toMatchObject([{ id: 'a', level: 3, tags: [], updated_at: '' }])
  })
})

describe('get_entropy_report', () => {
  it('reports on the fixture, the same every time, and the same as the resource', async () => {
    verifies('cortex:check-12-entropy', 'cortex:check-13-stable', 'cortex:report-input')
    verifies('cortex:report-orphans', 'cortex:report-stale', 'cortex:report-density')
    const { call, client } = await openCortex()
    const { text, data } = await call('get_entropy_report')
    expect(data).toEqual({
      total_nodes: 3,
      total_edges: 2,
      orphan_nodes: ['rag'],
      stale_nodes: ['mcp', 'rag'],
      broken_links: ["Broken Link: Relation #1 destination 'gone' does not exist."],
      density: 2 / 6,
      generated_at: expect.any(String),
      stale_days: 30,
      warnings: [],
    })
    expect(JSON.parse(text)).toEqual(data)
    for (let again = 0; again < 2; again++) {
      expect((await call('get_entropy_report')).data['total_edges']).toBe(2)
    }
    const { contents } = await client.readResource({ uri: 'knowledge://stats/entropy' })
    expect(contents).toEqual([
      { uri: 'knowledge://stats/entropy', mimeType: 'application/json', text },
    ])
  })

  it('is 0 dense for an empty graph', async () => {
    verifies('cortex:report-density')
    const { call } = await openCortex({})
    expect((await call('get_entropy_report')).data).toMatchObject({ total_nodes: 0, density: 0 })
  })
})

it('lives with lines that cannot be read', async () => {
  verifies('cortex:check-14-bad-line')
  const { root, call, found, log } = await openCortex({
    ...fixture(),
    'knowledge/entities/bad.jsonl': '[1]\n\n{"name":"no id"}\n{"id":"ok"}\n',
  })
  expect(log).toContain('warn: knowledge/entities/bad.jsonl:1: not a JSON object')
  appendFileSync(join(root, CONCEPTS), 'not json\n')
  expect(await found('tool_use')).toEqual(['tool_use'])
  expect((await call('add_entity', NEW)).isError).toBe(false)
  expect((await call('connect_entities', { src: 'rag', rel: 'uses', dst: 'mcp' })).isError).toBe(
    false,
  )
  const { data } = await call('get_entropy_report')
  expect(data['total_nodes']).toBe(5)
  expect(data['warnings']).toEqual([
    'knowledge/entities/bad.jsonl:1: not a JSON object',
    'knowledge/entities/bad.jsonl:3: an entity needs an id',
    `${CONCEPTS}:3: not JSON`,
  ])
})

it('sees what others do to the files on the next call', async () => {
  verifies('cortex:outside-edits')
  const { root, found, read, call } = await openCortex()
  appendFileSync(join(root, CONCEPTS), lines({ id: 'new', type: 't', name: 'Brand new' }))
  expect(await found('brand')).toEqual(['new'])
  writeFileSync(join(root, CONCEPTS), lines({ id: 'new', type: 't', name: 'Renamed' }))
  expect(await found('brand')).toEqual([])
  expect(await read('knowledge://entities/t/new')).toMatchObject({ name: 'Renamed' })
  expect(await found('tool_use')).toEqual([])
  appendFileSync(join(root, RELATIONS), lines({ src: 'mcp', rel: 'x', dst: 'new' }))
  expect((await call('get_entropy_report')).data).toMatchObject({
    total_nodes: 2,
    total_edges: 3,
    orphan_nodes: [],
  })
  rmSync(join(root, RELATIONS))
  expect(await read('knowledge://relations/2026/02')).toEqual([])
  expect((await call('get_entropy_report')).data['total_edges']).toBe(0)
  rmSync(root, { recursive: true })
  expect(await call('search_knowledge', { query: 'x' })).toMatchObject({ isError: true })
})

it('says that there is no such tool', async () => {
  const { client } = await openCortex()
  const error = await client.callTool({ name: 'delete_entity' }).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(McpError)
  expect((error as McpError).code).toBe(-32602)
})

it('prepares search before anything else, and leaves room for calls in between', () => {
  const graph = openGraph(temporaryFolder(fixture()), { readOnly: true })
  const entities = vi.spyOn(graph, 'entities')
  const outgoing = vi.spyOn(graph, 'outgoing')
  const idle: (() => void)[] = []
  openCortexSurface(graph, { log: console.error, onIdle: (work) => idle.push(work) })
  expect(idle).toHaveLength(1)
  expect(entities).not.toHaveBeenCalled()
  idle[0]!()
  expect(entities).toHaveBeenCalled()
  expect(outgoing).not.toHaveBeenCalled()
  expect(idle).toHaveLength(2)
  idle[1]!()
  expect(outgoing).toHaveBeenCalled()
})
