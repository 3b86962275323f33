/**
 * Communities by the method of Louvain: nodes that are joined more with each other than chance would
 * join them. Every node goes where it fits best until none wants to move; then each community becomes
 * one node, and it begins again. Nothing is drawn by lot: the same graph has the same communities.
 */
import { atOnce } from '../kit/slices.ts'
import type { Steps } from '../kit/slices.ts'
import type { Graph } from './graph.ts'
import { pairsInScope, type Scope } from './scope.ts'

/** The community of a node that is excluded, or joined with nobody. */
export const NO_COMMUNITY = 0xffff_ffff

export interface Communities {
  /** Per node the number of its community, or NO_COMMUNITY. */
  readonly of: Uint32Array
  /** Nodes per community, largest first; equals in the order of their smallest nodes. */
  readonly sizes: Uint32Array
}

export function communities(graph: Graph, scope: Scope = {}): Communities {
  return atOnce(communitySteps(graph, scope))
}

export function* communitySteps(graph: Graph, scope: Scope = {}): Steps<Communities> {
  const { nodeCount } = graph
  let level = yield* firstLevel(graph, scope)
  const of = Uint32Array.from({ length: nodeCount }, (_, node) => node)
  for (let round = 0; round < MOST_LEVELS; round++) {
    const moved = yield* settle(level)
    if (moved.count === level.nodeCount) break
    for (let node = 0; node < nodeCount; node++) of[node] = moved.of[of[node]!]!
    yield
    level = yield* merge(level, moved)
  }
  return bySize(of, (node) => level.strength[of[node]!] === 0)
}

/** A graph whose links have weights and no direction. */
interface Level {
  readonly nodeCount: number
  readonly start: Uint32Array
  readonly node: Uint32Array
  readonly weight: Float64Array
  /** Per node, the weight of all its links; those within it count at both ends. */
  readonly strength: Float64Array
}

interface Settled {
  readonly of: Uint32Array
  readonly count: number
}

/** Each level is at most half of the one before, where anything was merged that matters. */
const MOST_LEVELS = 32
/** Moves of a node on average, beyond which a level is left as it is: sums of fractions may waver. */
const MOST_MOVES = 50
const AT_ONCE = 10_000

/** Links in both directions, each way one of them: who answers a link is joined twice as much. */
function* firstLevel(graph: Graph, scope: Scope): Steps<Level> {
  const { nodeCount } = graph
  const alone = { ...scope, selfLinks: false }
  const rows = [
    pairsInScope(graph, graph.out, alone),
    pairsInScope(graph, graph.in, alone),
  ] as const
  yield
  const start = new Uint32Array(nodeCount + 1)
  const strength = new Float64Array(nodeCount)
  for (let n = 0; n < nodeCount; n++) {
    for (const row of rows) strength[n]! += row.start[n + 1]! - row.start[n]!
    start[n + 1] = start[n]! + strength[n]!
  }
  yield
  const node = new Uint32Array(start[nodeCount]!)
  for (let n = 0; n < nodeCount; n++) {
    let write = start[n]!
    for (const row of rows) {
      const joined = row.node.subarray(row.start[n], row.start[n + 1])
      node.set(joined, write)
      write += joined.length
    }
  }
  return { nodeCount, start, node, weight: new Float64Array(node.length).fill(1), strength }
}

/** Moves nodes one by one to the community that gains most, as long as any gains. */
function* settle({ nodeCount, start, node, weight, strength }: Level): Steps<Settled> {
  const of = Uint32Array.from({ length: nodeCount }, (_, n) => n)
  const total = strength.slice()
  const whole = strength.reduce((sum, each) => sum + each, 0)
  const joined = new Float64Array(nodeCount)
  const near: number[] = []
  // A ring of those that may want to move: at first all, later the neighbours of who moved.
  const queue = of.slice()
  const waits = new Uint8Array(nodeCount).fill(1)
  let first = 0
  let length = nodeCount
  for (let looked = 0; length > 0 && looked < MOST_MOVES * nodeCount; looked++) {
    if (looked % AT_ONCE === AT_ONCE - 1) yield
    const n = queue[first]!
    first = (first + 1) % nodeCount
    length--
    waits[n] = 0
    const own = of[n]!
    for (let k = start[n]!; k < start[n + 1]!; k++) {
      const other = node[k]!
      if (other === n) continue
      const community = of[other]!
      if (joined[community] === 0) near.push(community)
      joined[community]! += weight[k]!
    }
    const share = strength[n]! / whole
    const gain = (community: number, without: number): number =>
      joined[community]! - share * (total[community]! - without)
    let best = own
    let most = gain(own, strength[n]!)
    for (const community of near) {
      if (community === own) continue
      const gained = gain(community, 0)
      if (gained > most + 1e-9) {
        best = community
        most = gained
      }
    }
    for (const community of near) joined[community] = 0
    near.length = 0
    if (best === own) continue
    of[n] = best
    total[own]! -= strength[n]!
    total[best]! += strength[n]!
    for (let k = start[n]!; k < start[n + 1]!; k++) {
      const other = node[k]!
      if (waits[other] === 1 || of[other] === best) continue
      waits[other] = 1
      queue[(first + length++) % nodeCount] = other
    }
  }
  return numbered(of)
}

/** Numbers without gaps, in the order of first nodes. */
function numbered(of: Uint32Array): Settled {
  const numbers = new Uint32Array(of.length).fill(NO_COMMUNITY)
  let count = 0
  const next = of.map((community) => {
    if (numbers[community] === NO_COMMUNITY) numbers[community] = count++
    return numbers[community]!
  })
  return { of: next, count }
}

/** Every community becomes a node; what joined its members joins it with itself. */
function* merge(level: Level, { of, count }: Settled): Steps<Level> {
  const members = new Uint32Array(level.nodeCount)
  const ends = new Uint32Array(count + 1)
  for (const community of of) ends[community + 1]!++
  for (let c = 0; c < count; c++) ends[c + 1]! += ends[c]!
  const next = ends.slice(0, count)
  for (let n = 0; n < level.nodeCount; n++) members[next[of[n]!]!++] = n
  yield
  const start = new Uint32Array(count + 1)
  const strength = new Float64Array(count)
  const node = new Uint32Array(level.node.length)
  const weight = new Float64Array(level.node.length)
  const joined = new Float64Array(count)
  const near: number[] = []
  let write = 0
  for (let c = 0; c < count; c++) {
    for (let m = ends[c]!; m < ends[c + 1]!; m++) {
      const n = members[m]!
      strength[c]! += level.strength[n]!
      for (let k = level.start[n]!; k < level.start[n + 1]!; k++) {
        const other = of[level.node[k]!]!
        if (joined[other] === 0) near.push(other)
        joined[other]! += level.weight[k]!
      }
    }
    for (const other of near) {
      node[write] = other
      weight[write++] = joined[other]!
      joined[other] = 0
    }
    near.length = 0
    start[c + 1] = write
    if (c % AT_ONCE === AT_ONCE - 1) yield
  }
  return {
    nodeCount: count,
    start,
    node: node.slice(0, write),
    weight: weight.slice(0, write),
    strength,
  }
}

function bySize(of: Uint32Array, isAlone: (node: number) => boolean): Communities {
  const sizes = new Map<number, number>()
  for (const [node, community] of of.entries()) {
    if (!isAlone(node)) sizes.set(community, (sizes.get(community) ?? 0) + 1)
  }
  // Sorting is stable: among equals the one with the smallest node stays first.
  const order = [...sizes].toSorted(([, a], [, b]) => b - a)
  const numbers = new Map(order.map(([community], number) => [community, number]))
  return {
    of: of.map((community) => numbers.get(community) ?? NO_COMMUNITY),
    sizes: Uint32Array.from(order, ([, size]) => size),
  }
}
