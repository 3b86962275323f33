/**
 * A fresh map turned, and mirrored where that helps, so that it lies on the old one as well as it
 * can: what was at the top left is there again. (Orthogonal Procrustes in the plane.)
 */
import { FARTHEST, type Places } from './layout.ts'
import type { KeptPlaces } from './join.ts'

export function fitLayout(fresh: Places, { places: old, known }: KeptPlaces): Places {
  const plain = bestTurn(fresh, old, known, 1)
  const mirrored = bestTurn(fresh, old, known, -1)
  const { cos, sin, flip } = mirrored.agreement > plain.agreement ? mirrored : plain
  const fitted = new Int16Array(fresh.length)
  for (let at = 0; at < fresh.length; at += 2) {
    const x = fresh[at]!
    const y = flip * fresh[at + 1]!
    fitted[at] = rounded(x * cos - y * sin)
    fitted[at + 1] = rounded(x * sin + y * cos)
  }
  return fitted
}

interface Turn {
  readonly cos: number
  readonly sin: number
  /** -1 for a mirrored map. */
  readonly flip: 1 | -1
  readonly agreement: number
}

function bestTurn(fresh: Places, old: Places, known: Uint8Array, flip: 1 | -1): Turn {
  let along = 0
  let across = 0
  for (let node = 0; node < known.length; node++) {
    if (known[node] === 0) continue
    const x = fresh[2 * node]!
    const y = flip * fresh[2 * node + 1]!
    along += x * old[2 * node]! + y * old[2 * node + 1]!
    across += x * old[2 * node + 1]! - y * old[2 * node]!
  }
  const agreement = Math.hypot(along, across)
  if (agreement === 0) return { cos: 1, sin: 0, flip, agreement }
  return { cos: along / agreement, sin: across / agreement, flip, agreement }
}

function rounded(value: number): number {
  return Math.max(-FARTHEST, Math.min(FARTHEST, Math.round(value)))
}
