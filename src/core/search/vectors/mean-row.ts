/** One vector for a whole document: the direction its passages point to together. */
import { valuesOf, type EncodedRows } from './encoded-rows.ts'

/** Passages count alike, however long; those without a direction do not count. */
export function meanRow(rows: EncodedRows): EncodedRows {
  const { dimensions, count, factors } = rows
  const values = valuesOf(rows)
  const sum = new Float64Array(dimensions)
  for (let row = 0; row < count; row++) {
    const factor = factors[row]!
    if (factor === 0) continue
    for (let i = 0; i < dimensions; i++) sum[i]! += values[row * dimensions + i]! * factor
  }
  let largest = 0
  for (let i = 0; i < dimensions; i++) largest = Math.max(largest, Math.abs(sum[i]!))
  const mean = new Int8Array(dimensions)
  const scale = largest === 0 ? 0 : 127 / largest
  let squares = 0
  for (let i = 0; i < dimensions; i++) {
    mean[i] = Math.round(sum[i]! * scale)
    squares += mean[i]! * mean[i]!
  }
  const factor = squares === 0 ? 0 : 1 / Math.sqrt(squares)
  const bytes = new Uint8Array(mean.buffer)
  return { dimensions, count: 1, bits: 8, bytes, factors: Float32Array.of(factor) }
}
