/**
 * The same notes behind an embedded index and behind PostgreSQL, in turns: time of the first index,
 * whole answers, round trips, the database's share, memory, first answers of a new process, and
 * whether every answer is the same, on each of three replicas and after 500 edits.
 *
 *     npm run bench -- --store [--set NAME]     this, many bases and many writers
 *     node bench/store.ts [--set NAME | --folder DIR] [--moved STATE] [--edits 500] [--rounds 3]
 *
 * A server is made for the run where PostgreSQL's programs are here; CAIRN_BENCH_DATABASE names
 * another. With --moved the index in that state folder is carried over instead of made twice; with
 * --carried too it was carried over to the base "bench" of that other server before.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { evaluationSet } from '../test/evaluation-set.ts'
import {
  benchOptions,
  formatMb,
  formatMs,
  formatRatio,
  headline,
  markdownTable,
  percentile,
} from './harness.ts'
import { openDatabase } from './stores/database.ts'
import type { MeasuredDatabase } from './stores/database.ts'
import { editAtRandom } from './stores/edit-at-random.ts'
import { startBase } from './stores/measured-base.ts'
import type { Answered, Indexed, MeasuredBase, Opening } from './stores/measured-base.ts'
import { readOwnQuestions } from './questions.ts'

const { quick, set } = benchOptions()
const { values } = parseArgs({
  strict: false,
  options: {
    folder: { type: 'string' },
    moved: { type: 'string' },
    carried: { type: 'boolean', default: false },
    edits: { type: 'string', default: '500' },
    rounds: { type: 'string', default: quick ? '1' : '3' },
    questions: { type: 'string', default: quick ? '100' : '100000' },
  },
})
const rounds = Number(values.rounds)
/** Processes that begin anew, of each kind. */
const FIRST_ROUNDS = 3

type Kind = 'embedded' | 'postgres'
const KINDS: readonly Kind[] = ['embedded', 'postgres']
type Both<Value> = Record<Kind, Value>

const state = mkdtempSync(join(tmpdir(), 'cairn-bench-store-'))
let database: MeasuredDatabase

async function main(): Promise<void> {
  const found = evaluationSet(set)
  if ('missing' in found) return console.log(`## Stores\n\nNot measured: ${found.missing}.`)
  const notes = values.folder === undefined ? join(state, 'notes') : String(values.folder)
  if (values.folder === undefined) cpSync(join(found.folder, 'docs'), notes, { recursive: true })
  const questions = readOwnQuestions(found.folder, Number(values.questions)).map(({ text }) => text)
  database = await openDatabase()
  try {
    await measure(notes, questions)
  } finally {
    database.remove()
    rmSync(state, { recursive: true, force: true })
  }
}

async function measure(notes: string, questions: readonly string[]): Promise<void> {
  console.log(`## Stores\n\n${values.folder ?? set}, ${questions.length} questions.\n`)
  const places = await prepare(notes)
  const titles = ['how to begin', 'what it is for', 'a list of everything', 'see also', 'examples']
  const servers: Both<MeasuredBase> = {
    embedded: startBase(places.embedded),
    postgres: startBase(places.postgres),
  }
  const replicas = ['second', 'third'].map((name) =>
    startBase({ ...places.postgres, state: join(state, name) }),
  )
  try {
    for (const server of [...Object.values(servers), ...replicas]) {
      for (const query of titles) await server.do('call', { tool: 'search', args: { query } })
    }
    const answers = await askInTurns(servers, questions)
    console.log(`\n${whole(answers)}\n`)
    await rankAlone(servers, questions)
    await showMemory(servers)
    await compareReplicas(answers.embedded, replicas, questions, 'as it was indexed')
    const edits = values.folder === undefined ? Number(values.edits) : 0
    if (edits > 0)
      await compareAfterEdits(edits, places, [servers.postgres, ...replicas], questions)
  } finally {
    for (const server of [...Object.values(servers), ...replicas]) await server.close()
  }
  await firstAnswers(places, questions[0]!)
}

/** Both indexes, made or carried over; what making them took is printed. */
async function prepare(notes: string): Promise<Both<Opening>> {
  const moved = values.moved
  const places: Both<Opening> = {
    embedded: { folder: notes, state: typeof moved === 'string' ? moved : join(state, 'embedded') },
    postgres: { folder: notes, state: join(state, 'first'), store: database.url('bench') },
  }
  if (typeof moved === 'string') {
    if (values.carried) return places
    const source = startBase(places.embedded)
    const { documents, ms } = await source.do('move', { to: places.postgres.store! })
    await source.close()
    console.log(`${documents} documents carried over in ${formatMs(ms)}.`)
    return places
  }
  const took: Both<(Indexed & { databaseMs: number })[]> = { embedded: [], postgres: [] }
  for (let round = 0; round < rounds; round++) {
    for (const kind of round % 2 === 0 ? KINDS : KINDS.toReversed()) {
      const last = round === rounds - 1
      const base = startBase(
        last
          ? places[kind]
          : {
              folder: notes,
              state: join(state, `index-${round}-${kind}`),
              ...(kind === 'postgres' && { store: database.url(`index-${round}`) }),
            },
      )
      const before = database.cpuMs() ?? NaN
      const indexed = await base.do('index', {})
      await base.close()
      took[kind].push({ ...indexed, databaseMs: (database.cpuMs() ?? NaN) - before })
    }
  }
  const middle = (kind: Kind, of: (each: Indexed & { databaseMs: number }) => number): number =>
    percentile(took[kind].map(of), 0.5)
  const row = (what: string, of: (each: Indexed & { databaseMs: number }) => number): string[] =>
    ratioRow(what, middle('embedded', of), middle('postgres', of))
  const { documents } = took.embedded[0]!
  console.log(
    table([
      row(`first index of ${documents} documents, with learning`, ({ ms }) => ms),
      row('… processor, database included', ({ cpuMs, databaseMs }) => cpuMs + databaseMs),
    ]),
  )
  held('cold index', middle('postgres', ({ ms }) => ms) / middle('embedded', ({ ms }) => ms), 1.4)
  return places
}

async function askInTurns(
  servers: Both<MeasuredBase>,
  questions: readonly string[],
): Promise<Both<Answered[]> & { databaseMs: number }> {
  const answers: Both<Answered[]> = { embedded: [], postgres: [] }
  const before = database.servingMs() ?? NaN
  for (const [turn, query] of questions.entries()) {
    for (const kind of turn % 2 === 0 ? KINDS : KINDS.toReversed()) {
      answers[kind].push(await servers[kind].do('call', { tool: 'search', args: { query } }))
    }
  }
  return { ...answers, databaseMs: ((database.servingMs() ?? NaN) - before) / questions.length }
}

function whole(answers: Both<Answered[]> & { databaseMs: number }): string {
  const at = (kind: Kind, of: (each: Answered) => number, part: number): number =>
    percentile(answers[kind].map(of), part)
  const rows = [0.5, 0.95].map((part) => {
    const [embedded, postgres] = KINDS.map((kind) => at(kind, ({ ms }) => ms, part)) as [
      number,
      number,
    ]
    held(`whole answer, p${part * 100}`, postgres / embedded, part === 0.5 ? 1.25 : 1.4)
    return ratioRow(`whole answer, p${part * 100}`, embedded, postgres)
  })
  const mean = (kind: Kind): number =>
    answers[kind].reduce((sum, { cpuMs }) => sum + cpuMs, 0) / answers[kind].length
  const trips = at('postgres', (each) => each.trips, 1)
  held('database’s processor for an answer, ms', answers.databaseMs, 1)
  held('round trips of a whole answer, most', trips, 3)
  const same = answers.embedded.filter(
    ({ answer }, place) => answer === answers.postgres[place]!.answer,
  ).length
  return [
    table([
      ...rows,
      ratioRow('processor of the server for an answer', mean('embedded'), mean('postgres')),
      ['processor of the database for an answer', '', formatMs(answers.databaseMs), ''],
      [
        'round trips, p50 / most',
        '',
        `${at('postgres', (each) => each.trips, 0.5)} / ${trips}`,
        '',
      ],
    ]),
    `\n${same} of ${answers.embedded.length} answers are the same.`,
  ].join('\n')
}

/** Which documents, without a text of them: no more than a look at the stamps. */
async function rankAlone(servers: Both<MeasuredBase>, questions: readonly string[]): Promise<void> {
  const ranked: Both<Answered[]> = { embedded: [], postgres: [] }
  for (const [turn, query] of questions.entries()) {
    for (const kind of turn % 2 === 0 ? KINDS : KINDS.toReversed()) {
      ranked[kind].push(await servers[kind].do('rank', { query }))
    }
  }
  const at = (kind: Kind, part: number): number =>
    percentile(
      ranked[kind].map(({ ms }) => ms),
      part,
    )
  const trips = Math.max(...ranked.postgres.map((each) => each.trips))
  held('round trips of ranking alone, most', trips, 1)
  console.log(
    table([
      ratioRow('ranking alone, p50', at('embedded', 0.5), at('postgres', 0.5)),
      ratioRow('ranking alone, p95', at('embedded', 0.95), at('postgres', 0.95)),
      ['round trips of ranking alone, most', '', String(trips), ''],
    ]),
  )
}

async function showMemory(servers: Both<MeasuredBase>): Promise<void> {
  const [embedded, postgres] = [
    await servers.embedded.do('memory', {}),
    await servers.postgres.do('memory', {}),
  ]
  held('memory of a replica', postgres.rss / embedded.rss, 1.2)
  const ratio = formatRatio(postgres.rss, embedded.rss)
  const row = ['memory after all that', formatMb(embedded.rss), formatMb(postgres.rss), ratio]
  console.log(`\n${table([row])}\n`)
}

/** Everything in an answer: documents, order, scores, snippets, lines. */
async function compareReplicas(
  expected: readonly Answered[],
  replicas: readonly MeasuredBase[],
  questions: readonly string[],
  when: string,
): Promise<void> {
  for (const [number, replica] of replicas.entries()) {
    let same = 0
    for (const [place, query] of questions.entries()) {
      const { answer } = await replica.do('call', { tool: 'search', args: { query } })
      if (answer === expected[place]!.answer) same++
    }
    const which = `replica ${number + 1 + (3 - replicas.length)}`
    console.log(`- ${which}, ${when}: ${same} of ${questions.length} answers are the same.`)
    held(`answers that differ, ${which}, ${when}`, questions.length - same, 0)
  }
}

async function compareAfterEdits(
  edits: number,
  places: Both<Opening>,
  replicas: readonly MeasuredBase[],
  questions: readonly string[],
): Promise<void> {
  editAtRandom(places.embedded.folder, edits)
  for (const kind of KINDS) {
    const base = startBase(places[kind])
    await base.do('index', {})
    await base.close()
  }
  const embedded = startBase(places.embedded)
  const expected: Answered[] = []
  for (const query of questions) {
    expected.push(await embedded.do('call', { tool: 'search', args: { query } }))
  }
  await embedded.close()
  await compareReplicas(expected, replicas, questions, `after ${edits} edits`)
}

/** A process that has just begun: with the copies of its state folder, and in a new one. */
async function firstAnswers(places: Both<Opening>, query: string): Promise<void> {
  const took = { embedded: [] as number[], copies: [] as number[], none: [] as number[] }
  for (let round = 0; round < FIRST_ROUNDS; round++) {
    const openings = {
      embedded: places.embedded,
      copies: places.postgres,
      none: { ...places.postgres, state: join(state, `new-${round}`) },
    }
    for (const [name, each] of Object.entries(openings)) {
      const base = startBase(each)
      const { ms: opened } = await base.do('open', {})
      const { ms } = await base.do('call', { tool: 'search', args: { query } })
      await base.close()
      took[name as keyof typeof took].push(opened + ms)
    }
  }
  const middle = (name: keyof typeof took): number => percentile(took[name], 0.5)
  held('first answer, with copies', middle('copies') / middle('embedded'), 2.5)
  held('first answer, without', middle('none') / middle('embedded'), 6)
  console.log(
    `\n${table([
      ratioRow('first answer, with local copies', middle('embedded'), middle('copies')),
      ratioRow('first answer, without', middle('embedded'), middle('none')),
    ])}`,
  )
}

function ratioRow(what: string, embedded: number, postgres: number): string[] {
  return [what, formatMs(embedded), formatMs(postgres), `${(postgres / embedded).toFixed(2)}×`]
}

function table(rows: readonly (readonly string[])[]): string {
  return markdownTable(['', 'embedded', 'PostgreSQL', 'ratio'], rows)
}

function held(what: string, measured: number, most: number): void {
  const shown = Number.isNaN(measured) ? '–' : measured.toFixed(2)
  headline({ what: `stores: ${what}`, measured: shown, aim: `≤ ${most}`, met: measured <= most })
}

await main()
