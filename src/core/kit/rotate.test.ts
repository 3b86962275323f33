/** Kernels against plain loops, and stored rows against what they were made with. */
import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { createRotation } from './rotate.ts'

/** The same in every run. */
function vectorOf(dimensions: number, from: number): Float32Array {
  return Float32Array.from({ length: dimensions }, (_, i) => Math.sin(from + 12.9898 * i) * 43.75)
}

const bytesOf = (vector: Float32Array): Buffer =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)

const DIMENSIONS = [1, 2, 3, 4, 5, 7, 8, 15, 16, 33, 64, 96, 100, 128, 192, 255, 256, 288, 1024]

it.each(DIMENSIONS)('turns %i dimensions to the same bits with and without SIMD', (dimensions) => {
  const [simd, plain] = [createRotation(dimensions), createRotation(dimensions, 'plain')]
  for (let from = 0; from < 10; from++) {
    const [a, b] = [vectorOf(dimensions, from), vectorOf(dimensions, from)]
    simd.apply(a)
    plain.apply(b)
    expect(bytesOf(a).equals(bytesOf(b))).toBe(true)
  }
})

it('turns as it did when rows were stored', () => {
  const all = createHash('sha256')
  for (const dimensions of [19, 192, 288]) {
    const vector = vectorOf(dimensions, 0.5).map(Math.fround)
    createRotation(dimensions).apply(vector)
    all.update(bytesOf(vector))
  }
  expect(all.digest('hex').slice(0, 16)).toBe('263b3c245e3ae9a1')
})
