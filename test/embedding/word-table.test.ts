/** The table of general meanings that comes with the package: whole, and made for today's stems. */
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, it, vi } from 'vitest'
import { analysisDigest } from '../../scripts/word-table/probe.ts'
import {
  openWordTable,
  type TableFile,
  type WordTable,
} from '../../src/core/models/general/word-table.ts'
import { packagedWords, packagedWordsId } from '../../src/core/indexing/packaged-words.ts'
import { contentTerms } from '../../src/core/search/analysis/content-terms.ts'
import { randomNumbers } from '../search/random.ts'

// More than the usual minute, for a machine that has much else to do.
vi.setConfig({ testTimeout: 300_000 })

const bytes = readFileSync(new URL('../../assets/words.bin', import.meta.url))
const table = openWordTable(fileOf(bytes))!

function fileOf(held: Uint8Array): TableFile {
  return {
    size: held.length,
    read: (into, from) => into.set(held.subarray(from, from + into.length)),
  }
}

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
  // Once by its first bytes, once by all of it.
  expect([packagedWordsId(), packagedWords()?.id]).toEqual([table.id, table.id])
  expect(table.id).toBe(hash('sha256', bytes.subarray(32)).slice(0, 16))
  for (const length of [0, 20, 32, bytes.length - 1]) {
    expect(openWordTable(fileOf(bytes.subarray(0, length)))).toBeUndefined()
  }
  expect(openWordTable(fileOf(bytes.subarray(0, 64)))).toBeUndefined()
})

it('reads a row where it lies, and all of them once somebody copies one', () => {
  let read = 0
  const file = fileOf(bytes)
  const counted = openWordTable({
    ...file,
    read(into, from) {
      read += into.length
      file.read(into, from)
    },
  })!
  const added = (of: WordTable, row: number): Float64Array => {
    const vector = new Float64Array(of.dimensions)
    of.add(row, 0.5, vector)
    return vector
  }
  const before = [0, 7, table.terms - 1].map((row) => added(counted, row))
  expect(read).toBeLessThan(bytes.length / 5)
  const values = new Int8Array(table.dimensions)
  const scale = counted.copyRow(7, values)
  expect(before[1]).toEqual(Float64Array.from(values, (value) => scale * 0.5 * value))
  expect([0, 7, table.terms - 1].map((row) => added(counted, row))).toEqual(before)
  expect(read).toBeGreaterThan(0.8 * bytes.length)
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

/** A teacher of four subjects; what it says of a text is the mean of its words, and some noise. */
function lesson(): object {
  const random = randomNumbers(7)
  const syllables = ['ba', 'ko', 'li', 'mu', 'ra', 'to', 'vi', 'zu']
  const words = Array.from({ length: 400 }, (_, i) =>
    [i % 8, (i >> 3) % 8, (i >> 6) % 8, 3].map((at) => syllables[at]).join(''),
  )
  const axes = Array.from({ length: 4 }, () => Array.from({ length: 384 }, () => random() - 0.5))
  const vectorOf = (subject: number) => axes[subject]!.map((value) => value + 0.2 * random())
  const texts = Array.from({ length: 300 }, (_, i) =>
    Array.from({ length: 6 }, () => words[4 * Math.floor(random() * 100) + (i % 4)]).join(' '),
  )
  return {
    words,
    wordVectors: Float32Array.from(words.flatMap((_, i) => vectorOf(i % 4))),
    texts,
    textVectors: Float32Array.from(texts.flatMap((_, i) => vectorOf(i % 4))),
  }
}

it('is made the same from the same, byte by byte', async () => {
  const script = (name: string) =>
    import(new URL(`../../scripts/word-table/${name}.ts`, import.meta.url).href)
  const { distil } = await script('distil')
  const { writeTable } = await script('write-table')
  const make = (): Uint8Array => writeTable(distil(lesson()), 32, analysisDigest())
  const made = make()
  expect(hash('sha256', make())).toBe(hash('sha256', made))
  const small = openWordTable(fileOf(made))!
  expect([small.terms, small.dimensions]).toEqual([400, 32])
  // Words of one subject point the same way, and those of another do not.
  const row = (word: number): number[] => {
    const vector = new Float64Array(32)
    const [term] = contentTerms((lesson() as { words: string[] }).words[word]!)
    small.add(small.rowOf(term!), 1, vector)
    return [...vector]
  }
  const dot = (a: number[], b: number[]): number => a.reduce((sum, n, k) => sum + n * b[k]!, 0)
  expect(dot(row(0), row(40))).toBeGreaterThan(dot(row(0), row(41)))
})
