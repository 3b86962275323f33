/**
 * Does live memory grow with writes? Appends, creations, moves and undos, thousands of them, on a
 * small base; the heap is compared after collecting garbage, early and late. Fails above 8 MB.
 *
 *     node --expose-gc bench/heap.ts [--writes 4000] [--snapshots FOLDER]
 *
 * `--snapshots` writes what is live at every look, for whoever wants to know what has grown.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { writeHeapSnapshot } from 'node:v8'
import { openBase } from '../src/serve/wiring/open-base.ts'
import { loadConfig } from '../src/serve/config/load-config.ts'

const MOST_GROWTH_MB = 8
/** The first of so many looks is the early one that the last is compared with. */
const LOOKS = 4
const { values } = parseArgs({
  options: { writes: { type: 'string', default: '4000' }, snapshots: { type: 'string' } },
})
const writes = Number(values.writes)
const folder = mkdtempSync(join(tmpdir(), 'cairn-heap-'))
for (let n = 0; n < 50; n++) writeFileSync(join(folder, `note-${n}.md`), `# Note ${n}\n`)
const { config } = await loadConfig({
  folders: [`notes=${folder}`],
  configFile: undefined,
  flags: {},
  env: {},
  cwd: folder,
  home: folder,
})
const base = await openBase(config)

/** Live bytes, once what was replaced has been settled. */
async function liveMb(written: number): Promise<number> {
  await sleep(4_000)
  for (let times = 0; times < 3; times++) globalThis.gc?.()
  if (values.snapshots) writeHeapSnapshot(join(values.snapshots, `${written}.heapsnapshot`))
  const { heapUsed, external } = process.memoryUsage()
  const [heap, outside] = [heapUsed / 1e6, external / 1e6]
  console.log(
    `live after ${written} writes: ${(heap + outside).toFixed(1)} MB ` +
      `(${heap.toFixed(1)} of them objects)`,
  )
  return heap + outside
}

/** The same notes again and again, so that what is kept for each of them does not count. */
async function write(n: number): Promise<void> {
  const id = `notes/note-${n % 50}.md`
  const content = `# Note ${n % 50}\n\nWritten for the ${n}th time, see [[note-${(n * 7) % 50}]].\n`
  await base.call('write', { action: 'replace', id, content })
  if (n % 10 === 0) await base.call('search', { query: `written ${n}` })
  if (n % 50 === 0) await base.call('history', { action: 'undo' })
  if (n % 100 === 0) await base.call('history', { action: 'list', limit: 20 })
}

try {
  if (!globalThis.gc) throw new Error('Run it with node --expose-gc.')
  await base.index({})
  const live: number[] = []
  for (let look = 1, n = 1; look <= LOOKS; look++) {
    for (; n <= (writes * look) / LOOKS; n++) await write(n)
    live.push(await liveMb(n - 1))
  }
  if (live.at(-1)! - live[0]! > MOST_GROWTH_MB) process.exitCode = 1
} finally {
  await base.close()
  rmSync(folder, { recursive: true, force: true })
}
