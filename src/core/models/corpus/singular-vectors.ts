/**
 * The directions in which the rows of a sparse matrix vary most: its first right singular vectors,
 * by the randomised method of Halko, Martinsson and Tropp (2011). A few random combinations of the
 * columns, drawn through the matrix and back, already span nearly the wanted space; inside that
 * small space the problem is solved exactly.
 *
 * The inner loops take four rows at a time: a sum that waits for itself, or that is stored and
 * loaded again for every product, runs at a quarter of the speed.
 */
import { symmetricEigen } from './symmetric-eigen.ts'

/** Rows of (column, value) pairs. */
export interface SparseRows {
  readonly columnCount: number
  readonly rowStart: Uint32Array
  readonly columns: Uint32Array
  readonly values: Float32Array
}

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
  /** How often the random space is drawn through the matrix and back. */
  readonly iterations?: number
  readonly seed?: number
}

/** Random directions beyond those wanted: they catch what the others would miss. */
const OVERSAMPLING = 16

/** Directions shorter than this part of the longest are rounding errors of 32-bit numbers. */
const NEGLIGIBLE = 1e-6

export function singularVectors(
  matrix: SparseRows,
  { dimensions, iterations = 1, seed = 1 }: SingularVectorOptions,
): SingularVectors {
  const width = Math.min(dimensions + OVERSAMPLING, matrix.columnCount)
  const transposed = transpose(matrix)
  // A small matrix needs no luck: all of its columns are the whole space.
  const complete = width === matrix.columnCount
  let basis = complete ? identity(width) : randomSigns(matrix.columnCount * width, seed)
  let image = multiply(matrix, basis, width)
  for (let i = 0; i < iterations; i++) {
    if (i > 0) image = combine(image, width, orthonormalising(image, width), width)
    basis = multiply(transposed, image, width)
    image = multiply(matrix, basis, width)
  }
  // With the basis made orthonormal, its image under the matrix has the squared singular values as
  // eigenvalues of its inner products, and their eigenvectors say how to combine the basis.
  const straighten = orthonormalising(basis, width)
  const inner = sandwich(straighten, innerProducts(image, width), width)
  const { values, vectors } = symmetricEigen(inner, width)
  const floor = Math.max(values[0] ?? 0, 0) * NEGLIGIBLE ** 2
  let found = 0
  while (found < Math.min(dimensions, width) && values[found]! > floor) found++
  return {
    dimensions: found,
    values: values.slice(0, found).map(Math.sqrt),
    vectors: combine(basis, width, product(vectors, straighten, width), found),
  }
}

/** matrix × tall: one row of `width` numbers per row of the matrix. */
export function multiply(matrix: SparseRows, tall: Float32Array, width: number): Float32Array {
  const { rowStart, columns, values } = matrix
  const rows = rowStart.length - 1
  const result = new Float32Array(rows * width)
  const sum = new Float64Array(width)
  for (let row = 0; row < rows; row++) {
    sum.fill(0)
    const end = rowStart[row + 1]!
    let e = rowStart[row]!
    for (; e + 3 < end; e += 4) {
      const a = values[e]!
      const b = values[e + 1]!
      const c = values[e + 2]!
      const d = values[e + 3]!
      let atA = columns[e]! * width
      let atB = columns[e + 1]! * width
      let atC = columns[e + 2]! * width
      let atD = columns[e + 3]! * width
      for (let k = 0; k < width; k++) {
        sum[k]! += a * tall[atA++]! + b * tall[atB++]! + (c * tall[atC++]! + d * tall[atD++]!)
      }
    }
    for (; e < end; e++) {
      const value = values[e]!
      const at = columns[e]! * width
      for (let k = 0; k < width; k++) sum[k]! += value * tall[at + k]!
    }
    result.set(sum, row * width)
  }
  return result
}

function transpose({ rowStart, columns, values, columnCount }: SparseRows): SparseRows {
  const rows = rowStart.length - 1
  const start = new Uint32Array(columnCount + 1)
  for (const column of columns) start[column + 1]!++
  for (let c = 0; c < columnCount; c++) start[c + 1]! += start[c]!
  const next = start.slice()
  const rowOf = new Uint32Array(columns.length)
  const turned = new Float32Array(columns.length)
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
 * Rows that say how to combine the columns of `tall` into an orthonormal basis of the space they
 * span, through the eigenvectors of their inner products. Where they span less than `width`
 * dimensions, the last rows are zero.
 */
function orthonormalising(tall: Float32Array, width: number): Float64Array {
  const { values, vectors } = symmetricEigen(innerProducts(tall, width), width)
  const floor = Math.max(values[0] ?? 0, 0) * NEGLIGIBLE ** 2
  for (let i = 0; i < width; i++) {
    const scale = values[i]! > floor ? 1 / Math.sqrt(values[i]!) : 0
    for (let k = 0; k < width; k++) vectors[i * width + k]! *= scale
  }
  return vectors
}

/** transposed tall × tall. */
function innerProducts(tall: Float32Array, width: number): Float64Array {
  const products = new Float64Array(width * width)
  let at = 0
  for (; at + 3 * width < tall.length; at += 4 * width) {
    const atB = at + width
    const atC = atB + width
    const atD = atC + width
    for (let i = 0; i < width; i++) {
      const a = tall[at + i]!
      const b = tall[atB + i]!
      const c = tall[atC + i]!
      const d = tall[atD + i]!
      const row = i * width
      for (let k = i; k < width; k++) {
        products[row + k]! +=
          a * tall[at + k]! + b * tall[atB + k]! + (c * tall[atC + k]! + d * tall[atD + k]!)
      }
    }
  }
  for (; at < tall.length; at += width) {
    for (let i = 0; i < width; i++) {
      for (let k = i; k < width; k++) products[i * width + k]! += tall[at + i]! * tall[at + k]!
    }
  }
  for (let i = 0; i < width; i++) {
    for (let k = 0; k < i; k++) products[i * width + k] = products[k * width + i]!
  }
  return products
}

/** tall × transposed `weights`, whose first `count` rows say how to combine the columns of tall. */
function combine(
  tall: Float32Array,
  width: number,
  weights: Float64Array,
  count: number,
): Float32Array {
  const rows = width === 0 ? 0 : tall.length / width
  const result = new Float32Array(rows * count)
  const from = new Float64Array(width)
  for (let row = 0; row < rows; row++) {
    for (let k = 0; k < width; k++) from[k] = tall[row * width + k]!
    let i = 0
    for (; i + 3 < count; i += 4) {
      let a = 0
      let b = 0
      let c = 0
      let d = 0
      const atA = i * width
      const atB = atA + width
      const atC = atB + width
      const atD = atC + width
      for (let k = 0; k < width; k++) {
        const value = from[k]!
        a += value * weights[atA + k]!
        b += value * weights[atB + k]!
        c += value * weights[atC + k]!
        d += value * weights[atD + k]!
      }
      const to = row * count + i
      result[to] = a
      result[to + 1] = b
      result[to + 2] = c
      result[to + 3] = d
    }
    for (; i < count; i++) {
      let sum = 0
      for (let k = 0; k < width; k++) sum += from[k]! * weights[i * width + k]!
      result[row * count + i] = sum
    }
  }
  return result
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

function identity(size: number): Float32Array {
  const matrix = new Float32Array(size * size)
  for (let i = 0; i < size; i++) matrix[i * size + i] = 1
  return matrix
}

/** Random signs serve as well as a bell curve here, and are the same on every machine. */
function randomSigns(length: number, seed: number): Float32Array {
  const signs = new Float32Array(length)
  let state = (Math.imul(seed, 0x9e3779b9) ^ 0x2545f491) | 1
  for (let i = 0; i < length; i++) {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    signs[i] = (state & 0x10000) === 0 ? -1 : 1
  }
  return signs
}
