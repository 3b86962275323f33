/**
 * All benchmarks, one after the other, each in a process of its own, as one Markdown document with
 * a summary at the end: `npm run bench`, or `node bench/run.ts graph server` for some of them.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  calibrate,
  describeCalibration,
  formatMs,
  GATHERING,
  markdownTable,
  splitHeadlines,
  type Headline,
} from './harness.ts'

/** In the order in which they run. Each is a file here that prints Markdown. */
const BENCHMARKS = ['markdown', 'lexical', 'graph', 'server'] as const

interface Outcome {
  readonly name: string
  readonly state: 'done' | 'failed' | 'absent'
  readonly ms: number
  readonly headlines: readonly Headline[]
}

async function runBenchmark(name: string): Promise<Outcome> {
  const script = join(import.meta.dirname, `${name}.ts`)
  if (!existsSync(script)) return { name, state: 'absent', ms: 0, headlines: [] }
  process.stderr.write(`Running ${name} …\n`)
  const begin = performance.now()
  const { output, code } = await outputOf(script)
  const ms = performance.now() - begin
  const { text, headlines } = splitHeadlines(output)
  console.log(`${text.trim()}\n`)
  return { name, state: code === 0 ? 'done' : 'failed', ms, headlines }
}

function outputOf(script: string): Promise<{ output: string; code: number }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--expose-gc', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, [GATHERING]: '1' },
    })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.on('error', reject)
    child.on('close', (code) => resolve({ output, code: code ?? 1 }))
  })
}

function printSummary(outcomes: readonly Outcome[]): void {
  console.log('## Summary\n')
  const headlines = outcomes.flatMap((outcome) => outcome.headlines)
  if (headlines.length > 0) {
    const rows = headlines.map(({ what, measured, aim = '', met }) => [
      what,
      measured,
      aim,
      met === undefined ? '' : met ? 'yes' : 'no',
    ])
    console.log(`${markdownTable(['what', 'measured', 'aim', 'met'], rows)}\n`)
  }
  const rows = outcomes.map(({ name, state, ms }) => [
    name,
    state,
    state === 'absent' ? '–' : formatMs(ms),
  ])
  console.log(markdownTable(['benchmark', 'state', 'took'], rows))
}

async function main(names: readonly string[]): Promise<void> {
  const { node } = process.versions
  console.log(`# Benchmarks\n\nNode ${node}, ${process.platform} ${process.arch}.`)
  console.log(`${describeCalibration(calibrate())}\n`)
  const outcomes: Outcome[] = []
  for (const name of names) outcomes.push(await runBenchmark(name))
  printSummary(outcomes)
  // A missed aim is news and not an error; a benchmark that broke is.
  process.exitCode = outcomes.some(({ state }) => state === 'failed') ? 1 : 0
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !BENCHMARKS.some((known) => known === name))
if (unknown.length > 0) {
  console.error(`No such benchmark: ${unknown.join(', ')}. There are ${BENCHMARKS.join(', ')}.`)
  process.exitCode = 2
} else {
  await main(wanted.length > 0 ? wanted : BENCHMARKS)
}
