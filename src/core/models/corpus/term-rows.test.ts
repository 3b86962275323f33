import fc from 'fast-check'
import { expect, it } from 'vitest'
import { copyRow, countRows, rowWriter } from './term-rows.ts'

it.each([4, 8] as const)('rows of %i bits come back as near as their numbers allow', (bits) => {
  const steps = bits === 4 ? 7 : 127
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9 }),
      fc.array(fc.array(fc.integer({ min: -500, max: 500 }), { maxLength: 9 }), {
        minLength: 1,
        maxLength: 5,
      }),
      (dimensions, lists) => {
        const vectors = lists.map((list) => Float64Array.from(list.slice(0, dimensions)))
        const { rows, write } = rowWriter(vectors.length, dimensions, bits)
        const scales = vectors.map((vector, row) => write(row, vector))
        expect(countRows(rows)).toBe(vectors.length)
        for (const [row, vector] of vectors.entries()) {
          const numbers = new Int8Array(dimensions)
          copyRow(rows, row, numbers)
          const largest = Math.max(0, ...vector.map(Math.abs))
          for (const [k, number] of numbers.entries()) {
            const away = Math.abs(number * scales[row]! - (vector[k] ?? 0))
            expect(away).toBeLessThanOrEqual((largest / steps) * 0.5001)
          }
        }
      },
    ),
  )
})
