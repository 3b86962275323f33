/**
 * One question from a shell: a program that starts, answers and ends, on an index that is there. Its
 * time on the processor is what counts, as every question pays all of it.
 *
 *     node bench/shell.ts [--quick]
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { goal } from './goals.ts'
import {
  benchOptions,
  findEvaluationSet,
  formatMs,
  markdownTable,
  NO_EVALUATION_SETS,
  percentile,
} from './harness.ts'
import { readOwnQuestions } from './questions.ts'
import { BINARY } from './stdio-server.ts'
import { readFiles } from './vault.ts'

const { quick } = benchOptions()
const NOTES = 6_571
const TIMES = quick ? 5 : 15

/** What qmd 2.8 took for a search by words when it was measured by hand; it is not part of this run. */
const QMD = '0.20 to 0.28 s, its own figure from an earlier day'

/** Milliseconds of processor time of all processes that this one has started and that have ended. */
function endedCpuMs(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return 10 * (Number(fields[13]) + Number(fields[14]))
}

function cairn(...args: readonly string[]): { readonly ms: number; readonly cpuMs: number } {
  const [begin, before] = [performance.now(), endedCpuMs()]
  const { status, stderr } = spawnSync(process.execPath, [BINARY, ...args], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`cairn ${args[0]} ended with ${status}\n${stderr}`)
  return { ms: performance.now() - begin, cpuMs: endedCpuMs() - before }
}

async function main(): Promise<void> {
  console.log(`## One search from a shell, ${NOTES.toLocaleString('en')} notes of vault-mdn\n`)
  const set = await findEvaluationSet('vault-mdn')
  if (!set || process.platform !== 'linux') {
    console.log(set ? 'Measured on Linux only.' : NO_EVALUATION_SETS)
    return
  }
  const place = mkdtempSync(join(tmpdir(), 'cairn-bench-'))
  try {
    const docs = join(place, 'docs')
    for (const { path } of readFiles(join(set, 'docs')).slice(0, NOTES)) {
      mkdirSync(dirname(join(docs, path)), { recursive: true })
      cpSync(join(set, 'docs', path), join(docs, path))
    }
    const where = ['--folder', docs, '--state', join(place, 'state')]
    cairn('index', docs, '--state', join(place, 'state'))
    const questions = readOwnQuestions(set, TIMES + 1)
    const [, ...taken] = questions.map(({ text }) => cairn('search', text, ...where))
    const middle = (key: 'ms' | 'cpuMs'): number =>
      percentile(
        taken.map((each) => each[key]),
        0.5,
      )
    const [ms, cpuMs] = [middle('ms'), middle('cpuMs')]
    console.log(
      markdownTable(
        [`middle of ${taken.length} questions`, 'processor', 'by the clock'],
        [
          ['cairn search', formatMs(cpuMs), formatMs(ms)],
          ['qmd search', QMD, ''],
        ],
      ),
    )
    goal('shell', cpuMs, formatMs(cpuMs))
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

await main()
