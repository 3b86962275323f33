/**
 * Vectors of one document as bytes: rotated, one signed byte per dimension, and one factor per row
 * that turns a dot product into a cosine. This is what a store keeps and what an index loads.
 *
 *     0  u8   version
 *     1  u8   0
 *     2  u16  dimensions
 *     4  u32  rows
 *     8  i8   rows × dimensions
 *        f32  one factor per row: 1 / length of the row of bytes, 0 for a vector without direction
 *
 * Numbers are little-endian.
 */
import { createRotation, type Rotation } from './rotate.ts'

/** Rises when the same vectors would give other bytes (another rotation, another layout). */
const VERSION = 1
const HEADER = 8

export const MAX_DIMENSIONS = 4096

export interface EncodedRows {
  readonly dimensions: number
  readonly count: number
  /** Row by row, without gaps. */
  readonly values: Int8Array
  readonly factors: Float32Array
}

export interface RowEncoder {
  readonly dimensions: number
  encode(vectors: readonly Float32Array[]): EncodedRows
}

/** Makes an encoder; it may be used for any number of documents. */
export function createRowEncoder(dimensions: number): RowEncoder {
  if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > MAX_DIMENSIONS) {
    throw new RangeError(`Vectors of ${dimensions} dimensions cannot be encoded.`)
  }
  const rotation = createRotation(dimensions)
  const turned = new Float32Array(dimensions)
  return {
    dimensions,
    encode(vectors) {
      const values = new Int8Array(vectors.length * dimensions)
      const factors = new Float32Array(vectors.length)
      for (const [row, vector] of vectors.entries()) {
        rotateInto(turned, vector, rotation)
        factors[row] = quantise(turned, values.subarray(row * dimensions, (row + 1) * dimensions))
      }
      return { dimensions, count: vectors.length, values, factors }
    },
  }
}

export function serialiseRows({ dimensions, count, values, factors }: EncodedRows): Uint8Array {
  const bytes = new Uint8Array(HEADER + values.length + 4 * count)
  const view = new DataView(bytes.buffer)
  view.setUint8(0, VERSION)
  view.setUint16(2, dimensions, true)
  view.setUint32(4, count, true)
  bytes.set(new Uint8Array(values.buffer, values.byteOffset, values.length), HEADER)
  const factorsAt = HEADER + values.length
  for (let row = 0; row < count; row++) view.setFloat32(factorsAt + 4 * row, factors[row]!, true)
  return bytes
}

/** Undefined when the bytes are of another version or damaged: embed the document again. */
export function parseRows(bytes: Uint8Array): EncodedRows | undefined {
  if (bytes.length < HEADER) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const dimensions = view.getUint16(2, true)
  const count = view.getUint32(4, true)
  const factorsAt = HEADER + dimensions * count
  if (view.getUint8(0) !== VERSION || dimensions < 1 || dimensions > MAX_DIMENSIONS)
    return undefined
  if (bytes.length !== factorsAt + 4 * count) return undefined
  const values = new Int8Array(bytes.buffer, bytes.byteOffset + HEADER, dimensions * count)
  // A plain loop: all documents of a base come through here before its first answer.
  const factors = new Float32Array(count)
  for (let row = 0; row < count; row++) {
    const factor = view.getFloat32(factorsAt + 4 * row, true)
    if (!(factor >= 0 && factor <= 1)) return undefined
    factors[row] = factor
  }
  return { dimensions, count, values, factors }
}

export interface EncodedQuery {
  readonly values: Int16Array
  /** 1 / length of `values`; 0 for a query without direction. */
  readonly factor: number
}

/**
 * A query is compared with every row, so it is worth 16 bits per dimension: the kernels multiply 16
 * bits anyway. The values stay so small that no sum of products leaves 32 bits.
 */
export function encodeQuery(vector: Float32Array, rotation: Rotation): EncodedQuery {
  const turned = new Float32Array(rotation.dimensions)
  rotateInto(turned, vector, rotation)
  let largest = 0
  let total = 0
  for (const value of turned) {
    largest = Math.max(largest, Math.abs(value))
    total += Math.abs(value)
  }
  const values = new Int16Array(turned.length)
  if (!(total > 0) || !Number.isFinite(total)) return { values, factor: 0 }
  const scale = Math.min(32_767 / largest, (2 ** 31 / 128 - turned.length) / total)
  let squares = 0
  for (let i = 0; i < turned.length; i++) {
    values[i] = Math.round(turned[i]! * scale)
    squares += values[i]! * values[i]!
  }
  return { values, factor: squares > 0 ? 1 / Math.sqrt(squares) : 0 }
}

function rotateInto(target: Float32Array, vector: Float32Array, rotation: Rotation): void {
  if (vector.length !== rotation.dimensions) {
    throw new RangeError(
      `A vector of ${vector.length} dimensions was given where ${rotation.dimensions} are expected.`,
    )
  }
  target.set(vector)
  rotation.apply(target)
}

/** Fills `target` and returns the row's factor. What is not a finite direction becomes zeros. */
function quantise(vector: Float32Array, target: Int8Array): number {
  let largest = 0
  let total = 0
  for (let i = 0; i < vector.length; i++) {
    const size = Math.abs(vector[i]!)
    total += size
    if (size > largest) largest = size
  }
  if (!Number.isFinite(total) || largest === 0) return 0
  const scale = 127 / largest
  let squares = 0
  for (let i = 0; i < vector.length; i++) {
    // Rounds to the nearest: what is cut off is never negative, and a cut is faster than rounding.
    const value = Math.trunc(vector[i]! * scale + 128.5) - 128
    target[i] = value
    squares += value * value
  }
  return 1 / Math.sqrt(squares)
}
