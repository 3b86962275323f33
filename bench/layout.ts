/**
 * The map of a vault against ForceAtlas2 of graphology on the same links: processor time, and how
 * many of a note's neighbours are among its nearest points. Each in a process of its own.
 *
 *     node bench/layout.ts [--quick] [--set NAME]
 */
import { UndirectedGraph } from 'graphology'
import forceAtlasModule from 'graphology-layout-forceatlas2'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '../src/serve/config/load-config.ts'
import { openBase } from '../src/serve/wiring/open-base.ts'
import { openStore } from '../src/serve/parts/stores.ts'
import { buildGraph, type Graph } from '../src/core/graph/graph.ts'
import { joinLayout, layoutGraph } from '../test/support/at-once.ts'
import { neighborhoodPreservation } from '../test/support/neighborhood.ts'
import { loadLinkGraph, loadPathOrder } from '../src/core/operations/view/link-graph.ts'
import {
  benchOptions,
  calibrate,
  describeCalibration,
  findEvaluationSet,
  formatMs,
  formatRatio,
  headline,
  markdownTable,
  measureInChild,
  NO_EVALUATION_SETS,
  randomNumbers,
  report,
  timed,
} from './harness.ts'

/** What graphology's own documentation suggests for a first look. */
const ITERATIONS = 100
/** Neighbourhoods are compared for one node of so many: each costs a sorting of all. */
const EVERY = 7
const NEW_NOTES = 100

interface Figures {
  readonly cpuMs: number
  readonly preservation: number
  readonly nodes: number
  readonly links: number
  readonly joinMs?: number
  readonly moved?: number
}

type Engine = 'cairn' | 'graphology'

async function linksOf(documents: string): Promise<Graph> {
  const state = await mkdtemp(join(tmpdir(), 'cairn-bench-layout-'))
  try {
    const { config } = await loadConfig({
      folders: [documents],
      flags: { state, embedding: 'none' },
      configFile: undefined,
      env: {},
      cwd: state,
      home: state,
    })
    const base = await openBase(config)
    await base.index({})
    await base.close()
    const { store } = await openStore(config)
    const { graph } = await loadLinkGraph(store, await loadPathOrder(store))
    await store.close()
    return graph
  } finally {
    await rm(state, { recursive: true, force: true })
  }
}

function cpuMs<Result>(work: () => Result): { readonly ms: number; readonly result: Result } {
  const before = process.cpuUsage()
  const result = work()
  const { user, system } = process.cpuUsage(before)
  return { ms: (user + system) / 1_000, result }
}

function measureCairn(graph: Graph): Figures {
  const { ms, result: places } = cpuMs(() => layoutGraph(graph))
  const known = new Uint8Array(graph.nodeCount).fill(1)
  const random = randomNumbers(3)
  for (let i = 0; i < NEW_NOTES; i++) known[Math.floor(random() * graph.nodeCount)] = 0
  const { ms: joinMs, result: joined } = timed(() => joinLayout(graph, { places, known }))
  let moved = 0
  for (let node = 0; node < graph.nodeCount; node++) {
    const same =
      joined[2 * node] === places[2 * node] && joined[2 * node + 1] === places[2 * node + 1]
    if (known[node] !== 0 && !same) moved++
  }
  const preservation = neighborhoodPreservation(graph, places, { every: EVERY })
  return { cpuMs: ms, preservation, ...sizeOf(graph), joinMs, moved }
}

function measureGraphology(graph: Graph): Figures {
  // A CommonJS function whose types describe an ES module.
  const forceAtlas = forceAtlasModule as unknown as typeof forceAtlasModule.default
  const random = randomNumbers(7)
  const theirs = new UndirectedGraph()
  for (let n = 0; n < graph.nodeCount; n++) {
    theirs.addNode(n, { x: 100 * random(), y: 100 * random() })
  }
  for (let n = 0; n < graph.nodeCount; n++) {
    for (let k = graph.out.start[n]!; k < graph.out.start[n + 1]!; k++) {
      if (graph.out.node[k] !== n) theirs.mergeEdge(n, graph.out.node[k])
    }
  }
  const settings = { ...forceAtlas.inferSettings(theirs), barnesHutOptimize: true }
  const { ms, result } = cpuMs(() => forceAtlas(theirs, { iterations: ITERATIONS, settings }))
  const places = new Float64Array(2 * graph.nodeCount)
  for (let n = 0; n < graph.nodeCount; n++) {
    places[2 * n] = result[n]!.x
    places[2 * n + 1] = result[n]!.y
  }
  const preservation = neighborhoodPreservation(graph, places, { every: EVERY })
  return { cpuMs: ms, preservation, ...sizeOf(graph) }
}

function sizeOf(graph: Graph): Pick<Figures, 'nodes' | 'links'> {
  return { nodes: graph.nodeCount, links: graph.edgeCount }
}

/** A graph of the size people fear: random links, half of them to popular notes. */
function drawGraph(nodeCount: number, edges: number): Graph {
  const random = randomNumbers(5)
  const draw = (skew: number): number => Math.floor(random() ** skew * nodeCount)
  const from = Uint32Array.from({ length: edges }, () => draw(1))
  const to = Uint32Array.from({ length: edges }, () => draw(random() < 0.5 ? 3 : 1))
  return buildGraph({ nodeCount, from, to })
}

async function printTable(documents: string): Promise<void> {
  console.log(`## Map\n\n${describeCalibration(calibrate())}\n`)
  const measure = (engine: Engine): Promise<Figures> =>
    measureInChild<Figures>(import.meta.filename, ['--engine', engine, documents])
  const ours = await measure('cairn')
  const theirs = await measure('graphology')
  const what = `${ours.nodes.toLocaleString('en')} notes, ${ours.links.toLocaleString('en')} links`
  const { ms: large } = cpuMs(() => layoutGraph(drawGraph(100_000, 314_000)))
  const rows = [
    [
      'processor time',
      formatMs(ours.cpuMs),
      formatMs(theirs.cpuMs),
      formatRatio(ours.cpuMs, theirs.cpuMs),
    ],
    [
      'neighbours among the nearest',
      share(ours.preservation),
      share(theirs.preservation),
      formatRatio(ours.preservation, theirs.preservation),
    ],
    [`${NEW_NOTES} notes join`, formatMs(ours.joinMs), '–', ''],
    ['old notes moved by that', String(ours.moved), '–', ''],
    ['100,000 nodes, 314,000 links', formatMs(large), '–', ''],
  ]
  console.log(
    markdownTable([what, 'cairn', `ForceAtlas2, ${ITERATIONS} iterations`, 'ratio'], rows),
  )
  headline({
    what: `map of ${what} against ForceAtlas2`,
    measured: `${formatRatio(ours.cpuMs, theirs.cpuMs)} (${formatMs(ours.cpuMs)})`,
    aim: '≤ 0.1x, ≤ 2 s',
    met: ours.cpuMs <= 0.1 * theirs.cpuMs && ours.cpuMs <= 2_000,
  })
  headline({
    what: 'map: neighbours among the nearest points, against ForceAtlas2',
    measured: `${share(ours.preservation)} / ${share(theirs.preservation)}`,
    aim: 'no worse',
    met: ours.preservation >= theirs.preservation,
  })
}

function share(value: number): string {
  return `${(100 * value).toFixed(1)} %`
}

const [first, engine, documents = ''] = process.argv.slice(2)
if (first === '--engine') {
  const graph = await linksOf(documents)
  report(engine === 'cairn' ? measureCairn(graph) : measureGraphology(graph))
} else {
  const set = await findEvaluationSet(benchOptions().set)
  if (set) await printTable(join(set, 'docs'))
  else console.log(`## Map\n\n${NO_EVALUATION_SETS}`)
}
