/**
 * Words against words: our lexical index, SQLite FTS5 and MiniSearch build the same corpus and
 * answer the same queries in one run, so that the ratios hold whatever the machine is doing.
 *
 *     node bench/lexical.ts SET [--no-minisearch]
 *
 * SET is a folder with `docs/`, such as the unpacked evaluation set vault-mdn.
 */
import { DatabaseSync } from 'node:sqlite'
import MiniSearch from 'minisearch'
import type { IndexableDocument } from '../src/search/contract.ts'
import { openLexicalIndex } from '../src/search/lexical-index.ts'
import { mergeSegments } from '../src/search/segment/merge-segments.ts'
import { SegmentBuilder } from '../src/search/segment/segment-builder.ts'
import { memoryReader } from '../test/search/memory-reader.ts'
import { randomNumbers } from '../test/search/random.ts'
import { readDocuments } from './corpus.ts'

const LIMIT = 10
const QUERIES_PER_CLASS = 40
const ROUNDS = 3

const NOTHING = { has: () => false, size: 0 }

interface Chunk {
  readonly id: number
  readonly title: string
  readonly text: string
}

/** On a busy machine the processor's time says more than the clock. */
interface Timing {
  readonly wallMs: number
  readonly cpuMs: number
}

interface Engine {
  readonly name: string
  readonly build: Timing
  search(query: string): Promise<number> | number
}

const [set, ...flags] = process.argv.slice(2)
if (set === undefined) {
  console.error('usage: node bench/lexical.ts SET [--no-minisearch]')
  process.exit(2)
}

const documents = readDocuments(set)
const chunks = documents.flatMap(({ title, text, chunks }) =>
  chunks.map(({ start, end }) => ({ title, text: text.slice(start, end) })),
)
const numbered = chunks.map((chunk, id): Chunk => ({ id, ...chunk }))
const megabytes = documents.reduce((sum, { text }) => sum + text.length, 0) / 1e6
console.log(
  `${documents.length} documents, ${numbered.length} passages, ${megabytes.toFixed(1)} MB\n`,
)

const engines: Engine[] = [await buildOwn(documents), buildFts5(numbered)]
if (!flags.includes('--no-minisearch')) engines.push(buildMiniSearch(numbered))

const [own] = engines
console.log('| | cold build | CPU | CPU × ours |\n| --- | ---: | ---: | ---: |')
for (const { name, build } of engines) {
  const seconds = [build.wallMs, build.cpuMs].map((ms) => `${(ms / 1000).toFixed(2)} s`)
  console.log(`| ${name} | ${seconds.join(' | ')} | ${ratio(build.cpuMs, own.build.cpuMs)} |`)
}

console.log(`\n| query | engine | p50 | p95 | p50 × ours |\n| --- | --- | ---: | ---: | ---: |`)
for (const words of [1, 3, 9]) {
  const queries = sampleQueries(documents, words)
  const timings = await measure(queries)
  const ownP50 = percentile(timings[0], 0.5)
  for (const [e, { name }] of engines.entries()) {
    const p50 = percentile(timings[e], 0.5)
    const cells = [p50, percentile(timings[e], 0.95)].map((ms) => `${ms.toFixed(3)} ms`)
    console.log(`| ${words} words | ${name} | ${cells.join(' | ')} | ${ratio(p50, ownP50)} |`)
  }
}

async function buildOwn(documents: readonly IndexableDocument[]): Promise<Engine> {
  const stop = startTiming()
  const builder = new SegmentBuilder()
  for (const document of documents) builder.add(document)
  const streams = builder.finish()
  const build = stop()
  const index = openLexicalIndex()
  const source = { id: 'bench', reader: memoryReader(streams), deleted: NOTHING }
  await index.setSegments([source])

  const bytes = [...Object.values(streams.resident), ...Object.values(streams.paged)]
  const size = bytes.reduce((sum, stream) => sum + stream.length, 0) / 1e6
  const mergeStarted = performance.now()
  await mergeSegments([source])
  const mergeMs = performance.now() - mergeStarted
  console.log(`ours: ${size.toFixed(1)} MB index, merge ${(mergeMs / 1000).toFixed(2)} s\n`)
  return {
    name: 'ours',
    build,
    search: async (query) => (await index.search(query, { limit: LIMIT })).hits.length,
  }
}

function buildFts5(chunks: readonly Chunk[]): Engine {
  const stop = startTiming()
  const database = new DatabaseSync(':memory:')
  database.exec(
    `CREATE VIRTUAL TABLE chunks USING fts5(title, text, content='', tokenize='porter unicode61')`,
  )
  const insert = database.prepare('INSERT INTO chunks(rowid, title, text) VALUES (?, ?, ?)')
  database.exec('BEGIN')
  for (const { id, title, text } of chunks) insert.run(id, title, text)
  database.exec('COMMIT')
  const build = stop()
  const select = database.prepare(
    'SELECT rowid FROM chunks WHERE chunks MATCH ? ORDER BY bm25(chunks) LIMIT ?',
  )
  return {
    name: 'SQLite FTS5, OR + bm25()',
    build,
    search: (query) => {
      const words = query.split(' ').map((word) => `"${word}"`)
      return select.all(words.join(' OR '), LIMIT).length
    },
  }
}

function buildMiniSearch(chunks: readonly Chunk[]): Engine {
  const stop = startTiming()
  const index = new MiniSearch<Chunk>({ fields: ['title', 'text'] })
  index.addAll(chunks)
  const build = stop()
  return {
    name: 'MiniSearch',
    build,
    search: (query) => index.search(query).slice(0, LIMIT).length,
  }
}

function startTiming(): () => Timing {
  const started = performance.now()
  const before = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(before)
    return { wallMs: performance.now() - started, cpuMs: (user + system) / 1000 }
  }
}

/** Engines take turns on each query, so that noise falls on all of them. */
async function measure(queries: readonly string[]): Promise<number[][]> {
  for (const query of queries.slice(0, 10)) {
    for (const engine of engines) await engine.search(query)
  }
  const timings: number[][] = engines.map(() => [])
  for (let round = 0; round < ROUNDS; round++) {
    for (const query of queries) {
      for (const [e, engine] of engines.entries()) {
        const started = performance.now()
        await engine.search(query)
        timings[e].push(performance.now() - started)
      }
    }
  }
  return timings
}

/** Words of the corpus: single ones, three from one sentence, nine running ones with stop words. */
function sampleQueries(documents: readonly IndexableDocument[], words: number): string[] {
  const random = randomNumbers(words)
  const queries: string[] = []
  while (queries.length < QUERIES_PER_CLASS) {
    const { text, bodyStart } = documents[Math.floor(random() * documents.length)]
    const sentences = text.slice(bodyStart).match(/[A-Z][a-z]+(?: [a-z]+){9,}/g) ?? []
    const sentence = sentences[Math.floor(random() * sentences.length)]?.toLowerCase().split(' ')
    if (sentence === undefined) continue
    if (words === 9) queries.push(sentence.slice(0, 9).join(' '))
    else {
      const telling = sentence.filter((word) => word.length > 4)
      if (telling.length >= words) queries.push(telling.slice(0, words).join(' '))
    }
  }
  return queries
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}

function ratio(value: number, base: number): string {
  return `${(value / base).toFixed(1)}`
}
