/**
 * How long a graph in JSON lines takes to open, to look for changes and to add to, at 50,000
 * entities and 100,000 relations: `node --expose-gc bench/graph-file.ts`.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openGraph } from '../src/serve/parts/open-graph.ts'
import {
  benchOptions,
  calibrate,
  describeCalibration,
  formatMb,
  formatMs,
  markdownTable,
  medianMs,
  randomNumbers,
  summarize,
  timed,
} from './harness.ts'

const ENTITIES = benchOptions().quick ? 5_000 : 50_000
const RELATIONS = 2 * ENTITIES
const ADDITIONS = 200

/** `files` is how many files the entities are spread over; one is the worst case for adding. */
function writeGraph(root: string, files: number): void {
  const random = randomNumbers(7)
  const some = () => `entity-${Math.floor(random() * ENTITIES)}`
  const texts = new Map<string, string[]>()
  const put = (file: string, object: unknown) => {
    const lines = texts.get(file) ?? []
    texts.set(file, lines)
    lines.push(`${JSON.stringify(object)}\n`)
  }
  for (let n = 0; n < ENTITIES; n++) {
    const file = files === 1 ? 'concepts' : `concepts/part-${n % files}`
    put(`knowledge/entities/${file}.jsonl`, {
      id: `entity-${n}`,
      type: ['concept', 'framework', 'person'][n % 3],
      name: `Entity number ${n}`,
      desc: `What entity ${n} is about, in a sentence as long as people tend to write. 实体`,
      tags: [`tag-${n % 50}`, 'bench'],
      updated_at: '2026-02-14T12:40:50.604646Z',
    })
  }
  for (let n = 0; n < RELATIONS; n++) {
    const month = String((n % 12) + 1).padStart(2, '0')
    put(`knowledge/relations/2025-${month}.jsonl`, {
      src: some(),
      rel: 'depends_on',
      dst: some(),
      context: '',
      created_at: '2026-02-14T12:40:50.604646Z',
    })
  }
  for (const [file, lines] of texts) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), lines.join(''))
  }
}

async function measure(files: number): Promise<string[]> {
  const root = mkdtempSync(join(tmpdir(), 'cairn-bench-'))
  try {
    writeGraph(root, files)
    // Files that have just been written are looked at more closely.
    await sleep(100)
    const open = medianMs(5, () => openGraph(root, { readOnly: true }))
    globalThis.gc?.()
    const heapBefore = process.memoryUsage().heapUsed
    const graph = openGraph(root)
    const adjacency = timed(() => graph.outgoing('entity-1')).ms
    globalThis.gc?.()
    const heap = process.memoryUsage().heapUsed - heapBefore
    const look = medianMs(200, () => graph.refresh())

    const entities = await timesOf((n) =>
      graph.writer!.addEntity({
        category: 'concepts',
        id: `new-${n}`,
        type: 'concept',
        name: 'New',
        desc: 'd',
      }),
    )
    const relations = await timesOf((n) =>
      graph.writer!.addRelation({ src: `new-${n}`, rel: 'uses', dst: 'entity-1' }),
    )
    const other = openGraph(root)
    const foreign: number[] = []
    for (let n = 0; n < 50; n++) {
      const draft = { category: 'concepts', id: `far-${n}`, type: 't', name: 'Far', desc: 'd' }
      await other.writer!.addEntity(draft)
      foreign.push(timed(() => graph.refresh()).ms)
    }
    await graph.close()
    await other.close()
    return [
      String(files),
      formatMs(open),
      formatMs(adjacency),
      formatMb(heap),
      formatMs(look),
      formatMs(entities.p95),
      formatMs(relations.p95),
      formatMs(summarize(foreign).p95),
    ]
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

async function timesOf(add: (n: number) => Promise<unknown>) {
  const times: number[] = []
  for (let n = 0; n < ADDITIONS; n++) {
    const begin = performance.now()
    await add(n)
    times.push(performance.now() - begin)
  }
  return summarize(times)
}

console.log(`# A graph in JSON lines: ${ENTITIES} entities, ${RELATIONS} relations\n`)
console.log(`${describeCalibration(calibrate())}\n`)
console.log(
  markdownTable(
    [
      'files of entities',
      'open',
      'adjacency, once',
      'heap',
      'look, unchanged',
      'add entity p95',
      'connect p95',
      "look after another's add p95",
    ],
    [await measure(1), await measure(4), await measure(200)],
  ),
)
