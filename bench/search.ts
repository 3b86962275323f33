/**
 * Search against its peers: this project's real pipeline, SQLite FTS5 and MiniSearch index the same
 * notes and answer the same questions in one run, in turns. Where the machine is busy, the columns
 * with the processor's time say more than those with the clock's.
 *
 *     node bench/search.ts [--quick] [--set NAME]
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildEngines, ENGINE_PROGRAM } from './build-engines.ts'
import { EngineProcess, ENGINES } from './engine-process.ts'
import type { Built, EngineName } from './engine-process.ts'
import type { UpdateFigures } from './engines/engine.ts'
import { goal } from './goals.ts'
import {
  benchOptions,
  calibrate,
  describeCalibration,
  findEvaluationSet,
  formatFaster,
  formatMb,
  formatMs,
  formatRatio,
  headline,
  markdownTable,
  NO_EVALUATION_SETS,
  panel,
  percentile,
  rotated,
} from './harness.ts'
import { drawQuestions, readOwnQuestions } from './questions.ts'
import type { QuestionClass } from './questions.ts'
import { countPassages, parseNote, readFiles } from './vault.ts'
import type { Note } from './vault.ts'

const { quick, set: setName } = benchOptions()

const BUILDS = quick ? 1 : 3
const QUESTIONS = quick ? 30 : 100
const ROUNDS = quick ? 1 : 2
/** For one engine, class and round. */
const BUDGET_MS = quick ? 300 : 1_000
const UPDATES = quick ? 10 : 30

const BUILDERS = ['cairn', 'fts5', 'bareFts5', 'minisearch'] as const
const ASKED = ['cairn', 'fts5', 'minisearch'] as const

type Times = Record<EngineName, number[]>
const noTimes = (): Times => ({ cairn: [], fts5: [], bareFts5: [], minisearch: [], orama: [] })

interface ClassFigures {
  readonly kind: QuestionClass
  readonly times: Times
  readonly found: Partial<Record<EngineName, number>>
  /** The processor's time for one answer, of every round. */
  readonly cpu: Times
}

async function main(): Promise<void> {
  console.log(`## Search, ${setName}\n`)
  const set = await findEvaluationSet(setName)
  if (!set) {
    console.log(NO_EVALUATION_SETS)
    return
  }
  console.log(`${describeCalibration(calibrate())}\n`)
  const place = mkdtempSync(join(tmpdir(), 'cairn-bench-'))
  const engines = new Map<EngineName, EngineProcess>()
  try {
    // A copy: updates edit its files.
    const docs = join(place, 'docs')
    cpSync(join(set, 'docs'), docs, { recursive: true })
    await buildEngines()
    const builds = await buildAll(docs, place, engines)
    const notes = readFiles(docs).map(parseNote)
    printBuilds(builds, notes)
    const classes = await askAll(
      engines,
      drawQuestions(notes, QUESTIONS, readOwnQuestions(set, QUESTIONS)),
    )
    printClasses(classes)
    printUpdates(await updateAll(engines, notes))
    printMemory(builds)
  } finally {
    for (const engine of engines.values()) await engine.close()
    rmSync(place, { recursive: true, force: true })
  }
}

/** Every round in another order; the engines of the last round stay to be asked. */
async function buildAll(
  docs: string,
  place: string,
  engines: Map<EngineName, EngineProcess>,
): Promise<Built[]> {
  const builds: Built[] = []
  for (let round = 0; round < BUILDS; round++) {
    const last = round === BUILDS - 1
    for (const name of rotated(BUILDERS, round)) {
      if (round < BUILDS - buildsOf(name)) continue
      const own = join(place, `${name}-${round}`)
      mkdirSync(own)
      const engine = new EngineProcess(name, ENGINE_PROGRAM)
      engines.set(name, engine)
      process.stderr.write(`  building ${ENGINES[name].title} …\n`)
      // Vectors take longest; their time is known well enough from the later rounds.
      const wordsOnly = name === 'cairn' && round < BUILDS - 2
      builds.push(await engine.build({ docs, place: own, wordsOnly }))
      if (last && name !== 'bareFts5') continue
      await engine.close()
      engines.delete(name)
      rmSync(own, { recursive: true, force: true })
    }
  }
  return builds
}

/** The slow one is built fewer times, and nothing depends on the bare one. */
function buildsOf(name: EngineName): number {
  return name === 'bareFts5' ? 1 : name === 'minisearch' ? 2 : BUILDS
}

async function askAll(
  engines: ReadonlyMap<EngineName, EngineProcess>,
  classes: readonly QuestionClass[],
): Promise<ClassFigures[]> {
  const figures = classes.map((kind) => ({
    kind,
    times: noTimes(),
    cpu: noTimes(),
    found: {} as Partial<Record<EngineName, number>>,
  }))
  for (let round = 0; round < ROUNDS; round++) {
    for (const [c, { kind, times, cpu, found }] of figures.entries()) {
      process.stderr.write(`  asking, round ${round + 1} of ${ROUNDS}: ${kind.title}\n`)
      for (const name of rotated(ASKED, round + c)) {
        const asked = await engines.get(name)?.ask(kind.manner, kind.questions, BUDGET_MS)
        if (!asked) continue
        times[name].push(...asked.times)
        cpu[name].push(asked.cpuMs)
        found[name] = asked.found / asked.times.length
      }
    }
  }
  return figures
}

interface Updated {
  readonly engine: EngineName
  readonly figures: readonly UpdateFigures[]
}

/** Engines take turns on each note. */
async function updateAll(
  engines: ReadonlyMap<EngineName, EngineProcess>,
  notes: readonly Note[],
): Promise<Updated[]> {
  const updated = ASKED.map((engine) => ({ engine, figures: [] as UpdateFigures[] }))
  const step = Math.max(1, Math.floor(notes.length / (UPDATES + 1)))
  for (let n = 0; n < UPDATES; n++) {
    const { path, text } = notes[((n + 1) * step) % notes.length]!
    for (const { engine, figures } of rotated(updated, n)) {
      const word = `quillberry${String.fromCharCode(...[n % 26, Math.floor(n / 26)].map((d) => 97 + d))}moss`
      figures.push(await engines.get(engine)!.update({ path, text }, word))
    }
  }
  return updated
}

type BuildTime =
  'wordsMs' | 'everythingMs' | 'parseMs' | 'wordsCpuMs' | 'everythingCpuMs' | 'parseCpuMs'

/** The middle of all builds of an engine. */
function middle(builds: readonly Built[], engine: EngineName, key: BuildTime): number {
  return percentile(
    builds.filter((build) => build.engine === engine).flatMap((build) => build[key] ?? []),
    0.5,
  )
}

function printBuilds(builds: readonly Built[], notes: readonly Note[]): void {
  const megabytes = notes.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0) / 1e6
  const count = (value: number): string => value.toLocaleString('en')
  console.log(
    `${count(notes.length)} notes, ${count(countPassages(notes))} passages, ${megabytes.toFixed(1)} MB.\n`,
  )
  const of = (name: EngineName, key: BuildTime): number => middle(builds, name, key)
  const disk = (name: EngineName): string => {
    const bytes = builds.findLast(({ engine }) => engine === name)?.diskBytes
    return bytes ? formatMb(bytes) : '–'
  }
  const words = of('cairn', 'wordsMs')
  const everything = of('cairn', 'everythingMs')
  const peer = (title: string, name: EngineName): string[] => [
    title,
    formatMs(of(name, 'wordsMs')),
    formatMs(of(name, 'wordsCpuMs')),
    formatMs(of(name, 'wordsMs') + of(name, 'parseMs')),
    formatRatio(words, of(name, 'wordsMs')),
    formatRatio(of('cairn', 'wordsCpuMs'), of(name, 'wordsCpuMs')),
    formatRatio(everything, of(name, 'wordsMs')),
    disk(name),
  ]
  console.log('### Cold index\n')
  console.log(
    markdownTable(
      ['engine', 'build', 'CPU', 'from files', 'Cairn words', 'by CPU', 'everything', 'on disk'],
      [
        [
          'Cairn, words and links',
          formatMs(words),
          formatMs(of('cairn', 'wordsCpuMs')),
          formatMs(words),
        ],
        [
          'Cairn, everything with vectors',
          formatMs(everything),
          formatMs(of('cairn', 'everythingCpuMs')),
          formatMs(everything),
          '',
          '',
          '',
          disk('cairn'),
        ],
        peer('FTS5 with a text table, on disk', 'fts5'),
        peer('FTS5 bare, in memory, without text', 'bareFts5'),
        peer('MiniSearch, in memory', 'minisearch'),
      ],
    ),
  )
  console.log(
    '\nThe peers are given parsed passages (build); reading and parsing comes on top (from files). Cairn’s times always begin at the files. The ratios are Cairn’s time by the peer’s build.\n',
  )
  const [fts5, minisearch] = [of('fts5', 'wordsMs'), of('minisearch', 'wordsMs')]
  panel({
    title: 'Cold index',
    unit: 's',
    series: ['Cairn', 'FTS5', 'MiniSearch'],
    groups: [
      { label: 'words', values: [words, fts5, minisearch].map((ms) => ms / 1000) },
      { label: 'words, links and vectors', values: [everything / 1000, null, null] },
    ],
  })
  headline({
    what: 'cold index, words, against MiniSearch',
    measured: `${formatFaster(words, minisearch)} (by CPU ${formatFaster(of('cairn', 'wordsCpuMs'), of('minisearch', 'wordsCpuMs'))})`,
    aim: '≥ 4 times faster',
    met: minisearch >= 4 * words,
  })
  if (setName !== GOALS_ON) return
  const fromFiles = fts5 + of('fts5', 'parseMs')
  const fromFilesCpu = of('fts5', 'wordsCpuMs') + of('fts5', 'parseCpuMs')
  goal('coldWords', words / fromFiles, formatRatio(of('cairn', 'wordsCpuMs'), fromFilesCpu))
  const withMeaning = of('cairn', 'everythingCpuMs')
  goal('coldMeaning', everything / fromFiles, formatRatio(withMeaning, fromFilesCpu))
}

/** The set that the goals are about. */
const GOALS_ON = 'vault-mdn'

function printClasses(classes: readonly ClassFigures[]): void {
  console.log('### Questions\n')
  const p = (times: readonly number[], part: number): number | undefined =>
    times.length > 0 ? percentile(times, part) : undefined
  const both = (times: readonly number[]): string =>
    times.length > 0 ? `${formatMs(p(times, 0.5))} / ${formatMs(p(times, 0.95))}` : '–'
  // What the others cannot do is set beside their words for the same questions.
  const words = (kind: QuestionClass): ClassFigures | undefined =>
    classes.find(
      (other) => other.kind.manner === 'words' && other.kind.questions === kind.questions,
    )
  const rows = classes.map((figures) => {
    const { kind, times } = figures
    const [cairn, fts5, minisearch] = ASKED.map((name) => times[name])
    const beside = fts5!.length > 0 ? fts5! : (words(kind)?.times.fts5 ?? [])
    const ratio = formatFaster(p(cairn!, 0.5), p(beside, 0.5))
    return [
      kind.title,
      both(cairn!),
      both(fts5!),
      both(minisearch!),
      fts5!.length === 0 && beside.length > 0 ? `(${ratio})` : ratio,
      formatFaster(p(cairn!, 0.5), p(minisearch!, 0.5)),
      ASKED.map((name) => formatMs(p(figures.cpu[name], 0.5))).join(' / '),
      foundShares(figures),
    ]
  })
  console.log(
    markdownTable(
      ['p50 / p95', 'Cairn', 'FTS5', 'MiniSearch', 'vs FTS5', 'vs MiniSearch', 'CPU each', 'found'],
      rows,
    ),
  )
  console.log(
    '\nFTS5 joins words with `OR` and sorts by `bm25()`. “12 times” means that Cairn’s median is a twelfth. In brackets: against FTS5’s words for the same questions, as it has neither vectors nor fusion. “CPU each” is the processor’s time for one answer on average, garbage collection and compiling included, and “found” the share of questions with a hit, both in the order of the engines.\n',
  )
  const charted = classes.filter(({ kind }) => kind.key !== 'own' && kind.key !== 'hybrid')
  panel({
    title: 'A question, p50',
    unit: 'ms',
    series: ASKED.map((name) => ENGINES[name].title),
    groups: charted.map(({ kind, times }) => ({
      label: LABELS[kind.key] ?? kind.title,
      values: ASKED.map((name) => p(times[name], 0.5) ?? null),
    })),
  })
  const figuresOf = (key: string): ClassFigures => classes.find(({ kind }) => kind.key === key)!
  const of = (key: string): Times => figuresOf(key).times
  const againstFts5 = (key: string): [number, string] => {
    const { times, cpu } = figuresOf(key)
    const [ours, theirs] = [percentile(times.cairn, 0.5), percentile(times.fts5, 0.5)]
    const [own, other] = [percentile(cpu.cairn, 0.5), percentile(cpu.fts5, 0.5)]
    return [theirs / ours, formatFaster(own, other)]
  }
  if (setName === GOALS_ON) {
    goal('tenWords', ...againstFts5('ten'))
    goal('phrase', ...againstFts5('phrase'))
  }
  const hybrid = Math.max(percentile(of('hybrid').cairn, 0.95), 0)
  const answer = percentile(of('answer').cairn, 0.95)
  headline({
    what: 'hybrid, ranking p95',
    measured: formatMs(hybrid),
    aim: '≤ 5 ms',
    met: hybrid <= 5,
  })
  headline({
    what: 'hybrid, whole answer with snippets, p95',
    measured: formatMs(answer),
    aim: '≤ 5 ms',
    met: answer <= 5,
  })
}

const LABELS: Readonly<Record<string, string>> = {
  ten: '10 words',
  telling: '10 telling',
  typo: 'typo',
  filtered: 'filtered',
  semantic: 'semantic',
  answer: 'hybrid',
  answerTen: 'hybrid, 10',
}

function foundShares({ found }: ClassFigures): string {
  const share = (part: number | undefined): string =>
    part === undefined ? '–' : `${Math.round(part * 100)} %`
  return ASKED.map((name) => share(found[name])).join(' / ')
}

function printUpdates(updated: readonly Updated[]): void {
  console.log('### Update of one note\n')
  const at = (figures: readonly UpdateFigures[], key: keyof UpdateFigures, part: number) =>
    percentile(
      figures.map((each) => each[key] ?? NaN),
      part,
    )
  const both = (figures: readonly UpdateFigures[], key: keyof UpdateFigures): string =>
    Number.isNaN(at(figures, key, 0.5))
      ? '–'
      : `${formatMs(at(figures, key, 0.5))} / ${formatMs(at(figures, key, 0.95))}`
  console.log(
    markdownTable(
      ['p50 / p95', 'committed', 'found by words', 'first default answer'],
      updated.map(({ engine, figures }) => [
        ENGINES[engine].title,
        both(figures, 'committedMs'),
        both(figures, 'searchableMs'),
        both(figures, 'answeredMs'),
      ]),
    ),
  )
  console.log(
    '\nCairn’s time begins at the changed file; the others are handed the new passages. Only Cairn and FTS5 have written the change to disk. All times count from the beginning.\n',
  )
  const cairn = updated.find(({ engine }) => engine === 'cairn')!.figures
  const ms = at(cairn, 'searchableMs', 0.5)
  headline({
    what: 'update of one note, from file to found',
    measured: `${formatMs(ms)} (p95 ${formatMs(at(cairn, 'searchableMs', 0.95))})`,
    aim: '≤ 10 ms',
    met: ms <= 10,
  })
}

function printMemory(builds: readonly Built[]): void {
  console.log('### Memory of the process after the build\n')
  const rows = BUILDERS.map((name) => [
    ENGINES[name].title,
    formatMb(builds.findLast(({ engine }) => engine === name)?.residentBytes),
  ])
  console.log(markdownTable(['engine', 'resident'], rows))
  console.log(
    '\nAfter garbage collection, in the process that has just built; the server below indexes in a process beside it.\n',
  )
}

await main()
