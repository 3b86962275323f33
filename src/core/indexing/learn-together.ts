/**
 * Work sharing: of a large base, one thread learns what words mean to each other while another
 * learns what the base adds to the general table, and both make the vectors then, a batch of
 * documents at a time, whoever is free. They are the bytes that one thread alone would make.
 */
import { setImmediate } from 'node:timers/promises'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { trainCorpusModel } from '../models/corpus/train-model.ts'
import type { TermMatrix } from '../models/corpus/term-matrix.ts'
import { joinLearned, learnModel } from '../models/general/learned-model.ts'
import type { LearnedModel } from '../models/general/learned-model.ts'
import { CONTENT_TERMS_ID, contentTerms } from '../search/analysis/content-terms.ts'
import { createRowEncoder, serialiseRows } from '../search/vectors/encoded-rows.ts'
import { packagedWords } from './packaged-words.ts'

export interface Learning {
  learn(matrix: TermMatrix): Promise<LearnedModel | undefined>
  /** The vectors of all documents, as they are kept, some documents after the other. */
  rows(model: LearnedModel, matrix: TermMatrix): AsyncIterable<readonly Uint8Array[]>
  close(): Promise<void>
}

export type LearningOrder =
  | { readonly kind: 'words'; readonly matrix: TermMatrix; readonly table: string }
  | { readonly kind: 'rows'; readonly model: Uint8Array; readonly turns: Int32Array }

export type LearningReply =
  | { readonly kind: 'words'; readonly bytes: Uint8Array | undefined }
  | { readonly kind: 'rows'; readonly batch: number; readonly rows: readonly Uint8Array[] }

export const analysis = { id: CONTENT_TERMS_ID, terms: contentTerms }

/** Fewer documents are learned from before a thread has started. */
const TOGETHER_FROM = 2_000

export function openLearning(documents: number): Learning {
  const isLarge = documents > TOGETHER_FROM && availableParallelism() > 1
  try {
    return isLarge ? learnTogether() : learnAlone()
  } catch {
    // Where there may be no more threads, it takes longer.
    return learnAlone()
  }
}

export function learnAlone(): Learning {
  return {
    learn: async (matrix) => learnModel(matrix, analysis, packagedWords()),
    async *rows(model, matrix) {
      const { batches, make } = openRowMaker(model, matrix)
      for (let batch = 0; batch < batches; batch++) yield make(batch)
    },
    close: async () => {},
  }
}

export function learnTogether(): Learning {
  const other = startOther()
  let lent: TermMatrix | undefined
  return {
    async learn(matrix) {
      const table = packagedWords()
      // A base with no table has one half only.
      if (!table) return learnModel(matrix, analysis, table)
      lent = shared(matrix)
      const words = other.words({ kind: 'words', matrix: lent, table: table.id })
      const corpus = trainCorpusModel(lent)
      try {
        return joinLearned(corpus, await words, analysis, table)
      } catch {
        // The thread has come to grief: what it would have done is done here.
        lent = undefined
        return learnModel(matrix, analysis, table)
      }
    },
    async *rows(model, matrix) {
      const { batches, make } = openRowMaker(model, lent ?? matrix)
      const turns = new Int32Array(new SharedArrayBuffer(4))
      if (lent) other.start({ kind: 'rows', model: model.serialise(), turns })
      const own = new Map<number, readonly Uint8Array[]>()
      for (let next = 0; next < batches;) {
        const made = own.get(next) ?? other.made.get(next)
        const mine = made ? batches : Atomics.add(turns, 0, 1)
        if (made) {
          own.delete(next)
          other.made.delete(next)
          next++
          yield made
        } else if (mine < batches) {
          own.set(mine, make(mine))
          // Lets in what the other has made.
          await setImmediate()
        } else if (!(await other.makes(next))) {
          own.set(next, make(next))
        }
      }
    },
    close: () => other.close(),
  }
}

/** Makes the rows of a batch of documents, for either thread. */
export function openRowMaker(model: LearnedModel, matrix: TermMatrix) {
  const { batches, embed } = model.ofMatrix(matrix)
  const encoder = createRowEncoder(model.embedder.dimensions, model.embedder)
  return {
    batches: batches.length,
    make: (batch: number): Uint8Array[] =>
      Array.from(embed(batch), (vectors) => serialiseRows(encoder.encode(vectors))),
  }
}

/** Its numbers are in memory that both threads read. */
function shared({ terms, rowStart, columns, counts, documentStart }: TermMatrix): TermMatrix {
  return {
    terms,
    rowStart: sharedNumbers(Uint32Array, rowStart),
    columns: sharedNumbers(Uint32Array, columns),
    counts: sharedNumbers(Uint16Array, counts),
    documentStart: sharedNumbers(Uint32Array, documentStart),
  }
}

function sharedNumbers<Numbers extends Uint16Array | Uint32Array>(
  kind: new (buffer: SharedArrayBuffer) => Numbers,
  numbers: Numbers,
): Numbers {
  const copy = new kind(new SharedArrayBuffer(numbers.byteLength))
  copy.set(numbers)
  return copy
}

function startOther() {
  const file = import.meta.url.endsWith('.ts') ? './learning-thread.ts' : './learning-thread.js'
  // stdout belongs to the protocol of whoever serves.
  const thread = new Worker(new URL(file, import.meta.url), { stdout: true })
  const made = new Map<number, readonly Uint8Array[]>()
  const words = Promise.withResolvers<Uint8Array | undefined>()
  // Told by who waits for it.
  words.promise.catch(() => {})
  let failed = false
  let arrived = Promise.withResolvers<void>()
  thread.on('message', (reply: LearningReply) => {
    if (reply.kind === 'words') return words.resolve(reply.bytes)
    made.set(reply.batch, reply.rows)
    arrived.resolve()
    arrived = Promise.withResolvers()
  })
  const fail = (error: Error): void => {
    failed = true
    words.reject(error)
    arrived.resolve()
  }
  thread.on('error', fail)
  thread.on('exit', () => fail(new Error('The thread has ended.')))
  const start = (order: LearningOrder): void => thread.postMessage(order)
  return {
    made,
    start,
    words(order: LearningOrder) {
      start(order)
      return words.promise
    },
    /** Waits for a batch that the other has taken; false where it will not come. */
    async makes(batch: number): Promise<boolean> {
      for (;;) {
        if (made.has(batch) || failed) return made.has(batch)
        await arrived.promise
      }
    },
    close: async () => void (await thread.terminate()),
  }
}
