/**
 * A level with about half the nodes: each is merged with one it is linked to, or, where all of
 * those are taken, with another that is left over beside the same neighbour. Without the second
 * rule the leaves of a star would go one at a time.
 */
import type { Steps } from '../../core/kit/slices.ts'
import type { Level } from './levels.ts'

export type { Level } from './levels.ts'

const NOBODY = 0xffff_ffff

export interface Coarsened {
  readonly coarse: Level
  readonly parent: Uint32Array
}

export function* coarsen(level: Level): Steps<Coarsened> {
  const mate = match(level)
  yield
  const { nodeCount } = level
  const parent = new Uint32Array(nodeCount)
  let count = 0
  for (let node = 0; node < nodeCount; node++) {
    parent[node] = mate[node]! < node ? parent[mate[node]!]! : count++
  }
  const coarse = merge(level, parent, count)
  yield
  return { coarse, parent }
}

/** The other half of each node's pair; a node by itself is its own. */
function match({ nodeCount, start, node, weight, mass }: Level): Uint32Array {
  const mate = new Uint32Array(nodeCount).fill(NOBODY)
  // Who has few neighbours chooses first, else nobody may be left for it.
  for (const n of byDegree(start)) {
    if (mate[n] !== NOBODY) continue
    let best = NOBODY
    let strongest = -1
    for (let k = start[n]!; k < start[n + 1]!; k++) {
      const other = node[k]!
      if (mate[other] !== NOBODY || other === n) continue
      const strength = weight[k]! / mass[other]!
      if (strength > strongest) {
        strongest = strength
        best = other
      }
    }
    if (best === NOBODY) continue
    mate[n] = best
    mate[best] = n
  }
  const waiting = new Uint32Array(nodeCount).fill(NOBODY)
  for (let n = 0; n < nodeCount; n++) {
    if (mate[n] !== NOBODY || start[n] === start[n + 1]!) continue
    let hub = node[start[n]!]!
    let strongest = weight[start[n]!]!
    for (let k = start[n]! + 1; k < start[n + 1]!; k++) {
      if (weight[k]! > strongest) {
        strongest = weight[k]!
        hub = node[k]!
      }
    }
    const other = waiting[hub]!
    if (other === NOBODY) {
      waiting[hub] = n
      continue
    }
    waiting[hub] = NOBODY
    mate[n] = other
    mate[other] = n
  }
  for (let n = 0; n < nodeCount; n++) if (mate[n] === NOBODY) mate[n] = n
  return mate
}

/** All nodes, those with the fewest neighbours first, equals in order. */
function byDegree(start: Uint32Array): Uint32Array {
  const nodeCount = start.length - 1
  const degrees = Uint32Array.from({ length: nodeCount }, (_, n) => start[n + 1]! - start[n]!)
  const most = degrees.reduce((largest, degree) => Math.max(largest, degree), 0)
  const next = new Uint32Array(most + 2)
  for (const degree of degrees) next[degree + 1]!++
  for (let degree = 0; degree <= most; degree++) next[degree + 1]! += next[degree]!
  const order = new Uint32Array(nodeCount)
  for (let n = 0; n < nodeCount; n++) order[next[degrees[n]!]!++] = n
  return order
}

/** Links between the same two merged nodes become one with their weights together. */
function merge(level: Level, parent: Uint32Array, count: number): Level {
  const start = new Uint32Array(count + 1)
  const node = new Uint32Array(level.node.length)
  const weight = new Float32Array(level.node.length)
  const mass = new Float32Array(count)
  const seenAt = new Uint32Array(count).fill(NOBODY)
  const [first, second] = children(parent, count)
  let write = 0
  for (let merged = 0; merged < count; merged++) {
    start[merged] = write
    for (const child of [first[merged]!, second[merged]!]) {
      if (child === NOBODY) continue
      mass[merged]! += level.mass[child]!
      for (let k = level.start[child]!; k < level.start[child + 1]!; k++) {
        const other = parent[level.node[k]!]!
        if (other === merged) continue
        const known = seenAt[other]!
        if (known !== NOBODY && known >= start[merged]!) {
          weight[known]! += level.weight[k]!
          continue
        }
        seenAt[other] = write
        node[write] = other
        weight[write++] = level.weight[k]!
      }
    }
  }
  start[count] = write
  return {
    nodeCount: count,
    start,
    node: node.slice(0, write),
    weight: weight.slice(0, write),
    mass,
  }
}

function children(parent: Uint32Array, count: number): [Uint32Array, Uint32Array] {
  const first = new Uint32Array(count).fill(NOBODY)
  const second = new Uint32Array(count).fill(NOBODY)
  for (let node = 0; node < parent.length; node++) {
    const merged = parent[node]!
    if (first[merged] === NOBODY) first[merged] = node
    else second[merged] = node
  }
  return [first, second]
}
