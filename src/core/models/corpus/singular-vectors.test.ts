import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SparseRows } from './numbers.ts'
import { singularVectors } from './singular-vectors.ts'
import { symmetricEigen } from './symmetric-eigen.ts'

type Dense = readonly (readonly number[])[]

function sparse(dense: Dense, columnCount: number): SparseRows {
  const rowStart = [0]
  const columns: number[] = []
  const values: number[] = []
  for (const row of dense) {
    for (const [column, value] of row.entries()) {
      if (value === 0) continue
      columns.push(column)
      values.push(value)
    }
    rowStart.push(columns.length)
  }
  return {
    columnCount,
    rowStart: Uint32Array.from(rowStart),
    columns: Uint32Array.from(columns),
    values: Float32Array.from(values),
  }
}

const times = (matrix: Dense, vector: readonly number[]): number[] =>
  matrix.map((row) => row.reduce((sum, value, i) => sum + value * vector[i]!, 0))

const lengthOf = (vector: readonly number[]): number => Math.hypot(...vector)

/** Eigenvalues of a symmetric matrix, one after the other: multiply until it settles, subtract. */
function eigenvaluesByPower(matrix: Dense, count: number): number[] {
  let rest = matrix.map((row) => [...row])
  return Array.from({ length: count }, (_, round) => {
    let vector = rest.map((_, i) => Math.sin(i + 1 + round))
    let value = 0
    for (let i = 0; i < 3_000; i++) {
      const next = times(rest, vector)
      value = lengthOf(next)
      if (value < 1e-12) return 0
      vector = next.map((x) => x / value)
    }
    rest = rest.map((row, i) => row.map((x, k) => x - value * vector[i]! * vector[k]!))
    return value
  })
}

function gram(dense: Dense, columns: number): number[][] {
  return Array.from({ length: columns }, (_, i) =>
    Array.from({ length: columns }, (_, k) =>
      dense.reduce((sum, row) => sum + row[i]! * row[k]!, 0),
    ),
  )
}

const arbitraryDense = fc
  .tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 7 }))
  .chain(([rows, columns]) =>
    fc.array(
      fc.array(fc.constantFrom(0, 0, 0, 1, 2, 3, -1), { minLength: columns, maxLength: columns }),
      { minLength: rows, maxLength: rows },
    ),
  )

describe('singularVectors', () => {
  it('agrees with a naive solver, whatever the rank', () => {
    fc.assert(
      fc.property(arbitraryDense, (dense) => {
        const columns = dense[0]!.length
        const { dimensions, values } = singularVectors(sparse(dense, columns), { dimensions: 7 })
        const expected = eigenvaluesByPower(gram(dense, columns), columns).map(Math.sqrt)
        for (let i = 0; i < columns; i++) {
          const found = i < dimensions ? values[i]! : 0
          // The naive solver takes long to tell equal values apart; neither matters beyond 1 %.
          expect(Math.abs(found - expected[i]!)).toBeLessThan(0.01 * (expected[0]! + 0.1))
        }
      }),
    )
  })

  it('gives orthonormal vectors whose images are as long as the values', () => {
    fc.assert(
      fc.property(arbitraryDense, fc.integer({ min: 1, max: 7 }), (dense, wanted) => {
        const matrix = sparse(dense, dense[0]!.length)
        const { dimensions, values, vectors } = singularVectors(matrix, { dimensions: wanted })
        expect(dimensions).toBeLessThanOrEqual(wanted)
        const image = dense.flatMap((row) =>
          Array.from({ length: dimensions }, (_, i) =>
            row.reduce<number>((sum, value, c) => sum + value * vectors[c * dimensions + i]!, 0),
          ),
        )
        const inner = (numbers: ArrayLike<number>, i: number, k: number): number => {
          let sum = 0
          for (let at = 0; at < numbers.length; at += dimensions) {
            sum += numbers[at + i]! * numbers[at + k]!
          }
          return sum
        }
        for (let i = 0; i < dimensions; i++) {
          for (let k = 0; k <= i; k++) {
            expect(inner(vectors, i, k)).toBeCloseTo(i === k ? 1 : 0, 3)
            expect(inner(image, i, k)).toBeCloseTo(i === k ? values[i]! ** 2 : 0, 2)
          }
        }
      }),
    )
  })

  it('finds the strongest directions of a matrix that is much larger than the wanted space', () => {
    const rows = 120
    const columns = 90
    // Three strong directions and a little of everything else.
    const dense = Array.from({ length: rows }, (_, r) =>
      Array.from({ length: columns }, (_, c) => {
        const strong = (r % 3 === c % 3 ? 3 : 0) * (1 + (c % 3))
        return strong + Math.sin(r * 12.9898 + c * 78.233)
      }),
    )
    const { values } = singularVectors(sparse(dense, columns), { dimensions: 5 })
    const expected = eigenvaluesByPower(gram(dense, columns), 5).map(Math.sqrt)
    for (let i = 0; i < 3; i++) expect(values[i]! / expected[i]!).toBeCloseTo(1, 3)
    for (let i = 3; i < 5; i++) expect(values[i]! / expected[i]!).toBeGreaterThan(0.9)
  })

  it('gives the same bits with SIMD and without', () => {
    const dense = Array.from({ length: 70 }, (_, r) =>
      Array.from({ length: 60 }, (_, c) => ((r * 7 + c * c) % 5 === 0 ? Math.sin(r * c + 1) : 0)),
    )
    const matrix = sparse(dense, 60)
    const simd = singularVectors(matrix, { dimensions: 20, kernels: 'simd' })
    expect(simd.dimensions).toBe(20)
    expect(singularVectors(matrix, { dimensions: 20, kernels: 'plain' })).toEqual(simd)
  })

  it('has an answer for nothing', () => {
    expect(singularVectors(sparse([], 0), { dimensions: 4 }).dimensions).toBe(0)
    expect(singularVectors(sparse([[0, 0]], 2), { dimensions: 4 }).dimensions).toBe(0)
  })
})

describe('symmetricEigen', () => {
  it('takes a symmetric matrix apart so that it can be put together again', () => {
    const matrices = fc.integer({ min: 1, max: 8 }).chain((size) =>
      fc.array(fc.oneof(fc.constant(0), fc.integer({ min: -9, max: 9 })), {
        minLength: size * size,
        maxLength: size * size,
      }),
    )
    fc.assert(
      fc.property(matrices, (numbers) => {
        const size = Math.sqrt(numbers.length)
        const matrix = Float64Array.from(
          numbers,
          (value, at) => value + numbers[(at % size) * size + Math.floor(at / size)]!,
        )
        const { values, vectors } = symmetricEigen(matrix, size)
        expect([...values]).toEqual([...values].toSorted((a, b) => b - a))
        for (let i = 0; i < size; i++) {
          for (let k = 0; k < size; k++) {
            let together = 0
            let overlap = 0
            for (let m = 0; m < size; m++) {
              together += values[m]! * vectors[m * size + i]! * vectors[m * size + k]!
              overlap += vectors[i * size + m]! * vectors[k * size + m]!
            }
            expect(together).toBeCloseTo(matrix[i * size + k]!, 8)
            expect(overlap).toBeCloseTo(i === k ? 1 : 0, 8)
          }
        }
      }),
    )
  })

  it('settles matrices with many equal eigenvalues, and large ones', () => {
    const size = 120
    const shapes: ((i: number, k: number) => number)[] = [
      (i, k) => (i === k ? 1 : 0),
      () => 1,
      (i, k) => (Math.abs(i - k) === 1 ? 1 : 0),
      (i, k) => 1 / (i + k + 1),
      (i, k) => Math.sin((i + 1) * (k + 1)),
    ]
    for (const shape of shapes) {
      const matrix = Float64Array.from({ length: size * size }, (_, at) =>
        shape(Math.floor(at / size), at % size),
      )
      const { values, vectors } = symmetricEigen(matrix, size)
      for (const [i, value] of values.entries()) {
        const vector = [...vectors.subarray(i * size, (i + 1) * size)]
        expect(lengthOf(vector)).toBeCloseTo(1, 10)
        for (let row = 0; row < size; row++) {
          let image = 0
          for (let k = 0; k < size; k++) image += matrix[row * size + k]! * vector[k]!
          expect(Math.abs(image - value * vector[row]!)).toBeLessThan(1e-10 * size)
        }
      }
    }
  })
})
