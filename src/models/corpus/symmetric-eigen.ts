/** Eigenvalues and eigenvectors of a small symmetric matrix. */

export interface Eigen {
  /** Largest first. */
  readonly values: Float64Array
  /** Row i is the unit eigenvector of value i; signs are fixed so that results repeat. */
  readonly vectors: Float64Array
}

const MAX_SWEEPS = 30

/**
 * Jacobi's method (1846): rotate away one off-diagonal element after the other until none is left.
 * Others need fewer steps, none is as accurate or as short; for the few hundred rows we have, it
 * takes a fraction of a second. Works on a copy.
 */
export function symmetricEigen(matrix: Float64Array, size: number): Eigen {
  const a = matrix.slice()
  const v = new Float64Array(size * size)
  for (let i = 0; i < size; i++) v[i * size + i] = 1
  const threshold = 1e-26 * squareSum(a, size, true)
  for (let sweep = 0; sweep < MAX_SWEEPS && squareSum(a, size, false) > threshold; sweep++) {
    for (let p = 0; p < size - 1; p++) {
      for (let q = p + 1; q < size; q++) rotateAway(a, v, size, p, q)
    }
  }
  return sorted(a, v, size)
}

/** Makes element (p, q) zero by turning rows and columns p and q. */
function rotateAway(a: Float64Array, v: Float64Array, n: number, p: number, q: number): void {
  const apq = a[p * n + q]
  const app = a[p * n + p]
  const aqq = a[q * n + q]
  if (Math.abs(apq) <= 1e-16 * Math.sqrt(Math.abs(app * aqq)) || apq === 0) return
  const theta = (aqq - app) / (2 * apq)
  const t = Math.sign(theta || 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1))
  const c = 1 / Math.sqrt(t * t + 1)
  const s = t * c
  const pRow = p * n
  const qRow = q * n
  for (let k = 0; k < n; k++) {
    const x = a[pRow + k]
    const y = a[qRow + k]
    a[pRow + k] = c * x - s * y
    a[qRow + k] = s * x + c * y
    const vx = v[pRow + k]
    const vy = v[qRow + k]
    v[pRow + k] = c * vx - s * vy
    v[qRow + k] = s * vx + c * vy
  }
  // The matrix is symmetric: outside the crossing of p and q its columns repeat its rows.
  for (let k = 0; k < n; k++) {
    if (k === p || k === q) continue
    a[k * n + p] = a[pRow + k]
    a[k * n + q] = a[qRow + k]
  }
  a[pRow + p] = app - t * apq
  a[qRow + q] = aqq + t * apq
  a[pRow + q] = 0
  a[qRow + p] = 0
}

function squareSum(a: Float64Array, size: number, diagonal: boolean): number {
  let sum = 0
  for (let i = 0; i < size; i++) {
    for (let k = 0; k < size; k++) if (diagonal || i !== k) sum += a[i * size + k] ** 2
  }
  return sum
}

function sorted(a: Float64Array, v: Float64Array, size: number): Eigen {
  const order = Array.from({ length: size }, (_, i) => i).toSorted(
    (i, k) => a[k * size + k] - a[i * size + i] || i - k,
  )
  const values = Float64Array.from(order, (i) => a[i * size + i])
  const vectors = new Float64Array(size * size)
  for (const [row, i] of order.entries()) {
    const source = v.subarray(i * size, (i + 1) * size)
    const sign = signOf(source)
    for (let k = 0; k < size; k++) vectors[row * size + k] = sign * source[k]
  }
  return { values, vectors }
}

/** A vector and its negative are equally good; the one whose largest element is positive is taken. */
function signOf(vector: Float64Array): number {
  let largest = 0
  for (const value of vector) if (Math.abs(value) > Math.abs(largest)) largest = value
  return largest < 0 ? -1 : 1
}
