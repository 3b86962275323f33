/**
 * Vectors of one document as bytes: rotated, one signed byte per dimension, and one factor per row
 * that turns a dot product into a cosine. This is what a store keeps and what an index loads.
 *
 * In a large base a byte has one of sixteen values (scalar quantisation by Max 1960 and Lloyd
 * 1982): after the rotation the numbers of a vector lie around zero as on a bell, and these values
 * are chosen for it. A store keeps which of them it is, in half a byte.
 *
 *     0  u8   version
 *     1  u8   bits per dimension: 4 or 8
 *     2  u16  dimensions
 *     4  u32  rows
 *     8       rows × dimensions: signed bytes, or two places in LEVELS to a byte, low half first;
 *             a row begins with a byte of its own
 *        f32  one factor per row, 0 for a vector without direction: 1 / length of the row of bytes;
 *             with sixteen values 1 / how far the row reaches along the vector, so that what rounding
 *             takes does not make everything a little less alike (as in RaBitQ, Gao and Long 2024)
 *
 * Numbers are little-endian.
 */
import { createRotation, type Rotation } from '../../kit/rotate.ts'

/** Rises when the same vectors would give other bytes (another rotation, another layout). */
const VERSION = 2
export const HEADER = 8

/** Rows of zeros have none of these. */
const ABOVE_ZERO = [0.1284, 0.3881, 0.6568, 0.9424, 1.2562, 1.6181, 2.069, 2.7326]
export const LEVELS = Int8Array.from(
  [...ABOVE_ZERO.map((level) => -level).toReversed(), ...ABOVE_ZERO],
  (level) => Math.round((level / ABOVE_ZERO.at(-1)!) * 127),
)
/** Makes the lowest of LEVELS zero. */
export const UP = 127
/** A level is taken up to halfway to the next; numbers in 64ths from -3 to 3, for one look-up each. */
const STEPS = 64
const FARTHEST = 3
const NEAREST = Uint8Array.from({ length: 2 * FARTHEST * STEPS + 1 }, (_, step) => {
  const number = ((step / STEPS - FARTHEST) / ABOVE_ZERO.at(-1)!) * 127
  const away = Array.from(LEVELS, (level) => Math.abs(level - number))
  return away.indexOf(Math.min(...away))
})

export const MAX_DIMENSIONS = 4096

/** Bits per dimension. */
export type RowBits = 4 | 8

export interface EncodedRows {
  readonly dimensions: number
  readonly count: number
  readonly bits: RowBits
  /** Row by row as above, without gaps. */
  readonly bytes: Uint8Array
  readonly factors: Float32Array
}

export interface RowEncoder {
  readonly dimensions: number
  encode(vectors: readonly Float32Array[]): EncodedRows
}

/** Makes an encoder; it may be used for any number of documents. */
export function createRowEncoder(
  dimensions: number,
  { halfBytes = false }: { readonly halfBytes?: boolean } = {},
): RowEncoder {
  if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > MAX_DIMENSIONS) {
    throw new RangeError(`Vectors of ${dimensions} dimensions cannot be encoded.`)
  }
  const rotation = createRotation(dimensions)
  const turned = new Float32Array(dimensions)
  const bits = halfBytes ? 4 : 8
  const rowBytes = rowBytesOf(dimensions, bits)
  const quantise = halfBytes ? toPlaces : toBytes
  return {
    dimensions,
    encode(vectors) {
      const bytes = new Uint8Array(vectors.length * rowBytes)
      const factors = new Float32Array(vectors.length)
      for (const [row, vector] of vectors.entries()) {
        rotateInto(turned, vector, rotation)
        factors[row] = quantise(turned, bytes.subarray(row * rowBytes, (row + 1) * rowBytes))
      }
      return { dimensions, count: vectors.length, bits, bytes, factors }
    },
  }
}

export function rowBytesOf(dimensions: number, bits: RowBits): number {
  return Math.ceil((dimensions * bits) / 8)
}

/** A signed byte for each dimension, whatever they are kept in. */
export function valuesOf({ dimensions, count, bits, bytes, factors }: EncodedRows): Int8Array {
  if (bits === 8) return new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length)
  const values = new Int8Array(dimensions * count)
  const rowBytes = rowBytesOf(dimensions, bits)
  for (let row = 0; row < count; row++) {
    // Zeros stay zeros: half a byte has no room for them.
    if (factors[row] === 0) continue
    const end = (row + 1) * dimensions
    let from = row * rowBytes
    for (let at = row * dimensions; at < end; at += 2) {
      const pair = bytes[from++]!
      values[at] = LEVELS[pair & 15]!
      if (at + 1 < end) values[at + 1] = LEVELS[pair >> 4]!
    }
  }
  return values
}

export function serialiseRows({
  dimensions,
  count,
  bits,
  bytes,
  factors,
}: EncodedRows): Uint8Array {
  const factorsAt = HEADER + bytes.length
  const data = new Uint8Array(factorsAt + 4 * count)
  const view = new DataView(data.buffer)
  view.setUint8(0, VERSION)
  view.setUint8(1, bits)
  view.setUint16(2, dimensions, true)
  view.setUint32(4, count, true)
  data.set(bytes, HEADER)
  for (let row = 0; row < count; row++) view.setFloat32(factorsAt + 4 * row, factors[row]!, true)
  return data
}

/** What the bytes of a document's rows say of themselves. */
export interface RowsHead {
  readonly dimensions: number
  readonly bits: RowBits
  readonly count: number
  /** Where a number of four bytes follows for each row; the rows lie from `HEADER` to here. */
  readonly factorsAt: number
}

/** Undefined when they are of another version or have another length than they say. */
export function headOfRows(data: Uint8Array): RowsHead | undefined {
  if (data.length < HEADER) return undefined
  const bits = data[1]!
  if (data[0] !== VERSION || (bits !== 4 && bits !== 8)) return undefined
  const dimensions = data[2]! + data[3]! * 0x100
  if (dimensions < 1 || dimensions > MAX_DIMENSIONS) return undefined
  const count = data[4]! + data[5]! * 0x100 + data[6]! * 0x1_0000 + data[7]! * 0x100_0000
  const factorsAt = HEADER + rowBytesOf(dimensions, bits) * count
  return data.length === factorsAt + 4 * count ? { dimensions, bits, count, factorsAt } : undefined
}

export function areFactors(numbers: Float32Array, first = 0, end = numbers.length): boolean {
  // A plain loop: all documents of a base come through here before its first answer.
  for (let row = first; row < end; row++)
    if (!(numbers[row]! >= 0 && numbers[row]! <= 1)) return false
  return true
}

/**
 * The rows in these very bytes; undefined when they are of another version or damaged: embed the
 * document again.
 */
export function parseRows(data: Uint8Array): EncodedRows | undefined {
  const head = headOfRows(data)
  if (!head) return undefined
  const { dimensions, bits, count, factorsAt } = head
  const factors = new Float32Array(data.slice(factorsAt).buffer)
  if (!areFactors(factors)) return undefined
  return { dimensions, count, bits, bytes: data.subarray(HEADER, factorsAt), factors }
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
  for (let i = 0; i < turned.length; i++) {
    const size = Math.abs(turned[i]!)
    largest = Math.max(largest, size)
    total += size
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

/**
 * A query in the order in which `halfDot` reads it, and behind that, as one 32-bit number, what is
 * too much when every level is taken to be UP higher than it is: levels without sign need fewer
 * instructions.
 */
export function halved(query: Int16Array, stride: number): Int16Array {
  const numbers = new Int16Array(2 * stride + 8)
  let sum = 0
  for (let i = 0; i < query.length; i++) {
    numbers[(i & ~31) + 8 * (i & 3) + ((i & 31) >> 2)] = query[i]!
    sum += query[i]!
  }
  new Int32Array(numbers.buffer, 4 * stride)[0] = -UP * sum
  return numbers
}

/** Of 32 numbers first every fourth, then those behind them, and so on. */
export function halvedPlace(dimension: number): number {
  return (dimension & ~31) + 8 * (dimension & 3) + ((dimension & 31) >> 2)
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
function toPlaces(vector: Float32Array, target: Uint8Array): number {
  let total = 0
  for (let i = 0; i < vector.length; i++) total += vector[i]! * vector[i]!
  if (!Number.isFinite(total) || total === 0) return 0
  // Of a bell, the root of the mean square is what the levels are multiples of.
  const scale = STEPS * Math.sqrt(vector.length / total)
  let along = 0
  for (let i = 0; i < vector.length; i++) {
    const step = Math.trunc(vector[i]! * scale + (FARTHEST * STEPS + 0.5))
    const place = NEAREST[step < 0 ? 0 : step < NEAREST.length ? step : NEAREST.length - 1]!
    target[i >> 1]! |= place << (4 * (i & 1))
    along += LEVELS[place]! * vector[i]!
  }
  return Math.sqrt(total) / along
}

/** The same with a byte for each, and 127 for the largest. */
function toBytes(vector: Float32Array, target: Uint8Array): number {
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
