/**
 * The real server as an agent meets it: started over stdio, asked through the official client. Cold
 * start, warm start, the first 400 questions and those behind them, an edit from outside, and memory
 * of the server's process.
 *
 *     node bench/server.ts [--quick] [--set NAME]
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { goal } from './goals.ts'
import {
  benchOptions,
  calibrate,
  describeCalibration,
  findEvaluationSet,
  folderBytes,
  formatMb,
  formatMs,
  formatRatio,
  headline,
  markdownTable,
  medianMs,
  NO_EVALUATION_SETS,
  percentile,
  processMemory,
  summarize,
  treeCpuMs,
  treeMemory,
  type ProcessMemory,
  type Timings,
} from './harness.ts'
import { drawQuestions, readOwnQuestions } from './questions.ts'
import { BINARY, CALL_TIMEOUT_MS, search, startServer } from './stdio-server.ts'
import type { Server } from './stdio-server.ts'
import { parseNote, readFiles } from './vault.ts'

const INDEXING_TIMEOUT_MS = 10 * 60_000
const FRESHNESS_TIMEOUT_MS = 15_000
const LEARNING_TIMEOUT_MS = 5 * 60_000

const { quick, set: setName } = benchOptions()
/** The first questions are dearer than those behind them: code that has not run yet is slow. */
const FIRST = 400
const LATER = quick ? 200 : 400
/** Asked in all before memory is looked at again. */
const MANY = quick ? FIRST + LATER : 2_000
/** A server has settled when it has had no less memory for so long. */
const SETTLING_MS = quick ? 3_000 : 10_000
const WARM_STARTS = quick ? 3 : 7
const EDITS = quick ? 3 : 9
/** How often memory is looked at while indexing. */
const SAMPLE_MS = 50

/** The set that the goals are about. */
const GOALS_ON = 'vault-mdn'

interface Readiness {
  /** Since the process was asked for. */
  readonly firstAnswerMs: number
  /** The first answer that found something. */
  readonly searchableMs: number
  /** The first answer that found something and did not speak of indexing. */
  readonly settledMs: number
}

async function becomeReady(server: Server, queries: readonly string[]): Promise<Readiness> {
  let firstAnswerMs: number | undefined
  let searchableMs: number | undefined
  for (let i = 0; ; i++) {
    const answer = await search(server, queries[i % queries.length]!)
    const now = performance.now() - server.startedAt
    firstAnswerMs ??= now
    if (answer.results.length > 0) {
      searchableMs ??= now
      if (!answer.isIndexing) return { firstAnswerMs, searchableMs, settledMs: now }
    }
    if (now > INDEXING_TIMEOUT_MS) throw new Error('The server was still indexing at the deadline.')
    // Asking without a pause would measure a server that is kept from indexing.
    await sleep(answer.results.length > 0 ? 50 : 10)
  }
}

/** Waits until meaning has joined the words, and for the processes that learned to end. */
async function becomeLearned(server: Server, query: string): Promise<number | undefined> {
  const deadline = performance.now() + LEARNING_TIMEOUT_MS
  while (performance.now() < deadline) {
    const reply = await server.client.callTool(
      { name: 'search', arguments: { query, limit: 1, explain: true } },
      { timeout: CALL_TIMEOUT_MS },
    )
    const { mode } = (reply.structuredContent ?? {}) as Record<string, unknown>
    const { processes } = treeMemory(server.pid)
    if (mode === 'hybrid' && processes <= 1) return performance.now() - server.startedAt
    await sleep(200)
  }
  return undefined
}

/** The most that a server and its children had in memory at one moment. */
function watchTree(pid: number): () => { bytes: number } {
  let most = 0
  const timer = setInterval(() => {
    most = Math.max(most, treeMemory(pid).bytes)
  }, SAMPLE_MS)
  return () => {
    clearInterval(timer)
    return { bytes: most }
  }
}

interface SearchFigures {
  readonly timings: Timings
  /** The processor's time of the server and all it has started, for each answer. */
  readonly cpuMs: number
  readonly meanBytes: number
  readonly empty: number
}

async function measureSearch(server: Server, queries: readonly string[]): Promise<SearchFigures> {
  const times: number[] = []
  let bytes = 0
  let empty = 0
  const before = treeCpuMs(server.pid)
  for (const query of queries) {
    const begin = performance.now()
    const answer = await search(server, query)
    times.push(performance.now() - begin)
    bytes += answer.bytes
    if (answer.results.length === 0) empty++
  }
  const cpuMs = (treeCpuMs(server.pid) - before) / queries.length
  return { timings: summarize(times), cpuMs, meanBytes: bytes / queries.length, empty }
}

/** What it has once nothing more is given back. */
async function settledBytes({ pid }: Server): Promise<number | undefined> {
  let least = Infinity
  let since = performance.now()
  while (performance.now() - since < SETTLING_MS) {
    const resident = (await processMemory(pid))?.resident
    if (resident === undefined) return undefined
    if (resident < least) {
      least = resident
      since = performance.now()
    }
    await sleep(200)
  }
  return least
}

/** How long until files that another program wrote are found; undefined when one never is. */
async function measureFreshness(server: Server, documents: string): Promise<number | undefined> {
  const times: number[] = []
  for (let n = 0; n < EDITS; n++) {
    const word = `quillberry${String.fromCharCode(97 + n)}moss`
    await writeFile(join(documents, `${word}.md`), `# A new note\n\nIt speaks of ${word}.\n`)
    const begin = performance.now()
    for (;;) {
      const { results } = await search(server, word)
      const ms = performance.now() - begin
      // A search may answer with near misses, so the name must be there.
      if (JSON.stringify(results).includes(word)) {
        times.push(ms)
        break
      }
      if (ms > FRESHNESS_TIMEOUT_MS) return undefined
      await sleep(5)
    }
  }
  return percentile(times, 0.5)
}

interface Start extends Readiness {
  readonly connectMs: number
}

interface Figures {
  readonly cold: Start & { readonly learnedMs: number | undefined }
  /** Of the server that indexed, after it has also answered questions. */
  readonly coldMemory: ProcessMemory | undefined
  /** Of the server and its children at one moment while indexing and learning. */
  readonly treePeak: number
  readonly warm: Start
  readonly slowestWarmMs: number
  readonly settled: number | undefined
  readonly first: SearchFigures
  readonly search: SearchFigures
  readonly freshnessMs: number | undefined
  readonly memory: ProcessMemory | undefined
  readonly stateBytes: number
  readonly bareNodeMs: number
}

async function measure(
  documents: string,
  state: string,
  queries: readonly string[],
): Promise<Figures> {
  const cold = await measureCold(documents, state, queries)
  const stateBytes = folderBytes(state)
  const starts: Start[] = []
  for (let n = 1; n < WARM_STARTS; n++) {
    const server = await startServer(documents, state)
    try {
      starts.push({ connectMs: server.connectMs, ...(await becomeReady(server, queries)) })
    } finally {
      await server.close()
    }
  }
  const server = await startServer(documents, state)
  try {
    starts.push({ connectMs: server.connectMs, ...(await becomeReady(server, queries)) })
    const middle = (key: keyof Start): number =>
      percentile(
        starts.map((start) => start[key]),
        0.5,
      )
    return {
      ...cold,
      stateBytes,
      warm: {
        connectMs: middle('connectMs'),
        firstAnswerMs: middle('firstAnswerMs'),
        searchableMs: middle('searchableMs'),
        settledMs: middle('settledMs'),
      },
      slowestWarmMs: Math.max(...starts.map(({ searchableMs }) => searchableMs)),
      settled: await settledBytes(server),
      first: await measureSearch(server, queries.slice(0, FIRST)),
      search: await measureSearch(server, queries.slice(FIRST, FIRST + LATER)),
      memory: await afterAll(server, queries.slice(FIRST + LATER)),
      freshnessMs: await measureFreshness(server, documents),
      bareNodeMs: medianMs(5, () => spawnSync(process.execPath, ['-e', '0'])),
    }
  } finally {
    await server.close()
  }
}

/** What is in memory once all of these were asked, too. */
async function afterAll(
  server: Server,
  queries: readonly string[],
): Promise<ProcessMemory | undefined> {
  for (const query of queries) await search(server, query)
  return processMemory(server.pid)
}

async function measureCold(
  documents: string,
  state: string,
  queries: readonly string[],
): Promise<Pick<Figures, 'cold' | 'coldMemory' | 'treePeak'>> {
  const server = await startServer(documents, state)
  const stopWatching = watchTree(server.pid)
  try {
    const readiness = await becomeReady(server, queries)
    const learnedMs = await becomeLearned(server, queries[0]!)
    const treePeak = stopWatching().bytes
    await measureSearch(server, queries.slice(0, 100))
    const coldMemory = await processMemory(server.pid)
    return { cold: { connectMs: server.connectMs, ...readiness, learnedMs }, coldMemory, treePeak }
  } finally {
    stopWatching()
    await server.close()
  }
}

function print(set: string, figures: Figures): void {
  const { cold, warm, search, memory, coldMemory, bareNodeMs } = figures
  const { p50, p95, p99, count } = search.timings
  const { first, settled } = figures
  console.log(
    markdownTable(
      ['over MCP stdio', 'measured', 'of a bare Node start'],
      [
        ['bare Node start', formatMs(bareNodeMs), formatRatio(bareNodeMs, bareNodeMs)],
        ['cold: handshake', formatMs(cold.connectMs), formatRatio(cold.connectMs, bareNodeMs)],
        ['cold: first answer that finds something', formatMs(cold.searchableMs)],
        ['cold: all words indexed', formatMs(cold.settledMs)],
        ['cold: everything, vectors learned in the background', formatMs(cold.learnedMs)],
        ['warm: handshake', formatMs(warm.connectMs), formatRatio(warm.connectMs, bareNodeMs)],
        [
          `warm: first answer that finds something, middle of ${WARM_STARTS}`,
          formatMs(warm.searchableMs),
          formatRatio(warm.searchableMs, bareNodeMs),
        ],
        ['warm: the slowest of them', formatMs(figures.slowestWarmMs)],
        ['warm: everything looked at again', formatMs(warm.settledMs)],
        [`the first ${first.timings.count} questions, p50`, formatMs(first.timings.p50)],
        ['of the processor each', formatMs(first.cpuMs)],
        [`${count} questions behind them, p50`, formatMs(p50)],
        ['p95', formatMs(p95)],
        ['p99', formatMs(p99)],
        ['of the processor each', formatMs(search.cpuMs)],
        ['empty answers', String(first.empty + search.empty)],
        ['bytes per answer', String(Math.round(search.meanBytes))],
        [
          `a file written outside is found after, middle of ${EDITS}`,
          formatMs(figures.freshnessMs),
        ],
        ['resident memory after indexing and 100 questions', formatMb(coldMemory?.resident)],
        ['resident memory, started warm, settled', formatMb(settled)],
        [`resident memory after ${MANY} questions`, formatMb(memory?.resident)],
        ['the most the server’s process ever had', formatMb(coldMemory?.peak)],
        ['the most with its indexing children, at one moment', formatMb(figures.treePeak)],
        ['index on disk', formatMb(figures.stateBytes)],
      ],
    ),
  )
  const aim = (what: string, value: number | undefined, limitMs: number): void =>
    headline({
      what: `${set}: ${what}`,
      measured: formatMs(value),
      aim: `≤ ${formatMs(limitMs)}`,
      met: value !== undefined && value <= limitMs,
    })
  aim('an outside edit is searchable', figures.freshnessMs, 300)
  if (set !== GOALS_ON) return
  goal('firstAnswer', cold.searchableMs)
  goal('stdioMiddle', p50, `${formatMs(search.cpuMs)} each`)
  goal('stdioSlow', p95)
  goal('firstQuestions', first.cpuMs || undefined, formatMs(first.cpuMs))
  goal('warmStart', warm.searchableMs)
  goal('settled', settled && settled / 2 ** 20)
  if (MANY >= 2_000) goal('afterQuestions', memory && memory.resident / 2 ** 20)
  goal('disk', figures.stateBytes / 1e6)
}

/** Those of the set, and behind them others that are drawn from its notes: none is asked twice. */
async function readQueries(set: string): Promise<string[]> {
  const own = readOwnQuestions(set, FIRST)
  const notes = readFiles(join(set, 'docs')).map(parseNote)
  const drawn = drawQuestions(notes, MANY, []).filter(({ key }) => DRAWN.has(key))
  const others = Array.from({ length: MANY }, (_, i) => drawn[i % drawn.length]!.questions[i]!)
  return [...new Set([...own, ...others].map(({ text }) => text))].slice(0, MANY)
}

const DRAWN: ReadonlySet<string> = new Set(['three', 'ten', 'telling'])

async function main(name: string): Promise<void> {
  console.log(`## Server, ${name}\n`)
  if (!existsSync(BINARY)) {
    console.log('There is no `bin/cairn.js` yet; skipped.')
    return
  }
  const set = await findEvaluationSet(name)
  if (!set) {
    console.log(NO_EVALUATION_SETS)
    return
  }
  console.log(`${describeCalibration(calibrate())}\n`)
  const queries = await readQueries(set)
  const place = await mkdtemp(join(tmpdir(), 'cairn-bench-'))
  try {
    // A copy: the server may write beside its documents, and the freshness test does.
    const documents = join(place, 'docs')
    await cp(join(set, 'docs'), documents, { recursive: true })
    print(name, await measure(documents, join(place, 'state'), queries))
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}

await main(setName)
