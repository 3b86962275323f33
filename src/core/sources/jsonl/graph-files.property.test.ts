/** However files change between two looks, the graph is the one that a fresh start would read. */
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { EntityGraph } from '../../domain/entity-graph.ts'
import type { WriteLock } from '../../domain/write-lock.ts'
import { openJsonlGraph } from './open-jsonl-graph.ts'

const FILES = [
  'knowledge/entities/concepts.jsonl',
  'knowledge/entities/people.jsonl',
  'knowledge/entities/tech_stack/ai.jsonl',
  'knowledge/relations/2026-01.jsonl',
  'knowledge/relations/2026-02.jsonl',
] as const

const IDS = ['a', 'b', 'c', 'd', 'ü'] as const

const file = fc.constantFrom(...FILES)
const id = fc.constantFrom(...IDS)
const line = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(id, fc.nat(3)).map(([id, n]) => `{"id":"${id}","name":"${n}"}`),
  },
  {
    weight: 4,
    arbitrary: fc.tuple(id, id).map(([src, dst]) => `{"src":"${src}","rel":"r","dst":"${dst}"}`),
  },
  fc.constantFrom('', 'bad', '{"id":', '{"type":"entity","name":"m","entityType":"t"}'),
)
const text = fc.array(line, { maxLength: 4 }).map((lines) => lines.map((l) => `${l}\n`).join(''))
const end = fc.constantFrom('\n', '\r\n', '')

type Step =
  | { do: 'append'; file: string; text: string }
  | { do: 'write'; file: string; text: string }
  | { do: 'replace'; file: string; text: string }
  | { do: 'swap'; file: string; from: string; to: string }
  | { do: 'remove'; file: string }
  | { do: 'cut'; file: string; keep: number }
  | { do: 'look' }
  | { do: 'addEntity'; id: string; category: string }
  | { do: 'addRelation'; src: string; dst: string; month: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('append' as const),
    file,
    text: fc.tuple(line, end).map((parts) => parts.join('')),
  }),
  fc.record({ do: fc.constant('write' as const), file, text }),
  fc.record({ do: fc.constant('replace' as const), file, text }),
  fc.record({ do: fc.constant('swap' as const), file, from: id, to: id }),
  fc.record({ do: fc.constant('remove' as const), file }),
  fc.record({ do: fc.constant('cut' as const), file, keep: fc.nat(60) }),
  fc.record({ do: fc.constant('look' as const) }),
  fc.record({
    do: fc.constant('addEntity' as const),
    id: fc.constantFrom('a', 'b', 'n1', 'n2', 'n3'),
    category: fc.constantFrom('concepts', 'people'),
  }),
  fc.record({
    do: fc.constant('addRelation' as const),
    src: id,
    dst: id,
    month: fc.integer({ min: 1, max: 3 }),
  }),
)

/** Within one process calls queue by themselves; what matters here is not the lock. */
function openTestLock(): WriteLock {
  let last: Promise<unknown> = Promise.resolve()
  return {
    hold(work) {
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

function told(graph: EntityGraph) {
  const ids = [...IDS, 'n1', 'n2', 'n3', 'm', 'none']
  return {
    entities: [...graph.entities()],
    found: ids.map((id) => graph.findEntity(id)),
    count: graph.entityCount,
    relations: graph.relations(),
    out: ids.map((id) => graph.outgoing(id)),
    in: ids.map((id) => graph.incoming(id)),
    shards: graph.shards().map((shard) => [shard, graph.relationsIn(shard)]),
    warnings: graph.warnings(),
  }
}

/** A reader that derives from the graph, as a search index does: by epoch and what was added. */
function openFollower(graph: EntityGraph) {
  let epoch = -1
  let taken = 0
  let relationsTaken = 0
  const names = new Map<string, string>()
  let relations = 0
  return () => {
    if (epoch !== graph.epoch) {
      epoch = graph.epoch
      names.clear()
      for (const entity of graph.entities()) names.set(entity.id, entity.name)
      relations = graph.relations().length
      taken = graph.added.entities.length
      relationsTaken = graph.added.relations.length
    }
    for (; taken < graph.added.entities.length; taken++) {
      const { id, name } = graph.added.entities[taken]!
      names.set(id, name)
    }
    for (; relationsTaken < graph.added.relations.length; relationsTaken++) relations++
    return { names: [...names].toSorted(), relations }
  }
}

/**
 * An edit within the same step of the file system's clock as an own append is noticed only when the
 * step is over (20 ms), so that adding many lines in a row stays quick.
 */
const CLOCK_STEP_MS = 25
let addedAt = 0

async function take(root: string, step: Step, graph: EntityGraph, set: (month: number) => void) {
  if (step.do === 'look') return
  if (step.do === 'addEntity') {
    const { id, category } = step
    const draft = { category, id, type: 't', name: 'added', desc: 'd' }
    await graph.writer!.addEntity(draft).catch(expectRefusal)
    addedAt = performance.now()
    return
  }
  if (step.do === 'addRelation') {
    set(step.month)
    await graph.writer!.addRelation({ src: step.src, rel: 'r', dst: step.dst }).catch(expectRefusal)
    addedAt = performance.now()
    return
  }
  if (performance.now() < addedAt + CLOCK_STEP_MS) await sleep(CLOCK_STEP_MS)
  const place = join(root, step.file)
  mkdirSync(dirname(place), { recursive: true })
  if (step.do === 'append') appendFileSync(place, step.text)
  if (step.do === 'write') writeFileSync(place, step.text)
  if (step.do === 'replace') {
    writeFileSync(join(root, 'new'), step.text)
    renameSync(join(root, 'new'), place)
  }
  if (step.do === 'swap' || step.do === 'cut') {
    const bytes = readIfThere(place)
    const cut = step.do === 'cut'
    writeFileSync(place, cut ? bytes.slice(0, step.keep) : bytes.replace(step.from, step.to))
  }
  if (step.do === 'remove') rmSync(place, { force: true })
}

function expectRefusal(error: unknown): void {
  expect(error).toMatchObject({ name: 'KnowledgeError', refusal: expect.any(String) })
}

function readIfThere(place: string): string {
  try {
    return readFileSync(place, 'latin1')
  } catch {
    return ''
  }
}

it('equals a fresh start after any changes', { timeout: 180_000 }, async () => {
  const steps = fc.array(fc.tuple(step, fc.boolean()), { maxLength: 15 })
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const root = mkdtempSync(join(tmpdir(), 'cairn-test-'))
      let month = 1
      const graph = openJsonlGraph({
        root,
        openLock: openTestLock,
        now: () => new Date(Date.UTC(2026, month - 1, 15)),
      })
      const follow = openFollower(graph)
      try {
        for (const [each, look] of all) {
          await take(root, each, graph, (m) => (month = m))
          if (!look) continue
          graph.refresh()
          const fresh = openJsonlGraph({ root })
          expect(told(graph)).toEqual(told(fresh))
          expect(follow()).toEqual({
            names: [...fresh.entities()].map(({ id, name }) => [id, name]).toSorted(),
            relations: fresh.relations().length,
          })
        }
      } finally {
        await graph.close()
        rmSync(root, { recursive: true, force: true })
      }
    }),
    { numRuns: 120 },
  )
})
