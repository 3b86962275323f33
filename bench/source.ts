/**
 * How long a folder source takes to scan, read and watch a large vault, and what watching costs.
 *
 *   CAIRN_EVAL=path/to/eval node bench/source.ts
 *
 * Needs `vault-mdn` (14,593 notes, one per folder) below that path; says so and stops without it.
 */
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import v8 from 'node:v8'
import vm from 'node:vm'
import type { SourceChange } from '../src/core/domain/source.ts'
import { openFolderSource } from '../src/core/sources/folder/open-folder-source.ts'
import { readableExtensions } from '../src/serve/parts/formats.ts'

const ROUNDS = 5
const READ_BATCH = 256

v8.setFlagsFromString('--expose-gc')
const collectGarbage = vm.runInNewContext('gc') as () => void

const vault = join(process.env['CAIRN_EVAL'] ?? '', 'vault-mdn/docs')
const method = process.argv[2]
if (method === 'folders' || method === 'recursive') {
  console.log(JSON.stringify(await watchCost(vault, method)))
} else if (process.env['CAIRN_EVAL'] && existsSync(vault)) {
  // Watching alone does not keep a process alive.
  const alive = setInterval(() => {}, 1000)
  console.table(await measure(vault))
  clearInterval(alive)
} else {
  console.error('Set CAIRN_EVAL to the folder that holds vault-mdn to run this benchmark.')
}

async function measure(root: string): Promise<Record<string, Record<string, string>>> {
  const source = openFolderSource({ name: 'mdn', extensions: readableExtensions(), root })
  const { files } = await source.scan()
  const paths = files.map((file) => file.path)
  const bytes = files.reduce((sum, file) => sum + file.size, 0)
  const batches = Array.from({ length: Math.ceil(paths.length / READ_BATCH) }, (_, n) =>
    paths.slice(n * READ_BATCH, (n + 1) * READ_BATCH),
  )
  const walk = await best(() => bareWalk(root))
  const scan = await best(() => source.scan())
  const rescan = await best(() => source.rescan(paths.slice(0, 1000)))
  const bareRead = await best(() => paths.forEach((path) => readFileSync(join(root, path))))
  const read = await best(async () => {
    for (const batch of batches) await source.read(batch)
  })
  return {
    [`list ${paths.length} files, nothing else`]: { time: ms(walk) },
    scan: { time: ms(scan), note: `${(scan / walk).toFixed(1)} × listing` },
    'rescan of 1,000 paths': { time: ms(rescan) },
    'readFileSync of all, nothing else': { time: ms(bareRead) },
    'read, decode, hash': { time: ms(read), note: `${mega(bytes / (read / 1000))}/s` },
    'watch start': inFreshProcess('folders'),
    "watch start, Node's recursive": inFreshProcess('recursive'),
    ...(await latencies(root)),
  }
}

/** The fastest of a few rounds: the others tell about the machine, not about us. */
async function best(work: () => unknown): Promise<number> {
  let fastest = Infinity
  for (let round = 0; round < ROUNDS; round++) {
    const startedAt = performance.now()
    await work()
    fastest = Math.min(fastest, performance.now() - startedAt)
  }
  return fastest
}

function bareWalk(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) bareWalk(`${folder}/${entry.name}`)
  }
}

/** Memory is measured where nothing else has left room in the heap. */
function inFreshProcess(method: string): Record<string, string> {
  const output = execFileSync(process.execPath, [import.meta.filename, method], {
    encoding: 'utf8',
  })
  return JSON.parse(output) as Record<string, string>
}

async function watchCost(
  root: string,
  method: 'folders' | 'recursive',
): Promise<Record<string, string>> {
  const alive = setInterval(() => {}, 1000)
  const source = openFolderSource({
    name: 'mdn',
    extensions: readableExtensions(),
    root,
    watching: { method },
  })
  await source.scan()
  collectGarbage()
  const before = process.memoryUsage().rss
  const startedAt = performance.now()
  const watching = await source.watch(() => {})
  const tookMs = performance.now() - startedAt
  await sleep(200)
  collectGarbage()
  const grown = process.memoryUsage().rss - before
  watching.close()
  clearInterval(alive)
  return { time: ms(tookMs), note: `${mega(grown)} more` }
}

/** On a copy, because it writes: how soon an edit is reported, and how a burst arrives. */
async function latencies(vault: string): Promise<Record<string, Record<string, string>>> {
  const root = mkdtempSync(join(tmpdir(), 'cairn-bench-'))
  try {
    cpSync(vault, root, { recursive: true })
    const changes: SourceChange[] = []
    let wake: (() => void) | undefined
    const source = openFolderSource({ name: 'copy', extensions: readableExtensions(), root })
    const paths = (await source.scan()).files.map((file) => file.path)
    const watching = await source.watch((change) => {
      changes.push(change)
      wake?.()
    })
    const times: number[] = []
    for (let n = 0; n < 50; n++) {
      const seen = new Promise<void>((resolve) => (wake = resolve))
      const startedAt = performance.now()
      appendFileSync(join(root, paths[(n * 7919) % paths.length] ?? ''), '\n')
      await seen
      times.push(performance.now() - startedAt)
    }
    changes.length = 0
    const startedAt = performance.now()
    for (const path of paths.slice(0, 5000)) writeFileSync(join(root, path), 'burst')
    const wroteMs = performance.now() - startedAt
    await sleep(500)
    watching.close()
    const sorted = times.toSorted((a, b) => a - b)
    const everything = changes.some((change) => change.paths === undefined)
    const covered = new Set(changes.flatMap((change) => change.paths ?? [])).size
    return {
      'edit reported, p50': { time: ms(sorted[25] ?? 0) },
      'edit reported, slowest of 50': { time: ms(sorted.at(-1) ?? 0) },
      'burst of 5,000 edits': {
        time: ms(wroteMs),
        note: `${changes.length} batches, ${everything ? 'everything' : `${covered} paths`}`,
      },
    }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

function ms(value: number): string {
  return `${value.toFixed(value < 10 ? 1 : 0)} ms`
}

function mega(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`
}
