/**
 * A tree of squares over points, for adding up what far points do together. Points are sorted along
 * a curve that visits square after square (Morton order), so that every square is a stretch of the
 * list and the tree can be written down in the order in which it is walked: who does not go into a
 * square jumps to `next`.
 */

import { piecesInSteps } from '../../core/kit/slices.ts'
import type { Steps } from '../../core/kit/slices.ts'

export interface Tree {
  /** Points in the order of the curve. */
  order: Uint32Array
  cells: number
  /** Middle of the masses, per cell. */
  x: Float64Array
  y: Float64Array
  mass: Float64Array
  /** Square of the distance from which on a cell counts as one point. */
  reach: Float64Array
  /** The cell behind this one and everything in it. */
  next: Uint32Array
  /** Points of a cell that is not divided further: from `first` to `last` of `order`; else equal. */
  first: Uint32Array
  last: Uint32Array
  codes: Uint32Array
}

/** A square counts as one point when its side is shorter than so many times its distance. */
const ACCURACY = 1.2
/** Squares of so few points are not divided further. */
const BUCKET = 4
const BITS = 16
/** Of points that cannot be told apart, only so many push each other. */
const MOST_IN_CELL = 32

export function* buildTree(places: Float64Array, mass: Float32Array, reuse?: Tree): Steps<Tree> {
  const count = mass.length
  const tree = reuse ?? emptyTree(count)
  let lowX = Infinity
  let lowY = Infinity
  let highX = -Infinity
  let highY = -Infinity
  for (let point = 0; point < count; point++) {
    const x = places[2 * point]!
    const y = places[2 * point + 1]!
    if (x < lowX) lowX = x
    if (x > highX) highX = x
    if (y < lowY) lowY = y
    if (y > highY) highY = y
  }
  const side = Math.max(highX - lowX, highY - lowY, 1e-9) * 1.0001
  const scale = 2 ** BITS / side
  const codes = new Uint32Array(count)
  for (let point = 0; point < count; point++) {
    const column = Math.floor((places[2 * point]! - lowX) * scale)
    const row = Math.floor((places[2 * point + 1]! - lowY) * scale)
    codes[point] = (spread(column) | (spread(row) << 1)) >>> 0
  }
  yield
  tree.order = yield* sortByCode(codes)
  for (let at = 0; at < count; at++) tree.codes[at] = codes[tree.order[at]!]!
  tree.cells = 0
  yield
  divide(tree, places, mass, 0, count, BITS, (side * side) / (ACCURACY * ACCURACY))
  return tree
}

/** So many points are pushed between two stops: some milliseconds in a tree of any size. */
const PUSHED_AT_ONCE = 2_000

/** Adds to `force` what every point gets from all others. */
export function pushes(
  tree: Tree,
  places: Float64Array,
  mass: Float32Array,
  force: Float64Array,
): Steps<void> {
  return piecesInSteps(tree.order.length, PUSHED_AT_ONCE, (from, end) =>
    push(tree, places, mass, force, from, end),
  )
}

function push(
  tree: Tree,
  places: Float64Array,
  mass: Float32Array,
  force: Float64Array,
  from: number,
  to: number,
): void {
  const { order, cells, x, y, mass: masses, reach, next, first, last } = tree
  for (let at = from; at < to; at++) {
    const point = order[at]!
    const pointX = places[2 * point]!
    const pointY = places[2 * point + 1]!
    let forceX = 0
    let forceY = 0
    for (let cell = 0; cell < cells;) {
      const dx = pointX - x[cell]!
      const dy = pointY - y[cell]!
      const squared = dx * dx + dy * dy
      if (squared > reach[cell]!) {
        const push = masses[cell]! / squared
        forceX += dx * push
        forceY += dy * push
        cell = next[cell]!
        continue
      }
      const end = last[cell]!
      for (let k = first[cell]!; k < end; k++) {
        const other = order[k]!
        if (other === point) continue
        let ddx = pointX - places[2 * other]!
        let ddy = pointY - places[2 * other + 1]!
        let apart = ddx * ddx + ddy * ddy
        if (apart < 1e-12) {
          // In the same place: the earlier goes left, the later right.
          ddx = at < k ? -1e-3 : 1e-3
          ddy = 0
          apart = 1e-6
        }
        const push = mass[other]! / apart
        forceX += ddx * push
        forceY += ddy * push
      }
      cell++
    }
    force[2 * point]! += forceX * mass[point]!
    force[2 * point + 1]! += forceY * mass[point]!
  }
}

function emptyTree(count: number): Tree {
  // A cell that is divided has two parts at least.
  const most = 2 * count
  return {
    order: new Uint32Array(0),
    cells: 0,
    x: new Float64Array(most),
    y: new Float64Array(most),
    mass: new Float64Array(most),
    reach: new Float64Array(most),
    next: new Uint32Array(most),
    first: new Uint32Array(most),
    last: new Uint32Array(most),
    codes: new Uint32Array(count),
  }
}

/** Writes the cell of the points `from … to` and everything in it. */
function divide(
  tree: Tree,
  places: Float64Array,
  mass: Float32Array,
  from: number,
  to: number,
  bits: number,
  reach: number,
): void {
  let level = bits
  let side = reach
  // A square whose points are all in one quarter is that quarter.
  while (
    level > 0 &&
    quarterOf(tree.codes[from]!, level) === quarterOf(tree.codes[to - 1]!, level)
  ) {
    level--
    side /= 4
  }
  const cell = tree.cells++
  const isLeaf = to - from <= BUCKET || level === 0
  tree.reach[cell] = side
  tree.first[cell] = from
  tree.last[cell] = isLeaf ? Math.min(to, from + MOST_IN_CELL) : from
  let sum = 0
  let sumX = 0
  let sumY = 0
  if (isLeaf) {
    for (let at = from; at < to; at++) {
      const point = tree.order[at]!
      sum += mass[point]!
      sumX += mass[point]! * places[2 * point]!
      sumY += mass[point]! * places[2 * point + 1]!
    }
  } else {
    for (let start = from; start < to;) {
      const end = endOfQuarter(tree.codes, start, to, level)
      const child = tree.cells
      divide(tree, places, mass, start, end, level - 1, side / 4)
      sum += tree.mass[child]!
      sumX += tree.mass[child]! * tree.x[child]!
      sumY += tree.mass[child]! * tree.y[child]!
      start = end
    }
  }
  tree.mass[cell] = sum
  tree.x[cell] = sumX / sum
  tree.y[cell] = sumY / sum
  tree.next[cell] = tree.cells
}

function quarterOf(code: number, level: number): number {
  return (code >>> (2 * (level - 1))) & 3
}

function endOfQuarter(codes: Uint32Array, from: number, to: number, level: number): number {
  const quarter = quarterOf(codes[from]!, level)
  let low = from + 1
  let high = to
  while (low < high) {
    const middle = (low + high) >>> 1
    if (quarterOf(codes[middle]!, level) === quarter) low = middle + 1
    else high = middle
  }
  return low
}

/** Puts a zero between every two bits of a 16-bit number. */
function spread(value: number): number {
  let bits = value & 0xffff
  bits = (bits | (bits << 8)) & 0x00ff00ff
  bits = (bits | (bits << 4)) & 0x0f0f0f0f
  bits = (bits | (bits << 2)) & 0x33333333
  return (bits | (bits << 1)) & 0x55555555
}

/** A radix sort in four steps of eight bits; equals keep their order. */
function* sortByCode(codes: Uint32Array): Steps<Uint32Array> {
  let order = new Uint32Array(codes.length)
  let spare = new Uint32Array(codes.length)
  for (let point = 0; point < codes.length; point++) order[point] = point
  const next = new Uint32Array(257)
  for (let shift = 0; shift < 32; shift += 8) {
    next.fill(0)
    for (const code of codes) next[((code >>> shift) & 255) + 1]!++
    for (let value = 0; value < 256; value++) next[value + 1]! += next[value]!
    for (const point of order) spare[next[(codes[point]! >>> shift) & 255]!++] = point
    ;[order, spare] = [spare, order]
    yield
  }
  return order
}
