/**
 * The two products that learning waits for, as kernels over numbers in one memory: sparse rows by a
 * tall matrix, and the inner products of a tall matrix, tile by tile. Lists are views of the memory,
 * so nothing is copied. Widths are multiples of `WIDTH_UNIT`: columns that nobody wants are zero.
 */
import {
  assembleModule,
  f32x4,
  f64x2,
  i32,
  Type,
  v128,
  whileNotZero,
  type Code,
  type Local,
} from '../../kit/assembler.ts'
import { kernelsOf, type KernelKind } from '../../kit/kernel-memory.ts'

/** Rows of (column, value) pairs. */
export interface SparseRows {
  readonly columnCount: number
  readonly rowStart: Uint32Array
  readonly columns: Uint32Array
  readonly values: Float32Array
}

export const WIDTH_UNIT = 16
/** A tile has so many rows and columns. */
const TILE = 4
/** So many rows stay in a near cache while all tiles go over them. */
const NEAR_ROWS = 256

/** The next multiple of a unit. */
export function upTo(unit: number, length: number): number {
  return Math.ceil(length / unit) * unit
}

/** All are addresses in bytes, and steps in bytes; `rows`, `count` are numbers of them. */
interface Kernels {
  multiply(
    starts: number,
    rows: number,
    columns: number,
    values: number,
    tall: number,
    bytes: number,
    out: number,
  ): void
  addTile(a: number, b: number, bytes: number, rows: number, tile: number, step: number): void
}

const openMemory = kernelsOf<Kernels>(assemble, (memory) => ({
  multiply(starts, rows, columns, values, tall, bytes, out) {
    const words = new Uint32Array(memory.buffer)
    const floats = new Float32Array(memory.buffer)
    const width = bytes / 4
    for (let row = 0, to = out / 4; row < rows; row++, to += width) {
      floats.fill(0, to, to + width)
      const end = words[starts / 4 + row + 1]!
      for (let e = words[starts / 4 + row]!; e < end; e++) {
        const value = floats[values / 4 + e]!
        const from = tall / 4 + words[columns / 4 + e]! * width
        for (let k = 0; k < width; k++) floats[to + k]! += Math.fround(value * floats[from + k]!)
      }
    }
  },
  addTile(a, b, bytes, rows, tile, step) {
    const floats = new Float32Array(memory.buffer)
    const products = new Float64Array(memory.buffer)
    for (let row = 0; row < rows; row++) {
      const [x, y] = [(a + row * bytes) / 4, (b + row * bytes) / 4]
      for (let i = 0; i < TILE; i++) {
        const to = (tile + i * step) / 8
        for (let k = 0; k < TILE; k++) products[to + k]! += floats[x + i]! * floats[y + k]!
      }
    }
  },
}))

/** A memory that does not grow: its lists stay where they are. */
export class Numbers {
  readonly #memory: ReturnType<typeof openMemory>
  #end = 0

  /** Room for lists of so many numbers altogether, a hundred of them at most. */
  constructor(room: number, kind?: KernelKind) {
    this.#memory = openMemory(kind)
    this.#memory.reserve(4 * room + 100 * ALIGNMENT)
  }

  floats(length: number): Float32Array<ArrayBuffer> {
    return new Float32Array(this.#memory.buffer, this.#take(length), length)
  }

  words(length: number): Uint32Array<ArrayBuffer> {
    return new Uint32Array(this.#memory.buffer, this.#take(length), length)
  }

  /** A row of `out` is the sum of the rows of `tall` that a row of the matrix names, times its values. */
  multiply(
    { rowStart, columns, values }: Omit<SparseRows, 'columnCount'>,
    rows: number,
    tall: Float32Array,
    width: number,
    out: Float32Array,
  ): void {
    this.#memory.kernels.multiply(
      rowStart.byteOffset,
      rows,
      columns.byteOffset,
      values.byteOffset,
      tall.byteOffset,
      4 * width,
      out.byteOffset,
    )
  }

  /** transposed tall × tall, with 64 bits: small values are differences of large ones. */
  innerProducts(tall: Float32Array, width: number): Float64Array {
    const { addTile } = this.#memory.kernels
    const products = new Float64Array(this.#memory.buffer, this.#take(2 * width ** 2), width ** 2)
    const rows = tall.length / width
    for (let first = 0; first < rows; first += NEAR_ROWS) {
      const count = Math.min(NEAR_ROWS, rows - first)
      const from = tall.byteOffset + 4 * first * width
      for (let i = 0; i < width; i += TILE) {
        for (let k = i; k < width; k += TILE) {
          const tile = products.byteOffset + 8 * (i * width + k)
          addTile(from + 4 * i, from + 4 * k, 4 * width, count, tile, 8 * width)
        }
      }
    }
    for (let i = 0; i < width; i++) {
      for (let k = 0; k < i; k++) products[i * width + k] = products[k * width + i]!
    }
    return products
  }

  /** tall × weights: rows that name all rows of `weights` in turn. */
  combine(
    tall: Float32Array,
    width: number,
    weights: Float32Array,
    count: number,
    out: Float32Array,
  ): void {
    const { multiply } = this.#memory.kernels
    const one = this.words(2)
    one[1] = width
    const all = this.words(width)
    for (let k = 0; k < width; k++) all[k] = k
    for (let at = 0, to = out.byteOffset; at < tall.length; at += width, to += 4 * count) {
      const row = tall.byteOffset + 4 * at
      multiply(one.byteOffset, 1, all.byteOffset, row, weights.byteOffset, 4 * count, to)
    }
  }

  #take(length: number): number {
    const at = this.#end
    this.#end += upTo(ALIGNMENT, 4 * length)
    return at
  }
}

const ALIGNMENT = 64

/** Sums stay in registers: those of 32 columns of a row, or of a tile. */
function assemble(): Uint8Array<ArrayBuffer> {
  const floats = (count: number): Type[] => Array.from({ length: count }, () => Type.v128)
  return assembleModule([
    {
      name: 'multiply',
      params: 7,
      locals: [Type.i32, Type.i32, Type.i32, Type.i32, Type.v128, ...floats(8)],
      body: (start, rows, columns, values, tall, bytes, out, end, e, k, at, value, ...sums) => {
        const columnsBy = (some: readonly Local[]): Code =>
          whileNotZero(i32.lessThan(i32.add(k.get, i32.const(16 * some.length - 1)), bytes.get), [
            ...some.map((sum) => sum.set(v128.zero)),
            e.set(i32.shiftLeft(i32.load(start.get), 2)),
            whileNotZero(i32.lessThan(e.get, end.get), [
              value.set(v128.load32(i32.add(values.get, e.get))),
              at.set(i32.multiply(i32.load(i32.add(columns.get, e.get)), bytes.get)),
              at.set(i32.add(at.get, i32.add(tall.get, k.get))),
              ...some.map((sum, i) =>
                sum.set(f32x4.add(sum.get, f32x4.multiply(value.get, v128.load(at.get, 16 * i)))),
              ),
              e.advance(4),
            ]),
            at.set(i32.add(out.get, k.get)),
            ...some.map((sum, i) => v128.store(at.get, sum.get, 16 * i)),
            k.advance(16 * some.length),
          ])
        return whileNotZero(rows.get, [
          end.set(i32.shiftLeft(i32.load(start.get, 4), 2)),
          k.set(i32.const(0)),
          columnsBy(sums),
          columnsBy(sums.slice(0, 4)),
          out.set(i32.add(out.get, bytes.get)),
          start.advance(4),
          rows.advance(-1),
        ])
      },
    },
    {
      name: 'addTile',
      params: 6,
      locals: [Type.i32, ...floats(11)],
      body: (a, b, bytes, rows, tile, step, at, left, right, value, ...sums) => {
        /** For every row of the tile, with `at` beside it. */
        const everyRow = (code: (pair: readonly Local[]) => Code[]): Code =>
          [
            at.set(tile.get),
            ...Array.from({ length: TILE }, (_, row) => [
              ...code(sums.slice(2 * row, 2 * row + 2)).flat(),
              ...at.set(i32.add(at.get, step.get)),
            ]),
          ].flat()
        return [
          everyRow((pair) => pair.map((sum, i) => sum.set(v128.load(at.get, 16 * i)))),
          whileNotZero(rows.get, [
            left.set(f64x2.promote(v128.load64(b.get))),
            right.set(f64x2.promote(v128.load64(b.get, 8))),
            ...Array.from({ length: TILE }, (_, row) => [
              ...value.set(f64x2.promote(v128.load32(a.get, 4 * row))),
              ...[left, right].flatMap((by, i) => {
                const sum = sums[2 * row + i]!
                return sum.set(f64x2.add(sum.get, f64x2.multiply(value.get, by.get)))
              }),
            ]),
            a.set(i32.add(a.get, bytes.get)),
            b.set(i32.add(b.get, bytes.get)),
            rows.advance(-1),
          ]),
          everyRow((pair) => pair.map((sum, i) => v128.store(at.get, sum.get, 16 * i))),
        ].flat()
      },
    },
  ])
}
