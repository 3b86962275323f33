/**
 * What every benchmark needs: numbers from many timings, a measure of how noisy the machine is, a
 * clean process per measurement, and tables. Benchmarks say how much faster or smaller something is
 * than a peer measured in the same run; bare milliseconds belong to the machine.
 */
import { execFile } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export const PROJECT = resolve(import.meta.dirname, '..')

export interface Timings {
  readonly count: number
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly max: number
}

/** The value that the given part (0 to 1) of all values does not exceed. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? NaN
}

export function summarize(values: readonly number[]): Timings {
  return {
    count: values.length,
    p50: percentile(values, 0.5),
    p95: percentile(values, 0.95),
    p99: percentile(values, 0.99),
    max: percentile(values, 1),
  }
}

/** How long `work` takes, in milliseconds, and what it returned. */
export function timed<Result>(work: () => Result): { ms: number; result: Result } {
  const begin = performance.now()
  const result = work()
  return { ms: performance.now() - begin, result }
}

/** The same work a few times; the middle one is the least disturbed by warm-up and neighbours. */
export function medianMs(times: number, work: () => unknown): number {
  return percentile(
    Array.from({ length: times }, () => timed(work).ms),
    0.5,
  )
}

/** A generator that draws the same numbers everywhere (mulberry32), from 0 to below 1. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export interface Calibration {
  /** Fastest round of a fixed piece of arithmetic: what the machine can do. */
  readonly bestMs: number
  /** How much slower the slower rounds (95th percentile) were; 0.05 is a quiet machine. */
  readonly noise: number
}

/** The same arithmetic many times over. What it varies by is the machine's doing, not ours. */
export function calibrate(): Calibration {
  let state = 1
  const round = (): number => {
    for (let i = 0; i < 2_000_000; i++) state = (Math.imul(state, 1664525) + 1013904223) | 0
    return state
  }
  for (let i = 0; i < 5; i++) round()
  const times = Array.from({ length: 60 }, () => timed(round).ms)
  const bestMs = Math.min(...times)
  return { bestMs, noise: percentile(times, 0.95) / bestMs - 1 }
}

export function describeCalibration({ bestMs, noise }: Calibration): string {
  const advice =
    noise > 0.3 ? ' Something else is running: trust the processor’s time more than the clock.' : ''
  return `Calibration loop ${formatMs(bestMs)}, noise ${Math.round(noise * 100)} %.${advice}`
}

export function formatMs(ms: number | undefined): string {
  if (ms === undefined || Number.isNaN(ms)) return '–'
  return ms >= 1000 ? `${(ms / 1000).toFixed(2)} s` : `${significant(ms)} ms`
}

export function formatMb(bytes: number | undefined): string {
  return bytes === undefined || Number.isNaN(bytes) ? '–' : `${significant(bytes / 2 ** 20)} MB`
}

/** How much of the other's figure ours is: 0.03x is thirty times better. */
export function formatRatio(ours: number | undefined, theirs: number | undefined): string {
  if (ours === undefined || theirs === undefined || !(theirs > 0)) return '–'
  return `${significant(ours / theirs)}x`
}

function significant(value: number): string {
  if (value === 0) return '0'
  const digits = Math.max(0, 1 - Math.floor(Math.log10(Math.abs(value))))
  return value.toFixed(Math.min(digits, 4))
}

/** A Markdown table; the first column is text, the others are numbers. */
export function markdownTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const widths = header.map((title, column) =>
    Math.max(3, ...[title, ...rows.map((row) => row[column] ?? '')].map((cell) => cell.length)),
  )
  const line = (cells: readonly string[]): string =>
    `| ${widths
      .map((width, column) =>
        column === 0 ? (cells[column] ?? '').padEnd(width) : (cells[column] ?? '').padStart(width),
      )
      .join(' | ')} |`
  const rule = widths.map((width, column) =>
    column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  )
  return [line(header), line(rule), ...rows.map(line)].join('\n')
}

/** `31 times` says that ours takes a thirty-first of theirs; below one, we are slower. */
export function formatFaster(ours: number | undefined, theirs: number | undefined): string {
  if (ours === undefined || theirs === undefined || !(ours > 0) || Number.isNaN(theirs)) return '–'
  return `${significant(theirs / ours)} times`
}

/** The same items beginning with another one, so that nobody is always first. */
export function rotated<Item>(items: readonly Item[], by: number): Item[] {
  const start = items.length > 0 ? by % items.length : 0
  return [...items.slice(start), ...items.slice(0, start)]
}

export interface BenchOptions {
  /** Fewer questions and rounds: about a minute and a half. */
  readonly quick: boolean
  /** The evaluation set to measure on. */
  readonly set: string
}

const QUICK = 'CAIRN_BENCH_QUICK'
const SET = 'CAIRN_BENCH_SET'

/** Flags of this process, or what `bench/run.ts` passed on. */
export function benchOptions(args: readonly string[] = process.argv.slice(2)): BenchOptions {
  const set = args.indexOf('--set')
  return {
    quick: args.includes('--quick') || Boolean(process.env[QUICK]),
    set: (set >= 0 ? args[set + 1] : undefined) ?? process.env[SET] ?? 'vault-mdn',
  }
}

export function benchEnvironment({ quick, set }: BenchOptions): Record<string, string> {
  return { ...(quick && { [QUICK]: '1' }), [SET]: set }
}

const PANEL = 'bench-panel '

/** Groups of bars for the chart; null where an engine has no figure. */
export interface Panel {
  readonly title: string
  readonly unit: string
  readonly series: readonly string[]
  readonly groups: readonly {
    readonly label: string
    readonly values: readonly (number | null)[]
  }[]
}

export function panel(figures: Panel): void {
  if (process.env[GATHERING]) process.stdout.write(`${PANEL}${JSON.stringify(figures)}\n`)
}

const HEADLINE = 'bench-headline '
/** Set by `bench/run.ts`, which gathers the headlines of all benchmarks. */
export const GATHERING = 'CAIRN_BENCH_GATHERING'

/** A figure for the summary: what was measured, how it is shown, and what we aim for. */
export interface Headline {
  readonly what: string
  readonly measured: string
  readonly aim?: string
  /** Whether the aim was reached; undefined when there is none. */
  readonly met?: boolean
}

export function headline(line: Headline): void {
  if (process.env[GATHERING]) process.stdout.write(`${HEADLINE}${JSON.stringify(line)}\n`)
}

/** Takes the headlines and chart panels out of what a benchmark printed. */
export function splitHeadlines(output: string): {
  text: string
  headlines: Headline[]
  panels: Panel[]
} {
  const lines = output.split('\n')
  const after = (mark: string): unknown[] =>
    lines
      .filter((line) => line.startsWith(mark))
      .map((line): unknown => JSON.parse(line.slice(mark.length)))
  return {
    text: lines.filter((line) => !line.startsWith(HEADLINE) && !line.startsWith(PANEL)).join('\n'),
    headlines: after(HEADLINE) as Headline[],
    panels: after(PANEL) as Panel[],
  }
}

const RESULT = 'bench-result '

/** Hands a figure from a measuring process to the one that prints. */
export function report(result: unknown): void {
  process.stdout.write(`${RESULT}${JSON.stringify(result)}\n`)
}

/**
 * Runs a script in a process of its own, so that memory and warm-up of one measurement do not
 * colour the next, and returns what it handed to `report`.
 */
export async function measureInChild<Result>(
  script: string,
  args: readonly string[] = [],
): Promise<Result> {
  const { stdout } = await run(process.execPath, ['--expose-gc', script, ...args], {
    cwd: PROJECT,
    maxBuffer: 64 * 2 ** 20,
  })
  const line = stdout.split('\n').findLast((text) => text.startsWith(RESULT))
  if (!line) throw new Error(`${script} ${args.join(' ')} reported nothing`)
  return JSON.parse(line.slice(RESULT.length)) as Result
}

/** Resident memory of this process after a garbage collection, in bytes. */
export function settledMemory(): number {
  const { gc } = globalThis as { gc?: () => void }
  for (let i = 0; i < 3; i++) gc?.()
  return process.memoryUsage().rss
}

/** All files in a folder together, with the journals a database keeps beside itself. */
export function folderBytes(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => {
      // A journal may vanish between the listing and the reading.
      const found = statSync(join(parentPath, name), { throwIfNoEntry: false })
      return sum + (found?.size ?? 0)
    }, 0)
}

export interface ProcessMemory {
  /** Bytes in memory now. */
  readonly resident: number
  /** The most there ever was, where the system tells (Linux). */
  readonly peak: number | undefined
}

/** Memory of another process; undefined when it is gone or cannot be asked. */
export async function processMemory(pid: number): Promise<ProcessMemory | undefined> {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const bytes = (field: string): number | undefined => {
      const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]
      return kilobytes ? Number(kilobytes) * 1024 : undefined
    }
    const resident = bytes('VmRSS')
    if (resident) return { resident, peak: bytes('VmHWM') }
  } catch {
    // Not Linux, or gone: `ps` knows on other systems.
  }
  try {
    const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(pid)])
    const resident = Number(stdout.trim()) * 1024
    return resident > 0 ? { resident, peak: undefined } : undefined
  } catch {
    return undefined
  }
}

/** Bytes resident now in a process and all processes it has started, where the system tells (Linux). */
export function treeMemory(pid: number): { bytes: number; processes: number } {
  let bytes = 0
  let processes = 0
  for (const waiting = [pid]; waiting.length > 0;) {
    const next = waiting.pop()!
    try {
      const pages = readFileSync(`/proc/${next}/statm`, 'utf8').split(' ')[1]
      bytes += Number(pages) * 4096
      processes++
      for (const task of readdirSync(`/proc/${next}/task`)) {
        const children = readFileSync(`/proc/${next}/task/${task}/children`, 'utf8')
        waiting.push(...children.split(' ').filter(Boolean).map(Number))
      }
    } catch {
      // It ended while it was looked at, or the system has no such files.
    }
  }
  return { bytes, processes }
}

/** Milliseconds of processor time of a process and all it has started, where the system tells (Linux). */
export function treeCpuMs(pid: number): number {
  let ticks = 0
  for (const waiting = [pid]; waiting.length > 0;) {
    const next = waiting.pop()!
    try {
      const stat = readFileSync(`/proc/${next}/stat`, 'utf8')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      // Its own, and that of children which have ended.
      ticks += [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at] ?? 0), 0)
      for (const task of readdirSync(`/proc/${next}/task`)) {
        const children = readFileSync(`/proc/${next}/task/${task}/children`, 'utf8')
        waiting.push(...children.split(' ').filter(Boolean).map(Number))
      }
    } catch {
      // It ended while it was looked at, or the system has no such files.
    }
  }
  return 10 * ticks
}

/**
 * The folder of an evaluation set, unpacked once into the system's temporary folder. The sets have
 * licences of their own and are not part of this repository: without them the answer is undefined.
 */
export async function findEvaluationSet(name: string): Promise<string | undefined> {
  const home = process.env['CAIRN_EVAL'] ?? resolve(PROJECT, '../shared/eval')
  if (existsSync(join(home, name, 'docs'))) return join(home, name)
  const unpack = join(home, 'unpack')
  if (!existsSync(unpack) || !existsSync(join(home, `${name}.tar.xz`))) return undefined
  const cache = join(tmpdir(), 'cairn-eval')
  if (!existsSync(join(cache, name))) await unpackInto(cache, unpack, name)
  return join(cache, name)
}

/** Unpacks beside the cache and moves the whole, so that an interrupted run leaves no half a set. */
async function unpackInto(cache: string, unpack: string, name: string): Promise<void> {
  mkdirSync(cache, { recursive: true })
  const beside = mkdtempSync(join(cache, '.unpacking-'))
  try {
    await run('sh', [unpack, beside, name])
    renameSync(join(beside, name), join(cache, name))
  } finally {
    rmSync(beside, { recursive: true, force: true })
  }
}

export const NO_EVALUATION_SETS =
  'The evaluation sets are not here: set CAIRN_EVAL to the folder that holds them and `unpack`.'
