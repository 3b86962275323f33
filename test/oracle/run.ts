/**
 * Records what every tool answers, or compares a build with such a recording.
 *
 *   npm run oracle -- record DIR [--program bin/cairn.js] [--only TEXT] [--jobs N]
 *   npm run oracle -- compare DIR [--program bin/cairn.js] [--only TEXT] [--jobs N]
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { differencesOf } from './differences.ts'
import type { Difference, Recorded } from './differences.ts'
import { play } from './play.ts'
import { labelOf } from './sequence.ts'
import type { Sequence } from './sequence.ts'
import { SEQUENCES } from './sequences.ts'

const USAGE = 'npm run oracle -- record|compare DIR [--program bin/cairn.js] [--only TEXT]'
const OWN_PROGRAM = resolve(import.meta.dirname, '../../bin/cairn.js')
/** Lines that are shown of one difference; `--all` shows the rest. */
const SHOWN = 24

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      program: { type: 'string' },
      only: { type: 'string' },
      jobs: { type: 'string', default: '2' },
      all: { type: 'boolean', default: false },
    },
  })
  const [action, folder] = positionals
  if (folder === undefined || (action !== 'record' && action !== 'compare')) {
    process.stderr.write(`${USAGE}\n`)
    return 2
  }
  const program = values.program === undefined ? OWN_PROGRAM : resolve(values.program)
  const chosen = SEQUENCES.filter((sequence) => isMeant(sequence, values.only))
  const began = performance.now()
  const { recordings, failures } = await playAll(program, chosen, Number(values.jobs))
  const calls = recordings.reduce((sum, { steps }) => sum + steps.length, 0)
  const seconds = ((performance.now() - began) / 1_000).toFixed(0)
  const counted = `${calls} calls in ${recordings.length} sequences, ${seconds} s`
  for (const difference of failures) process.stdout.write(shown(difference, true))
  if (action === 'record') {
    if (failures.length > 0) return 1
    record(resolve(folder), recordings, values.only)
    process.stdout.write(`recorded ${counted}\n`)
    return 0
  }
  const found = recordings
    .flatMap((now) => differencesOf(recordingIn(resolve(folder), now.name), now))
    .filter(({ sequence, what }) => mentions(`${sequence} ${what}`, values.only))
  for (const difference of found) process.stdout.write(shown(difference, values.all))
  const count = found.length + failures.length
  process.stdout.write(`${count} differences in ${counted}\n`)
  return count === 0 ? 0 : 1
}

function mentions(text: string, only: string | undefined): boolean {
  return only === undefined || text.includes(only)
}

/** A sequence is played whole, because its calls build on each other. */
function isMeant(sequence: Sequence, only: string | undefined): boolean {
  return sequence.steps.some((step) => mentions(`${sequence.name} ${labelOf(step)}`, only))
}

async function playAll(
  program: string,
  sequences: readonly Sequence[],
  jobs: number,
): Promise<{ recordings: Recorded[]; failures: Difference[] }> {
  const played: (Recorded | undefined)[] = []
  const failures: Difference[] = []
  const waiting = [...sequences.entries()]
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [at, sequence] = next
      const began = performance.now()
      try {
        played[at] = await play(program, sequence)
      } catch (error) {
        const lines = String(error).split('\n')
        failures.push({ sequence: sequence.name, what: 'could not be played', lines })
      }
      const seconds = ((performance.now() - began) / 1_000).toFixed(1)
      process.stderr.write(`${sequence.name}, ${sequence.steps.length} calls, ${seconds} s\n`)
    }
  }
  await Promise.all(Array.from({ length: jobs }, work))
  return { recordings: played.filter((each) => each !== undefined), failures }
}

/** A whole recording takes the place of an older one; a part of it replaces that part. */
function record(folder: string, recordings: readonly Recorded[], only: string | undefined): void {
  mkdirSync(folder, { recursive: true })
  if (only === undefined) {
    for (const file of readdirSync(folder)) {
      if (file.endsWith('.oracle.json')) rmSync(join(folder, file))
    }
  }
  for (const recorded of recordings) {
    writeFileSync(fileOf(folder, recorded.name), `${JSON.stringify(recorded, undefined, 1)}\n`)
  }
}

function recordingIn(folder: string, name: string): Recorded | undefined {
  const file = fileOf(folder, name)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Recorded) : undefined
}

function fileOf(folder: string, name: string): string {
  return join(folder, `${name.replaceAll('/', '.')}.oracle.json`)
}

function shown({ sequence, what, lines }: Difference, all: boolean): string {
  const cut = all ? lines : lines.slice(0, SHOWN)
  const rest = lines.length - cut.length
  const more = rest > 0 ? [`  … ${rest} more lines; --all shows them`] : []
  return `${[`${sequence}  ${what}`, ...cut, ...more].join('\n')}\n\n`
}

process.exitCode = await main()
