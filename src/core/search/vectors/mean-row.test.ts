import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createRowEncoder } from './encoded-rows.ts'
import { meanRow } from './mean-row.ts'
import { createVectorIndex } from './vector-index.ts'

const DIMENSIONS = 16

function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let [dot, aa, bb] = [0, 0, 0]
  for (let i = 0; i < a.length; i++) {
    dot += a[i]! * b[i]!
    aa += a[i]! * a[i]!
    bb += b[i]! * b[i]!
  }
  return aa === 0 || bb === 0 ? 0 : dot / Math.sqrt(aa * bb)
}

it('points where the mean of the unit vectors points', () => {
  const vector = fc
    .array(fc.integer({ min: -100, max: 100 }), { minLength: DIMENSIONS, maxLength: DIMENSIONS })
    .map((values) => Float32Array.from(values))
  fc.assert(
    fc.property(fc.array(vector, { minLength: 1, maxLength: 5 }), vector, (rows, query) => {
      const index = createVectorIndex({ dimensions: DIMENSIONS })
      index.setRows(1, meanRow(createRowEncoder(DIMENSIONS).encode(rows)))
      const mean = new Float64Array(DIMENSIONS)
      for (const row of rows) {
        const length = Math.hypot(...row)
        row.forEach((value, i) => (mean[i]! += length === 0 ? 0 : value / length))
      }
      // Passages that cancel out leave only what rounding makes of them.
      fc.pre(Math.hypot(...mean) > 0.2 && Math.hypot(...query) > 0)
      const [hit] = index.search(query, { limit: 1 })
      expect(Math.abs((hit?.similarity ?? 0) - cosine(mean, query))).toBeLessThan(0.06)
    }),
  )
})

it('has no direction where no passage has one', () => {
  const rows = createRowEncoder(4).encode([new Float32Array(4)])
  expect(meanRow(rows).factors[0]).toBe(0)
  expect(meanRow({ ...rows, count: 0 }).factors[0]).toBe(0)
})
