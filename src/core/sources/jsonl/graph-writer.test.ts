import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts'
import type { EntityGraph } from '../../domain/entity-graph.ts'
import { KnowledgeError } from '../../domain/error.ts'
import type { WriteLock } from '../../domain/write-lock.ts'
import { openJsonlGraph } from './open-jsonl-graph.ts'

const CONCEPTS = 'knowledge/entities/concepts.jsonl'
const FEBRUARY = 'knowledge/relations/2026-02.jsonl'
const NOW = '2026-02-28T23:59:59.123Z'
/** As the files have it: without a zone. */
const STORED = '2026-02-28T23:59:59.123000'

function open(files: Readonly<Record<string, string | Uint8Array>> = {}) {
  const root = temporaryFolder(files)
  const held = { count: 0 }
  const graph = openJsonlGraph({
    root,
    openLock: () => countingLock(held),
    now: () => new Date(NOW),
  })
  const text = (file: string) => readFileSync(join(root, file), 'utf8')
  const tree = () =>
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .toSorted()
      .map((place) => [place, readFileSync(place, 'utf8')])
  return { root, graph, writer: graph.writer!, text, tree, held }
}

/** Within one process calls queue by themselves; `many-graph-writers` tests the real one. */
function countingLock(held: { count: number }): WriteLock {
  let last: Promise<unknown> = Promise.resolve()
  return {
    hold(work) {
      held.count++
      const turn = last.then(work)
      last = turn.catch(() => {})
      return turn
    },
    fence() {},
    lost: () => [],
    async close() {
      await last
    },
  }
}

function draft(id: string, more: Readonly<Record<string, unknown>> = {}) {
  return { category: 'concepts', id, type: 'tech', name: 'Graph DB', desc: 'd', ...more }
}

describe('adding an entity', () => {
  it('appends one line with the usual keys, and answers with the entity', async () => {
    const before = '{"id":"mcp","type":"tech"}\n'
    const { graph, writer, text } = open({ [CONCEPTS]: before })
    const added = await writer.addEntity(draft('graph-db', { name: '图 "DB"' }))
    const line = `{"id":"graph-db","type":"tech","name":"图 \\"DB\\"","desc":"d","tags":[],"updated_at":"${STORED}"}\n`
    expect(text(CONCEPTS)).toBe(before + line)
    expect(added).toMatchObject({
      category: 'concepts',
      file: CONCEPTS,
      entity: { id: 'graph-db', updatedAt: STORED, origin: { file: CONCEPTS, line: 2 } },
    })
    expect(graph.findEntity('graph-db')).toBe(added.entity)
    expect(graph.refresh()).toBe(false)
    expect(graph.epoch).toBe(0)
  })

  it('makes the file and its folders', async () => {
    const { writer, text } = open()
    await writer.addEntity(draft('a', { category: 'people' }))
    expect(text('knowledge/entities/people.jsonl')).toMatch(/^\{"id":"a".*\}\n$/)
  })

  it('tidies tags', async () => {
    const { writer } = open()
    const { entity } = await writer.addEntity(draft('a', { tags: [' x ', '', 'y', 'x', '  '] }))
    expect(entity.tags).toEqual(['x', 'y'])
  })

  it('keeps what comes from elsewhere, ids included', async () => {
    const { writer, text } = open()
    const extra = { observations: ['o'], __proto__x: 1 }
    await writer.addEntity(draft('John Smith', { updatedAt: '', extra }), { anyId: true })
    expect(text(CONCEPTS)).toContain('"updated_at":"","observations":["o"],"__proto__x":1}\n')
  })

  it('refuses an id that exists in any category, also one that came a moment ago', async () => {
    const { root, writer, tree, held } = open({
      'knowledge/entities/tech_stack/ai.jsonl': '{"id":"mcp"}\n',
    })
    const before = tree()
    const refusal = { refusal: 'entity_exists', code: 'exists' }
    await expect(writer.addEntity(draft('mcp'))).rejects.toMatchObject(refusal)
    expect(tree()).toEqual(before)
    expect(held.count).toBe(0)
    appendFileSync(join(root, 'knowledge/entities/tech_stack/ai.jsonl'), '{"id":"late"}\n')
    await expect(writer.addEntity(draft('late'))).rejects.toMatchObject(refusal)
  })

  it('lets one of several at once have an id', async () => {
    const { writer, text } = open()
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) => writer.addEntity(draft(`id-${n % 5}`))),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
    expect(text(CONCEPTS).split('\n')).toHaveLength(6)
  })

  const MEGABYTE = 'x'.repeat(1024 * 1024)
  it.each([
    ['id', { id: '../../etc/x' }],
    ['id', { id: 'Bad_ID' }],
    ['id', { id: '' }],
    ['id', { id: 'a\n' }],
    ['id', { id: 'a\u0000' }],
    ['id', { id: 'a/b' }],
    ['id', { id: 'ä' }],
    ['id', { id: MEGABYTE }],
    ['id', { id: 'x'.repeat(129) }],
    ['category', { category: '../x' }],
    ['category', { category: '' }],
    ['category', { category: 'concepts.jsonl' }],
    ['category', { category: 'concepts\n' }],
    ['category', { category: 'constructor' }],
    ['category', { category: MEGABYTE }],
    ['field', { type: ' ' }],
    ['field', { type: 'a\nb' }],
    ['field', { name: '' }],
    ['field', { name: 'a\u0007b' }],
    ['field', { name: 'a\u2028b' }],
    ['field', { name: MEGABYTE }],
    ['field', { desc: ' \n ' }],
    ['field', { desc: MEGABYTE }],
    ['field', { tags: ['a\nb'] }],
    ['field', { tags: [MEGABYTE] }],
    ['field', { tags: Array.from({ length: 101 }, String) }],
    ['field', { extra: { id: 'other' } }],
    ['field', { extra: { big: MEGABYTE } }],
  ])('refuses a bad %s: %.60j', async (refusal, more) => {
    const { root, writer, held } = open()
    const refused = writer.addEntity(draft('fine', more))
    await expect(refused).rejects.toMatchObject({ refusal, code: 'invalid' })
    // What was sent is not sent back at length.
    const problem: unknown = await refused.catch((error: unknown) => error)
    expect(problem instanceof KnowledgeError && problem.message.length).toBeLessThan(250)
    expect(readdirSync(root)).toEqual([])
    expect(held.count).toBe(0)
  })

  it.each(['', ' ', 'a\nb', 'x'.repeat(513)])('refuses %.20j from elsewhere', async (id) => {
    const { root, writer } = open()
    const refused = writer.addEntity(draft(id), { anyId: true })
    await expect(refused).rejects.toMatchObject({ refusal: 'id' })
    expect(readdirSync(root)).toEqual([])
  })
})

describe('adding a relation', () => {
  const KNOWN = { [CONCEPTS]: '{"id":"rag"}\n{"id":"tool_use"}\n' }

  it('appends to the file of the current month in UTC', async () => {
    const { writer, graph, text } = open(KNOWN)
    const added = await writer.addRelation({ src: 'rag', rel: 'uses', dst: 'tool_use' })
    expect(text(FEBRUARY)).toBe(
      `{"src":"rag","rel":"uses","dst":"tool_use","context":"","created_at":"${STORED}"}\n`,
    )
    expect(added).toMatchObject({ created: true, file: FEBRUARY })
    expect(graph.outgoing('rag')).toEqual([added.relation])
    expect(graph.relationsIn('2026-02')).toEqual([added.relation])
  })

  it('writes a triple once', async () => {
    const { writer, text } = open({
      ...KNOWN,
      'knowledge/relations/2025-12.jsonl': '{"src":"rag","rel":"uses","dst":"rag"}\n',
    })
    const again = await writer.addRelation({ src: 'rag', rel: 'uses', dst: 'rag' })
    expect(again).toMatchObject({ created: false, file: 'knowledge/relations/2025-12.jsonl' })
    const many = await Promise.all(
      Array.from({ length: 10 }, () =>
        writer.addRelation({ src: 'rag', rel: 'is', dst: 'rag', context: '一' }),
      ),
    )
    expect(many.map(({ created }) => created).filter(Boolean)).toHaveLength(1)
    expect(text(FEBRUARY).split('\n')).toHaveLength(2)
  })

  it('does not call a relation present before it is on disk', async () => {
    const { writer, graph, held } = open(KNOWN)
    const relation = { src: 'rag', rel: 'uses', dst: 'rag' }
    const first = writer.addRelation(relation)
    // Nothing but promises runs here, so that the flush cannot be over.
    while (!graph.findRelation('rag', 'uses', 'rag')) await Promise.resolve()
    const second = writer.addRelation(relation)
    expect(held.count).toBe(2)
    expect([(await first).created, (await second).created]).toEqual([true, false])
  })

  it('wants both ends to exist', async () => {
    const { writer, tree } = open(KNOWN)
    const before = tree()
    const from = { src: 'nope', rel: 'uses', dst: 'rag' }
    await expect(writer.addRelation(from)).rejects.toMatchObject({
      refusal: 'source_missing',
      code: 'not_found',
    })
    const to = { src: 'rag', rel: 'uses', dst: 'nope' }
    await expect(writer.addRelation(to)).rejects.toMatchObject({ refusal: 'destination_missing' })
    expect(tree()).toEqual(before)
    const endExists = (id: string) => id === 'rag' || id === 'nope'
    expect(await writer.addRelation(to, { endExists })).toMatchObject({ created: true })
  })

  it.each([
    { rel: ' ' },
    { rel: 'a\nb' },
    { rel: 'x'.repeat(65) },
    { src: '' },
    { dst: ' ' },
    { context: 'x'.repeat(1024 * 1024) },
    { extra: { dst: 'x' } },
  ])('refuses %.60j', async (more) => {
    const { writer, tree } = open(KNOWN)
    const before = tree()
    const refused = writer.addRelation({ src: 'rag', rel: 'uses', dst: 'rag', ...more })
    await expect(refused).rejects.toMatchObject({ refusal: 'field', code: 'invalid' })
    expect(tree()).toEqual(before)
  })
})

describe('bytes that were there', () => {
  it.each([
    ['a complete last line without its end', '{"id":"a"}\n{"id":"b"}', ['a', 'b', 'new'], 0],
    ['a torn last line', '{"id":"a"}\n{"id":"b","na', ['a', 'new'], 1],
    ['a torn character', Buffer.from('{"id":"a"}\n{"id":"ä').subarray(0, -1), ['a', 'new'], 1],
    ['Windows line ends', '{"id":"a"}\r\n{"id":"b"}', ['a', 'b', 'new'], 0],
    ['nothing', '', ['new'], 0],
  ])('stay: %s', async (_, before, ids, warnings) => {
    const { root, writer, graph } = open({ [CONCEPTS]: before })
    await writer.addEntity(draft('new'))
    const kept = Buffer.from(before)
    const now = readFileSync(join(root, CONCEPTS))
    expect(now.subarray(0, kept.length).equals(kept)).toBe(true)
    expect(now.subarray(kept.length).toString()).toMatch(/^\n?\{"id":"new".*\}\n$/)
    for (const each of [graph, openJsonlGraph({ root })]) {
      expect(idsOf(each)).toEqual(ids)
      expect(each.warnings()).toHaveLength(warnings)
    }
  })
})

function idsOf(graph: EntityGraph): string[] {
  return [...graph.entities()].map(({ id }) => id)
}

describe('a place that cannot be written', () => {
  it('because a link leads out of the root', async () => {
    const outside = temporaryFolder({ 'x.jsonl': '' })
    const { root, writer, graph } = open({ 'knowledge/entities/people.jsonl': '{"id":"a"}\n' })
    symlinkSync(join(outside, 'x.jsonl'), join(root, CONCEPTS))
    symlinkSync(outside, join(root, 'knowledge/relations'))
    await expect(writer.addEntity(draft('new'))).rejects.toMatchObject({ code: 'forbidden' })
    await expect(writer.addRelation({ src: 'a', rel: 'r', dst: 'a' })).rejects.toMatchObject({
      code: 'forbidden',
    })
    expect(readdirSync(outside)).toEqual(['x.jsonl'])
    expect(readFileSync(join(outside, 'x.jsonl'), 'utf8')).toBe('')
    expect(graph.entityCount).toBe(1)
  })

  it('because something else has its name', async () => {
    const { root, writer } = open()
    mkdirSync(join(root, CONCEPTS), { recursive: true })
    await expect(writer.addEntity(draft('new'))).rejects.toMatchObject({ code: 'invalid' })
    writeFileSync(join(root, 'knowledge/relations'), '')
    await writer.addEntity(draft('a', { category: 'people' }))
    await expect(writer.addRelation({ src: 'a', rel: 'r', dst: 'a' })).rejects.toBeInstanceOf(
      KnowledgeError,
    )
  })

  it('because another file cannot be read, and may hold the same id', async (context) => {
    if (process.getuid?.() === 0) return context.skip('root may read everything')
    const people = 'knowledge/entities/people.jsonl'
    const { root, writer, graph } = open({ [people]: '{"id":"hidden"}\n' })
    chmodSync(join(root, people), 0)
    const other = openJsonlGraph({ root, openLock: () => countingLock({ count: 0 }) })
    const refused = other.writer!.addEntity(draft('hidden'))
    await expect(refused).rejects.toMatchObject({ code: 'unavailable' })
    chmodSync(join(root, people), 0o600)
    await expect(writer.addEntity(draft('hidden'))).rejects.toMatchObject({ code: 'exists' })
    expect(graph.entityCount).toBe(1)
  })

  it('is written inside the root when a link leads there', async () => {
    const { root, writer, graph } = open({ 'shared/c.jsonl': '{"id":"a"}\n' })
    mkdirSync(join(root, 'knowledge/entities'), { recursive: true })
    symlinkSync('../../shared/c.jsonl', join(root, CONCEPTS))
    await writer.addEntity(draft('new'))
    expect(graph.refresh()).toBe(false)
    expect(idsOf(graph)).toEqual(['a', 'new'])
    expect(existsSync(join(root, 'shared/c.jsonl'))).toBe(true)
  })
})

it('tells everyone who waits when the lock is not to be had', async () => {
  const root = temporaryFolder()
  const busy = new KnowledgeError('unavailable', 'busy', 'wait')
  const openLock = (): WriteLock => ({
    hold: () => Promise.reject(busy),
    fence() {},
    lost: () => [],
    close: async () => {},
  })
  const { writer } = openJsonlGraph({ root, openLock })
  const outcomes = await Promise.allSettled([
    writer!.addEntity(draft('a')),
    writer!.addEntity(draft('b')),
  ])
  expect(outcomes.map((each) => each.status === 'rejected' && each.reason)).toEqual([busy, busy])
  expect(readdirSync(root)).toEqual([])
})

it('shares a flush among calls made at once', async () => {
  const { writer, held, graph } = open()
  await Promise.all(Array.from({ length: 100 }, (_, n) => writer.addEntity(draft(`id-${n}`))))
  expect(held.count).toBeLessThan(4)
  expect(graph.added.entities.map(({ id }) => id)).toEqual(
    Array.from({ length: 100 }, (_, n) => `id-${n}`),
  )
})
