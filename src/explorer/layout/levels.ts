/** A graph as the layout wants it: links in both directions, with weights, and masses of nodes. */
import { piecesInSteps } from '../../core/kit/slices.ts'
import type { Steps } from '../../core/kit/slices.ts'
import type { Graph } from '../../core/graph/graph.ts'

export interface Level {
  readonly nodeCount: number
  /** The neighbours of node `n` are `node[start[n] … start[n + 1])`; every link is there twice. */
  readonly start: Uint32Array
  readonly node: Uint32Array
  readonly weight: Float32Array
  /** How strongly a node pushes others away: one more than its links, added up when merged. */
  readonly mass: Float32Array
}

/** Direction, type and links to oneself do not matter to a map. */
export function plainLevel({ nodeCount, out, in: incoming }: Graph): Level {
  const start = new Uint32Array(nodeCount + 1)
  const node = new Uint32Array(out.node.length + incoming.node.length)
  let write = 0
  for (let n = 0; n < nodeCount; n++) {
    start[n] = write
    let a = out.start[n]!
    let b = incoming.start[n]!
    const endA = out.start[n + 1]!
    const endB = incoming.start[n + 1]!
    let last = n
    // Both rows are sorted: merging them leaves every neighbour once.
    while (a < endA || b < endB) {
      const next =
        b >= endB || (a < endA && out.node[a]! <= incoming.node[b]!)
          ? out.node[a++]!
          : incoming.node[b++]!
      if (next === n || (next === last && write > start[n]!)) continue
      node[write++] = next
      last = next
    }
  }
  start[nodeCount] = write
  const mass = new Float32Array(nodeCount)
  for (let n = 0; n < nodeCount; n++) mass[n] = 1 + start[n + 1]! - start[n]!
  return {
    nodeCount,
    start,
    node: node.slice(0, write),
    weight: new Float32Array(write).fill(1),
    mass,
  }
}

const AT_ONCE = 5_000

/** The part of a level that some nodes make; nobody outside may be linked from inside. */
export function* subLevel(level: Level, nodes: Uint32Array): Steps<Level> {
  if (nodes.length === level.nodeCount) return level
  const numbers = new Map<number, number>()
  yield* piecesInSteps(nodes.length, AT_ONCE, (from, end) => {
    for (let index = from; index < end; index++) numbers.set(nodes[index]!, index)
  })
  const start = new Uint32Array(nodes.length + 1)
  const node: number[] = []
  yield* piecesInSteps(nodes.length, AT_ONCE, (from, end) => {
    for (let index = from; index < end; index++) {
      const old = nodes[index]!
      for (let k = level.start[old]!; k < level.start[old + 1]!; k++) {
        const known = numbers.get(level.node[k]!)
        if (known !== undefined) node.push(known)
      }
      start[index + 1] = node.length
    }
  })
  return {
    nodeCount: nodes.length,
    start,
    node: Uint32Array.from(node),
    weight: new Float32Array(node.length).fill(1),
    mass: Float32Array.from(nodes, (old) => level.mass[old]!),
  }
}
