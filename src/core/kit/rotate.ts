/**
 * A fixed random rotation. Learned vectors carry most of their length in a few dimensions; turned
 * at random, every dimension carries about the same, so that a byte (or a single bit) per dimension
 * loses far less. Lengths and angles stay as they are, so nothing else notices.
 */

/** Rounds of mixing. Two spread any single dimension over all others. */
const ROUNDS = 2

/** Part of what stored rows mean: another seed would need all rows to be written again. */
const SEED = 0x5eed_ca1f

export interface Rotation {
  readonly dimensions: number
  /** Turns a vector in place. */
  apply(vector: Float32Array): void
}

/**
 * Each round flips signs at random, shuffles, and mixes by the Walsh-Hadamard transform, which needs
 * d log d additions where a dense rotation matrix would need d². The transform wants powers of two:
 * for other lengths it covers the first 2^k dimensions and then the last 2^k, which overlap.
 */
export function createRotation(dimensions: number): Rotation {
  const random = randomWords(SEED)
  const rounds = Array.from({ length: ROUNDS }, () => ({
    signs: Float32Array.from({ length: dimensions }, () => (random() & 1 ? 1 : -1)),
    order: shuffled(dimensions, random),
  }))
  const block = 2 ** Math.floor(Math.log2(Math.max(1, dimensions)))
  const scratch = new Float64Array(dimensions)
  return {
    dimensions,
    apply(vector) {
      for (const { signs, order } of rounds) {
        for (let i = 0; i < dimensions; i++) scratch[i] = vector[order[i]!]! * signs[i]!
        hadamard(scratch, 0, block)
        if (block < dimensions) hadamard(scratch, dimensions - block, block)
        vector.set(scratch)
      }
    },
  }
}

function hadamard(vector: Float64Array, start: number, length: number): void {
  const end = start + length
  let quarter = 1
  // Two levels at a time: half the loads and stores.
  for (; quarter * 4 <= length; quarter *= 4) {
    for (let i = start; i < end; i += 4 * quarter) {
      for (let k = i; k < i + quarter; k++) {
        const a = vector[k]!
        const b = vector[k + quarter]!
        const c = vector[k + 2 * quarter]!
        const d = vector[k + 3 * quarter]!
        vector[k] = a + b + (c + d)
        vector[k + quarter] = a - b + (c - d)
        vector[k + 2 * quarter] = a + b - (c + d)
        vector[k + 3 * quarter] = a - b - (c - d)
      }
    }
  }
  if (quarter < length) {
    for (let k = start; k < start + quarter; k++) {
      const a = vector[k]!
      const b = vector[k + quarter]!
      vector[k] = a + b
      vector[k + quarter] = a - b
    }
  }
  const scale = 1 / Math.sqrt(length)
  for (let i = start; i < end; i++) vector[i]! *= scale
}

function shuffled(length: number, random: () => number): Uint32Array {
  const order = Uint32Array.from({ length }, (_, i) => i)
  for (let i = length - 1; i > 0; i--) {
    const k = random() % (i + 1)
    const other = order[k]!
    order[k] = order[i]!
    order[i] = other
  }
  return order
}

/** The same 32-bit numbers everywhere (xorshift, Marsaglia 2003). */
function randomWords(seed: number): () => number {
  let state = seed | 0
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state >>> 0
  }
}
