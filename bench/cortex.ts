/**
 * How a graph of entities is served: start, search, additions and the report, at 50,000 entities
 * and 100,000 relations, beside the reference memory server on the same data and over the same
 * wire. `npm run build && node bench/cortex.ts`; `--quick` takes a tenth.
 *
 * The memory server is looked for among the installed packages, or where CAIRN_BENCH_MEMORY_SERVER
 * points (its `dist/index.js`); without it, only Cairn is measured.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { openGraph } from '../src/serve/parts/open-graph.ts'
import { openCortexSurface } from '../src/vocabularies/cortex/open-cortex-surface.ts'
import { askedFor, QUESTION_KINDS, writeGraphs } from './entity-graphs.ts'
import type { QuestionKind } from './entity-graphs.ts'
import {
  benchOptions,
  calibrate,
  describeCalibration,
  formatFaster,
  formatMs,
  headline,
  markdownTable,
  PROJECT,
  summarize,
} from './harness.ts'
import type { Timings } from './harness.ts'

const { quick } = benchOptions()
const ENTITIES = quick ? 5_000 : 50_000
const RELATIONS = 2 * ENTITIES
/** Of each kind. */
const QUESTIONS = quick ? 40 : 200
const ADDITIONS = quick ? 20 : 100
/** The peer reads its whole file for every question; a few tell enough. */
const PEER_QUESTIONS = quick ? 10 : 20
const PEER_ADDITIONS = quick ? 5 : 10

interface Times {
  readonly clock: Timings
  /** Of the processor, on average; undefined where it was spent in another process. */
  readonly cpuMs?: number
}

async function timesOf(count: number, work: (n: number) => Promise<unknown>): Promise<Times> {
  const clock: number[] = []
  const before = process.cpuUsage()
  for (let n = 0; n < count; n++) {
    const begin = performance.now()
    await work(n)
    clock.push(performance.now() - begin)
  }
  const { user, system } = process.cpuUsage(before)
  return { clock: summarize(clock), cpuMs: (user + system) / 1000 / count }
}

const entity = (n: number) => ({
  category: 'concepts',
  id: `new-${n}`,
  type: 'concept',
  name: `New entity ${n}`,
  desc: 'Added while measuring',
})

/** Everything within one process: what the surface itself costs. */
async function measureSurface(root: string) {
  const begin = performance.now()
  const graph = openGraph(root)
  const surface = openCortexSurface(graph, { log: console.error, onIdle: (work) => work() })
  const openMs = performance.now() - begin
  const context = { signal: new AbortController().signal, progress: () => {} }
  const call = async (name: string, args: object) => {
    const result = await surface.call(name, args, context)
    if (result.isError) throw new Error(result.texts.join())
    return result
  }
  await call('search_knowledge', { query: 'warm up' })
  const search = new Map<QuestionKind, Times>()
  for (const kind of QUESTION_KINDS) {
    const ask = (n: number) => call('search_knowledge', { query: askedFor(kind, n, ENTITIES) })
    await timesOf(QUESTIONS / 4, ask)
    search.set(kind, await timesOf(QUESTIONS, ask))
  }
  const add = await timesOf(ADDITIONS, (n) => call('add_entity', entity(n)))
  const connect = await timesOf(ADDITIONS, (n) =>
    call('connect_entities', { src: `new-${n}`, rel: 'uses', dst: 'entity-1' }),
  )
  // Every addition makes the next report a new one.
  let last = 0
  const report = await timesOf(20, async () => {
    await graph.writer!.addRelation({ src: `new-${last++}`, rel: 'measured', dst: 'entity-2' })
    return call('get_entropy_report', {})
  })
  const again = await timesOf(20, () => call('get_entropy_report', {}))
  await graph.close()
  return { openMs, search, add, connect, report, again }
}

interface Served {
  /** Until the handshake is over. */
  readonly startMs: number
  readonly firstSearchMs: number
  readonly search: Times
  readonly add: Times
  readonly connect: Times
  /** Undefined where the answer is more than the client takes. */
  readonly all: Times | undefined
}

/** Those that find a few: the memory server answers with all it finds, however many. */
const SHARED_KINDS = ['id', 'name', 'tag', 'nothing'] as const

interface Peer {
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly questions: number
  readonly additions: number
  search(query: string): [name: string, args: object]
  add(n: number): [name: string, args: object]
  connect(n: number): [name: string, args: object]
  /** Looks at the whole graph. */
  readonly all: [name: string, args: object]
}

/** Over standard streams, from the start of the process on. */
async function measureServer(peer: Peer): Promise<Served> {
  const begin = performance.now()
  const client = new Client({ name: 'bench', version: '1' })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...peer.args],
    env: { PATH: process.env['PATH'] ?? '', ...peer.env },
    stderr: 'ignore',
  })
  await client.connect(transport)
  const startMs = performance.now() - begin
  const call = async ([name, args]: [string, object]) => {
    const options = { timeout: 600_000 }
    const result = await client.callTool({ name, arguments: { ...args } }, undefined, options)
    if (result.isError) throw new Error(JSON.stringify(result.content))
  }
  try {
    await call(peer.search(askedFor('id', 1, ENTITIES)))
    const firstSearchMs = performance.now() - begin
    const search = await timesOf(peer.questions, (n) =>
      call(peer.search(askedFor(SHARED_KINDS[n % SHARED_KINDS.length]!, n, ENTITIES))),
    )
    const add = await timesOf(peer.additions, (n) => call(peer.add(n)))
    const connect = await timesOf(peer.additions, (n) => call(peer.connect(n)))
    const all = await timesOf(3, () => call(peer.all)).catch(() => undefined)
    return { startMs, firstSearchMs, search, add, connect, all }
  } finally {
    await client.close()
  }
}

function cairn(root: string): Peer {
  return {
    args: [join(PROJECT, 'bin/cairn.js'), 'cortex', 'serve', '--root', root],
    questions: QUESTIONS,
    additions: ADDITIONS,
    search: (query) => ['search_knowledge', { query }],
    add: (n) => ['add_entity', entity(n)],
    connect: (n) => ['connect_entities', { src: `new-${n}`, rel: 'uses', dst: 'entity-1' }],
    all: ['get_entropy_report', {}],
  }
}

function memoryServer(program: string, file: string): Peer {
  const named = (n: number) => ({
    name: `new-${n}`,
    entityType: 'concept',
    observations: ['Added while measuring'],
  })
  const relation = (n: number) => ({ from: `new-${n}`, to: 'entity-1', relationType: 'uses' })
  return {
    args: [program],
    env: { MEMORY_FILE_PATH: file },
    questions: PEER_QUESTIONS,
    additions: PEER_ADDITIONS,
    search: (query) => ['search_nodes', { query }],
    add: (n) => ['create_entities', { entities: [named(n)] }],
    connect: (n) => ['create_relations', { relations: [relation(n)] }],
    all: ['read_graph', {}],
  }
}

function findMemoryServer(): string | undefined {
  const told = process.env['CAIRN_BENCH_MEMORY_SERVER']
  if (told) return told
  try {
    const manifest = createRequire(import.meta.url).resolve(
      '@modelcontextprotocol/server-memory/package.json',
    )
    const program = join(dirname(manifest), 'dist/index.js')
    return existsSync(program) ? program : undefined
  } catch {
    return undefined
  }
}

const root = mkdtempSync(join(tmpdir(), 'cairn-bench-'))
try {
  console.log(`# Entities: ${ENTITIES} entities, ${RELATIONS} relations\n`)
  console.log(`${describeCalibration(calibrate())}\n`)
  const [brain, copy, memory] = ['brain', 'copy', 'memory'].map((name) => join(root, name))
  for (const folder of [brain!, memory!]) mkdirSync(folder)
  const file = join(memory!, 'memory.jsonl')
  writeGraphs({ entities: ENTITIES, relations: RELATIONS, root: brain!, memoryFile: file })
  cpSync(brain!, copy!, { recursive: true })

  const own = await measureSurface(copy!)
  const row = (what: string, { clock, cpuMs }: Times) => [
    what,
    formatMs(clock.p50),
    formatMs(clock.p95),
    formatMs(cpuMs),
  ]
  console.log('## In the process\n')
  console.log(`Opened, with everything that search needs, in ${formatMs(own.openMs)}.\n`)
  console.log(
    markdownTable(
      ['', 'p50', 'p95', 'processor, mean'],
      [
        ...[...own.search].map(([kind, times]) => row(`search: ${kind}`, times)),
        row('add_entity, flushed', own.add),
        row('connect_entities, flushed', own.connect),
        row('report after an addition, both', own.report),
        row('report, nothing new', own.again),
      ],
    ),
  )

  const program = findMemoryServer()
  const ours = await measureServer(cairn(brain!))
  const theirs = program ? await measureServer(memoryServer(program, file)) : undefined
  const beside = (what: string, mine: number | undefined, other: number | undefined) => [
    what,
    formatMs(mine),
    formatMs(other),
    formatFaster(mine, other),
  ]
  console.log('\n## Over standard streams\n')
  if (!theirs) {
    console.log('@modelcontextprotocol/server-memory is not installed, so nothing is beside it.\n')
  }
  const pick = (times: Times | undefined, part: 'p50' | 'p95') => times?.clock[part]
  console.log(
    markdownTable(
      ['', 'Cairn', 'memory server', 'faster'],
      [
        beside('start to handshake', ours.startMs, theirs?.startMs),
        beside('start to first search', ours.firstSearchMs, theirs?.firstSearchMs),
        beside('search p50', ours.search.clock.p50, pick(theirs?.search, 'p50')),
        beside('search p95', ours.search.clock.p95, pick(theirs?.search, 'p95')),
        beside('add an entity p50', ours.add.clock.p50, pick(theirs?.add, 'p50')),
        beside('add an entity p95', ours.add.clock.p95, pick(theirs?.add, 'p95')),
        beside('connect two p50', ours.connect.clock.p50, pick(theirs?.connect, 'p50')),
        beside('connect two p95', ours.connect.clock.p95, pick(theirs?.connect, 'p95')),
        beside('report; read the graph', pick(ours.all, 'p50'), pick(theirs?.all, 'p50')),
      ],
    ),
  )
  const worst = Math.max(...[...own.search.values()].map(({ clock }) => clock.p95))
  const aims: [what: string, ms: number, aim: number][] = [
    ['entities: start to handshake', ours.startMs, 1000],
    ['entities: search p95, slowest kind', worst, 5],
    ['entities: add_entity p95', own.add.clock.p95, 10],
    ['entities: connect_entities p95', own.connect.clock.p95, 10],
    ['entities: report p50', own.report.clock.p50, 200],
  ]
  for (const [what, ms, aim] of aims) {
    headline({ what, measured: formatMs(ms), aim: `≤ ${formatMs(aim)}`, met: ms <= aim })
  }
} finally {
  rmSync(root, { recursive: true, force: true })
}
