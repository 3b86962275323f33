/**
 * All benchmarks, one after the other, each in a process of its own, as one Markdown document with
 * a summary at the end.
 *
 *     npm run bench                       everything
 *     npm run bench -- --quick            search, server, shell and load, fewer questions
 *     npm run bench -- --chart            also writes docs/benchmarks.md and docs/bench.svg
 *     npm run bench -- --web              the page alone, in a real browser
 *     npm run bench -- --store            PostgreSQL beside the embedded index: answers, bases, writers
 *     npm run bench -- search server      some of them; --set NAME measures on another set
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  benchEnvironment,
  calibrate,
  describeCalibration,
  formatMs,
  GATHERING,
  markdownTable,
  splitHeadlines,
  type BenchOptions,
  type Headline,
  type Panel,
} from './harness.ts'
import { goalTable, splitGoals, type Reached } from './goals.ts'
import { describeLoad, describeMachine, writeDocument } from './write-document.ts'

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
/** What a quick run does when nothing is named. */
const QUICK = ['search', 'server', 'shell', 'load'] as const

interface Outcome {
  readonly name: string
  readonly state: 'done' | 'failed' | 'absent'
  readonly ms: number
  readonly text: string
  readonly headlines: readonly Headline[]
  readonly panels: readonly Panel[]
  readonly reached: readonly Reached[]
}

async function runBenchmark(name: string, options: BenchOptions): Promise<Outcome> {
  const script = join(import.meta.dirname, `${name}.ts`)
  if (!existsSync(script)) {
    return { name, state: 'absent', ms: 0, text: '', headlines: [], panels: [], reached: [] }
  }
  process.stderr.write(`Running ${name} …\n`)
  const begin = performance.now()
  const { output, code } = await outputOf(script, options)
  const ms = performance.now() - begin
  const { reached, text: printed } = splitGoals(output)
  const { text, headlines, panels } = splitHeadlines(printed)
  console.log(`${text.trim()}\n`)
  const state = code === 0 ? 'done' : 'failed'
  return { name, state, ms, text: text.trim(), headlines, panels, reached }
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

function summaryOf(outcomes: readonly Outcome[]): string {
  const rows = outcomes
    .flatMap((outcome) => outcome.headlines)
    .map(({ what, measured, aim = '', met }) => [
      what,
      aim,
      measured,
      met === undefined ? '' : met ? 'met' : 'not met',
    ])
  return `## What else has an aim\n\n${markdownTable(['what', 'aim', 'measured', 'met'], rows)}`
}

function durationsOf(outcomes: readonly Outcome[]): string {
  const rows = outcomes.map(({ name, state, ms }) => [
    name,
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
  const before = [`${describeCalibration(calibrate())}`, describeLoad('when it began')]
  console.log(`${before.join(' ')}\n`)
  const outcomes: Outcome[] = []
  for (const name of names) outcomes.push(await runBenchmark(name, options))
  const after = [`${describeCalibration(calibrate())}`, describeLoad('when it ended')]
  const summary = summaryOf(outcomes)
  const reached = outcomes.flatMap((outcome) => outcome.reached)
  const goals = `## Goals\n\n${goalTable(reached)}`
  console.log(`${after.join(' ')}\n\n${goals}\n\n${summary}\n\n${durationsOf(outcomes)}`)
  if (chart) {
    const written = await writeDocument({
      noise: [before.join(' '), after.join(' ')],
      reached,
      summary,
      sections: outcomes.map(({ text }) => text),
      panels: outcomes.flatMap(({ panels }) => panels),
      quick: options.quick,
    })
    process.stderr.write(`Wrote ${written.join(' and ')}.\n`)
  }
  // A missed aim is news and not an error; a benchmark that broke is.
  process.exitCode = outcomes.some(({ state }) => state === 'failed') ? 1 : 0
}

const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    chart: { type: 'boolean', default: false },
    web: { type: 'boolean', default: false },
    store: { type: 'boolean', default: false },
    set: { type: 'string', default: 'vault-mdn' },
  },
})
const known: readonly string[] = [...BENCHMARKS, ...STORES]
const unknown = wanted.filter((name) => !known.includes(name))
if (unknown.length > 0) {
  console.error(`No such benchmark: ${unknown.join(', ')}. There are ${known.join(', ')}.`)
  process.exitCode = 2
} else {
  const alone = values.store ? STORES : values.web ? ['web'] : undefined
  const usual = alone ?? (values.quick ? QUICK : BENCHMARKS)
  await main(wanted.length > 0 ? wanted : usual, values)
}
