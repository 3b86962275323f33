/** The table of general meanings that comes with the package: whole, and made for today's stems. */
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { analysisDigest } from '../../scripts/word-table/probe.ts'
import { openWordTable } from '../../src/models/general/word-table.ts'
import { packagedWords } from '../../src/indexing/packaged-words.ts'
import { contentTerms } from '../../src/search/analysis/content-terms.ts'

const bytes = readFileSync(new URL('../../assets/words.bin', import.meta.url))
const table = openWordTable(bytes)!

function vectorOf(text: string): Float64Array {
  const vector = new Float64Array(table.dimensions)
  for (const term of contentTerms(text)) {
    const row = table.rowOf(term)
    if (row >= 0) table.add(row, 1, vector)
  }
  return vector
}

function cosine(a: string, b: string): number {
  const [x, y] = [vectorOf(a), vectorOf(b)]
  const dot = (u: Float64Array, v: Float64Array): number => u.reduce((s, n, k) => s + n * v[k]!, 0)
  return dot(x, y) / Math.sqrt(dot(x, x) * dot(y, y))
}

it('was made with the stemmer of today', () => {
  // When this fails, the stems of the table are no longer those of texts: build the table again
  // (scripts/word-table/README.md).
  expect(table.analysis).toBe(analysisDigest())
})

it('is whole, and named after what it holds', () => {
  expect(packagedWords()?.id).toBe(table.id)
  expect(table.id).toBe(hash('sha256', bytes.subarray(32)).slice(0, 16))
  for (const length of [0, 20, 32, bytes.length - 1]) {
    expect(openWordTable(bytes.subarray(0, length))).toBeUndefined()
  }
  expect(openWordTable(Uint8Array.of(...bytes.subarray(0, 64)))).toBeUndefined()
})

it('finds every term at its row, and no other', () => {
  const text = bytes.subarray(32, 32 + bytes.readUInt32LE(12)).toString('latin1')
  const terms = text.split('\n').slice(0, table.terms)
  expect(terms.every((term, row) => table.rowOf(term) === row)).toBe(true)
  for (const stranger of ['', 'größe', 'deploymentx', 'Deploy', '東京', 'a\nb']) {
    expect(table.rowOf(stranger)).toBe(-1)
  }
})

it('gives the same row as bytes and as numbers, whole or its beginning', () => {
  const row = table.rowOf('deploy')
  for (const length of [table.dimensions, 96]) {
    const numbers = new Float64Array(length)
    table.add(row, 1, numbers)
    const asBytes = new Int8Array(length)
    const scale = table.copyRow(row, asBytes)
    expect([...numbers]).toEqual([...asBytes].map((value) => value * scale))
  }
})

it.each([
  ['undo a deployment', 'roll back a release', 'enter your holidays in the calendar'],
  ['vacation allowance', 'thirty days of holidays', 'rotate the encryption keys'],
  ['artificial intelligence', 'deep learning', 'baking bread'],
  ['fix a broken build', 'repair the failing pipeline', 'paint the kitchen wall'],
])('knows that "%s" is nearer to "%s" than to "%s"', (text, near, far) => {
  expect(cosine(text, near)).toBeGreaterThan(cosine(text, far) + 0.2)
})
