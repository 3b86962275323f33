/**
 * The real server as an agent meets it: started over stdio, asked through the official client. Cold
 * start, warm start, search latency, an edit from outside, and memory of the server's process.
 *
 *     node bench/server.ts [SET]      vault-mdn (14.6k documents) when left out
 *
 * CAIRN_BIN names another binary than the one in this repository.
 */
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  calibrate,
  describeCalibration,
  findEvaluationSet,
  formatMb,
  formatMs,
  formatRatio,
  headline,
  markdownTable,
  medianMs,
  NO_EVALUATION_SETS,
  processMemory,
  PROJECT,
  summarize,
  type ProcessMemory,
  type Timings,
} from './harness.ts'

const BINARY = process.env['CAIRN_BIN'] ?? join(PROJECT, 'bin/cairn.js')
const CALL_TIMEOUT_MS = 60_000
const INDEXING_TIMEOUT_MS = 10 * 60_000
const FRESHNESS_TIMEOUT_MS = 15_000
const WARM_UP_QUERIES = 40
const MOST_QUERIES = 400

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
    const answer = await search(server, queries[i % queries.length])
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

/** How long until a file that another program wrote is found; undefined when it never is. */
async function measureFreshness(server: Server, documents: string): Promise<number | undefined> {
  const word = 'quillberrymoss'
  await writeFile(join(documents, `${word}.md`), `# A new note\n\nIt speaks of ${word}.\n`)
  const begin = performance.now()
  while (performance.now() - begin < FRESHNESS_TIMEOUT_MS) {
    const { results } = await search(server, word)
    // A search may answer with near misses, so the name must be there.
    if (JSON.stringify(results).includes(word)) return performance.now() - begin
    await sleep(5)
  }
  return undefined
}

interface Figures {
  readonly cold: Readiness & { readonly connectMs: number }
  readonly coldMemory: ProcessMemory | undefined
  readonly warm: Readiness & { readonly connectMs: number }
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
  const first = await startServer(documents, state)
  let cold: Figures['cold']
  let coldMemory: ProcessMemory | undefined
  try {
    cold = { connectMs: first.connectMs, ...(await becomeReady(first, queries)) }
    coldMemory = await processMemory(first.pid)
  } finally {
    await first.close()
  }

  const second = await startServer(documents, state)
  try {
    const warm = { connectMs: second.connectMs, ...(await becomeReady(second, queries)) }
    const figures = await measureSearch(second, queries)
    const memory = await processMemory(second.pid)
    const freshnessMs = await measureFreshness(second, documents)
    const stateBytes = await folderSize(state)
    const bareNodeMs = medianMs(5, () => spawnSync(process.execPath, ['-e', '0']))
    return {
      cold,
      coldMemory,
      warm,
      search: figures,
      freshnessMs,
      memory,
      stateBytes,
      bareNodeMs,
    }
  } finally {
    await second.close()
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
        ['cold: everything indexed', formatMs(cold.settledMs)],
        ['warm: handshake', formatMs(warm.connectMs), formatRatio(warm.connectMs, bareNodeMs)],
        [
          'warm: first answer that finds something',
          formatMs(warm.searchableMs),
          formatRatio(warm.searchableMs, bareNodeMs),
        ],
        ['warm: everything looked at again', formatMs(warm.settledMs)],
        [`search p50 of ${count} queries`, formatMs(p50)],
        ['search p95', formatMs(p95)],
        ['search p99', formatMs(p99)],
        ['empty answers', String(search.empty)],
        ['bytes per answer', String(Math.round(search.meanBytes))],
        ['a file written outside is found after', formatMs(figures.freshnessMs)],
        ['resident memory after the queries', formatMb(memory?.resident)],
        ['peak memory while indexing', formatMb(coldMemory?.peak)],
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
  aim('search p95 over stdio', p95, 5)
  aim('cold start, something findable', cold.searchableMs, 5000)
  aim('cold start, everything indexed', cold.settledMs, 12_000)
  aim('warm start to first answer', warm.searchableMs, 300)
  aim('an outside edit is found', figures.freshnessMs, 300)
  headline({
    what: `${set}: resident memory`,
    measured: formatMb(memory?.resident),
    aim: '≤ 200 MB',
    met: memory !== undefined && memory.resident <= 200 * 2 ** 20,
  })
}

async function readQueries(set: string): Promise<string[]> {
  const text = await readFile(join(set, 'queries.jsonl'), 'utf8')
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.slice(0, MOST_QUERIES).map((line) => (JSON.parse(line) as { text: string }).text)
}

async function folderSize(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const sizes = await Promise.all(
    files.map(async (file) => {
      // A journal may vanish between the listing and the reading.
      const found = await stat(join(file.parentPath, file.name)).catch(() => undefined)
      return found?.size ?? 0
    }),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
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

await main(process.argv[2] ?? 'vault-mdn')
