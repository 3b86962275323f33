/**
 * How long the tools of the nexus surface take in process, over a folder of notes that is named:
 * the first call of each, the median of the rest, and the first call after one note has come.
 * Run with `node bench/nexus.ts FOLDER [STATE]`; a state folder that is kept saves the indexing.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatOf } from '../src/serve/parts/formats.ts'
import { openKnowledge } from '../src/serve/parts/open-knowledge.ts'
import { openSources } from '../src/serve/parts/sources.ts'
import { openStore } from '../src/serve/parts/stores.ts'
import { sync } from '../src/core/indexing/indexer.ts'
import { openNexus } from '../src/vocabularies/nexus/open-nexus.ts'

const [folder, kept] = process.argv.slice(2)
if (folder === undefined) throw new Error('node bench/nexus.ts FOLDER [STATE]')
const state = kept ?? mkdtempSync(join(tmpdir(), 'cairn-bench-'))
const rules = { include: [], exclude: [], hidden: false }
const sources = openSources({
  sources: [{ name: 'notes', path: folder, ...rules }],
  maxFileBytes: 10_000_000,
})
const { store } = await openStore({ state, sources: [] })
const index = async (): Promise<void> => {
  const lease = (await store.acquireLease('bench', 600_000))!
  await sync({ store, sources: [...sources.values()], formatOf, lease })
}
const http = { host: '', port: 0, allowedHosts: [], allowedOrigins: [], publicUrl: undefined }
const kb = openKnowledge({ config: { http }, store, sources })
const nexus = openNexus(kb, { log: console.error })
const call = { signal: new AbortController().signal, progress: () => {} }

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await work()
  return performance.now() - began
}
const shown = (ms: number): string => `${ms.toFixed(1)} ms`

try {
  console.log(`indexed in ${shown(await timed(index))}`)
  let pages: { slug: string }[] = []
  const firstLook = await timed(async () => {
    pages = (await nexus.callTool('list_pages', {}, call)) as typeof pages
  })
  const some = Array.from({ length: 40 }, (_, at) => pages[(at * 367) % pages.length]!.slug)
  const questions = [
    'the',
    'flexbox',
    'needle in a haystack',
    'array.prototype.flat',
    'zzqx',
    'über',
  ]
  const calls: Record<string, (round: number) => Promise<unknown>> = {
    list_pages: () => nexus.callTool('list_pages', {}, call),
    get_page: (round) => nexus.callTool('get_page', { slug: some[round % 40] }, call),
    get_connections: (round) => nexus.callTool('get_connections', { slug: some[round % 40] }, call),
    search: (round) => nexus.callTool('search', { query: questions[round % 6] }, call),
  }
  console.log(`${pages.length} pages, first looked at in ${shown(firstLook)}`)
  const measure = async (what: string): Promise<void> => {
    console.log(what)
    for (const [name, run] of Object.entries(calls)) {
      const first = await timed(() => run(0))
      const rest: number[] = []
      for (let round = 1; round < 61; round++) rest.push(await timed(() => run(round)))
      const [median, slowest] = [rest.toSorted((a, b) => a - b)[30]!, Math.max(...rest)]
      console.log(
        `  ${name}: first ${shown(first)}, then ${shown(median)}, slowest ${shown(slowest)}`,
      )
    }
  }
  await measure('to begin with')
  const file = join(folder, 'cairn-bench-nexus.md')
  try {
    writeFileSync(file, 'One more, with a link to [[cairn-bench-nexus]].\n', { flag: 'wx' })
    await index()
    await measure('after one note has come')
  } finally {
    rmSync(file, { force: true })
  }
  const { rss, external } = process.memoryUsage()
  console.log(
    `memory ${(rss / 2 ** 20).toFixed(0)} MiB, of it text ${(external / 2 ** 20).toFixed(0)} MiB`,
  )
} finally {
  await store.close()
  if (kept === undefined) rmSync(state, { recursive: true })
}
