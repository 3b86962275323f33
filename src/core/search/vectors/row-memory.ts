/** Rows of equal length in one memory that the kernels can reach, behind a little working space. */
import type { KernelKind, KernelMemory } from '../../kit/kernel-memory.ts'
import { createKernelMemory, type Kernels } from './kernels.ts'

/** So many rows are compared at a time: their results stay in the nearest cache. */
export const BLOCK_ROWS = 2_048

export class RowMemory {
  readonly #memory: KernelMemory<Kernels>
  readonly #stride: number
  /** The query lies at 0, results behind it, rows behind those. */
  readonly #out: number
  readonly #first: number
  #results = new Int32Array()
  #bytes = new Uint8Array()

  constructor(stride: number, queryBytes: number, kind: KernelKind) {
    this.#memory = createKernelMemory(kind)
    this.#stride = stride
    this.#out = Math.ceil(queryBytes / 64) * 64
    this.#first = this.#out + 4 * BLOCK_ROWS
    this.reserve(0)
  }

  get kind(): KernelKind {
    return this.#memory.kind
  }

  /** Memory in use, working space included. */
  get bytes(): number {
    return this.#memory.buffer.byteLength
  }

  reserve(rows: number): void {
    this.#memory.reserve(this.#address(rows))
  }

  /** The bytes of some rows; stale after the next `reserve`. */
  rows(first: number, count: number): Int8Array<ArrayBuffer> {
    return new Int8Array(this.#memory.buffer, this.#address(first), count * this.#stride)
  }

  /** Puts rows that lie one behind the other where one of this number belongs. */
  put(first: number, rows: Uint8Array): void {
    if (this.#bytes.buffer !== this.#memory.buffer)
      this.#bytes = new Uint8Array(this.#memory.buffer)
    this.#bytes.set(rows, this.#address(first))
  }

  /** Moves rows towards the front. */
  move(from: number, to: number, count: number): void {
    const start = this.#address(from)
    const end = this.#address(from + count)
    new Uint8Array(this.#memory.buffer).copyWithin(this.#address(to), start, end)
  }

  setQuery(query: Int16Array | Uint8Array): void {
    const bytes = new Uint8Array(query.buffer, query.byteOffset, query.byteLength)
    new Uint8Array(this.#memory.buffer, 0, this.#out).fill(0).set(bytes)
  }

  /** One number per row, at most `BLOCK_ROWS` of them, from the first; overwritten by the next call. */
  compare(kernel: keyof Kernels, first: number, count: number): Int32Array {
    this.#memory.kernels[kernel](this.#address(first), count, this.#stride, 0, this.#out)
    // A memory that has grown has another buffer.
    if (this.#results.buffer !== this.#memory.buffer) {
      this.#results = new Int32Array(this.#memory.buffer, this.#out, BLOCK_ROWS)
    }
    return this.#results
  }

  #address(row: number): number {
    return this.#first + row * this.#stride
  }
}
