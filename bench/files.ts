/**
 * What it costs to read files that are no notes, and whether anybody waits meanwhile.
 *
 *     npm run build && node bench/files.ts cost FOLDER [--each 200]
 *     npm run build && node bench/files.ts waits FOLDER [--notes FOLDER] [--every 50] [--most 500]
 *     npm run build && node bench/files.ts soon FILE.pdf [--notes FOLDER]
 *
 * `cost`: processor time for a megabyte of text by kind, beside `pdftotext` and `pandoc`, where they
 * are installed, file by file in turns. They are started for each file, as everybody uses them; ours
 * reads all in one process, whose first file is not counted.
 *
 * `waits`: a real server over stdio on notes and the files, and a question every so many milliseconds
 * until all are read. A wait counts as far as the server's own thread was at work, as on a busy machine
 * everybody waits for the machine too; both are told. Fails where somebody waited for more than
 * 100 ms, or where the server and what it starts grew by more than 512 MiB and do not give it back.
 *
 * `soon`: how soon after a file is put into the folder of a real server its first pages are found, and
 * all of it.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { basename, extname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { FileKind } from '../src/core/domain/conversion.ts'
import { FILE_READERS } from '../src/core/parsing/convert/readers.ts'
import { renderContents } from '../src/core/parsing/convert/render-contents.ts'
import { formatOf } from '../src/serve/parts/formats.ts'
import { formatMs, markdownTable, percentile, PROJECT } from './harness.ts'
import { search, startServer } from './stdio-server.ts'
import type { Server } from './stdio-server.ts'

const MEBIBYTE = 1024 * 1024
const MOST_MS = 100
const MOST_BYTES = 512 * MEBIBYTE

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    notes: { type: 'string', default: join(PROJECT, 'examples/handbook') },
    every: { type: 'string', default: '50' },
    each: { type: 'string', default: '200' },
    most: { type: 'string', default: '500' },
  },
})
const [what, folder] = positionals

interface Tool {
  readonly name: string
  readonly reads: (kind: FileKind) => boolean
  /** Letters of the text; none where it cannot be read. */
  readonly read: (place: string, kind: FileKind) => Promise<number>
}

async function measureCost(root: string): Promise<void> {
  // As in the thread that reads.
  Reflect.deleteProperty(globalThis, 'DecompressionStream')
  const byKind = Map.groupBy(filesIn(root), (place) => formatOf(place).made?.kind)
  byKind.delete(undefined)
  const rows: string[][] = []
  for (const [kind, all] of byKind) {
    if (kind === undefined) continue
    const tools = [CAIRN, ...PROGRAMS.filter((each) => each.reads(kind))]
    const places = all.toSorted().slice(0, Number(values.each))
    await CAIRN.read(places[0]!, kind)
    const sums = tools.map(() => ({ ms: 0, letters: 0, read: 0 }))
    for (const place of places) {
      for (const [at, tool] of tools.entries()) {
        const before = processorMs()
        const letters = await tool.read(place, kind)
        const sum = sums[at]!
        sum.ms += processorMs() - before
        sum.letters += letters
        if (letters > 0) sum.read++
      }
    }
    for (const [at, { ms, letters, read }] of sums.entries()) {
      const own = ms / (letters / 1e6)
      const ours = sums[0]!.ms / (sums[0]!.letters / 1e6)
      rows.push([
        kind,
        tools[at]!.name,
        `${read} of ${places.length}`,
        (letters / 1e6).toFixed(2),
        formatMs(own),
        at === 0 ? '' : `${(ours / own).toFixed(2)}×`,
      ])
    }
  }
  console.log(markdownTable(['kind', 'by', 'read', 'MB of text', 'processor / MB', 'ours'], rows))
  console.log(`Load ${loadavg()[0]?.toFixed(1)}.`)
}

const CAIRN: Tool = {
  name: 'Cairn',
  reads: () => true,
  async read(place, kind) {
    try {
      const read = await FILE_READERS[kind]()
      return renderContents(kind, await read(new Uint8Array(readFileSync(place)), place)).length
    } catch {
      return 0
    }
  },
}

const PANDOC = new Set<FileKind>(['docx', 'odt', 'epub', 'html', 'notebook', 'org', 'table'])

const PROGRAMS: readonly Tool[] = [
  program(
    'pdftotext',
    (kind) => kind === 'pdf',
    (place) => ['-layout', place, '-'],
  ),
  program(
    'pandoc',
    (kind) => PANDOC.has(kind),
    (place) => ['-t', 'gfm', place],
  ),
].filter((tool) => tool !== undefined)

function program(
  name: string,
  reads: Tool['reads'],
  words: (place: string) => readonly string[],
): Tool | undefined {
  if (spawnSync(name, ['--help']).error) return undefined
  return {
    name,
    reads,
    async read(place) {
      const options = { maxBuffer: 64 * MEBIBYTE, timeout: 60_000 }
      const { stdout, status } = spawnSync(name, words(place), options)
      return status === 0 ? stdout.toString().trim().length : 0
    },
  }
}

/** Of this process and of those that it waited for, as the system counts it. */
function processorMs(): number {
  const { userCPUTime, systemCPUTime } = process.resourceUsage()
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]!.split(' ')
  return (userCPUTime + systemCPUTime) / 1000 + (Number(fields[13]) + Number(fields[14])) * 10
}

const QUESTIONS = [
  'how do we roll back a release',
  'who is on call at night',
  'onboarding of a new colleague',
  'where are backups kept',
  'what to do when the disk is full',
]

async function measureWaits(root: string): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'cairn-files-'))
  const base = join(scratch, 'base')
  try {
    cpSync(resolve(values.notes), base, { recursive: true })
    const server = await startServer(base, join(scratch, 'state'))
    try {
      await untilQuiet(server)
      const known = (await coverage(server)).files
      const before = treeMemory(server.pid)
      mkdirSync(join(base, 'files'))
      const places = filesIn(root).toSorted().slice(0, Number(values.most))
      for (const [at, place] of places.entries()) {
        cpSync(place, join(base, 'files', `${at}-${basename(place)}`))
      }
      const found = await askUntilRead(server, known + places.length)
      const most = Math.max(...found.memory)
      const after: number[] = []
      for (const seconds of [5, 25]) {
        await sleep(seconds * 1_000)
        after.push(treeMemory(server.pid))
      }
      const shown = (list: readonly number[]): string =>
        [0.5, 0.95, 0.99, 1].map((part) => formatMs(percentile(list, part))).join(', ')
      const worst = percentile(found.worked, 1)
      console.log(
        `${places.length} files in ${formatMs(found.ms)}, load ${loadavg()[0]?.toFixed(1)}.`,
      )
      console.log(`${found.waited.length} answers: median, p95, p99, longest`)
      console.log(`  as a client has them       ${shown(found.waited)}`)
      console.log(`  the server's thread at work ${shown(found.worked)}`)
      console.log(
        `  longer than ${MOST_MS} ms: ${found.waited.filter((ms) => ms > MOST_MS).length}`,
      )
      const mb = (bytes: number): string => `${Math.round(bytes / MEBIBYTE)} MiB`
      console.log(
        `Memory ${mb(before)} before, ${mb(most)} at most, ${mb(after[0]!)} five seconds after, ${mb(after[1]!)} half a minute after.`,
      )
      if (worst > MOST_MS || most - before > MOST_BYTES) process.exitCode = 1
    } finally {
      await server.close()
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

async function measureSoon(file: string): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'cairn-files-'))
  const base = join(scratch, 'base')
  try {
    cpSync(resolve(values.notes), base, { recursive: true })
    const server = await startServer(base, join(scratch, 'state'))
    try {
      await untilQuiet(server)
      const known = (await coverage(server)).files
      cpSync(file, join(base, basename(file)))
      const began = performance.now()
      let first: number | undefined
      for (;;) {
        const { files, inPart } = await coverage(server)
        if (files > known) first ??= performance.now() - began
        if (files > known && inPart === 0) break
        await sleep(20)
      }
      const whole = performance.now() - began
      console.log(
        `Found by its first pages after ${formatMs(first!)}, as a whole after ${formatMs(whole)}; load ${loadavg()[0]?.toFixed(1)}.`,
      )
    } finally {
      await server.close()
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

async function untilQuiet(server: Server): Promise<void> {
  for (;;) {
    const { results, isIndexing } = await search(server, QUESTIONS[0]!)
    if (results.length > 0 && !isIndexing) break
    await sleep(100)
  }
  for (let turn = 0; turn < 200; turn++) await search(server, QUESTIONS[turn % QUESTIONS.length]!)
  await sleep(3_000)
}

/** One question at every beat, whether the one before was answered or not, as many clients would. */
async function askUntilRead(server: Server, count: number) {
  const every = Number(values.every)
  const began = performance.now()
  const waited: number[] = []
  const worked: number[] = []
  const memory: number[] = []
  const asked: Promise<void>[] = []
  const ask = async (query: string): Promise<void> => {
    const from = performance.now()
    const before = workedMs(server.pid)
    await search(server, query)
    const ms = performance.now() - from
    waited.push(ms)
    worked.push(Math.min(ms, workedMs(server.pid) - before))
  }
  let turn = 0
  const reading = { isOver: false }
  const looking = (async () => {
    for (;;) {
      const { files, inPart } = await coverage(server)
      if (files >= count && inPart === 0) break
      await sleep(1_000)
    }
    reading.isOver = true
  })()
  while (!reading.isOver) {
    asked.push(ask(QUESTIONS[turn++ % QUESTIONS.length]!))
    memory.push(treeMemory(server.pid))
    await sleep(every)
  }
  await looking
  await Promise.all(asked)
  return { ms: performance.now() - began, waited, worked, memory }
}

interface Coverage {
  /** Files that were looked at, read or not. */
  readonly files: number
  /** Those of them that are found by their first pages so far. */
  readonly inPart: number
}

async function coverage({ client }: Server): Promise<Coverage> {
  const called = { name: 'insights', arguments: { report: 'coverage', limit: 1 } }
  const { structuredContent } = await client.callTool(called)
  const { summary } = structuredContent as { readonly summary: Readonly<Record<string, unknown>> }
  const { in_part: inPart } = summary
  const counts = Object.values(summary).filter((each) => typeof each === 'number')
  return {
    files: counts.reduce((sum, count) => sum + count, 0),
    inPart: Array.isArray(inPart) ? inPart.length : 0,
  }
}

/** How long the main thread of a process has been at work. */
function workedMs(pid: number): number {
  const [nanoseconds] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')
  return Number(nanoseconds) / 1e6
}

/** Resident memory of a process and of all that it has started. */
function treeMemory(pid: number): number {
  try {
    const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1])
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
    const others = children === '' ? [] : children.split(' ').map(Number)
    return others.reduce((sum, child) => sum + treeMemory(child), pages * 4096)
  } catch {
    return 0
  }
}

function filesIn(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile() && extname(each.name) !== '.md')
    .map(({ parentPath, name }) => join(parentPath, name))
}

if (what === 'cost' && folder !== undefined) await measureCost(resolve(folder))
else if (what === 'waits' && folder !== undefined) await measureWaits(resolve(folder))
else if (what === 'soon' && folder !== undefined) await measureSoon(resolve(folder))
else throw new Error('Write "node bench/files.ts cost FOLDER", "… waits FOLDER" or "… soon FILE".')
