/**
 * 64 clients of four servers write to one base at the same time: how many writes a second, how long
 * does one wait, is everything kept once in content, index and history, and has every state of a
 * note one successor?
 *
 *     npm run bench -- --store       or: node bench/writers.ts [--writes 20] [--rounds 3]
 *
 * Embedded: four processes on one folder with an index beside it. PostgreSQL: documents in the
 * database, where this version has them, else the same folder with its index in the database.
 */
import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openBase } from '../src/serve/wiring/open-base.ts'
import { loadConfig } from '../src/serve/config/load-config.ts'
import { SOURCE_KINDS } from '../src/serve/config/sources.ts'
import { benchOptions, formatMs, headline, markdownTable, percentile } from './harness.ts'
import { openDatabase } from './stores/database.ts'
import type { MeasuredDatabase } from './stores/database.ts'
import type { Opening } from './stores/measured-base.ts'
import type { RaceReport, WriterOrder, WriterReport } from './stores/writer-process.ts'

const { quick } = benchOptions()
const { values } = parseArgs({
  strict: false,
  options: {
    writes: { type: 'string', default: quick ? '6' : '20' },
    rounds: { type: 'string', default: quick ? '1' : '3' },
    races: { type: 'string', default: '5' },
  },
})
const SERVERS = 4
const CLIENTS = 16
const inDatabase = (SOURCE_KINDS as readonly string[]).includes('database')

type Kind = 'embedded' | 'postgres'

interface Round {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
}

async function main(): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'cairn-bench-writers-'))
  const database = await openDatabase()
  const rounds: Record<Kind, Round[]> = { embedded: [], postgres: [] }
  const remarks: string[] = []
  try {
    for (let round = 0; round < Number(values.rounds); round++) {
      for (const kind of ['embedded', 'postgres'] as const) {
        const { figures, remark } = await oneRound(kind, join(root, `${kind}-${round}`), database)
        rounds[kind].push(figures)
        remarks.push(`- ${kind}, round ${round + 1}: ${remark}`)
      }
    }
  } finally {
    database.remove()
    rmSync(root, { recursive: true, force: true })
  }
  show(rounds, remarks)
}

function openingOf(
  kind: Kind,
  folder: string,
  database: MeasuredDatabase,
  server: number,
): Opening {
  const notes = join(folder, 'notes')
  if (kind === 'embedded') return { folder: notes, state: join(folder, 'state') }
  const store = database.url(folder.slice(-40))
  return inDatabase
    ? { folder: 'db:notes', state: join(folder, `state-${server}`), store }
    : { folder: notes, state: join(folder, 'state'), store }
}

async function oneRound(
  kind: Kind,
  folder: string,
  database: MeasuredDatabase,
): Promise<{ readonly figures: Round; readonly remark: string }> {
  mkdirSync(join(folder, 'notes'), { recursive: true })
  const opening = (server: number): Opening => openingOf(kind, folder, database, server)
  await prepare(opening(0))
  const servers: ChildProcess[] = []
  try {
    for (let server = 0; server < SERVERS; server++) {
      servers.push(await startWriter({ ...opening(server), name: `server-${server}` }))
    }
    const began = performance.now()
    const reports = await Promise.all(
      servers.map((server) => told<WriterReport>(server, { task: 'write' })),
    )
    const seconds = (performance.now() - began) / 1_000
    const races = await hold(servers, opening(0))
    const times = reports.flatMap((report) => report.times)
    const figures = {
      perSecond: reports.flatMap((report) => Object.values(report.kept)).reduce(add, 0) / seconds,
      p50: percentile(times, 0.5),
      p99: percentile(times, 0.99),
    }
    for (const server of servers) await ended(server)
    return { figures, remark: `${await verify(opening(0), reports)} ${races}` }
  } finally {
    for (const server of servers) if (server.exitCode === null) server.kill('SIGKILL')
  }
}

const add = (a: number, b: number): number => a + b

async function opened(opening: Opening) {
  const { config } = await loadConfig({
    folders: [opening.folder],
    flags: { state: opening.state, ...(opening.store && { store: opening.store }) },
    configFile: undefined,
    env: {},
    cwd: process.cwd(),
    home: process.cwd(),
  })
  return openBase(config)
}

/** One note that is there before anybody writes. */
async function prepare(opening: Opening): Promise<void> {
  const base = await opened(opening)
  await base.index({ waitForMeaning: true })
  const { isError, structured } = await base.call('write', {
    action: 'create',
    id: 'race.md',
    content: '# Race\n\nNobody has won yet.\n',
  })
  if (isError) throw new Error(JSON.stringify(structured))
  await base.close()
}

/** All clients of all servers try to replace the same state of a note, several times over. */
async function hold(servers: readonly ChildProcess[], opening: Opening): Promise<string> {
  const won: number[] = []
  const otherwise: string[] = []
  for (let race = 0; race < Number(values.races); race++) {
    const base = await opened(opening)
    const { structured } = await base.call('fetch', { id: 'race.md' })
    await base.close()
    const digest = String(structured['digest'])
    const reports = await Promise.all(
      servers.map((each) => told<RaceReport>(each, { task: 'race', id: 'race.md', digest })),
    )
    won.push(reports.map((report) => report.won).reduce(add, 0))
    otherwise.push(...reports.flatMap((report) => report.otherwise))
  }
  const isOne = won.every((count) => count === 1)
  const more = otherwise.length > 0 ? `; ${otherwise.length} failed otherwise: ${otherwise[0]}` : ''
  return `One digest had ${isOne ? 'one winner' : `${won.join(', ')} winners`} in ${won.length} races of ${SERVERS * CLIENTS}${more}.`
}

/** Whatever was acknowledged is there, once, in content, index and history. */
async function verify(opening: Opening, reports: readonly WriterReport[]): Promise<string> {
  const base = await opened(opening)
  try {
    const kept = new Map(reports.flatMap((report) => Object.entries(report.kept)))
    const acknowledged = [...kept.values()].reduce(add, 0)
    const refused = reports.flatMap((report) => report.refused)
    const ids = new Set(await base.ids())
    let contents = 0
    let indexed = 0
    for (const [id, writes] of kept) {
      const { structured } = await base.call('fetch', { id })
      const text = String(structured['text'] ?? '')
      const lines = text.split('\n').filter((line) => line.startsWith('- again')).length
      if (text.includes('# Note') && lines === writes - 1) contents += writes
      if (ids.has(`notes/${id}`)) indexed++
    }
    let logged = 0
    let cursor: unknown
    do {
      const { structured } = await base.call('history', {
        limit: 100,
        ...(cursor !== undefined && { cursor }),
      })
      const operations = structured['operations'] as readonly { documents?: readonly string[] }[]
      logged += operations.filter(({ documents = [] }) =>
        documents.some((id) => kept.has(id.replace(/^notes\//, ''))),
      ).length
      cursor = structured['next_cursor']
    } while (cursor !== undefined && cursor !== null)
    const { findings } = await base.doctor({ repair: false })
    const trouble = findings.filter(({ level }) => level === 'error').length
    return `${acknowledged} acknowledged, ${refused.length} refused${refused[0] ? ` (${refused[0].slice(0, 200)})` : ''}; kept once: content ${contents}, history ${logged}, ${indexed} of ${kept.size} notes in the index; doctor finds ${trouble} errors.`
  } finally {
    await base.close()
  }
}

async function startWriter(order: Omit<WriterOrder, 'clients' | 'writes'>): Promise<ChildProcess> {
  const child = fork(
    join(import.meta.dirname, 'stores', 'writer-process.ts'),
    [JSON.stringify({ ...order, clients: CLIENTS, writes: Number(values.writes) })],
    { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] },
  )
  await reply(child)
  return child
}

function told<Result>(child: ChildProcess, message: object): Promise<Result> {
  child.send(message)
  return reply<Result>(child)
}

function reply<Result>(child: ChildProcess): Promise<Result> {
  return new Promise((resolve, reject) => {
    const gone = (code: number | null): void => reject(new Error(`A writer ended (${code}).`))
    child.once('exit', gone)
    child.once('message', (message: { result: Result } | { trouble: string }) => {
      child.off('exit', gone)
      if ('trouble' in message) reject(new Error(message.trouble))
      else resolve(message.result)
    })
  })
}

async function ended(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.disconnect()
  await gone
}

function show(rounds: Readonly<Record<Kind, readonly Round[]>>, remarks: readonly string[]): void {
  const middle = (kind: Kind, of: (round: Round) => number): number =>
    percentile(rounds[kind].map(of), 0.5)
  const row = (what: string, of: (round: Round) => number, format: (value: number) => string) => {
    const [embedded, postgres] = [middle('embedded', of), middle('postgres', of)]
    return [what, format(embedded), format(postgres), `${(postgres / embedded).toFixed(2)}×`]
  }
  const where = inDatabase ? 'documents in the database' : 'a folder, indexed in the database'
  console.log(
    [
      `## ${SERVERS * CLIENTS} clients of ${SERVERS} servers write to one base\n`,
      markdownTable(
        ['', 'embedded', `PostgreSQL (${where})`, 'ratio'],
        [
          row(
            'writes a second',
            (round) => round.perSecond,
            (value) => value.toFixed(0),
          ),
          row('p50', (round) => round.p50, formatMs),
          row('p99', (round) => round.p99, formatMs),
        ],
      ),
      '',
      ...remarks,
    ].join('\n'),
  )
  const more =
    middle('postgres', (round) => round.perSecond) / middle('embedded', (round) => round.perSecond)
  const wait = middle('postgres', (round) => round.p99) / middle('embedded', (round) => round.p99)
  headline({
    what: 'writers: writes a second',
    measured: `${more.toFixed(2)}×`,
    aim: '≥ 3×',
    met: more >= 3,
  })
  headline({
    what: 'writers: p99',
    measured: `${wait.toFixed(2)}×`,
    aim: '≤ 0.5×',
    met: wait <= 0.5,
  })
}

await main()
