/**
 * The directions in which the rows of a sparse matrix vary most: its first right singular vectors,
 * by the randomised method of Halko, Martinsson and Tropp (2011). A few random combinations of the
 * columns, drawn through the matrix and back, already span nearly the wanted space; inside that
 * small space the problem is solved exactly.
 */
import type { KernelKind } from '../../kit/kernel-memory.ts'
import { Numbers, upTo, WIDTH_UNIT, type SparseRows } from './numbers.ts'
import { symmetricEigen } from './symmetric-eigen.ts'

export interface SingularVectors {
  /** How many were found: fewer than asked for when the matrix has no more. */
  readonly dimensions: number
  /** Largest first. */
  readonly values: Float64Array
  /** One row of `dimensions` numbers per column of the matrix. */
  readonly vectors: Float32Array
}

export interface SingularVectorOptions {
  readonly dimensions: number
  readonly seed?: number
  readonly kernels?: KernelKind
}

/** Random directions beyond those wanted: they catch what the others would miss. */
const OVERSAMPLING = 16

/** Of a matrix with no more rows all directions are found: it costs next to nothing. */
const EXACT_ROWS = 128

/** Directions shorter than this part of the longest are rounding errors of 32-bit numbers. */
const NEGLIGIBLE = 1e-6

export function singularVectors(
  matrix: SparseRows,
  { dimensions, seed = 1, kernels }: SingularVectorOptions,
): SingularVectors {
  const columns = matrix.columnCount
  const rows = matrix.rowStart.length - 1
  // As many as there are rows leave nothing to luck.
  const exact = rows <= EXACT_ROWS ? rows : 0
  const drawn = Math.min(Math.max(dimensions + OVERSAMPLING, exact), columns)
  const width = upTo(WIDTH_UNIT, drawn)
  const sparse = rows + columns + 2 + 4 * matrix.columns.length
  const numbers = new Numbers(sparse + (rows + 2 * columns + 6 * width) * width, kernels)
  const forth = copyOf(matrix, numbers)
  const back = transpose(forth, numbers)
  const basis = numbers.floats(columns * width)
  const image = numbers.floats(rows * width)
  // A small matrix needs no luck: all of its columns are the whole space.
  if (drawn === columns) for (let i = 0; i < columns; i++) basis[i * width + i] = 1
  else fillWithSigns(basis, width, drawn, seed)
  numbers.multiply(forth, rows, basis, width, image)
  numbers.multiply(back, columns, image, width, basis)
  numbers.multiply(forth, rows, basis, width, image)
  // With the basis made orthonormal, its image under the matrix has the squared singular values as
  // eigenvalues of its inner products, and their eigenvectors say how to combine the basis.
  const straighten = orthonormalising(numbers.innerProducts(basis, width), width)
  const inner = sandwich(straighten, numbers.innerProducts(image, width), width)
  const { values, vectors } = symmetricEigen(inner, width)
  const floor = Math.max(values[0] ?? 0, 0) * NEGLIGIBLE ** 2
  let found = 0
  while (found < Math.min(dimensions, width) && values[found]! > floor) found++
  const turned = combine(numbers, basis, product(vectors, straighten, width), width)
  const kept = new Float32Array(columns * found)
  for (let c = 0; c < columns; c++) {
    kept.set(turned.subarray(c * width, c * width + found), c * found)
  }
  return { dimensions: found, values: values.slice(0, found).map(Math.sqrt), vectors: kept }
}

function copyOf({ rowStart, columns, values, columnCount }: SparseRows, numbers: Numbers) {
  const copy = {
    columnCount,
    rowStart: numbers.words(rowStart.length),
    columns: numbers.words(columns.length),
    values: numbers.floats(values.length),
  }
  copy.rowStart.set(rowStart)
  copy.columns.set(columns)
  copy.values.set(values)
  return copy
}

function transpose(matrix: SparseRows, numbers: Numbers): SparseRows {
  const { rowStart, columns, values, columnCount } = matrix
  const rows = rowStart.length - 1
  const start = numbers.words(columnCount + 1)
  for (const column of columns) start[column + 1]!++
  for (let c = 0; c < columnCount; c++) start[c + 1]! += start[c]!
  const next = start.slice()
  const rowOf = numbers.words(columns.length)
  const turned = numbers.floats(columns.length)
  for (let row = 0; row < rows; row++) {
    for (let e = rowStart[row]!; e < rowStart[row + 1]!; e++) {
      const at = next[columns[e]!]!++
      rowOf[at] = row
      turned[at] = values[e]!
    }
  }
  return { columnCount: rows, rowStart: start, columns: rowOf, values: turned }
}

/**
 * Rows that say how to combine columns with these inner products into an orthonormal basis of the
 * space they span, through their eigenvectors. Where they span less than `width` dimensions, the last
 * rows are zero.
 */
function orthonormalising(inner: Float64Array, width: number): Float64Array {
  const { values, vectors } = symmetricEigen(inner, width)
  const floor = Math.max(values[0] ?? 0, 0) * NEGLIGIBLE ** 2
  for (let i = 0; i < width; i++) {
    const scale = values[i]! > floor ? 1 / Math.sqrt(values[i]!) : 0
    for (let k = 0; k < width; k++) vectors[i * width + k]! *= scale
  }
  return vectors
}

/** tall × transposed `weights`, whose rows say how to combine the columns of tall. */
function combine(
  numbers: Numbers,
  tall: Float32Array,
  weights: Float64Array,
  width: number,
): Float32Array {
  const turned = numbers.floats(width * width)
  for (let i = 0; i < width; i++) {
    for (let k = 0; k < width; k++) turned[k * width + i] = weights[i * width + k]!
  }
  const out = numbers.floats(tall.length)
  numbers.combine(tall, width, turned, width, out)
  return out
}

/** a × b, both square. */
function product(a: Float64Array, b: Float64Array, size: number): Float64Array {
  const result = new Float64Array(size * size)
  for (let i = 0; i < size; i++) {
    for (let m = 0; m < size; m++) {
      const value = a[i * size + m]!
      for (let k = 0; k < size; k++) result[i * size + k]! += value * b[m * size + k]!
    }
  }
  return result
}

/** outer × inner × transposed outer, all square; exactly symmetric where the inner matrix is. */
function sandwich(outer: Float64Array, inner: Float64Array, size: number): Float64Array {
  const half = product(outer, inner, size)
  const result = new Float64Array(size * size)
  for (let i = 0; i < size; i++) {
    for (let k = i; k < size; k++) {
      let sum = 0
      for (let m = 0; m < size; m++) sum += half[i * size + m]! * outer[k * size + m]!
      result[i * size + k] = sum
      result[k * size + i] = sum
    }
  }
  return result
}

/** Random signs serve as well as a bell curve here, and are the same on every machine. */
function fillWithSigns(basis: Float32Array, width: number, drawn: number, seed: number): void {
  let state = (Math.imul(seed, 0x9e3779b9) ^ 0x2545f491) | 1
  for (let row = 0; row < basis.length; row += width) {
    for (let i = row; i < row + drawn; i++) {
      state ^= state << 13
      state ^= state >>> 17
      state ^= state << 5
      basis[i] = (state & 0x10000) === 0 ? -1 : 1
    }
  }
}
