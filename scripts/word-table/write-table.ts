/** Turns, cuts and rounds the vectors of stems, and lays them out as `openWordTable` reads them. */
import { hash } from 'node:crypto'
import type { Stems } from './distil.ts'
import { eigenvectors, project, scatterOf } from './linear-algebra.ts'
import type { Matrix } from './linear-algebra.ts'

/** The commonest stems, by which the axes are chosen. */
const COMMON = 20_000
/** How far dimensions are brought to equal strength: 0 leaves them, 1 makes them equal. */
const WHITENING = 0.25
/** The largest number of a row of four bits. */
const STEPS = 7

export function writeTable(stems: Stems, dimensions: number, analysis: string): Uint8Array {
  const vectors = turn(stems.vectors, dimensions)
  const order = stems.terms
    .map((_, i) => i)
    .toSorted((a, b) => (stems.terms[a] < stems.terms[b] ? -1 : 1))
  const text = order.map((i) => `${stems.terms[i]}\n`).join('')
  const textBytes = Math.ceil(text.length / 4) * 4
  const scalesAt = 32 + textBytes
  const rowsAt = scalesAt + 4 * order.length
  const bytes = Buffer.alloc(rowsAt + (order.length * dimensions) / 2)
  bytes.write('CWT1', 'latin1')
  bytes.writeUInt32LE(dimensions, 4)
  bytes.writeUInt32LE(order.length, 8)
  bytes.writeUInt32LE(textBytes, 12)
  bytes.fill('\n', 32, scalesAt)
  bytes.write(text, 32, 'latin1')
  for (const [row, stem] of order.entries()) {
    const vector = vectors.values.subarray(stem * dimensions, (stem + 1) * dimensions)
    const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
    bytes.writeFloatLE(largest / STEPS, scalesAt + 4 * row)
    const step = (k: number): number =>
      largest === 0 ? 8 : Math.round((vector[k] / largest) * STEPS) + 8
    for (let k = 0; k < dimensions; k += 2) {
      bytes[rowsAt + (row * dimensions + k) / 2] = step(k) | (step(k + 1) << 4)
    }
  }
  bytes.write(hash('sha256', bytes.subarray(32)).slice(0, 16), 16, 'hex')
  bytes.write(analysis, 24, 'hex')
  return bytes
}

/** Onto the axes along which the common stems differ most. */
function turn(vectors: Matrix, dimensions: number): Matrix {
  const width = vectors.columns
  const { axes, strengths } = eigenvectors(
    scatterOf(vectors.values.subarray(0, COMMON * width), width),
  )
  const kept: Matrix = {
    rows: dimensions,
    columns: width,
    values: axes.values.subarray(0, dimensions * width),
  }
  const turned = project(vectors, kept)
  for (let i = 0; i < turned.values.length; i++) {
    // An eigenvalue is the square of a strength.
    turned.values[i] /= Math.sqrt(strengths[i % dimensions] / strengths[0]) ** WHITENING
  }
  return turned
}
