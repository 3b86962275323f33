/** Eigenvalues and eigenvectors of a small symmetric matrix. */

export interface Eigen {
  /** Largest first. */
  readonly values: Float64Array
  /** Row i is the unit eigenvector of value i; signs are fixed so that results repeat. */
  readonly vectors: Float64Array
}

/** Far more than is ever needed; the bound is there for input that is not a number. */
const MAX_STEPS = 100

/**
 * The classical way (Householder 1958; Francis 1961): reflections bring the matrix into three
 * diagonals, shifted rotations bring those into one, and both are carried out on a basis as well.
 * The basis is kept with its vectors as rows, so that every inner loop runs along memory.
 */
export function symmetricEigen(matrix: Float64Array, size: number): Eigen {
  const { diagonal, beside, basis } = threeDiagonals(matrix, size)
  for (let i = 0; i < size; i++) settle(diagonal, beside, basis, size, i)
  return sorted(diagonal, basis, size)
}

interface ThreeDiagonals {
  readonly diagonal: Float64Array
  /** `beside[i]` stands between `diagonal[i]` and `diagonal[i + 1]`. */
  readonly beside: Float64Array
  readonly basis: Float64Array
}

/** Clears each column below its second element by a reflection I - factor·v·vᵀ from both sides. */
function threeDiagonals(matrix: Float64Array, n: number): ThreeDiagonals {
  const a = matrix.slice()
  const diagonal = new Float64Array(n)
  const beside = new Float64Array(n)
  const mirrors = new Float64Array(n * n)
  const factors = new Float64Array(n)
  const p = new Float64Array(n)
  for (let k = 0; k < n - 2; k++) {
    const v = mirrors.subarray(k * n, (k + 1) * n)
    let squares = 0
    for (let i = k + 1; i < n; i++) {
      v[i] = a[k * n + i]!
      squares += v[i]! * v[i]!
    }
    const target = v[k + 1]! > 0 ? -Math.sqrt(squares) : Math.sqrt(squares)
    beside[k] = target
    if (squares === 0) continue
    v[k + 1]! -= target
    const factor = 1 / (squares - a[k * n + k + 1]! * target)
    factors[k] = factor
    // a - v·wᵀ - w·vᵀ is the reflected rest, with w = p - (factor / 2)(p·v) v and p = factor·a·v.
    let overlap = 0
    for (let i = k + 1; i < n; i++) {
      let sum = 0
      for (let m = k + 1; m < n; m++) sum += a[i * n + m]! * v[m]!
      p[i] = factor * sum
      overlap += p[i]! * v[i]!
    }
    const shift = (factor / 2) * overlap
    for (let i = k + 1; i < n; i++) p[i]! -= shift * v[i]!
    for (let i = k + 1; i < n; i++) {
      const vi = v[i]!
      const pi = p[i]!
      for (let m = k + 1; m < n; m++) a[i * n + m]! -= vi * p[m]! + pi * v[m]!
    }
  }
  for (let i = 0; i < n; i++) diagonal[i] = a[i * n + i]!
  if (n > 1) beside[n - 2] = a[(n - 2) * n + n - 1]!
  return { diagonal, beside, basis: reflections(mirrors, factors, n) }
}

/** All reflections one after the other; starting with the last, only the rest is ever touched. */
function reflections(mirrors: Float64Array, factors: Float64Array, n: number): Float64Array {
  const basis = new Float64Array(n * n)
  for (let i = 0; i < n; i++) basis[i * n + i] = 1
  for (let k = n - 3; k >= 0; k--) {
    if (factors[k] === 0) continue
    const v = mirrors.subarray(k * n, (k + 1) * n)
    for (let i = k + 1; i < n; i++) {
      let sum = 0
      for (let m = k + 1; m < n; m++) sum += basis[i * n + m]! * v[m]!
      sum *= factors[k]!
      for (let m = k + 1; m < n; m++) basis[i * n + m]! -= sum * v[m]!
    }
  }
  return basis
}

/** Rotates until `beside[first]` is gone and `diagonal[first]` is an eigenvalue (implicit QL). */
function settle(
  diagonal: Float64Array,
  beside: Float64Array,
  basis: Float64Array,
  n: number,
  first: number,
): void {
  for (let step = 0; step < MAX_STEPS; step++) {
    const last = blockEnd(diagonal, beside, n, first)
    if (last === first) return
    // The shift is the eigenvalue of the top two rows that is nearer to the first.
    const half = (diagonal[first + 1]! - diagonal[first]!) / (2 * beside[first]!)
    const root = Math.sqrt(half * half + 1)
    const shift = diagonal[first]! - beside[first]! / (half + (half < 0 ? -root : root))
    let bulge = diagonal[last]! - shift
    let sine = 1
    let cosine = 1
    let moved = 0
    let i = last - 1
    for (; i >= first; i--) {
      const f = sine * beside[i]!
      const b = cosine * beside[i]!
      const length = Math.sqrt(f * f + bulge * bulge)
      beside[i + 1] = length
      if (length === 0) break
      sine = f / length
      cosine = bulge / length
      const d = diagonal[i + 1]! - moved
      const r = (diagonal[i]! - d) * sine + 2 * cosine * b
      moved = sine * r
      diagonal[i + 1] = d + moved
      bulge = cosine * r - b
      rotateRows(basis, n, i, sine, cosine)
    }
    if (i >= first) {
      // The block fell apart on the way: go on with its parts.
      diagonal[i + 1]! -= moved
    } else {
      diagonal[first]! -= moved
      beside[first] = bulge
    }
    beside[last] = 0
  }
}

/** The last row that still hangs together with `first`. */
function blockEnd(diagonal: Float64Array, beside: Float64Array, n: number, first: number): number {
  let end = first
  while (end < n - 1) {
    const scale = Math.abs(diagonal[end]!) + Math.abs(diagonal[end + 1]!)
    if (Math.abs(beside[end]!) <= Number.EPSILON * scale) break
    end++
  }
  return end
}

function rotateRows(
  basis: Float64Array,
  n: number,
  row: number,
  sine: number,
  cosine: number,
): void {
  const at = row * n
  const below = at + n
  for (let k = 0; k < n; k++) {
    const x = basis[at + k]!
    const y = basis[below + k]!
    basis[at + k] = cosine * x - sine * y
    basis[below + k] = sine * x + cosine * y
  }
}

function sorted(diagonal: Float64Array, basis: Float64Array, n: number): Eigen {
  const order = Array.from(diagonal, (_, i) => i).toSorted(
    (i, k) => diagonal[k]! - diagonal[i]! || i - k,
  )
  const vectors = new Float64Array(n * n)
  for (const [row, i] of order.entries()) {
    const source = basis.subarray(i * n, (i + 1) * n)
    const sign = signOf(source)
    for (let k = 0; k < n; k++) vectors[row * n + k] = sign * source[k]!
  }
  return { values: Float64Array.from(order, (i) => diagonal[i]!), vectors }
}

/** A vector and its negative are equally good; the one whose largest element is positive is taken. */
function signOf(vector: Float64Array): number {
  let largest = 0
  for (const value of vector) if (Math.abs(value) > Math.abs(largest)) largest = value
  return largest < 0 ? -1 : 1
}
