import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCorpusEmbedder } from '../corpus/corpus-embedder.ts'
import { TermMatrixBuilder } from '../corpus/term-matrix.ts'
import type { TermMatrix } from '../corpus/term-matrix.ts'
import { trainCorpusModel } from '../corpus/train-model.ts'
import type { Embedder } from '../embedder.ts'
import { learnModel, parseLearnedModel } from './learned-model.ts'
import type { WordTable } from './word-table.ts'

interface Note {
  readonly title: string
  readonly passages: readonly string[]
}

const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '')
const analysis = { id: 'words', terms: words }

function matrixOf(notes: readonly Note[]): TermMatrix {
  const builder = new TermMatrixBuilder()
  for (const { title, passages } of notes) builder.addDocument(words(title), passages.map(words))
  return builder.build()
}

const note = (title: string, ...passages: string[]): Note => ({ title, passages })

/** Two subjects, one to each dimension. */
const TABLE = tableOf('table', {
  car: [7, 0],
  automobile: [7, 0],
  engine: [6, 1],
  tea: [0, 7],
  brew: [0, 7],
  kettle: [1, 6],
})

function tableOf(id: string, rows: Readonly<Record<string, readonly number[]>>): WordTable {
  const terms = Object.keys(rows)
  const values = Object.values(rows)
  return {
    id,
    analysis: '',
    dimensions: 2,
    terms: terms.length,
    rowOf: (term) => terms.indexOf(term),
    add(row, weight, into) {
      for (let k = 0; k < into.length; k++) into[k]! += weight * values[row]![k]!
    },
    copyRow(row, into) {
      into.set(values[row]!)
      return 1
    },
  }
}

const THREE = [note('', 'car engine'), note('', 'tea kettle'), note('', 'zeppelin tea brew kettle')]

async function closest(embedder: Embedder, notes: readonly Note[], query: string) {
  const documents = notes.map(({ title, passages }) => ({
    title,
    passages: passages.map((text) => ({ text, headingPath: [] })),
  }))
  const vectors = await embedder.embedDocuments(documents)
  const asked = await embedder.embedQuery(query)
  const similarity = vectors.map(([vector]) => cosine(asked, vector!))
  return similarity.indexOf(Math.max(...similarity))
}

function cosine(a: Float32Array, b: Float32Array): number {
  let dot = 0
  let squares = [0, 0] as [number, number]
  for (let k = 0; k < a.length; k++) {
    dot += a[k]! * b[k]!
    squares = [squares[0] + a[k]! ** 2, squares[1] + b[k]! ** 2]
  }
  return dot === 0 ? 0 : dot / Math.sqrt(squares[0] * squares[1])
}

describe('a model learned from a few notes', () => {
  const model = learnModel(matrixOf(THREE), analysis, TABLE)!

  it('finds by what words mean in general', async () => {
    expect(await closest(model.embedder, THREE, 'automobile')).toBe(0)
    expect(model.embedder.read!('automobile').general).toBeGreaterThan(0.8)
    expect(model.embedder.read!('unheard of things').general).toBe(0)
  })

  it('places a word the table lacks where its passages are', async () => {
    const notes = [...THREE, note('', 'car engine automobile'), note('', 'zeppelin brew kettle')]
    const { embedder } = learnModel(matrixOf(notes), analysis, TABLE)!
    const asked = await embedder.embedQuery('zeppelin')
    const tea = await embedder.embedQuery('tea')
    const car = await embedder.embedQuery('car')
    // The question has no word of the table, so that only its own part of the vector speaks.
    expect(embedder.read!('zeppelin').general).toBe(0)
    expect(cosine(asked, tea)).toBeGreaterThanOrEqual(cosine(asked, car))
  })

  it('comes back as it was, and only with the table it was made with', async () => {
    const back = parseLearnedModel(model.serialise(), analysis, () => TABLE)!
    expect(back.embedder.id).toBe(model.embedder.id)
    expect(await back.embedder.embedQuery('car zeppelin')).toEqual(
      await model.embedder.embedQuery('car zeppelin'),
    )
    expect(back.serialise()).toEqual(model.serialise())
    const other = tableOf('another', { car: [1, 0] })
    expect(parseLearnedModel(model.serialise(), analysis, () => other)).toBeUndefined()
    expect(parseLearnedModel(model.serialise(), analysis, () => undefined)).toBeUndefined()
    for (const length of [0, 4, 30, model.serialise().length - 1]) {
      const cut = model.serialise().subarray(0, length)
      expect(parseLearnedModel(cut, analysis, () => TABLE)).toBeUndefined()
    }
  })

  it('is another with another table', () => {
    const table = tableOf('newer', { car: [7, 1], tea: [1, 7], engine: [5, 1], kettle: [0, 5] })
    const other = learnModel(matrixOf(THREE), analysis, table)!
    expect(other.embedder.id).not.toBe(model.embedder.id)
  })

  it('does not care in which order words are said', async () => {
    expect(await model.embedder.embedQuery('tea car engine')).toEqual(
      await model.embedder.embedQuery('engine tea car'),
    )
  })
})

it('leaves a base alone that the table cannot read', async () => {
  const german = Array.from({ length: 9 }, (_, i) =>
    note('tee', `kanne wasser blatt tasse ${i % 2 ? 'kessel' : 'löffel'}`, 'tee kanne zucker'),
  )
  const matrix = matrixOf(german)
  const { embedder } = learnModel(matrix, analysis, TABLE)!
  const corpus = createCorpusEmbedder(trainCorpusModel(matrix), analysis)
  expect(embedder.id).toBe(corpus.id)
  expect(await embedder.embedQuery('tasse')).toEqual(await corpus.embedQuery('tasse'))
  expect(learnModel(matrixOf(german.slice(0, 3)), analysis, TABLE)).toBeUndefined()
  expect(learnModel(matrix, analysis, undefined)!.embedder.id).toBe(corpus.id)
})

it('gives a document the same vectors by its words and by its row of the matrix', async () => {
  const text = fc
    .array(fc.constantFrom('car', 'engine', 'tea', 'kettle', 'brew', 'zeppelin', 'x'), {
      maxLength: 8,
    })
    .map((terms) => terms.join(' '))
  const notes = fc.array(fc.record({ title: text, passages: fc.array(text, { maxLength: 3 }) }), {
    minLength: 1,
    maxLength: 10,
  })
  await fc.assert(
    fc.asyncProperty(notes, async (some) => {
      const matrix = matrixOf(some)
      const model = learnModel(matrix, analysis, TABLE)
      if (!model) return
      const byWords = await model.embedder.embedDocuments(
        some.map(({ title, passages }) => ({
          title,
          passages: passages.map((passage) => ({ text: passage, headingPath: [] })),
        })),
      )
      const { batches, embed } = model.ofMatrix(matrix)
      let document = 0
      for (const batch of batches.keys()) {
        for (const vectors of embed(batch)) {
          const expected = byWords[document++]!
          expect(vectors.length).toBe(expected.length)
          for (const [i, vector] of vectors.entries()) {
            for (const [k, value] of vector.entries()) {
              expect(value).toBeCloseTo(expected[i]![k]!, 5)
            }
          }
        }
      }
      expect(document).toBe(some.length)
    }),
  )
})
