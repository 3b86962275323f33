/**
 * Where terms point, as rows of small whole numbers (scalar quantisation), each row with a scale of
 * its own: a byte for each number, or half a byte in what a large base has learned.
 */

/** Bits per number. */
export type RowBits = 4 | 8

export interface TermRows {
  readonly dimensions: number
  readonly bits: RowBits
  /** Row by row without gaps; in half bytes two numbers to a byte, low half first, 1 to 15 for -7 to 7. */
  readonly bytes: Uint8Array
}

/** The largest number of a row. */
const MOST = { 4: 7, 8: 127 } as const
const MIDDLE = 8

/** How many rows there are; not a whole number where bytes are missing. */
export function countRows({ dimensions, bits, bytes }: TermRows): number {
  return bytes.length / rowBytes(dimensions, bits)
}

function rowBytes(dimensions: number, bits: RowBits): number {
  return Math.ceil((dimensions * bits) / 8)
}

/** Writes a row's numbers. */
export function copyRow({ dimensions, bits, bytes }: TermRows, row: number, into: Int8Array): void {
  if (bits === 8) {
    const start = row * dimensions
    for (let k = 0; k < dimensions; k++) into[k] = bytes[start + k]!
    return
  }
  const from = row * ((dimensions + 1) >> 1)
  for (let k = 0; k < dimensions; k++) {
    into[k] = ((bytes[from + (k >> 1)]! >> (4 * (k & 1))) & 15) - MIDDLE
  }
}

/** Collects rows one after the other. */
export function rowWriter(count: number, dimensions: number, bits: RowBits) {
  const size = rowBytes(dimensions, bits)
  const bytes = new Uint8Array(count * size)
  const most = MOST[bits]
  return {
    rows: { dimensions, bits, bytes } satisfies TermRows,
    /** Returns what the row's numbers are multiples of; of a vector that is shorter the rest is zero. */
    write(row: number, vector: Float32Array | Float64Array): number {
      let largest = 0
      for (const value of vector) largest = Math.max(largest, Math.abs(value))
      const from = row * size
      if (bits === 4) bytes.fill(MIDDLE * 17, from, from + size)
      if (largest === 0) return 0
      for (let k = 0; k < vector.length; k++) {
        const number = Math.round((vector[k]! / largest) * most)
        if (bits === 8) bytes[from + k] = number
        else bytes[from + (k >> 1)]! += number * (k & 1 ? 16 : 1)
      }
      return largest / most
    },
  }
}
