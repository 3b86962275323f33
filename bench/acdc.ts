/**
 * How long a search of the acdc surface takes in process: 10,000 resources in three locations, words
 * as frequent as in text. Run with `node bench/acdc.ts`.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { formatsFor } from '../src/serve/parts/formats.ts'
import { openKnowledge } from '../src/serve/parts/open-knowledge.ts'
import { openSources } from '../src/serve/parts/sources.ts'
import { openStore } from '../src/serve/parts/stores.ts'
import { sync } from '../src/core/indexing/indexer.ts'
import { openAcdcSurface } from '../src/vocabularies/acdc/open-acdc-surface.ts'
import { BY_SOURCE } from '../src/vocabularies/acdc/uris.ts'

const RESOURCES = 10_000
const WORDS_EACH = 120
const SEARCHES = 2_000
const LOCATIONS = ['one', 'two', 'three']
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

let seed = 1
const random = (): number => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31
const word = (): string =>
  Array.from({ length: 7 }, () => LETTERS[Math.floor(random() * 26)]).join('')
const vocabulary = Array.from({ length: 20_000 }, word)
/** The first words are the most frequent, as in any language. */
const draw = (): string => vocabulary[Math.floor(vocabulary.length ** random()) - 1] ?? 'word'
const text = (count: number): string => Array.from({ length: count }, draw).join(' ')

const root = mkdtempSync(join(tmpdir(), 'cairn-bench-'))
try {
  for (let i = 0; i < RESOURCES; i++) {
    const place = `${LOCATIONS[i % 3]}/mcp-resources/${i % 40}/r${i}.md`
    const front = `---\nname: ${text(2)}\ndescription: ${text(5)}\nkeywords: [${draw()}]\n---\n`
    mkdirSync(dirname(join(root, place)), { recursive: true })
    writeFileSync(join(root, place), `${front}# ${text(2)}\n\n${text(WORDS_EACH)}\n`)
  }
  const rules = { include: [], exclude: [], hidden: false }
  const sources = openSources({
    sources: LOCATIONS.map((name) => ({ name, path: join(root, name), ...rules })),
    maxFileBytes: 1_000_000,
  })
  const { store } = await openStore({ state: join(root, 'state'), sources: [] })
  const lease = (await store.acquireLease('bench', 600_000))!
  const began = performance.now()
  const formatOf = formatsFor('curated')
  await sync({ store, sources: [...sources.values()], formatOf, lease })
  console.log(`indexed in ${(performance.now() - began).toFixed(0)} ms`)
  const http = { host: '', port: 0, allowedHosts: [], allowedOrigins: [], publicUrl: undefined }
  const kb = openKnowledge({ config: { http, reading: 'curated' }, store, sources })
  const surface = openAcdcSurface(kb, {
    server: { name: 'bench', version: '1', instructions: 'none' },
    layout: 'locations',
    naming: BY_SOURCE,
    sources: [],
    descriptions: new Map(),
    search: { maxResults: 10, boosts: { name: 2, keywords: 3, content: 1 } },
    ready: Promise.resolve(),
    warn: console.error,
    log: console.error,
  })
  const call = { signal: new AbortController().signal, progress: () => {} }
  await surface.call('search', { query: draw() }, call)
  const times: number[] = []
  for (let i = 0; i < SEARCHES; i++) {
    const source = LOCATIONS[i % 4]
    const started = performance.now()
    await surface.call('search', { query: text(2 + (i % 2)), ...(source && { source }) }, call)
    times.push(performance.now() - started)
  }
  times.sort((a, b) => a - b)
  const at = (share: number): string => times[Math.floor(share * SEARCHES)]!.toFixed(2)
  console.log(`search: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms`)
  await store.close()
} finally {
  rmSync(root, { recursive: true, force: true })
}
