/**
 * The graph against graphology on the same random links, half of them to popular pages. Every
 * engine and size runs in a process of its own: `node bench/graph.ts [edges…]`.
 */
import { DirectedGraph } from 'graphology'
import pagerankModule from 'graphology-metrics/centrality/pagerank.js'
import { bidirectional } from 'graphology-shortest-path/unweighted.js'
import { components } from '../src/core/graph/components.ts'
import { buildGraph, patchGraph, type Graph } from '../src/core/graph/graph.ts'
import { pageRank } from '../src/core/graph/page-rank.ts'
import { shortestPath } from '../src/core/graph/shortest-path.ts'
import {
  benchOptions,
  calibrate,
  describeCalibration,
  formatMb,
  formatMs,
  formatRatio,
  headline,
  markdownTable,
  measureInChild,
  medianMs,
  randomNumbers,
  report,
  settledMemory,
  summarize,
  timed,
} from './harness.ts'

const SIZES = benchOptions().quick ? [100_000] : [10_000, 100_000, 1_000_000]
const ENGINES = ['cairn', 'graphology'] as const
type Engine = (typeof ENGINES)[number]

/** Milliseconds unless the name says bytes. */
interface Figures {
  readonly build: number
  readonly patch?: number
  readonly pageRank: number
  readonly roughPageRank: number
  readonly pathP50: number
  readonly pathP95: number
  readonly undirectedPathP50?: number
  readonly undirectedPathP95?: number
  readonly components?: number
  readonly bytes: number
  /** Nodes on all paths together: both engines must find the same. */
  readonly pathNodes: number
  readonly rankDigest: number
}

/** Both stop when a round moves less than this, however each of them likes to be told. */
const TOLERANCE = 1e-8
/** Where graphology stops unless told otherwise, per node: after a few rounds. */
const ROUGH_TOLERANCE = 1e-6

interface Links {
  readonly nodeCount: number
  readonly from: Uint32Array
  readonly to: Uint32Array
  readonly questions: readonly (readonly [number, number])[]
}

function drawLinks(edges: number): Links {
  const random = randomNumbers(5)
  const nodeCount = Math.max(100, Math.floor(edges / 5))
  const draw = (skew: number): number => Math.floor(random() ** skew * nodeCount)
  const from = new Uint32Array(edges)
  const to = new Uint32Array(edges)
  for (let i = 0; i < edges; i++) {
    from[i] = draw(1)
    to[i] = draw(random() < 0.5 ? 3 : 1)
  }
  const questions = Array.from({ length: 200 }, () => [draw(1), draw(1)] as const)
  return { nodeCount, from, to, questions }
}

function measureCairn(links: Links): Figures {
  const { nodeCount, from, to, questions } = links
  const before = settledMemory()
  const { ms: build, result: graph } = timed(() => buildGraph({ nodeCount, from, to }))
  const bytes = settledMemory() - before

  let edited: Graph = graph
  const patch = medianMs(9, () => {
    edited = patchGraph(edited, new Map([[nodeCount >> 1, { to: [1, 2, nodeCount - 1] }]]))
  })
  const { ms: rankMs, result: ranked } = timed(() => pageRank(graph, { tolerance: TOLERANCE }))
  const paths = answerAll(questions, (a, b) => shortestPath(graph, a, b, { directed: true }))
  const undirected = answerAll(questions, (a, b) => shortestPath(graph, a, b))
  return {
    build,
    patch,
    pageRank: rankMs,
    roughPageRank: timed(() => pageRank(graph, { tolerance: ROUGH_TOLERANCE * nodeCount })).ms,
    pathP50: paths.p50,
    pathP95: paths.p95,
    undirectedPathP50: undirected.p50,
    undirectedPathP95: undirected.p95,
    components: timed(() => components(graph)).ms,
    bytes,
    pathNodes: paths.nodes,
    rankDigest: rankDigest((node) => ranked.scores[node]!, nodeCount),
  }
}

function measureGraphology({ nodeCount, from, to, questions }: Links): Figures {
  // A CommonJS function whose types describe an ES module.
  const pagerank = pagerankModule as unknown as typeof pagerankModule.default
  const before = settledMemory()
  const graph = new DirectedGraph()
  const { ms: build } = timed(() => {
    for (let n = 0; n < nodeCount; n++) graph.addNode(n)
    for (let i = 0; i < from.length; i++) graph.mergeEdge(from[i], to[i])
  })
  const bytes = settledMemory() - before
  const options = { getEdgeWeight: null, tolerance: TOLERANCE / nodeCount, maxIterations: 1000 }
  const { ms: rankMs, result: ranked } = timed(() => pagerank(graph, options))
  const paths = answerAll(questions, (a, b) => bidirectional(graph, a, b))
  return {
    build,
    pageRank: rankMs,
    roughPageRank: timed(() => pagerank(graph, { ...options, tolerance: ROUGH_TOLERANCE })).ms,
    pathP50: paths.p50,
    pathP95: paths.p95,
    bytes,
    pathNodes: paths.nodes,
    rankDigest: rankDigest((node) => ranked[node]!, nodeCount),
  }
}

/** Asks everything a few times to warm up, then again with the clock running. */
function answerAll(
  questions: Links['questions'],
  answer: (from: number, to: number) => readonly unknown[] | null | undefined,
): { p50: number; p95: number; nodes: number } {
  for (let round = 0; round < 3; round++) for (const [from, to] of questions) answer(from, to)
  let nodes = 0
  const times = questions.map(([from, to]) => {
    const { ms, result } = timed(() => answer(from, to))
    nodes += result?.length ?? 0
    return ms
  })
  const { p50, p95 } = summarize(times)
  return { p50, p95, nodes }
}

/** One number that two rankings share only when their scores agree. */
function rankDigest(scoreOf: (node: number) => number, nodeCount: number): number {
  let sum = 0
  for (let n = 0; n < nodeCount; n++) sum += scoreOf(n) * Math.sin(n)
  return sum
}

const ROWS = [
  ['build', 'build', formatMs],
  ['patch one node', 'patch', formatMs],
  ['PageRank to 1e-8', 'pageRank', formatMs],
  ['PageRank, a few rounds', 'roughPageRank', formatMs],
  ['directed path p50', 'pathP50', formatMs],
  ['directed path p95', 'pathP95', formatMs],
  ['undirected path p50', 'undirectedPathP50', formatMs],
  ['undirected path p95', 'undirectedPathP95', formatMs],
  ['components', 'components', formatMs],
  ['memory', 'bytes', formatMb],
] as const satisfies readonly (readonly [string, keyof Figures, (value?: number) => string])[]

async function printTable(sizes: readonly number[]): Promise<void> {
  console.log(`## Graph\n\n${describeCalibration(calibrate())}\n`)
  const rows: string[][] = []
  for (const edges of sizes) {
    const [ours, theirs] = await measureBoth(edges)
    for (const [title, key, format] of ROWS) {
      rows.push([
        `${edges.toLocaleString('en')} links: ${title}`,
        format(ours[key]),
        format(theirs[key]),
        formatRatio(ours[key], theirs[key]),
      ])
    }
    const sameRanks = Math.abs(ours.rankDigest - theirs.rankDigest) < 1e-6
    if (ours.pathNodes !== theirs.pathNodes || !sameRanks) {
      throw new Error(`The two engines disagree at ${edges} links.`)
    }
    if (edges === sizes.at(-1)) printHeadlines(edges, ours, theirs)
  }
  console.log(markdownTable(['random links', ...ENGINES, 'ratio'], rows))
}

function printHeadlines(edges: number, ours: Figures, theirs: Figures): void {
  const what = `graph of ${edges.toLocaleString('en')} links`
  const compare = (part: string, key: 'build' | 'roughPageRank' | 'pathP50', aim: number): void =>
    headline({
      what: `${what}: ${part} against graphology`,
      measured: `${formatRatio(ours[key], theirs[key])} (${formatMs(ours[key])})`,
      aim: `≤ ${aim}x`,
      met: ours[key] <= aim * theirs[key],
    })
  compare('build', 'build', 0.02)
  compare('PageRank, a few rounds', 'roughPageRank', 0.05)
  compare('directed path p50', 'pathP50', 0.06)
  headline({ what: `${what}: patch one node`, measured: formatMs(ours.patch) })
}

/** One after the other: side by side they would take each other's time. */
async function measureBoth(edges: number): Promise<[Figures, Figures]> {
  const measure = (engine: Engine): Promise<Figures> =>
    measureInChild<Figures>(import.meta.filename, ['--engine', engine, String(edges)])
  return [await measure('cairn'), await measure('graphology')]
}

const [first, engine, size] = process.argv.slice(2)
if (first === '--engine') {
  const links = drawLinks(Number(size))
  report(engine === 'cairn' ? measureCairn(links) : measureGraphology(links))
} else {
  const sizes = process.argv.slice(2).map(Number).filter(Boolean)
  await printTable(sizes.length > 0 ? sizes : SIZES)
}
