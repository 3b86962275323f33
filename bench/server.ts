/**
 * The real server as an agent meets it: started over stdio, asked through the official client. Cold
 * start, warm start, search latency, an edit from outside, and memory of the server's process.
 *
 *     node bench/server.ts [--quick] [--set NAME]
 *
 * CAIRN_BIN names another binary than the one in this repository.
 */
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
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
  PROJECT,
  summarize,
  treeMemory,
  type ProcessMemory,
  type Timings,
} from './harness.ts'

const BINARY = process.env['CAIRN_BIN'] ?? join(PROJECT, 'bin/cairn.js')
const CALL_TIMEOUT_MS = 60_000
const INDEXING_TIMEOUT_MS = 10 * 60_000
const FRESHNESS_TIMEOUT_MS = 15_000
const WARM_UP_QUERIES = 40
const LEARNING_TIMEOUT_MS = 5 * 60_000

const { quick, set: setName } = benchOptions()
const MOST_QUERIES = quick ? 100 : 400
const WARM_STARTS = quick ? 3 : 7
const EDITS = quick ? 3 : 9
/** How often memory is looked at while indexing. */
const SAMPLE_MS = 50

interface Server {
  readonly client: Client
  readonly pid: number
  /** When the process was asked for, on the clock of `performance.now()`. */
  readonly startedAt: number
  /** From there until the handshake was over. */
  readonly connectMs: number
  close(): Promise<void>
}

async function startServer(documents: string, state: string): Promise<Server> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BINARY, 'serve', documents, '--state', state],
    stderr: 'pipe',
  })
  let complaints = ''
  transport.stderr?.on('data', (data: Buffer) => {
    complaints = `${complaints}${data.toString()}`.slice(-2000)
  })
  const client = new Client({ name: 'cairn-bench', version: '1.0.0' })
  const startedAt = performance.now()
  try {
    await client.connect(transport, { timeout: CALL_TIMEOUT_MS })
  } catch (error) {
    throw new Error(`The server did not start.\n${complaints}`, { cause: error })
  }
  const connectMs = performance.now() - startedAt
  const pid = transport.pid
  if (pid === null) throw new Error(`The server went away after the handshake.\n${complaints}`)
  return { client, pid, startedAt, connectMs, close: () => client.close() }
}

interface Answer {
  readonly results: readonly unknown[]
  readonly isIndexing: boolean
  readonly bytes: number
}

/** One search. A server that is not ready may say so with an error result: that is no results. */
async function search(server: Server, query: string): Promise<Answer> {
  const reply = await server.client.callTool(
    { name: 'search', arguments: { query, limit: 10 } },
    { timeout: CALL_TIMEOUT_MS },
  )
  const structured = (reply.structuredContent ?? {}) as Record<string, unknown>
  const results = structured['results']
  return {
    results: Array.isArray(results) && !reply.isError ? results : [],
    isIndexing: Boolean(structured['indexing']),
    bytes: Buffer.byteLength(JSON.stringify(reply)),
  }
}

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
  readonly meanBytes: number
  readonly empty: number
}

async function measureSearch(server: Server, queries: readonly string[]): Promise<SearchFigures> {
  for (const query of queries.slice(0, WARM_UP_QUERIES)) await search(server, query)
  const times: number[] = []
  let bytes = 0
  let empty = 0
  for (const query of queries) {
    const begin = performance.now()
    const answer = await search(server, query)
    times.push(performance.now() - begin)
    bytes += answer.bytes
    if (answer.results.length === 0) empty++
  }
  return { timings: summarize(times), meanBytes: bytes / queries.length, empty }
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
      search: await measureSearch(server, queries),
      memory: await processMemory(server.pid),
      freshnessMs: await measureFreshness(server, documents),
      bareNodeMs: medianMs(5, () => spawnSync(process.execPath, ['-e', '0'])),
    }
  } finally {
    await server.close()
  }
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
        [`search p50 of ${count} questions`, formatMs(p50)],
        ['search p95', formatMs(p95)],
        ['search p99', formatMs(p99)],
        ['empty answers', String(search.empty)],
        ['bytes per answer', String(Math.round(search.meanBytes))],
        [
          `a file written outside is found after, middle of ${EDITS}`,
          formatMs(figures.freshnessMs),
        ],
        ['resident memory after indexing and 100 questions', formatMb(coldMemory?.resident)],
        [`resident memory, started warm, after ${count} questions`, formatMb(memory?.resident)],
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
  aim('search over MCP stdio, p95', p95, 5)
  aim('warm start to first answer', warm.searchableMs, 300)
  aim('an outside edit is searchable', figures.freshnessMs, 300)
  headline({
    what: `${set}: resident memory after indexing`,
    measured: `${formatMb(coldMemory?.resident)} (started warm ${formatMb(memory?.resident)})`,
    aim: '≤ 250 MB, better 200',
    met: coldMemory !== undefined && coldMemory.resident <= 250 * 2 ** 20,
  })
}

async function readQueries(set: string): Promise<string[]> {
  const text = await readFile(join(set, 'queries.jsonl'), 'utf8')
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.slice(0, MOST_QUERIES).map((line) => (JSON.parse(line) as { text: string }).text)
}

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
