import { checkNode, rowLength, type Graph, type Rows } from './graph.ts'
import { isExcluded, typeMask, type NodeOrder, type Scope, type TypeMask } from './scope.ts'
import { borrowScratch } from './scratch.ts'

export interface PathOptions extends Scope {
  /** True follows links only forwards. Default false: a link joins both its ends. */
  readonly directed?: boolean
  /** Longest path to look for, in links; any length when left out. */
  readonly maxHops?: number
  readonly order?: NodeOrder
}

/**
 * A shortest path as a list of nodes, both ends included; undefined when there is none. Among
 * several it is the one that takes, at every step, the first possible next node in `order`.
 *
 * The search grows a ball around each end, always the one with fewer links to look at, until they
 * touch. That alone finds some shortest path; to find the first one, the level on which they touch
 * is looked at in full, and then the ball around `from` is walked back once to see which of its
 * nodes lead to a touching point.
 */
export function shortestPath(
  graph: Graph,
  from: number,
  to: number,
  options: PathOptions = {},
): number[] | undefined {
  checkNode(from, graph.nodeCount)
  checkNode(to, graph.nodeCount)
  if (isExcluded(options, from) || isExcluded(options, to)) return undefined
  if (from === to) return [from]

  const { directed = false, maxHops = Infinity } = options
  // Marks of this search, in this order: in the ball around `from`; the same and leading to the
  // other ball, in levels of even and of odd depth; in the ball around `to`, one mark per depth.
  const scratch = borrowScratch(graph.nodeCount, 4 + graph.nodeCount)
  const near = scratch.firstMark
  const search: Search = {
    mark: scratch.mark,
    next: scratch.value,
    near,
    leading: near + 1,
    far: near + 3,
    mask: typeMask(options.types),
    exclude: options.exclude,
    order: options.order,
  }
  const ahead = directed ? [graph.out] : [graph.out, graph.in]
  const back = directed ? [graph.in] : [graph.in, graph.out]
  const nearBall = ballAround(from, scratch.queue, ahead)
  const farBall = ballAround(to, scratch.otherQueue, back)
  search.mark[from] = near
  search.mark[to] = search.far

  for (;;) {
    const nearDepth = nearBall.levels.length - 1
    const farDepth = farBall.levels.length - 1
    if (nearDepth + farDepth >= maxHops) return undefined
    const touched =
      nearBall.links <= farBall.links
        ? growNear(search, nearBall, ahead)
        : growFar(search, farBall, back, nearDepth)
    if (touched) {
      walkBack(search, nearBall, ahead, nearDepth)
      return pathThrough(search, ahead, from, nearDepth, farDepth)
    }
    if (nearBall.size === nearBall.levels.at(-1) || farBall.size === farBall.levels.at(-1)) {
      return undefined
    }
  }
}

interface Search {
  readonly mark: Uint32Array
  /** For a node that leads to the other ball: the first node it leads to. */
  readonly next: Uint32Array
  readonly near: number
  readonly leading: number
  readonly far: number
  readonly mask: TypeMask
  readonly exclude: Uint8Array | undefined
  readonly order: NodeOrder | undefined
}

interface Ball {
  /** Nodes by distance from the centre. */
  readonly queue: Uint32Array
  /** Where in the queue each level begins. */
  readonly levels: number[]
  size: number
  /** How many links leave the outermost level: the price of growing. */
  links: number
}

function ballAround(centre: number, queue: Uint32Array, sides: readonly Rows[]): Ball {
  queue[0] = centre
  return { queue, levels: [0], size: 1, links: linksOf(sides, queue, 0, 1) }
}

/** One step outwards from `from`. True when the other ball was touched. */
function growNear(search: Search, ball: Ball, sides: readonly Rows[]): boolean {
  const { mark, near, far, mask, exclude } = search
  const { queue } = ball
  const depth = ball.levels.length - 1
  const begin = ball.levels[depth]!
  const end = ball.size
  let size = end
  let touched = false
  for (let i = begin; i < end; i++) {
    const node = queue[i]!
    if (touched) {
      // Whatever lies outside the other ball no longer matters.
      lead(search, sides, node, depth, far, 0xffff_ffff)
      continue
    }
    for (const rows of sides) {
      const rowEnd = rows.start[node + 1]!
      for (let k = rows.start[node]!; k < rowEnd; k++) {
        const neighbor = rows.node[k]!
        const seen = mark[neighbor]!
        if (seen >= near && seen < far) continue
        if (mask && mask[rows.type[k]!] === 0) continue
        if (exclude && exclude[neighbor] !== 0) continue
        if (seen >= far) {
          touched = true
          break
        }
        mark[neighbor] = near
        queue[size++] = neighbor
      }
      if (touched) break
    }
    if (touched) lead(search, sides, node, depth, far, 0xffff_ffff)
  }
  if (!touched) finishLevel(ball, sides, size)
  return touched
}

/** One step backwards from `to`. True when the ball around `from` was touched. */
function growFar(search: Search, ball: Ball, sides: readonly Rows[], nearDepth: number): boolean {
  const { mark, near, far, mask, exclude, next, order } = search
  const { queue } = ball
  const depth = ball.levels.length
  const leading = search.leading + (nearDepth & 1)
  const begin = ball.levels[depth - 1]!
  const end = ball.size
  let size = end
  let touched = false
  for (let i = begin; i < end; i++) {
    const node = queue[i]!
    for (const rows of sides) {
      const rowEnd = rows.start[node + 1]!
      for (let k = rows.start[node]!; k < rowEnd; k++) {
        const neighbor = rows.node[k]!
        const seen = mark[neighbor]!
        if (seen >= far || (touched && seen < near)) continue
        if (mask && mask[rows.type[k]!] === 0) continue
        if (exclude && exclude[neighbor] !== 0) continue
        if (seen < near) {
          mark[neighbor] = far + depth
          queue[size++] = neighbor
          continue
        }
        touched = true
        if (seen !== leading || comesBefore(order, node, next[neighbor]!)) next[neighbor] = node
        mark[neighbor] = leading
      }
    }
  }
  if (!touched) finishLevel(ball, sides, size)
  return touched
}

/** Marks, level by level towards `from`, the nodes that lead to a touching point, and where to. */
function walkBack(search: Search, ball: Ball, sides: readonly Rows[], nearDepth: number): void {
  for (let depth = nearDepth - 1; depth >= 0; depth--) {
    const wanted = search.leading + ((depth + 1) & 1)
    for (let i = ball.levels[depth]!; i < ball.levels[depth + 1]!; i++) {
      lead(search, sides, ball.queue[i]!, depth, wanted, wanted)
    }
  }
}

/** Marks `node` as leading when it has a neighbour marked between `low` and `high`. */
function lead(
  search: Search,
  sides: readonly Rows[],
  node: number,
  depth: number,
  low: number,
  high: number,
): void {
  const next = firstNeighbor(search, sides, node, low, high)
  if (next === undefined) return
  search.next[node] = next
  search.mark[node] = search.leading + (depth & 1)
}

function pathThrough(
  search: Search,
  ahead: readonly Rows[],
  from: number,
  nearDepth: number,
  farDepth: number,
): number[] {
  const path = [from]
  let node = from
  for (let i = 0; i <= nearDepth; i++) path.push((node = search.next[node]!))
  for (let depth = farDepth - 1; depth >= 0; depth--) {
    const wanted = search.far + depth
    path.push((node = firstNeighbor(search, ahead, node, wanted, wanted)!))
  }
  return path
}

/** The first neighbour in order whose mark lies between `low` and `high`. */
function firstNeighbor(
  search: Search,
  sides: readonly Rows[],
  node: number,
  low: number,
  high: number,
): number | undefined {
  const { mark, mask, exclude, order } = search
  let first: number | undefined
  for (const rows of sides) {
    const rowEnd = rows.start[node + 1]!
    for (let k = rows.start[node]!; k < rowEnd; k++) {
      const neighbor = rows.node[k]!
      if (mark[neighbor]! < low || mark[neighbor]! > high) continue
      if (mask && mask[rows.type[k]!] === 0) continue
      if (exclude && exclude[neighbor] !== 0) continue
      if (first === undefined || comesBefore(order, neighbor, first)) first = neighbor
      // Rows are sorted by number, so without another order nothing better can follow.
      if (!order) break
    }
  }
  return first
}

function comesBefore(order: NodeOrder | undefined, a: number, b: number): boolean {
  return order ? order[a]! < order[b]! : a < b
}

/** What was put behind the outermost level becomes the outermost level. */
function finishLevel(ball: Ball, sides: readonly Rows[], size: number): void {
  ball.levels.push(ball.size)
  ball.links = linksOf(sides, ball.queue, ball.size, size)
  ball.size = size
}

function linksOf(sides: readonly Rows[], queue: Uint32Array, begin: number, end: number): number {
  let links = 0
  for (const rows of sides) {
    for (let i = begin; i < end; i++) links += rowLength(rows, queue[i]!)
  }
  return links
}
