/**
 * Where does each node stand on the map? Parts that hang together are laid out by themselves, from
 * coarse to fine: nodes are merged in pairs until few are left, those find their places by forces,
 * and every finer level starts from the places of the coarser one. The largest part is a disc in
 * the middle, smaller ones stand around it, and nodes without links make the outermost rings.
 *
 * Nothing is random: the same graph gives the same bytes.
 */
import { eachInSteps } from '../../core/kit/slices.ts'
import type { Steps } from '../../core/kit/slices.ts'
import { componentSteps } from '../../core/graph/components.ts'
import type { Graph } from '../../core/graph/graph.ts'
import { coarsen, type Level } from './coarsen.ts'
import { settle } from './forces.ts'
import { placeRing, ringsFrom } from './rings.ts'
import { plainLevel, subLevel } from './levels.ts'

/** Pairs of coordinates, `x` at `2 * node`. They fit into 16 bits, with room for nodes that join. */
export type Places = Int16Array

/** A fresh map stays within this distance of the middle; what joins later may stand farther out. */
export const EXTENT = 24_000
export const FARTHEST = 32_767

/** Below this a level is laid out as it is. */
const COARSEST = 100
const COARSEST_ROUNDS = 300
/** Rounds at the finest level; a coarser one may afford more. */
const FINE_ROUNDS = 20
const MOST_ROUNDS = 60
const ROUNDS_PER_LEVEL = 6
/** Distance between the borders of two parts, in units of the space a node takes. */
const GAP = 2

/** In small steps, for a process that has others to answer. */
export function* layoutSteps(graph: Graph): Steps<Places> {
  const { nodeCount } = graph
  const plane = new Float64Array(2 * nodeCount)
  const whole = plainLevel(graph)
  yield
  const { of, sizes } = yield* componentSteps(graph, { selfLinks: false })
  const members = membersOf(of, sizes)
  yield
  let radius = 0
  let ring = ringsFrom(0)
  const lone: number[] = []
  for (const [part, nodes] of members.entries()) {
    if (sizes[part] === 1) {
      lone.push(nodes[0]!)
      continue
    }
    const places = yield* layoutPart(yield* subLevel(whole, nodes))
    const size = yield* toDisc(places)
    // The first is the largest; it has the middle, and the others go around.
    if (part === 0) {
      radius = size
      put(plane, nodes, places, 0, 0)
      ring = ringsFrom(radius + GAP)
      continue
    }
    const at = placeRing(ring, size + GAP / 2)
    put(plane, nodes, places, at.x, at.y)
  }
  const outer = ringsFrom(Math.max(radius, ring.outer) + GAP)
  if (lone.length === nodeCount) outer.inner = 0
  yield* eachInSteps(lone, (node) => {
    const { x, y } = placeRing(outer, 0.75)
    plane[2 * node] = x
    plane[2 * node + 1] = y
  })
  yield
  return quantize(plane)
}

/** Places of one connected part, around the origin, in no particular scale. */
export function* layoutPart(level: Level): Steps<Float64Array> {
  const levels: Level[] = [level]
  const parents: Uint32Array[] = []
  while (levels.at(-1)!.nodeCount > COARSEST) {
    const { coarse, parent } = yield* coarsen(levels.at(-1)!)
    // A level that hardly shrinks costs a round of everything and brings nothing.
    if (coarse.nodeCount > 0.95 * levels.at(-1)!.nodeCount) break
    levels.push(coarse)
    parents.push(parent)
  }
  let places = spiral(levels.at(-1)!.nodeCount)
  yield* settle(levels.at(-1)!, places, COARSEST_ROUNDS)
  for (let depth = levels.length - 2; depth >= 0; depth--) {
    places = prolong(places, parents[depth]!)
    yield* settle(
      levels[depth]!,
      places,
      Math.min(MOST_ROUNDS, FINE_ROUNDS + ROUNDS_PER_LEVEL * depth),
    )
  }
  return places
}

/** Nodes of every part, in ascending order. */
function membersOf(of: Uint32Array, sizes: Uint32Array): Uint32Array[] {
  const members = Array.from(sizes, (size) => new Uint32Array(size))
  const filled = new Uint32Array(sizes.length)
  for (let node = 0; node < of.length; node++) {
    const part = of[node]!
    members[part]![filled[part]!++] = node
  }
  return members
}

/** 2.399963… radians: turning by it, points of a spiral never line up. Written out as a rotation. */
const GOLDEN_COS = -0.737368878
const GOLDEN_SIN = 0.675490294

function spiral(count: number): Float64Array {
  const places = new Float64Array(2 * count)
  let x = 1
  let y = 0
  for (let node = 0; node < count; node++) {
    const radius = Math.sqrt(node + 0.5) * 10
    places[2 * node] = radius * x
    places[2 * node + 1] = radius * y
    ;[x, y] = [x * GOLDEN_COS - y * GOLDEN_SIN, x * GOLDEN_SIN + y * GOLDEN_COS]
  }
  return places
}

/** Children begin beside their parent, a little apart so that forces have a direction. */
function prolong(coarse: Float64Array, parent: Uint32Array): Float64Array {
  const places = new Float64Array(2 * parent.length)
  let x = 1
  let y = 0
  for (let node = 0; node < parent.length; node++) {
    places[2 * node] = SPREAD * coarse[2 * parent[node]!]! + x
    places[2 * node + 1] = SPREAD * coarse[2 * parent[node]! + 1]! + y
    ;[x, y] = [x * GOLDEN_COS - y * GOLDEN_SIN, x * GOLDEN_SIN + y * GOLDEN_COS]
  }
  return places
}

/** Twice the nodes on the same density take this much more room in each direction. */
const SPREAD = Math.SQRT2

/** Below 1: the crowded middle gets more of the room. */
const INNER = 0.75
/** How far the farthest tenth may stand outside of the rest. */
const OUTER = 0.4

/**
 * Moves the middle to the origin and scales to the room the nodes take, one unit each. Far ends are
 * drawn in, so that a few long branches do not make everything else small. Returns the radius.
 */
export function* toDisc(places: Float64Array): Steps<number> {
  const count = places.length / 2
  let middleX = 0
  let middleY = 0
  for (let node = 0; node < count; node++) {
    middleX += places[2 * node]! / count
    middleY += places[2 * node + 1]! / count
  }
  const radii = new Float64Array(count)
  for (let node = 0; node < count; node++) {
    const x = (places[2 * node]! -= middleX)
    const y = (places[2 * node + 1]! -= middleY)
    radii[node] = Math.sqrt(x * x + y * y)
  }
  yield
  const typical = radii.toSorted()[Math.floor(0.9 * (count - 1))]! || 1
  const wanted = 0.75 * Math.sqrt(count)
  let farthest = 0
  yield
  for (let node = 0; node < count; node++) {
    const relative = radii[node]! / typical
    const drawn = relative <= 1 ? relative ** INNER : 1 + OUTER * (1 - 1 / relative)
    const scale = relative > 0 ? (wanted * drawn) / radii[node]! : 0
    places[2 * node]! *= scale
    places[2 * node + 1]! *= scale
    farthest = Math.max(farthest, radii[node]! * scale)
  }
  return farthest
}

function put(
  plane: Float64Array,
  nodes: Uint32Array,
  places: Float64Array,
  x: number,
  y: number,
): void {
  for (const [index, node] of nodes.entries()) {
    plane[2 * node] = places[2 * index]! + x
    plane[2 * node + 1] = places[2 * index + 1]! + y
  }
}

function quantize(plane: Float64Array): Places {
  let farthest = 0
  for (let at = 0; at < plane.length; at += 2) {
    farthest = Math.max(farthest, Math.hypot(plane[at]!, plane[at + 1]!))
  }
  const scale = farthest > 0 ? EXTENT / farthest : 0
  // A map of a handful of nodes would otherwise be blown up to the size of thousands.
  const unit = Math.min(scale, EXTENT / 20)
  const places = new Int16Array(plane.length)
  for (let at = 0; at < plane.length; at++) places[at] = Math.round(plane[at]! * unit)
  return places
}
