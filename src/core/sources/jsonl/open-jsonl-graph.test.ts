import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder, writeFiles } from '../../../../test/support/temporary-folder.ts'
import { openJsonlGraph } from './open-jsonl-graph.ts'

const E = 'knowledge/entities'
const R = 'knowledge/relations'

const BRAIN = {
  [`${E}/concepts.jsonl`]:
    '{"id":"tool_use","type":"concept","name":"Tool Use","desc":"Calling functions","tags":["agent"],"updated_at":"2026-02-14"}\n' +
    '{"id":"rag","type":"pattern","name":"RAG","desc":"Retrieval augmented","tags":["AI","search"],"updated_at":""}\n',
  [`${E}/tech_stack/ai.jsonl`]:
    '{"id":"mcp","type":"tech","name":"MCP 协议","desc":"模型上下文协议","tags":[],"updated_at":""}\n',
  [`${R}/2026-02.jsonl`]:
    '{"src":"mcp","rel":"enables","dst":"tool_use","context":"","created_at":"2026-02-14"}\n' +
    '{"src":"mcp","rel":"uses","dst":"gone","context":"","created_at":"2026-02-15T10:00:00"}\n',
}

function open(files: Readonly<Record<string, string | Uint8Array>> = BRAIN) {
  const root = temporaryFolder(files)
  const graph = openJsonlGraph({ root })
  const ids = () => [...graph.entities()].map(({ id }) => id)
  const messages = () => graph.warnings().map(({ message }) => message)
  return { root, graph, ids, messages }
}

describe('a folder of JSON lines', () => {
  it('is read as a graph', () => {
    const { graph, ids, messages } = open()
    expect(ids()).toEqual(['tool_use', 'rag', 'mcp'])
    expect(graph.entityCount).toBe(3)
    expect(graph.findEntity('mcp')).toMatchObject({
      name: 'MCP 协议',
      category: 'tech_stack',
      origin: { file: `${E}/tech_stack/ai.jsonl`, line: 1 },
    })
    expect(graph.findEntity('tool_use')?.category).toBe('concepts')
    expect(graph.relations().map(({ dst }) => dst)).toEqual(['tool_use', 'gone'])
    expect(graph.outgoing('mcp').map(({ rel }) => rel)).toEqual(['enables', 'uses'])
    expect(graph.incoming('gone').map(({ src }) => src)).toEqual(['mcp'])
    expect(graph.outgoing('rag')).toEqual([])
    expect(graph.findRelation('mcp', 'uses', 'gone')).toBe(graph.relations()[1])
    expect(graph.findRelation('mcp', 'uses', 'rag')).toBeUndefined()
    expect(messages()).toEqual([])
    expect(graph.writer).toBeUndefined()
  })

  it('is empty without files, and an error without the folder', () => {
    expect(open({}).ids()).toEqual([])
    expect(() => openJsonlGraph({ root: join(temporaryFolder(), 'none') })).toThrow(
      expect.objectContaining({ code: 'not_found' }),
    )
  })

  it('keeps what it knew when the folder goes away, and says so', () => {
    const { root, graph } = open()
    renameSync(root, `${root}-away`)
    expect(() => graph.refresh()).toThrow(expect.objectContaining({ code: 'unavailable' }))
    expect(graph.entityCount).toBe(3)
    renameSync(`${root}-away`, root)
    expect(graph.refresh()).toBe(false)
  })

  it('has a month for every file that is named like one', () => {
    const line = (dst: string) => `{"src":"a","rel":"r","dst":"${dst}"}\n`
    const { graph } = open({
      [`${R}/2026-02.jsonl`]: line('feb'),
      [`${R}/2026/03.jsonl`]: line('mar'),
      [`${R}/old/2026-02.jsonl`]: line('feb, too'),
      [`${R}/2026-13.jsonl`]: line('no month'),
      [`${R}/misc.jsonl`]: line('none'),
    })
    expect(graph.shards()).toEqual(['2026-02', '2026-03'])
    expect(graph.relationsIn('2026-02').map(({ dst }) => dst)).toEqual(['feb', 'feb, too'])
    expect(graph.relationsIn('2026-03').map(({ dst }) => dst)).toEqual(['mar'])
    expect(graph.relationsIn('2026-04')).toEqual([])
    expect(graph.relations()).toHaveLength(5)
  })

  it('takes the last of several lines with one id, by path and then by line', () => {
    const line = (id: string, name: string) => `{"id":"${id}","name":"${name}"}\n`
    const { root, graph, ids } = open({
      [`${E}/b.jsonl`]: line('x', 'b1') + line('y', 'y') + line('x', 'b2'),
      [`${E}/a.jsonl`]: line('x', 'a'),
    })
    expect(graph.findEntity('x')?.name).toBe('b2')
    expect(ids()).toEqual(['y', 'x'])
    // A line that comes later in time stands earlier in order.
    appendFileSync(join(root, `${E}/a.jsonl`), line('x', 'a, later'))
    graph.refresh()
    expect(graph.findEntity('x')?.name).toBe('b2')
    writeFileSync(join(root, `${E}/b.jsonl`), line('y', 'y'))
    graph.refresh()
    expect(graph.findEntity('x')?.name).toBe('a, later')
    expect(graph.entityCount).toBe(2)
  })

  it('passes over bad lines with a warning', () => {
    const { root, graph, ids, messages } = open()
    appendFileSync(join(root, `${E}/concepts.jsonl`), 'not json\n{"id":"new"}\n')
    appendFileSync(join(root, `${R}/2026-02.jsonl`), '{"src":"a","dst":"b"}\n')
    expect(graph.refresh()).toBe(true)
    expect(ids()).toEqual(['tool_use', 'rag', 'new', 'mcp'])
    expect(messages()).toEqual([
      `${E}/concepts.jsonl:3: not JSON`,
      `${R}/2026-02.jsonl:3: a relation needs src, rel and dst`,
    ])
  })

  it('reads a file of the memory server that was put among the others', () => {
    const { graph } = open({
      [`${E}/memory.jsonl`]:
        '{"type":"entity","name":"Ada","entityType":"person","observations":["Wrote notes"]}\n' +
        '{"type":"relation","from":"Ada","to":"Engine","relationType":"describes"}',
    })
    expect(graph.findEntity('Ada')).toMatchObject({ category: 'memory', desc: 'Wrote notes' })
    expect(graph.outgoing('Ada').map(({ dst }) => dst)).toEqual(['Engine'])
  })

  it('ignores hidden files and other kinds', () => {
    const { ids } = open({
      [`${E}/.concepts.jsonl.swp`]: '{"id":"a"}',
      [`${E}/._concepts.jsonl`]: '{"id":"b"}',
      [`${E}/.old/concepts.jsonl`]: '{"id":"c"}',
      [`${E}/concepts.json`]: '{"id":"d"}',
      'elsewhere/concepts.jsonl': '{"id":"e"}',
    })
    expect(ids()).toEqual([])
  })
})

describe('links', () => {
  it('are followed inside the root, once, and never out of it', () => {
    const outside = temporaryFolder({ 'x.jsonl': '{"id":"outside"}\n' })
    const { root, graph, ids, messages } = open({
      [`${E}/a.jsonl`]: '{"id":"a"}\n',
      [`${R}/2026-01.jsonl`]: '{"src":"a","rel":"r","dst":"a"}\n',
      'shared/s.jsonl': '{"id":"shared"}\n',
    })
    symlinkSync(join(outside, 'x.jsonl'), join(root, E, 'file.jsonl'))
    symlinkSync(outside, join(root, E, 'folder'))
    symlinkSync('../../shared', join(root, E, 'shared'))
    symlinkSync('../../shared/s.jsonl', join(root, E, 'again.jsonl'))
    symlinkSync('2026-01.jsonl', join(root, R, '2026-02.jsonl'))
    symlinkSync('..', join(root, R, 'circle'))
    symlinkSync('nowhere', join(root, R, 'nowhere.jsonl'))
    graph.refresh()
    expect(ids().toSorted()).toEqual(['a', 'shared'])
    expect(graph.relations()).toHaveLength(1)
    expect(messages().toSorted()).toEqual([
      `${E}/file.jsonl: a link that leads out of the folder`,
      `${E}/folder: a link that leads out of the folder`,
      `${R}/nowhere.jsonl: a link that leads nowhere (it does not exist)`,
    ])
  })

  it('to elsewhere in place of a whole folder are a warning', () => {
    const outside = temporaryFolder({ 'x.jsonl': '{"id":"outside"}\n' })
    const { root, graph, ids, messages } = open({ 'knowledge/note.txt': '' })
    symlinkSync(outside, join(root, E))
    graph.refresh()
    expect(ids()).toEqual([])
    expect(messages()).toHaveLength(1)
  })
})

describe('refreshing', () => {
  const CONCEPTS = `${E}/concepts.jsonl`

  it('says whether something changed, and never counts twice', () => {
    const { graph } = open()
    for (let call = 0; call < 3; call++) expect(graph.refresh()).toBe(false)
    expect(graph.relations()).toHaveLength(2)
    expect(graph.epoch).toBe(0)
  })

  it('takes additions as additions', () => {
    const { root, graph } = open()
    graph.outgoing('mcp')
    appendFileSync(join(root, CONCEPTS), '{"id":"n1"}\n')
    writeFiles(root, { [`${R}/2026-03.jsonl`]: '{"src":"n1","rel":"r","dst":"mcp"}\n' })
    expect(graph.refresh()).toBe(true)
    expect(graph.epoch).toBe(0)
    expect(graph.added.entities.map(({ id }) => id)).toEqual(['n1'])
    expect(graph.added.relations.map(({ src }) => src)).toEqual(['n1'])
    expect(graph.incoming('mcp')).toHaveLength(1)
    expect(graph.relations()).toHaveLength(3)
  })

  it('begins a new epoch when a known line changes, goes or is repeated', () => {
    const { root, graph, ids } = open()
    writeFileSync(join(root, CONCEPTS), '{"id":"rag","name":"changed"}\n')
    graph.refresh()
    expect([graph.epoch, ids()]).toEqual([1, ['rag', 'mcp']])
    rmSync(join(root, E, 'tech_stack'), { recursive: true })
    graph.refresh()
    expect([graph.epoch, ids()]).toEqual([2, ['rag']])
    appendFileSync(join(root, CONCEPTS), '{"id":"rag","name":"again"}\n')
    graph.refresh()
    expect([graph.epoch, graph.findEntity('rag')?.name]).toEqual([3, 'again'])
    expect(graph.added.entities).toEqual([])
  })

  it('notices an edit of an old line although the file also grew at its end', () => {
    const { root, graph } = open({ [CONCEPTS]: '{"id":"a","name":"old"}\n{"id":"b"}\n' })
    writeFileSync(join(root, CONCEPTS), '{"id":"a","name":"new"}\n{"id":"b"}\n{"id":"c"}\n')
    graph.refresh()
    expect(graph.findEntity('a')?.name).toBe('new')
    expect(graph.entityCount).toBe(3)
  })

  it('notices an edit of the same length in the same moment', () => {
    const { root, graph } = open({ [CONCEPTS]: '{"id":"a","name":"old"}\n' })
    for (let round = 0; round < 50; round++) {
      const name = String(100 + round)
      writeFileSync(join(root, CONCEPTS), `{"id":"a","name":"${name}"}\n`)
      graph.refresh()
      expect(graph.findEntity('a')?.name).toBe(name)
    }
  })

  it('does not mind a file that was only touched or saved again', () => {
    const { root, graph } = open()
    utimesSync(join(root, CONCEPTS), 1, 1)
    expect(graph.refresh()).toBe(false)
    writeFileSync(join(root, 'copy'), BRAIN[CONCEPTS]!)
    renameSync(join(root, 'copy'), join(root, CONCEPTS))
    expect(graph.refresh()).toBe(false)
    expect(graph.epoch).toBe(0)
  })

  it('lets a last line grow until it is complete', () => {
    const { root, graph, ids, messages } = open({ [CONCEPTS]: '{"id":"a"}\n' })
    appendFileSync(join(root, CONCEPTS), '{"id":')
    graph.refresh()
    expect(messages()).toEqual([`${CONCEPTS}:2: not JSON, and it has no end yet`])
    appendFileSync(join(root, CONCEPTS), '"b"}')
    graph.refresh()
    expect([ids(), messages()]).toEqual([['a', 'b'], []])
    appendFileSync(join(root, CONCEPTS), '\n')
    graph.refresh()
    expect([ids(), graph.epoch]).toEqual([['a', 'b'], 0])
    expect(graph.added.entities.map(({ id }) => id)).toEqual(['b'])
  })

  it('keeps what it knew of a file that cannot be read for a while', (context) => {
    if (process.getuid?.() === 0) return context.skip('root may read everything')
    const { root, graph, ids, messages } = open()
    appendFileSync(join(root, CONCEPTS), '{"id":"late"}\n')
    chmodSync(join(root, CONCEPTS), 0)
    graph.refresh()
    expect(ids()).toContain('rag')
    expect(messages()).toEqual([`${CONCEPTS}: cannot be read: permission denied`])
    chmodSync(join(root, CONCEPTS), 0o600)
    graph.refresh()
    expect([ids().includes('late'), messages()]).toEqual([true, []])
  })

  it('is not stopped by a folder that is named like a file', () => {
    const { root, graph, ids } = open()
    mkdirSync(join(root, E, 'people.jsonl'))
    graph.refresh()
    expect(ids()).toHaveLength(3)
  })
})
