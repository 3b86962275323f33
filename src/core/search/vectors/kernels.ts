/**
 * The loops that a vector search waits for, over rows in one growing memory: dot products with bytes
 * and with half bytes, and Hamming distances. Where the runtime has WebAssembly SIMD they run about
 * ten times as fast as in JavaScript; both forms compute the same integers, so results never depend
 * on it.
 */
import {
  assembleModule,
  i16x8,
  i32,
  i32x4,
  i8x16,
  repeatWhile,
  sumOfLanes,
  Type,
  v128,
  whenNotZero,
  type Code,
  type Local,
} from '../../kit/assembler.ts'
import { kernelsOf } from '../../kit/kernel-memory.ts'
import { halvedPlace, LEVELS, UP } from './encoded-rows.ts'

/** Addresses are byte offsets in the memory. A stride is a multiple of 16 bytes. */
export interface Kernels {
  /**
   * Writes one 32-bit number per row to `out`: the dot product of its signed bytes with the signed
   * 16-bit numbers at `query`.
   */
  dot(rows: number, count: number, stride: number, query: number, out: number): void
  /** The same for rows of places in LEVELS, two to a byte, and a query as `halved` has it. */
  halfDot(rows: number, count: number, stride: number, query: number, out: number): void
  /** Writes one 32-bit number per row to `out`: in how many bits it differs from `query`. */
  hamming(rows: number, count: number, stride: number, query: number, out: number): void
}

export const STRIDE_UNIT = 16

const LOW_HALVES = new Int8Array(16).fill(15)
const EVERY_OTHER = Int8Array.from({ length: 16 }, (_, i) => (i % 2 === 0 ? -1 : 0))

/** Opens an empty memory: with SIMD where the runtime has it, unless told otherwise. */
export const createKernelMemory = kernelsOf<Kernels>(assembleKernels, (memory) => ({
  dot(rows, count, stride, query, out) {
    const bytes = new Int8Array(memory.buffer)
    const words = new Int32Array(memory.buffer)
    const numbers = new Int16Array(memory.buffer, query, stride)
    for (let row = 0, at = rows; row < count; row++, at += stride) {
      let sum = 0
      for (let i = 0; i < stride; i++) sum += bytes[at + i]! * numbers[i]!
      words[(out >> 2) + row] = sum
    }
  },
  halfDot(rows, count, stride, query, out) {
    const bytes = new Uint8Array(memory.buffer)
    const words = new Int32Array(memory.buffer)
    const numbers = new Int16Array(memory.buffer, query, 2 * stride)
    for (let row = 0, at = rows; row < count; row++, at += stride) {
      let sum = 0
      for (let i = 0; i < stride; i++) {
        const pair = bytes[at + i]!
        const number = halvedPlace(2 * i)
        sum += LEVELS[pair & 15]! * numbers[number]! + LEVELS[pair >> 4]! * numbers[number + 8]!
      }
      words[(out >> 2) + row] = sum
    }
  },
  hamming(rows, count, stride, query, out) {
    const words = new Int32Array(memory.buffer)
    const wordsPerRow = stride >> 2
    for (let row = 0, at = rows >> 2; row < count; row++, at += wordsPerRow) {
      let differing = 0
      for (let i = 0; i < wordsPerRow; i++) {
        differing += bitsSet(words[at + i]! ^ words[(query >> 2) + i]!)
      }
      words[(out >> 2) + row] = differing
    }
  },
}))

function bitsSet(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/**
 * The query is widened to 16 bits by the caller, once; a row is widened as it is loaded. That keeps
 * the inner loop at two loads, a multiplication and an addition per eight bytes, which is as fast
 * as the rows arrive from memory.
 */
function assembleKernels(): Uint8Array<ArrayBuffer> {
  return assembleModule([
    {
      name: 'dot',
      params: 5,
      locals: [Type.i32, Type.i32, Type.v128, Type.v128],
      body: (row, count, stride, query, out, rowEnd, at, even, odd) =>
        whenNotZero(count.get, [
          repeatWhile(count.get, [
            rowEnd.set(i32.add(row.get, stride.get)),
            at.set(query.get),
            even.set(v128.zero),
            odd.set(v128.zero),
            repeatWhile(i32.lessThan(row.get, rowEnd.get), [
              even.set(i32x4.add(even.get, i32x4.dot(v128.load8x8(row.get), v128.load(at.get)))),
              odd.set(
                i32x4.add(odd.get, i32x4.dot(v128.load8x8(row.get, 8), v128.load(at.get, 16))),
              ),
              at.advance(32),
              row.advance(16),
            ]),
            even.set(i32x4.add(even.get, odd.get)),
            i32.store(out.get, sumOfLanes(even)),
            out.advance(4),
            count.advance(-1),
          ]),
        ]),
    },
    {
      name: 'halfDot',
      params: 5,
      locals: [Type.i32, Type.i32, ...Array.from({ length: 6 }, () => Type.v128)],
      body: (row, count, stride, query, out, rowEnd, at, even, odd, halves, pairs, levels, low) => {
        const add = (sums: Local, numbers: Code, offset: number): Code =>
          sums.set(i32x4.add(sums.get, i32x4.dot(numbers, v128.load(at.get, offset))))
        const firstOf = (bytes: Local): Code => v128.and(bytes.get, v128.const(EVERY_OTHER))
        return whenNotZero(count.get, [
          levels.set(v128.const(LEVELS.map((level) => level + UP))),
          low.set(v128.const(LOW_HALVES)),
          repeatWhile(count.get, [
            rowEnd.set(i32.add(row.get, stride.get)),
            at.set(query.get),
            even.set(v128.zero),
            odd.set(v128.zero),
            repeatWhile(i32.lessThan(row.get, rowEnd.get), [
              pairs.set(v128.load(row.get)),
              halves.set(i8x16.lookUp(levels.get, v128.and(pairs.get, low.get))),
              add(even, firstOf(halves), 0),
              add(odd, i16x8.shiftRight(halves.get, 8), 32),
              halves.set(
                i8x16.lookUp(levels.get, v128.and(i16x8.shiftRight(pairs.get, 4), low.get)),
              ),
              add(even, firstOf(halves), 16),
              add(odd, i16x8.shiftRight(halves.get, 8), 48),
              at.advance(64),
              row.advance(16),
            ]),
            even.set(i32x4.add(i32x4.add(even.get, odd.get), v128.load(at.get))),
            i32.store(out.get, sumOfLanes(even)),
            out.advance(4),
            count.advance(-1),
          ]),
        ])
      },
    },
    {
      name: 'hamming',
      params: 5,
      locals: [Type.i32, Type.i32, Type.v128],
      body: (row, count, stride, query, out, rowEnd, at, sums) =>
        whenNotZero(count.get, [
          repeatWhile(count.get, [
            rowEnd.set(i32.add(row.get, stride.get)),
            at.set(query.get),
            sums.set(v128.zero),
            repeatWhile(i32.lessThan(row.get, rowEnd.get), [
              sums.set(
                i16x8.add(
                  sums.get,
                  i16x8.pairSums(i8x16.popcnt(v128.xor(v128.load(row.get), v128.load(at.get)))),
                ),
              ),
              at.advance(16),
              row.advance(16),
            ]),
            sums.set(i32x4.pairSums(sums.get)),
            i32.store(out.get, sumOfLanes(sums)),
            out.advance(4),
            count.advance(-1),
          ]),
        ]),
    },
  ])
}
