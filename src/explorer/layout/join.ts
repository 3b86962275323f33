/**
 * New nodes on a map that people know already. Those that are linked to somebody stand in the
 * middle of their neighbours, the others outside; nobody who has a place is moved.
 */
import { eachInSteps, piecesInSteps } from '../../core/kit/slices.ts'
import type { Steps } from '../../core/kit/slices.ts'
import { componentSteps } from '../../core/graph/components.ts'
import type { Graph } from '../../core/graph/graph.ts'
import { EXTENT, FARTHEST, layoutPart, layoutSteps, type Places, toDisc } from './layout.ts'
import { plainLevel, subLevel, type Level } from './levels.ts'
import { placeRing, ringsFrom } from './rings.ts'

export interface KeptPlaces {
  readonly places: Places
  /** One byte per node: 0 for those that have no place yet. */
  readonly known: Uint8Array
}

/** In small steps, for a process that has others to answer. */
export function* joinSteps(graph: Graph, { places: old, known }: KeptPlaces): Steps<Places> {
  const count = known.reduce((sum, has) => sum + (has === 0 ? 0 : 1), 0)
  if (count === 0) return yield* layoutSteps(graph)
  if (count === graph.nodeCount) return old.slice()
  const board = new Board(old, known, EXTENT / (2 * Math.sqrt(count + 25)))
  yield* board.take()
  const level = plainLevel(graph)
  yield
  yield* joinNeighbors(level, board)
  yield* joinOutside(graph, level, board)
  return board.places
}

const AT_ONCE = 5_000

class Board {
  readonly places: Places
  readonly placed: Uint8Array
  /** About the room of one node. */
  readonly unit: number
  readonly #taken = new Set<number>()

  constructor(places: Places, known: Uint8Array, unit: number) {
    this.places = places.slice()
    this.placed = known.slice()
    this.unit = Math.max(1, unit)
  }

  /** Notes where those stand who have a place. */
  take(): Steps<void> {
    const { places, placed } = this
    return piecesInSteps(placed.length, AT_ONCE, (from, end) => {
      for (let node = from; node < end; node++) {
        if (placed[node] !== 0) this.#taken.add(keyOf(places[2 * node]!, places[2 * node + 1]!))
      }
    })
  }

  /** Puts a node at a place, or as near to it as nobody stands: two would look like one. */
  put(node: number, x: number, y: number): void {
    for (let step = 0; ; step++) {
      const turn = step * 2.399963
      const away = step === 0 ? 0 : 0.5 * this.unit * Math.sqrt(step)
      const atX = clamp(Math.round(x + away * Math.cos(turn)))
      const atY = clamp(Math.round(y + away * Math.sin(turn)))
      // A corner may be full; then two share a place.
      if (this.#taken.has(keyOf(atX, atY)) && step < MOST_STEPS) continue
      this.#taken.add(keyOf(atX, atY))
      this.places[2 * node] = atX
      this.places[2 * node + 1] = atY
      this.placed[node] = 1
      return
    }
  }
}

const MOST_STEPS = 1_000

/** From the known map outwards, so that a chain of new nodes grows along itself. */
function* joinNeighbors({ nodeCount, start, node }: Level, board: Board): Steps<void> {
  let waiting: number[] = []
  for (let n = 0; n < nodeCount; n++) if (board.placed[n] === 0) waiting.push(n)
  for (;;) {
    yield
    const found = waiting.flatMap((n) => {
      let x = 0
      let y = 0
      let count = 0
      for (let k = start[n]!; k < start[n + 1]!; k++) {
        const other = node[k]!
        if (board.placed[other] === 0) continue
        x += board.places[2 * other]!
        y += board.places[2 * other + 1]!
        count++
      }
      return count === 0 ? [] : [{ n, x: x / count, y: y / count, count }]
    })
    if (found.length === 0) return
    yield* eachInSteps(found, ({ n, x, y, count }) => {
      // Beside a single neighbour rather than upon it.
      const turn = n * 2.399963
      const away = count === 1 ? board.unit : 0
      board.put(n, x + away * Math.cos(turn), y + away * Math.sin(turn))
    })
    // Who still waits has nobody to stand beside but those who have just found their places.
    const next = new Set<number>()
    for (const { n } of found) {
      for (let k = start[n]!; k < start[n + 1]!; k++) {
        if (board.placed[node[k]!] === 0) next.add(node[k]!)
      }
    }
    waiting = [...next].toSorted((a, b) => a - b)
  }
}

/** New parts that touch nothing known, and new nodes without links, stand around the map. */
function* joinOutside(graph: Graph, level: Level, board: Board): Steps<void> {
  const { of, sizes } = yield* componentSteps(graph, {
    exclude: board.placed.slice(),
    selfLinks: false,
  })
  if (sizes.length === 0) return
  const members = Array.from(sizes, (): number[] => [])
  for (let node = 0; node < of.length; node++) members[of[node]!]?.push(node)
  const rings = ringsFrom(farthestOf(board) / board.unit + 2)
  for (const nodes of members) {
    const part = Uint32Array.from(nodes)
    yield
    const places =
      nodes.length === 1 ? new Float64Array(2) : yield* layoutPart(yield* subLevel(level, part))
    const radius = nodes.length === 1 ? 0.75 : (yield* toDisc(places)) + 1
    const middle = placeRing(rings, radius)
    for (const [index, node] of nodes.entries()) {
      const x = (middle.x + places[2 * index]!) * board.unit
      const y = (middle.y + places[2 * index + 1]!) * board.unit
      board.put(node, x, y)
    }
  }
}

function farthestOf({ places, placed }: Board): number {
  let farthest = 0
  for (let node = 0; node < placed.length; node++) {
    if (placed[node] === 0) continue
    farthest = Math.max(farthest, Math.hypot(places[2 * node]!, places[2 * node + 1]!))
  }
  return farthest
}

function clamp(value: number): number {
  return Math.max(-FARTHEST, Math.min(FARTHEST, value))
}

function keyOf(x: number, y: number): number {
  return (x + 32_768) * 65_536 + y + 32_768
}
