import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCorpusEmbedder } from './corpus-embedder.ts'
import { parseCorpusModel, serialiseCorpusModel, type CorpusModel } from './corpus-model.ts'
import { corpusDrift, RETRAIN_AT } from './drift.ts'
import { embedMatrix } from './embed-matrix.ts'
import { chooseSample } from './sample.ts'
import { TermMatrixBuilder, type TermMatrix } from './term-matrix.ts'
import { trainCorpusModel } from './train-model.ts'

interface Note {
  readonly title: string
  readonly passages: readonly string[]
}

const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '')

function matrixOf(notes: readonly Note[]): TermMatrix {
  const builder = new TermMatrixBuilder()
  for (const { title, passages } of notes) builder.addDocument(words(title), passages.map(words))
  return builder.build()
}

const note = (...passages: string[]): Note => ({ title: '', passages })

function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let dot = 0
  let squaresA = 0
  let squaresB = 0
  for (let i = 0; i < a.length; i++) {
    dot += a[i]! * b[i]!
    squaresA += a[i]! ** 2
    squaresB += b[i]! ** 2
  }
  return squaresA * squaresB === 0 ? 0 : dot / Math.sqrt(squaresA * squaresB)
}

function expectNearly(vectors: readonly Float32Array[], expected: readonly Float32Array[]): void {
  expect(vectors.length).toBe(expected.length)
  for (const [i, vector] of vectors.entries()) {
    expect(vector.length).toBe(expected[i]!.length)
    for (const [k, value] of vector.entries()) expect(value).toBeCloseTo(expected[i]![k]!, 5)
  }
}

const arbitraryText = fc
  .array(fc.constantFrom(...'abcdefghij'), { maxLength: 12 })
  .map((terms) => terms.join(' '))
const arbitraryNotes = fc.array(
  fc.record({ title: arbitraryText, passages: fc.array(arbitraryText, { maxLength: 3 }) }),
  { maxLength: 12 },
)

const facts = ({ id, dimensions, documents, terms, unknownShare }: CorpusModel): unknown => [
  id,
  dimensions,
  documents,
  terms,
  unknownShare.toFixed(6),
]

const hundredOf = (keys: readonly string[]): string[] =>
  chooseSample(keys, 100).map((place) => keys[place]!)

const count = (text: readonly string[], term: string): number =>
  text.filter((word) => word === term).length

/** Two subjects; `car` and `automobile` never meet, but keep the same company. */
const GARAGE_AND_KITCHEN = [
  note('car engine wheel road'),
  note('automobile engine wheel driver'),
  note('car road driver wheel'),
  note('automobile road engine'),
  note('tea kettle water leaf'),
  note('tea cup leaf kettle'),
  note('coffee cup water kettle'),
  note('coffee kettle leaf'),
]

describe('a corpus model', () => {
  it('knows from their company that two words mean the same', () => {
    const model = trainCorpusModel(matrixOf(GARAGE_AND_KITCHEN), { dimensions: 2 })
    const car = model.embedQuery(['car'])
    expect(cosine(car, model.embedQuery(['automobile']))).toBeGreaterThan(0.9)
    expect(Math.abs(cosine(car, model.embedQuery(['tea'])))).toBeLessThan(0.3)
  })

  it('says nothing of words it does not know', () => {
    const model = trainCorpusModel(matrixOf(GARAGE_AND_KITCHEN))
    expect(model.embedQuery(['zeppelin']).every((value) => value === 0)).toBe(true)
    expect(model.unknownShareOf(['car', 'zeppelin', 'zeppelin', 'tea'])).toBe(0.5)
    expect(model.unknownShareOf([])).toBe(0)
  })

  it('understands a passage in the context of its document', () => {
    const model = trainCorpusModel(matrixOf(GARAGE_AND_KITCHEN), { dimensions: 4 })
    const tea = model.embedQuery(['tea'])
    const [alone] = model.embedDocument([], [['water']])
    const [inKitchen] = model.embedDocument([], [['water'], words('tea leaf kettle cup')])
    const [named] = model.embedDocument(['tea'], [['water']])
    expect(cosine(inKitchen!, tea)).toBeGreaterThan(cosine(alone!, tea))
    expect(cosine(named!, tea)).toBeGreaterThan(cosine(alone!, tea))
  })

  it('keeps the angles between documents when it may use every dimension', () => {
    fc.assert(
      fc.property(fc.array(arbitraryText, { minLength: 2, maxLength: 8 }), (texts) => {
        const model = trainCorpusModel(matrixOf(texts.map((text) => note(text))))
        const expected = logEntropyRows(texts.map(words))
        const vectors = texts.map((text) => model.embedDocument([], [words(text)])[0])
        for (let i = 0; i < texts.length; i++) {
          for (let k = 0; k < i; k++) {
            const angle = cosine(vectors[i]!, vectors[k]!)
            expect(Math.abs(angle - cosine(expected[i]!, expected[k]!))).toBeLessThan(0.04)
          }
        }
      }),
    )
  })

  it('gives a document the same vectors by its words and by its row of the matrix', () => {
    fc.assert(
      fc.property(arbitraryNotes, (notes) => {
        const matrix = matrixOf(notes)
        const model = trainCorpusModel(matrix, { dimensions: 5 })
        const byWords = notes.map(({ title, passages }) =>
          model.embedDocument(words(title), passages.map(words)),
        )
        let document = 0
        for (const vectors of embedMatrix(matrix, [model])) {
          expectNearly(vectors, byWords[document++]!)
        }
        expect(document).toBe(notes.length)
        for (const vector of byWords.flat()) {
          const length = Math.hypot(...vector)
          expect(length === 0 || Math.abs(length - 1) < 1e-6).toBe(true)
        }
      }),
    )
  })

  it('does not care in which order words are said', () => {
    const model = trainCorpusModel(matrixOf(GARAGE_AND_KITCHEN))
    expect(model.embedQuery(words('tea cup tea road'))).toEqual(
      model.embedQuery(words('road tea tea cup')),
    )
  })

  it('is the same for the same documents, and another for others', () => {
    const first = trainCorpusModel(matrixOf(GARAGE_AND_KITCHEN))
    const second = trainCorpusModel(matrixOf(GARAGE_AND_KITCHEN))
    const other = trainCorpusModel(matrixOf(GARAGE_AND_KITCHEN.slice(1)))
    expect(second.id).toBe(first.id)
    expect(serialiseCorpusModel(second)).toEqual(serialiseCorpusModel(first))
    expect(other.id).not.toBe(first.id)
  })

  it('leaves out the rarest and the commonest, and no more than it may keep', () => {
    const notes = ['x a once', 'x a b', 'x b', 'x c', 'x c', 'x c d d'].map((text) => note(text))
    expect(trainCorpusModel(matrixOf(notes)).terms).toBe(3)
    const small = trainCorpusModel(matrixOf(notes), { maxTerms: 1 })
    expect(small.terms).toBe(1)
    expect(small.unknownShareOf(['c'])).toBe(0)
  })

  it('has an answer for an empty corpus', () => {
    const model = trainCorpusModel(matrixOf([]))
    expect([model.documents, model.terms, model.unknownShare]).toEqual([0, 0, 0])
    expect(model.embedQuery(['a']).length).toBe(model.dimensions)
    expect(model.embedDocument(['a'], [])).toEqual([])
  })
})

describe('a stored corpus model', () => {
  it('comes back as it was, from any place in a buffer', () => {
    const model = trainCorpusModel(
      matrixOf([...GARAGE_AND_KITCHEN, note('tea größe 東京', '東京 größe')]),
    )
    const bytes = serialiseCorpusModel(model)
    const shifted = new Uint8Array(bytes.length + 5)
    shifted.set(bytes, 5)
    const back = parseCorpusModel(shifted.subarray(5))!
    expect(facts(back)).toEqual(facts(model))
    expect(back.embedQuery(words('tea 東京 road'))).toEqual(
      model.embedQuery(words('tea 東京 road')),
    )
    expect(serialiseCorpusModel(back)).toEqual(bytes)
  })

  it('is refused when damaged or of another version', () => {
    const bytes = serialiseCorpusModel(trainCorpusModel(matrixOf(GARAGE_AND_KITCHEN)))
    for (const length of [0, 3, 20, 60, bytes.length - 1]) {
      expect(parseCorpusModel(bytes.subarray(0, length))).toBeUndefined()
    }
    expect(parseCorpusModel(Uint8Array.of(...bytes, 0))).toBeUndefined()
    expect(parseCorpusModel(bytes.map((byte, i) => (i === 0 ? 9 : byte)))).toBeUndefined()
  })
})

describe('the term matrix', () => {
  it('counts like a table of words', () => {
    fc.assert(
      fc.property(arbitraryNotes, (notes) => {
        const matrix = matrixOf(notes)
        const texts = notes.flatMap(({ title, passages }) => [title, ...passages])
        expect(matrix.rowStart.length).toBe(texts.length + 1)
        expect([...matrix.documentStart]).toEqual(
          notes.reduce<number[]>(
            (starts, { passages }) => [...starts, starts.at(-1)! + 1 + passages.length],
            [0],
          ),
        )
        for (const [row, text] of texts.entries()) {
          const found: Record<string, number> = {}
          for (let e = matrix.rowStart[row]!; e < matrix.rowStart[row + 1]!; e++) {
            found[matrix.terms[matrix.columns[e]!]!] = matrix.counts[e]!
          }
          const expected: Record<string, number> = {}
          for (const word of words(text)) expected[word] = (expected[word] ?? 0) + 1
          expect(found).toEqual(expected)
        }
      }),
    )
  })
})

describe('the sample', () => {
  const keys = Array.from({ length: 500 }, (_, i) => `notes/${i}.md`)

  it('is everything while there is little', () => {
    expect(chooseSample(keys, 500)).toEqual(keys.map((_, place) => place))
  })

  it('is the same set in any order, and hardly another with one more document', () => {
    expect(hundredOf(keys).length).toBe(100)
    expect(hundredOf(keys.toReversed()).toSorted()).toEqual(hundredOf(keys).toSorted())
    const before = new Set(hundredOf(keys))
    const after = hundredOf([...keys, 'notes/new.md'])
    expect(after.filter((key) => !before.has(key)).length).toBeLessThanOrEqual(1)
  })
})

describe('drift', () => {
  const model = trainCorpusModel(matrixOf(GARAGE_AND_KITCHEN))

  it('grows with what changed, and faster when its words are new', () => {
    const drift = (changed: number, unknownShare: number): number =>
      corpusDrift(model, { documents: 8, changed, unknownShare })
    expect(drift(0, 0)).toBe(0)
    expect(drift(1, 0)).toBeLessThan(RETRAIN_AT)
    expect(drift(1, 1)).toBeGreaterThan(RETRAIN_AT)
    expect(drift(2, 0)).toBeGreaterThan(RETRAIN_AT)
    expect(drift(80, 1)).toBe(1)
    expect(corpusDrift(model, { documents: 0, changed: 8, unknownShare: 0 })).toBe(1)
  })
})

describe('the corpus embedder', () => {
  it('embeds documents and queries by their terms', async () => {
    const model = trainCorpusModel(matrixOf(GARAGE_AND_KITCHEN), { dimensions: 8 })
    const embedder = createCorpusEmbedder(model, { id: 'words', terms: words })
    expect(embedder.id).toBe(`corpus:words:${model.id}`)
    const passages = [
      { text: 'water cup', headingPath: ['leaf', 'coffee'] },
      { text: 'tea', headingPath: [] },
    ]
    const vectors = await embedder.embedDocuments([
      { title: 'kettle', passages },
      { title: '', passages: [] },
    ])
    expect(vectors).toEqual([
      model.embedDocument(['kettle'], [words('leaf coffee water cup'), ['tea']]),
      [],
    ])
    expect(await embedder.embedQuery('tea')).toEqual(model.embedQuery(['tea']))
    expect(embedder.read?.('tea zeppelin').understood).toBe(0.5)
    const signal = AbortSignal.abort()
    await expect(embedder.embedDocuments([{ title: '', passages }], { signal })).rejects.toThrow()
  })
})

/** The weights of the model, word for word as the definition says. */
function logEntropyRows(texts: readonly (readonly string[])[]): number[][] {
  const vocabulary = [...new Set(texts.flat())]
  return texts.map((text) =>
    vocabulary.map((term) => {
      const counts = texts.map((other) => count(other, term)).filter((n) => n > 0)
      const most = Math.max(2, texts.length / 2)
      if (counts.length < 2 || counts.length > most) return 0
      const total = counts.reduce((sum, n) => sum + n, 0)
      const entropy = counts.reduce((sum, n) => sum - (n / total) * Math.log(n / total), 0)
      const weight = Math.max(0, Math.fround(1 - entropy / Math.log(Math.max(2, texts.length))))
      return weight * Math.log1p(count(text, term))
    }),
  )
}
