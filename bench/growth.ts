/**
 * How time grows with the notes: 10,000, 50,000 and 200,000 passages, the larger ones made of the
 * same notes several times over with changed words. The same questions are asked at every size.
 *
 *     node bench/growth.ts [--quick] [--set NAME]
 *
 * Orama takes part at the smallest size: it needs minutes for the others.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildEngines, ENGINE_PROGRAM } from './build-engines.ts'
import { EngineProcess, ENGINES } from './engine-process.ts'
import type { Asked, Built, EngineName } from './engine-process.ts'
import { findOrama } from './engines/orama.ts'
import {
  benchOptions,
  calibrate,
  describeCalibration,
  findEvaluationSet,
  formatFaster,
  formatMs,
  headline,
  markdownTable,
  NO_EVALUATION_SETS,
  panel,
  percentile,
  rotated,
} from './harness.ts'
import { drawQuestions, readOwnQuestions } from './questions.ts'
import type { QuestionClass, QuestionKey } from './questions.ts'
import { growNotes, parseNote, readFiles } from './vault.ts'

const { quick, set: setName } = benchOptions()

const SIZES = quick ? [4_000, 16_000] : [10_000, 50_000, 200_000]
const QUESTIONS = quick ? 20 : 60
const ROUNDS = 1
const BUDGET_MS = quick ? 400 : 1_000
const CLASSES: readonly QuestionKey[] = ['one', 'three', 'ten', 'hybrid']

interface SizeFigures {
  readonly passages: number
  readonly builds: ReadonlyMap<EngineName, Built>
  /** Times by class and engine. */
  readonly times: ReadonlyMap<string, Map<EngineName, number[]>>
  /** The processor's time for one answer, likewise. */
  readonly cpu: ReadonlyMap<string, Map<EngineName, number>>
}

async function main(): Promise<void> {
  console.log(`## Growth, ${setName} and changed copies of it\n`)
  const set = await findEvaluationSet(setName)
  if (!set) {
    console.log(NO_EVALUATION_SETS)
    return
  }
  console.log(`${describeCalibration(calibrate())}\n`)
  const docs = join(set, 'docs')
  // Questions about what is in every size.
  const common = growNotes(readFiles(docs).map(parseNote), SIZES[0]!)
  const all = drawQuestions(common, QUESTIONS, readOwnQuestions(set, QUESTIONS))
  const classes: QuestionClass[] = all.filter(({ key }) => CLASSES.includes(key))
  const figures: SizeFigures[] = []
  await buildEngines()
  for (const size of SIZES) figures.push(await measureSize(docs, size, classes))
  print(figures, classes)
}

/** The others take part at the smallest size: Orama would need minutes for the second. */
function enginesFor(size: number): EngineName[] {
  const smallest = size === SIZES[0]
  return [
    'cairn',
    'fts5',
    ...(smallest ? (['minisearch'] as const) : []),
    ...(smallest && findOrama() !== undefined ? (['orama'] as const) : []),
  ]
}

async function measureSize(
  docs: string,
  passages: number,
  classes: readonly QuestionClass[],
): Promise<SizeFigures> {
  const place = mkdtempSync(join(tmpdir(), 'cairn-bench-'))
  const engines: EngineProcess[] = []
  const builds = new Map<EngineName, Built>()
  const times = new Map(classes.map(({ key }) => [key, new Map<EngineName, number[]>()]))
  const cpu = new Map(classes.map(({ key }) => [key, new Map<EngineName, number>()]))
  try {
    for (const name of enginesFor(passages)) {
      const own = join(place, name)
      mkdirSync(own)
      process.stderr.write(`  building ${ENGINES[name].title} with ${passages} passages …\n`)
      const engine = new EngineProcess(name, ENGINE_PROGRAM)
      engines.push(engine)
      builds.set(name, await engine.build({ docs, place: own, passages }))
    }
    for (let round = 0; round < ROUNDS; round++) {
      for (const [c, { key, manner, questions }] of classes.entries()) {
        for (const engine of rotated(engines, round + c)) {
          const asked: Asked | undefined = await engine.ask(manner, questions, BUDGET_MS)
          if (!asked) continue
          cpu.get(key)!.set(engine.name, asked.cpuMs)
          const known = times.get(key)!
          known.set(engine.name, [...(known.get(engine.name) ?? []), ...asked.times])
        }
      }
    }
  } finally {
    for (const engine of engines) await engine.close()
    rmSync(place, { recursive: true, force: true })
  }
  return { passages: builds.get('cairn')!.passages, builds, times, cpu }
}

const SHOWN: readonly EngineName[] = ['cairn', 'fts5', 'minisearch', 'orama']

function print(figures: readonly SizeFigures[], classes: readonly QuestionClass[]): void {
  const [smallest] = figures
  const largest = figures.at(-1)!
  const orama = findOrama() !== undefined
  const shown = SHOWN.filter((name) => name !== 'orama' || orama)
  const p50 = (size: SizeFigures, key: string, name: EngineName): number | undefined => {
    const times = size.times.get(key)?.get(name)
    return times && percentile(times, 0.5)
  }
  const grown = (key: string, name: EngineName): number =>
    (p50(largest, key, name) ?? NaN) / (p50(smallest!, key, name) ?? NaN)
  const grownCpu = (key: string, name: EngineName): number =>
    (largest.cpu.get(key)?.get(name) ?? NaN) / (smallest!.cpu.get(key)?.get(name) ?? NaN)
  const rows = classes.flatMap(({ key, title }) =>
    figures.map((size) => [
      `${title}, ${size.passages.toLocaleString('en')}`,
      ...shown.map((name) => formatMs(p50(size, key, name))),
      formatFaster(p50(size, key, 'cairn'), p50(size, key, 'fts5')),
      formatFaster(size.cpu.get(key)?.get('cairn'), size.cpu.get(key)?.get('fts5')),
    ]),
  )
  const titles = shown.map((name) => ENGINES[name].title)
  console.log(markdownTable(['p50, passages', ...titles, 'vs FTS5', 'by CPU'], rows))
  if (!orama) {
    console.log('\nOrama is not installed here; CAIRN_BENCH_ORAMA names a folder that has it.')
  }
  console.log('\n### Building at each size\n')
  console.log(
    markdownTable(
      ['passages', ...titles.map((title) => `${title} words`), 'Cairn everything'],
      figures.map(({ passages, builds }) => [
        passages.toLocaleString('en'),
        ...shown.map((name) => formatMs(builds.get(name)?.wordsMs)),
        formatMs(builds.get('cairn')?.everythingMs),
      ]),
    ),
  )
  const factor = largest.passages / smallest!.passages
  console.log(`\n### From the smallest to the largest: ${factor.toFixed(0)} times the passages\n`)
  const times = (value: number): string => (Number.isNaN(value) ? '–' : `${value.toFixed(1)} times`)
  console.log(
    markdownTable(
      ['the time of', 'Cairn', 'FTS5', 'Cairn, CPU', 'FTS5, CPU'],
      classes.map(({ key, title }) => [
        title,
        times(grown(key, 'cairn')),
        times(grown(key, 'fts5')),
        times(grownCpu(key, 'cairn')),
        times(grownCpu(key, 'fts5')),
      ]),
    ),
  )
  panel({
    title: '10 words, p50, as the notes grow',
    unit: 'ms',
    series: ['Cairn', 'FTS5', 'MiniSearch'],
    groups: figures.map((size) => ({
      label: `${Math.round(size.passages / 1000)}k`,
      values: (['cairn', 'fts5', 'minisearch'] as const).map(
        (name) => p50(size, 'ten', name) ?? null,
      ),
    })),
  })
  for (const { key, title } of classes.filter(
    (kind) => kind.key === 'ten' || kind.key === 'hybrid',
  )) {
    headline({
      what: `${title}: p50 at ${factor.toFixed(0)} times the passages`,
      measured: `${times(grown(key, 'cairn'))} (${formatMs(p50(largest, key, 'cairn'))}; by CPU ${times(grownCpu(key, 'cairn'))})`,
      aim: `< ${factor.toFixed(0)} times`,
      met: grown(key, 'cairn') < factor,
    })
  }
}

await main()
