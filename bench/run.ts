/**
 * All benchmarks, one after the other, each in a process of its own, as one Markdown document with
 * a summary at the end. What they show is kept in `bench/out`, and the page is written from that: it
 * may be measured in parts.
 *
 *     npm run bench                       everything
 *     npm run bench -- --quick            search, server, shell and load, fewer questions
 *     npm run bench -- --chart            also writes docs/benchmarks.md and docs/bench.svg
 *     npm run bench -- --page             writes them from what was measured before
 *     npm run bench -- --web              the page alone, in a real browser
 *     npm run bench -- --store            PostgreSQL beside the embedded index: answers, bases, writers
 *     npm run bench -- search server      some of them; --set NAME measures on another set
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  benchEnvironment,
  calibrate,
  formatMs,
  GATHERING,
  markdownTable,
  splitHeadlines,
  type BenchOptions,
} from './harness.ts'
import { goalTable, splitGoals } from './goals.ts'
import { commitHere, keep, lastOfEach, reachedIn, readKept, type Kept } from './kept.ts'
import { describeMachine, writeDocument } from './write-document.ts'

/** In the order in which they run. Each is a file here that prints Markdown. */
const BENCHMARKS = [
  'search',
  'growth',
  'server',
  'shell',
  'load',
  'large',
  'graph',
  'layout',
  'markdown',
  'cortex',
  'web',
] as const
/** With a PostgreSQL server beside the embedded index; only when asked for. */
const STORES = ['store', 'bases', 'writers'] as const
const PAGE_SET = 'vault-mdn'
/** What a quick run does when nothing is named. */
const QUICK = ['search', 'server', 'shell', 'load'] as const

interface Outcome {
  readonly state: 'done' | 'failed' | 'absent'
  readonly ms: number
  readonly kept: Kept
}

async function runBenchmark(name: string, options: BenchOptions): Promise<Outcome> {
  const script = join(import.meta.dirname, `${name}.ts`)
  const about = { name, quick: options.quick, at: new Date().toISOString(), commit: commitHere() }
  const nothing = { noise: ['', ''], text: '', headlines: [], panels: [], reached: [] } as const
  if (!existsSync(script)) return { state: 'absent', ms: 0, kept: { ...about, ...nothing } }
  process.stderr.write(`Running ${name} …\n`)
  const before = describeNoise()
  const begin = performance.now()
  const { output, code } = await outputOf(script, options)
  const ms = performance.now() - begin
  const noise = [before, describeNoise()] as const
  const { reached, text: printed } = splitGoals(output)
  const { text, headlines, panels } = splitHeadlines(printed)
  console.log(`${text.trim()}\n`)
  const kept = { ...about, noise, text: text.trim(), headlines, panels, reached }
  return { state: code === 0 ? 'done' : 'failed', ms, kept }
}

/** How much a fixed loop varied, and how many processes wanted to run, the measured ones included. */
function describeNoise(): string {
  const [minute] = loadavg()
  return `noise ${Math.round(100 * calibrate().noise)} %, load ${minute!.toFixed(1)}`
}

function outputOf(
  script: string,
  options: BenchOptions,
): Promise<{ output: string; code: number }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--expose-gc', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...benchEnvironment(options), [GATHERING]: '1' },
    })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.on('error', reject)
    child.on('close', (code) => resolve({ output, code: code ?? 1 }))
  })
}

function summaryOf(measured: readonly Kept[]): string {
  const rows = measured
    .flatMap(({ headlines }) => headlines)
    .map(({ what, measured, aim = '', met }) => [
      what,
      aim,
      measured,
      met === undefined ? '' : met ? 'met' : 'not met',
    ])
  return `## What else has an aim\n\n${markdownTable(['what', 'aim', 'measured', 'met'], rows)}`
}

function durationsOf(outcomes: readonly Outcome[]): string {
  const rows = outcomes.map(({ kept, state, ms }) => [
    kept.name,
    state,
    state === 'absent' ? '–' : formatMs(ms),
  ])
  return markdownTable(['benchmark', 'state', 'took'], rows)
}

async function main(
  names: readonly string[],
  { chart, ...options }: BenchOptions & { readonly chart: boolean },
): Promise<void> {
  console.log(`# Benchmarks\n\n${describeMachine()}\n`)
  const outcomes: Outcome[] = []
  for (const name of names) {
    const outcome = await runBenchmark(name, options)
    outcomes.push(outcome)
    // Goals are about one set, and the page as well.
    if (outcome.state === 'done' && options.set === PAGE_SET) keep(outcome.kept)
  }
  const measured = outcomes.map(({ kept }) => kept)
  const goals = `## Goals\n\n${goalTable(reachedIn(measured))}`
  console.log(`${goals}\n\n${summaryOf(measured)}\n\n${durationsOf(outcomes)}`)
  if (chart) await writePage()
  // A missed aim is news and not an error; a benchmark that broke is.
  process.exitCode = outcomes.some(({ state }) => state === 'failed') ? 1 : 0
}

/** From what is kept: of every benchmark its last run, of every goal what was measured last. */
async function writePage(): Promise<void> {
  const kept = readKept()
  if (kept.length === 0) throw new Error('Nothing was measured here yet: npm run bench -- --quick')
  const measured = lastOfEach(kept, BENCHMARKS)
  const written = await writeDocument({
    measured,
    reached: reachedIn(kept),
    summary: summaryOf(measured),
  })
  process.stderr.write(`Wrote ${written.join(' and ')}.\n`)
}

const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    chart: { type: 'boolean', default: false },
    page: { type: 'boolean', default: false },
    web: { type: 'boolean', default: false },
    store: { type: 'boolean', default: false },
    set: { type: 'string', default: PAGE_SET },
  },
})
const known: readonly string[] = [...BENCHMARKS, ...STORES]
const unknown = wanted.filter((name) => !known.includes(name))
if (unknown.length > 0) {
  console.error(`No such benchmark: ${unknown.join(', ')}. There are ${known.join(', ')}.`)
  process.exitCode = 2
} else if (values.page) {
  await writePage()
} else {
  const alone = values.store ? STORES : values.web ? ['web'] : undefined
  const usual = alone ?? (values.quick ? QUICK : BENCHMARKS)
  await main(wanted.length > 0 ? wanted : usual, values)
}
