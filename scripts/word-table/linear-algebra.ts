/** The little linear algebra that distilling needs, in plain loops: the same bytes on every run. */

/** Numbers row by row. */
export interface Matrix {
  readonly rows: number
  readonly columns: number
  readonly values: Float64Array
}

export function matrix(rows: number, columns: number): Matrix {
  return { rows, columns, values: new Float64Array(rows * columns) }
}

/** Rows of few numbers each: row r has the entries from `start[r]` to `start[r + 1]`. */
export interface SparseMatrix {
  readonly rows: number
  readonly columns: number
  readonly start: Uint32Array
  readonly column: Uint32Array
  readonly value: Float64Array
}

export function transpose(sparse: SparseMatrix): SparseMatrix {
  const start = new Uint32Array(sparse.columns + 1)
  for (const column of sparse.column) start[column + 1]++
  for (let c = 0; c < sparse.columns; c++) start[c + 1] += start[c]
  const next = start.slice(0, sparse.columns)
  const column = new Uint32Array(sparse.column.length)
  const value = new Float64Array(sparse.value.length)
  for (let r = 0; r < sparse.rows; r++) {
    for (let e = sparse.start[r]; e < sparse.start[r + 1]; e++) {
      const at = next[sparse.column[e]]++
      column[at] = r
      value[at] = sparse.value[e]
    }
  }
  return { rows: sparse.columns, columns: sparse.rows, start, column, value }
}

export function multiply(sparse: SparseMatrix, dense: Matrix): Matrix {
  const width = dense.columns
  const product = matrix(sparse.rows, width)
  const { values } = dense
  const out = product.values
  for (let r = 0; r < sparse.rows; r++) {
    const to = r * width
    for (let e = sparse.start[r]; e < sparse.start[r + 1]; e++) {
      const from = sparse.column[e] * width
      const weight = sparse.value[e]
      for (let k = 0; k < width; k++) out[to + k] += weight * values[from + k]
    }
  }
  return product
}

/** `rows × axesᵀ`: where each row lies on the axes. `center` is taken off first. */
export function project(rows: Matrix | Float32Array, axes: Matrix, center?: Float64Array): Matrix {
  const width = axes.columns
  const values = rows instanceof Float32Array ? rows : rows.values
  const count = values.length / width
  const result = matrix(count, axes.rows)
  const row = new Float64Array(width)
  for (let r = 0; r < count; r++) {
    for (let k = 0; k < width; k++) row[k] = values[r * width + k] - (center ? center[k] : 0)
    for (let a = 0; a < axes.rows; a++) {
      let sum = 0
      for (let k = 0; k < width; k++) sum += row[k] * axes.values[a * width + k]
      result.values[r * axes.rows + a] = sum
    }
  }
  return result
}

export function meanOf(rows: Float32Array, width: number): Float64Array {
  const mean = new Float64Array(width)
  const count = rows.length / width
  for (let r = 0; r < count; r++) for (let k = 0; k < width; k++) mean[k] += rows[r * width + k]
  return mean.map((sum) => sum / count)
}

/** The sum over rows of their products with themselves, around `center`. */
export function scatterOf(
  rows: Float32Array | Float64Array,
  width: number,
  center: Float64Array = new Float64Array(width),
): Matrix {
  const scatter = matrix(width, width)
  const { values } = scatter
  const row = new Float64Array(width)
  for (let r = 0; r < rows.length / width; r++) {
    for (let k = 0; k < width; k++) row[k] = rows[r * width + k] - center[k]
    for (let a = 0; a < width; a++) {
      const factor = row[a]
      for (let b = a; b < width; b++) values[a * width + b] += factor * row[b]
    }
  }
  for (let a = 0; a < width; a++) {
    for (let b = 0; b < a; b++) values[a * width + b] = values[b * width + a]
  }
  return scatter
}

/** Eigenvectors of a symmetric matrix as rows, by falling eigenvalue (Jacobi's method). */
export function eigenvectors(symmetric: Matrix): { axes: Matrix; strengths: Float64Array } {
  const n = symmetric.rows
  const a = symmetric.values.slice()
  const v = new Float64Array(n * n)
  for (let i = 0; i < n; i++) v[i * n + i] = 1
  for (let sweep = 0; sweep < 30; sweep++) {
    if (offDiagonal(a, n) < 1e-20 * diagonal(a, n)) break
    for (let p = 0; p < n; p++) for (let q = p + 1; q < n; q++) rotate(a, v, n, p, q)
  }
  const order = Array.from({ length: n }, (_, i) => i).toSorted(
    (i, j) => a[j * n + j] - a[i * n + i],
  )
  const axes = matrix(n, n)
  for (const [row, i] of order.entries()) {
    // A direction and its opposite are the same axis: the largest part points up.
    let largest = 0
    for (let k = 0; k < n; k++)
      if (Math.abs(v[i * n + k]) > Math.abs(largest)) largest = v[i * n + k]
    for (let k = 0; k < n; k++) axes.values[row * n + k] = Math.sign(largest) * v[i * n + k]
  }
  return { axes, strengths: Float64Array.from(order, (i) => Math.max(0, a[i * n + i])) }
}

function offDiagonal(a: Float64Array, n: number): number {
  let sum = 0
  for (let p = 0; p < n; p++) for (let q = p + 1; q < n; q++) sum += a[p * n + q] ** 2
  return sum
}

function diagonal(a: Float64Array, n: number): number {
  let sum = 0
  for (let p = 0; p < n; p++) sum += a[p * n + p] ** 2
  return sum
}

/** Turns axes p and q so that they no longer share anything. */
function rotate(a: Float64Array, v: Float64Array, n: number, p: number, q: number): void {
  const shared = a[p * n + q]
  if (shared === 0) return
  const theta = (a[q * n + q] - a[p * n + p]) / (2 * shared)
  const t = Math.sign(theta || 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1))
  const c = 1 / Math.sqrt(t * t + 1)
  const s = t * c
  for (let k = 0; k < n; k++) {
    const kp = a[k * n + p]
    const kq = a[k * n + q]
    a[k * n + p] = c * kp - s * kq
    a[k * n + q] = s * kp + c * kq
  }
  for (let k = 0; k < n; k++) {
    const pk = a[p * n + k]
    const qk = a[q * n + k]
    a[p * n + k] = c * pk - s * qk
    a[q * n + k] = s * pk + c * qk
    const vp = v[p * n + k]
    const vq = v[q * n + k]
    v[p * n + k] = c * vp - s * vq
    v[q * n + k] = s * vp + c * vq
  }
}
