/**
 * Links pull, nodes push. Attraction grows with distance, repulsion falls with it and is multiplied
 * by both masses; each node's step is limited by how much it swings back and forth (ForceAtlas2:
 * Jacomy, Venturini, Heymann, Bastian 2014). Far nodes push as one (Barnes and Hut 1986).
 */
import { atOnce } from '../../core/kit/slices.ts'
import type { Steps } from '../../core/kit/slices.ts'
import type { Level } from './levels.ts'
import { buildTree, pushes, type Tree } from './quad-tree.ts'

/** How much swinging is tolerated before everything slows down. */
const JITTER = 1
/** How much faster it may get from one round to the next. */
const SPEED_UP = 1.5
/** Moving fewer nodes takes no time, in one round or in several. */
const WORTH_A_PAUSE = 500
/** Keeps a part round without pressing it together. */
const GRAVITY = 0.05

/** Moves `places` for some rounds. Stops as often as is worth it. */
export function* settle(level: Level, places: Float64Array, rounds: number): Steps<void> {
  const { nodeCount, mass } = level
  if (nodeCount < 2) return
  const force = new Float64Array(2 * nodeCount)
  const before = new Float64Array(2 * nodeCount)
  let speed = 1
  let tree: Tree | undefined
  let moved = 0
  const small = nodeCount < WORTH_A_PAUSE
  for (let round = 0; round < rounds; round++) {
    before.set(force)
    force.fill(0)
    const building = buildTree(places, mass, tree)
    tree = small ? atOnce(building) : yield* building
    const pushing = pushes(tree, places, mass, force)
    if (small) atOnce(pushing)
    else yield* pushing
    pull(level, places, force)
    if (!small) yield
    speed = step({ mass, places, force, before, speed, first: round === 0 })
    moved += nodeCount
    if (moved < WORTH_A_PAUSE) continue
    moved = 0
    yield
  }
  yield
}

function pull(
  { nodeCount, start, node, weight, mass }: Level,
  places: Float64Array,
  force: Float64Array,
): void {
  for (let n = 0; n < nodeCount; n++) {
    const x = places[2 * n]!
    const y = places[2 * n + 1]!
    const distance = Math.sqrt(x * x + y * y)
    const inwards = distance > 0 ? (GRAVITY * mass[n]!) / distance : 0
    let forceX = -x * inwards
    let forceY = -y * inwards
    const end = start[n + 1]!
    for (let k = start[n]!; k < end; k++) {
      const other = node[k]!
      forceX += weight[k]! * (places[2 * other]! - x)
      forceY += weight[k]! * (places[2 * other + 1]! - y)
    }
    force[2 * n]! += forceX
    force[2 * n + 1]! += forceY
  }
}

interface Step {
  readonly mass: Float32Array
  readonly places: Float64Array
  readonly force: Float64Array
  readonly before: Float64Array
  readonly speed: number
  readonly first: boolean
}

/** One step of every node; returns the speed of the whole for the next one. */
function step({ mass, places, force, before, speed, first }: Step): number {
  const nodeCount = mass.length
  let swinging = 0
  let traction = 0
  for (let n = 0; n < nodeCount; n++) {
    const x = force[2 * n]!
    const y = force[2 * n + 1]!
    const swingX = x - before[2 * n]!
    const swingY = y - before[2 * n + 1]!
    const sumX = x + before[2 * n]!
    const sumY = y + before[2 * n + 1]!
    swinging += mass[n]! * Math.sqrt(swingX * swingX + swingY * swingY)
    traction += 0.5 * mass[n]! * Math.sqrt(sumX * sumX + sumY * sumY)
  }
  const wanted = swinging > 0 ? (JITTER * traction) / swinging : speed
  const now = first ? Math.min(wanted, 1) : Math.min(wanted, SPEED_UP * speed)
  for (let n = 0; n < nodeCount; n++) {
    const x = force[2 * n]!
    const y = force[2 * n + 1]!
    const swingX = x - before[2 * n]!
    const swingY = y - before[2 * n + 1]!
    const swing = mass[n]! * Math.sqrt(swingX * swingX + swingY * swingY)
    const factor = now / (1 + Math.sqrt(now * swing))
    places[2 * n]! += x * factor
    places[2 * n + 1]! += y * factor
  }
  return now
}
