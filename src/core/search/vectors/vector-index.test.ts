import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  createRowEncoder,
  encodeQuery,
  parseRows,
  serialiseRows,
  valuesOf,
  type EncodedRows,
} from './encoded-rows.ts'
import { createKernelMemory } from './kernels.ts'
import { createRotation } from '../../kit/rotate.ts'
import { createVectorIndex, type VectorHit, type VectorIndex } from './vector-index.ts'

const vec = (...values: number[]): Float32Array => Float32Array.from(values)
const found = (hits: readonly VectorHit[]): string[] =>
  hits.map(({ doc, chunk }) => `${doc}:${chunk}`)

function arbitraryVector(dimensions: number): fc.Arbitrary<Float32Array> {
  return fc
    .array(fc.float({ min: -1, max: 1, noNaN: true }), {
      minLength: dimensions,
      maxLength: dimensions,
    })
    .map((values) => Float32Array.from(values))
}

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0)
}

function cosine(a: Float32Array, b: Float32Array): number {
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b))
}

/** The same numbers with a byte for each. */
function inBytes(rows: EncodedRows): EncodedRows {
  const { buffer } = valuesOf(rows).slice()
  return { ...rows, bits: 8, bytes: new Uint8Array(buffer) }
}

/** Vectors of a bell-shaped distribution, the same every time. */
function drawVectors(count: number, dimensions: number, seed = 1): Float32Array[] {
  let state = seed
  const random = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
  return Array.from({ length: count }, () =>
    Float32Array.from({ length: dimensions }, () => random() + random() + random() - 1.5),
  )
}

describe('a vector index', () => {
  it.each([
    ['bytes', 64, 3, false],
    ['half bytes', 128, 3, true],
    ['rows with room behind them', 6, 2, false],
  ])('takes rows as a store keeps them: %s', (_, dimensions, each, halfBytes) => {
    const encoder = createRowEncoder(dimensions, { halfBytes })
    const [stored, given] = [createVectorIndex({ dimensions }), createVectorIndex({ dimensions })]
    const vectors = drawVectors(900 * each, dimensions)
    for (let turn = 0; turn < 900; turn++) {
      // Some come again, which leaves gaps and closes them.
      const doc = turn % 500
      const rows = encoder.encode(vectors.slice(each * turn, each * (turn + 1) - (turn % 2)))
      expect(stored.setStored(doc, serialiseRows(rows))).toBe(true)
      given.setRows(doc, rows)
    }
    expect([stored.rows, stored.docs()]).toEqual([given.rows, given.docs()])
    for (const doc of given.docs()) expect(stored.rowsOf(doc)).toEqual(given.rowsOf(doc))
  })

  it('takes no bytes that are no rows, and keeps what it has', () => {
    const encoder = createRowEncoder(64)
    const index = createVectorIndex({ dimensions: 64 })
    const sound = serialiseRows(encoder.encode(drawVectors(2, 64)))
    index.setStored(1, sound)
    const before = index.rowsOf(1)
    const another = (at: number, byte: number): Uint8Array => sound.with(at, byte)
    // Another version, width, number of rows, factor, and a torn end.
    for (const bytes of [
      another(0, 9),
      another(1, 7),
      another(4, 3),
      another(139, 0xff),
      sound.slice(1),
    ]) {
      expect(index.setStored(1, bytes)).toBe(false)
      expect(index.setStored(2, bytes)).toBe(false)
    }
    expect([index.docs(), index.rowsOf(1)]).toEqual([[1], before])
    const narrow = serialiseRows(createRowEncoder(32).encode(drawVectors(1, 32)))
    expect(() => index.setStored(1, narrow)).toThrow(RangeError)
  })

  it('finds the best passage of each document, nearest first', () => {
    const index = createVectorIndex({ dimensions: 3 })
    index.setRows(7, [vec(1, 0, 0), vec(0, 1, 0)])
    index.setRows(3, [vec(0, 0, 1)])
    const hits = index.search(vec(0.1, 0.9, 0.2), { limit: 5 })
    expect(found(hits)).toEqual(['7:1', '3:0'])
    expect(hits[0]!.similarity).toBeCloseTo(0.9 / Math.hypot(0.1, 0.9, 0.2), 1)
    expect(found(index.search(vec(0.1, 0.9, 0.2), { limit: 5, perDocument: false }))).toEqual([
      '7:1',
      '3:0',
      '7:0',
    ])
  })

  it('orders equal similarities by document and passage, or as the caller says', () => {
    const index = createVectorIndex({ dimensions: 2 })
    for (const doc of [9, 2, 5]) index.setRows(doc, [vec(1, 0), vec(1, 0)])
    const query = vec(2, 0)
    expect(found(index.search(query, { limit: 2 }))).toEqual(['2:0', '5:0'])
    expect(found(index.search(query, { limit: 2, compare: (a, b) => b - a }))).toEqual([
      '9:0',
      '5:0',
    ])
    expect(found(index.search(query, { limit: 3, perDocument: false }))).toEqual([
      '2:0',
      '2:1',
      '5:0',
    ])
  })

  it('applies a filter before the cut', () => {
    const index = createVectorIndex({ dimensions: 2 })
    for (let doc = 0; doc < 100; doc++) index.setRows(doc, [vec(100, doc)])
    const hits = index.search(vec(1, 0), { limit: 2, filter: { has: (doc) => doc >= 40 } })
    expect(found(hits)).toEqual(['40:0', '41:0'])
  })

  it('never finds a vector without direction', () => {
    const index = createVectorIndex({ dimensions: 2 })
    index.setRows(1, [vec(0, 0), vec(NaN, 1), vec(-1, 0)])
    expect(found(index.search(vec(1, 0), { limit: 9, perDocument: false }))).toEqual(['1:2'])
    expect(index.search(vec(0, 0), { limit: 9 })).toEqual([])
    expect(index.search(vec(1, 0), { limit: 0 })).toEqual([])
    index.setRows(2, [vec(1, 0)])
    const hits = index.search(vec(1, 0), { limit: 1, also: [1, 2, 8] })
    expect(found(hits)).toEqual(['2:0', '1:2'])
  })

  it('finds the same, whichever documents words have found before', () => {
    fc.assert(
      fc.property(
        // Few directions, so that many are equally close.
        fc.array(fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 3 }), { maxLength: 30 }),
        fc.uniqueArray(fc.integer({ min: 0, max: 32 }), { maxLength: 20 }),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 0, max: 30 }),
        (documents, also, limit, from) => {
          const index = createVectorIndex({ dimensions: 2 })
          for (const [doc, rows] of documents.entries()) {
            index.setRows(
              doc,
              rows.map((value) => vec(3, value - 2)),
            )
          }
          const filter = { has: (doc: number) => doc >= from }
          const alone = found(index.search(vec(1, 0), { limit, filter }))
          const hits = found(index.search(vec(1, 0), { limit, filter, also }))
          expect(hits.slice(0, alone.length)).toEqual(alone)
          const all = found(index.search(vec(1, 0), { limit: 1_000 }))
          const rest = also.flatMap((doc) => all.filter((hit) => hit.startsWith(`${doc}:`)))
          expect(hits.slice(alone.length)).toEqual(rest.filter((hit) => !alone.includes(hit)))
        },
      ),
    )
  })

  it('takes passages in parts, and other rows in between', () => {
    const index = createVectorIndex({ dimensions: 2 })
    index.append(1, [vec(1, 0)])
    index.append(2, [vec(1, 1)])
    index.append(1, [vec(0, 1), vec(-1, 0)])
    expect(index.rowsOf(1)?.count).toBe(3)
    expect([index.rows, index.documents]).toEqual([4, 2])
    expect(found(index.search(vec(0, 1), { limit: 3 }))).toEqual(['1:1', '2:0'])
  })

  it('refuses vectors of another length', () => {
    const index = createVectorIndex({ dimensions: 2 })
    expect(() => index.setRows(1, [vec(1, 2, 3)])).toThrow(RangeError)
    expect(() => index.setRows(1, createRowEncoder(3).encode([]))).toThrow(RangeError)
    expect(() => index.search(vec(1), { limit: 1 })).toThrow(RangeError)
    expect(() => createVectorIndex({ dimensions: 0 })).toThrow(RangeError)
  })

  it('closes gaps without losing or moving anything', () => {
    const vectors = drawVectors(4_000, 8)
    const index = createVectorIndex({ dimensions: 8, bitsFrom: 100 })
    for (let doc = 0; doc < 2_000; doc++) index.setRows(doc, vectors.slice(2 * doc, 2 * doc + 2))
    for (let doc = 0; doc < 2_000; doc++) if (doc % 3 !== 0) expect(index.remove(doc)).toBe(true)
    expect(index.remove(1)).toBe(false)
    const fresh = createVectorIndex({ dimensions: 8, bitsFrom: 100 })
    for (let doc = 1_998; doc >= 0; doc -= 3)
      fresh.setRows(doc, vectors.slice(2 * doc, 2 * doc + 2))
    expect([index.rows, index.documents]).toEqual([fresh.rows, fresh.documents])
    for (const query of drawVectors(20, 8, 5)) {
      const options = { limit: 10, candidates: 50 }
      expect(index.search(query, options)).toEqual(fresh.search(query, options))
    }
  })

  it('is empty after being cleared, and can be filled again', () => {
    const index = createVectorIndex({ dimensions: 2, bitsFrom: 1 })
    index.setRows(1, [vec(1, 0)])
    index.clear()
    expect(index.search(vec(1, 0), { limit: 1 })).toEqual([])
    index.setRows(2, [vec(1, 0)])
    expect(found(index.search(vec(1, 0), { limit: 1 }))).toEqual(['2:0'])
  })

  it('agrees with computing every cosine, whatever was set and removed before', () => {
    const dimensions = 20
    const step = fc.record({
      doc: fc.nat(6),
      vectors: fc.array(arbitraryVector(dimensions), { maxLength: 3 }),
    })
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 20 }),
        arbitraryVector(dimensions),
        (steps, query) => {
          const index = createVectorIndex({ dimensions })
          const expected = new Map<number, Float32Array[]>()
          for (const { doc, vectors } of steps) {
            if (vectors.length > 0) expected.set(doc, vectors)
            else expected.delete(doc)
            index.setRows(doc, vectors)
          }
          const hits = index.search(query, { limit: 1_000, perDocument: false })
          for (const { doc, chunk, similarity } of hits) {
            expect(similarity).toBeCloseTo(cosine(expected.get(doc)![chunk]!, query), 1)
          }
          const directions = [...expected.values()].flat().filter((vector) => vector.some(Boolean))
          expect(hits.length).toBe(query.some(Boolean) ? directions.length : 0)
          expect(index.rows).toBe([...expected.values()].flat().length)
        },
      ),
    )
  })

  it.each([
    ['bytes', false, 128, 0.01],
    ['half bytes', true, 256, 0.02],
  ])('ranks %s as it would rank floats, nearly', (_, halfBytes, dimensions, nearly) => {
    const encoder = createRowEncoder(dimensions, { halfBytes })
    const vectors = drawVectors(500, dimensions)
    const index = createVectorIndex({ dimensions })
    for (const [doc, vector] of vectors.entries()) index.setRows(doc, encoder.encode([vector]))
    for (const query of drawVectors(10, dimensions, 9)) {
      const exact = vectors.map((vector) => cosine(vector, query))
      const hits = index.search(query, { limit: 10 })
      for (const { doc, similarity } of hits)
        expect(Math.abs(similarity - exact[doc]!)).toBeLessThan(nearly)
      const tenth = exact.toSorted((a, b) => b - a)[9]!
      for (const { doc } of hits) expect(exact[doc]).toBeGreaterThan(tenth - nearly)
    }
  })

  it('answers from half bytes to the last bit what it answers from the same in bytes', () => {
    for (const dimensions of [1, 19, 32, 96, 288]) {
      const encoder = createRowEncoder(dimensions, { halfBytes: true })
      const rows = drawVectors(600, dimensions)
      const documents = Array.from({ length: 200 }, (_, doc) =>
        encoder.encode([...rows.slice(3 * doc, 3 * doc + 3), new Float32Array(dimensions)]),
      )
      for (const bitsFrom of [Infinity, 1]) {
        const [halves, bytes, plain, mixed] = [1, 2, 3, 4].map((n) =>
          createVectorIndex({ dimensions, bitsFrom, kernels: n === 3 ? 'plain' : 'simd' }),
        )
        for (const [doc, each] of documents.entries()) {
          halves!.setRows(doc, each)
          plain!.setRows(doc, each)
          bytes!.setRows(doc, inBytes(each))
          // What comes in bytes makes bytes of what was there, and of what comes later.
          mixed!.setRows(doc, doc === 77 ? inBytes(each) : each)
        }
        for (const index of [halves!, bytes!, plain!, mixed!]) index.remove(5)
        for (const query of drawVectors(5, dimensions, 9)) {
          const options = { limit: 30, perDocument: false, candidates: 40, also: [7, 8] }
          const expected = bytes!.search(query, options)
          for (const index of [halves!, plain!, mixed!]) {
            expect(index.search(query, options)).toEqual(expected)
            expect(index.eachSimilarity(query, [3])[0]!.map((each) => each + 0)).toEqual(
              bytes!.eachSimilarity(query, [3])[0],
            )
          }
        }
        expect(halves!.rowsOf(9)).toEqual(documents[9])
        expect(mixed!.rowsOf(9)).toEqual(inBytes(documents[9]!))
      }
    }
  })

  it('takes half the room for half bytes', () => {
    const encoder = createRowEncoder(128, { halfBytes: true })
    const [halves, bytes] = [1, 2].map(() => createVectorIndex({ dimensions: 128 }))
    for (const [doc, vector] of drawVectors(5_000, 128).entries()) {
      halves!.setRows(doc, encoder.encode([vector]))
      bytes!.setRows(doc, inBytes(encoder.encode([vector])))
    }
    expect(bytes!.bytes - halves!.bytes).toBeGreaterThan(5_000 * 60)
  })

  it('finds by bits nearly what it finds by bytes', () => {
    const dimensions = 256
    const centres = drawVectors(40, dimensions)
    const noise = drawVectors(4_000, dimensions, 3)
    const exact = createVectorIndex({ dimensions })
    const chosen = createVectorIndex({ dimensions, bitsFrom: 1 })
    for (const [doc, vector] of noise.entries()) {
      const near = vector.map((value, i) => value + centres[doc % centres.length]![i]!)
      exact.setRows(doc, [near])
      chosen.setRows(doc, [near])
    }
    let same = 0
    for (const centre of centres) {
      const expected = new Set(found(exact.search(centre, { limit: 10 })))
      const hits = chosen.search(centre, { limit: 10, candidates: 200 })
      same += found(hits).filter((hit) => expected.has(hit)).length
    }
    expect(same / (10 * centres.length)).toBeGreaterThan(0.95)
  })

  it.each([
    ['bytes', 256, false],
    ['half bytes', 256, true],
    ['bytes that do not fill a row', 20, false],
    ['half bytes that do not fill a row', 27, true],
  ])('chooses by the sign of every dimension: %s', (_, dimensions, halfBytes) => {
    const encoder = createRowEncoder(dimensions, { halfBytes })
    const index = createVectorIndex({ dimensions, bitsFrom: 700 })
    const docs = 5_000
    for (const [doc, vector] of drawVectors(docs, dimensions).entries()) {
      index.setStored(doc, serialiseRows(encoder.encode([vector])))
    }
    // Gaps are closed on the way, and some come again.
    for (let doc = 0; doc < docs; doc += 3) index.remove(doc)
    for (const [at, vector] of drawVectors(200, dimensions, 7).entries()) {
      index.setRows(3 * at, encoder.encode([vector]))
    }
    for (const query of drawVectors(5, dimensions, 5)) {
      const asked = encodeQuery(query, createRotation(dimensions)).values
      const distances = index.docs().map((doc) => {
        const values = valuesOf(index.rowsOf(doc)!)
        return values.filter((value, i) => value < 0 !== asked[i]! < 0).length
      })
      const reach = distances.toSorted((a, b) => a - b)[49]!
      const nearest = index.docs().filter((_doc, at) => distances[at]! <= reach)
      const chosen = index.search(query, { limit: docs, candidates: 50 })
      expect(chosen.map(({ doc }) => doc).toSorted((a, b) => a - b)).toEqual(
        nearest.toSorted((a, b) => a - b),
      )
    }
  })
})

describe('the kernels', () => {
  it('compute the same numbers in WebAssembly and in JavaScript', () => {
    expect(createKernelMemory().kind).toBe('simd')
    const dimensions = fc.integer({ min: 1, max: 70 })
    const rows = dimensions.chain((length) =>
      fc.array(arbitraryVector(length), { minLength: 2, maxLength: 12 }),
    )
    fc.assert(
      fc.property(rows, fc.boolean(), (vectors, bits) => {
        const [query, ...others] = vectors
        const answers = (['simd', 'plain'] as const).map((kernels) => {
          const bitsFrom = bits ? 1 : Infinity
          const index = createVectorIndex({ dimensions: query!.length, kernels, bitsFrom })
          for (const [doc, vector] of others.entries()) index.setRows(doc, [vector, query!])
          return index.search(query!, { limit: 5, candidates: 3, perDocument: false })
        })
        expect(answers[0]).toEqual(answers[1])
      }),
    )
  })

  it('do not overflow at the largest values', () => {
    const dimensions = 4_096
    const ones = new Float32Array(dimensions).fill(1)
    for (const kernels of ['simd', 'plain'] as const) {
      const index = createVectorIndex({ dimensions, kernels, bitsFrom: 1 })
      index.setRows(1, [ones, ones.map((value) => -value)])
      const hits = index.search(ones, { limit: 2, perDocument: false })
      expect(hits[0]!.similarity).toBeCloseTo(1, 3)
      expect(hits[1]!.similarity).toBeCloseTo(-1, 3)
    }
  })

  it('keep what is in memory when it grows', () => {
    for (const kernels of ['simd', 'plain'] as const) {
      const index: VectorIndex = createVectorIndex({ dimensions: 64, kernels, bitsFrom: 4_000 })
      const vectors = drawVectors(5_000, 64)
      for (const [doc, vector] of vectors.entries()) index.setRows(doc, [vector])
      for (const doc of [0, 2_500, 4_999]) {
        expect(index.search(vectors[doc]!, { limit: 1 })[0]!.doc).toBe(doc)
      }
      expect(index.bytes).toBeGreaterThan(5_000 * 64)
    }
  })
})

describe('the rotation', () => {
  it('keeps lengths and angles', () => {
    fc.assert(
      fc.property(
        fc
          .integer({ min: 1, max: 40 })
          .chain((n) => fc.tuple(arbitraryVector(n), arbitraryVector(n))),
        ([a, b]) => {
          const expected = [dot(a, a), dot(a, b)]
          const rotation = createRotation(a.length)
          rotation.apply(a)
          rotation.apply(b)
          expect(dot(a, a)).toBeCloseTo(expected[0]!, 4)
          expect(dot(a, b)).toBeCloseTo(expected[1]!, 4)
        },
      ),
    )
  })

  it('spreads one dimension over all', () => {
    for (const dimensions of [128, 256, 384, 100]) {
      const rotation = createRotation(dimensions)
      const vector = new Float32Array(dimensions)
      vector[3] = 1
      rotation.apply(vector)
      expect(Math.max(...vector.map(Math.abs))).toBeLessThan(6 / Math.sqrt(dimensions))
    }
  })
})

describe('encoded rows', () => {
  it.each([
    [19, false],
    [19, true],
    [128, true],
  ])('of %i come back from bytes as they were, in half bytes: %s', (dimensions, halfBytes) => {
    const vectors = [...drawVectors(5, dimensions), new Float32Array(dimensions)]
    const encoded = createRowEncoder(dimensions, { halfBytes }).encode(vectors)
    const bytes = serialiseRows(encoded)
    const shifted = new Uint8Array(bytes.length + 3)
    shifted.set(bytes, 3)
    expect(parseRows(shifted.subarray(3))).toEqual(encoded)
    expect(parseRows(serialiseRows(createRowEncoder(4).encode([])))?.count).toBe(0)
  })

  it('are refused when damaged or of another version', () => {
    const bytes = serialiseRows(createRowEncoder(8).encode(drawVectors(2, 8)))
    expect(parseRows(bytes.subarray(0, bytes.length - 1))).toBeUndefined()
    expect(parseRows(new Uint8Array(3))).toBeUndefined()
    expect(parseRows(Uint8Array.from(bytes, (byte, i) => (i === 0 ? 99 : byte)))).toBeUndefined()
  })

  it('go through an index unchanged', () => {
    const encoded = createRowEncoder(10).encode(drawVectors(3, 10))
    const index = createVectorIndex({ dimensions: 10 })
    index.setRows(4, encoded)
    expect(index.rowsOf(4)).toEqual(encoded)
  })

  it('stay the same from release to release, or the version rises', () => {
    const bytes = createRowEncoder(8).encode([vec(1, 2, 3, 4, 5, 6, 7, 8)])
    expect([...valuesOf(bytes)]).toMatchInlineSnapshot(`
      [
        6,
        29,
        -46,
        12,
        127,
        -35,
        52,
        64,
      ]
    `)
    const half = createRowEncoder(128, { halfBytes: true })
    const many = half.encode([Float32Array.from({ length: 128 }, (_, i) => i)])
    expect([...valuesOf(many).subarray(0, 8), many.factors[0]]).toMatchInlineSnapshot(`
      [
        -6,
        -58,
        -44,
        18,
        18,
        -18,
        44,
        -31,
        0.0019547760020941496,
      ]
    `)
  })
})
