/**
 * What is learned from: which terms stand in which passages. The lists of the index say it; texts are
 * read again only where lists say something else, or where there are too many of them.
 */
import { setImmediate } from 'node:timers/promises'
import { codeLanguageOf } from '../domain/code.ts'
import type { ChunkRecord, DocNo, DocumentRecord } from '../domain/document.ts'
import { passageText } from '../models/corpus/corpus-embedder.ts'
import { chooseSample } from '../models/corpus/sample.ts'
import { TermMatrixBuilder } from '../models/corpus/term-matrix.ts'
import type { TermMatrix } from '../models/corpus/term-matrix.ts'
import { LANGUAGES } from '../search/analysis/languages/language.ts'
import { contentTerms } from '../search/analysis/content-terms.ts'
import { docSet } from '../search/doc-set.ts'
import { readPassageTerms } from '../search/segment/passage-terms.ts'
import type { PassageTerms } from '../search/segment/passage-terms.ts'
import { openSegment } from '../search/segment/segment.ts'
import type { Segment } from '../search/segment/segment.ts'
import type { SegmentRecord, Store } from '../store/store.ts'
import type { LearnOptions } from './learn-meaning.ts'
import { readDocuments } from './read-documents.ts'
import type { ReadParts } from './read-documents.ts'

export interface Lesson {
  /** The documents of the matrix, each with the digest of what was read of it. */
  readonly records: readonly Pick<DocumentRecord, 'no' | 'digest'>[]
  readonly matrix: TermMatrix
}

/** Documents looked up at a time. */
const BATCH = 200
/** Enough to learn from, however large the base. */
const TRAINING_ENTRIES = 8_000_000
/** Of more words than this, most lie beyond what is learned from, and lists cannot be read in part. */
const LISTED_WORDS = 3 * TRAINING_ENTRIES

/** Takes the documents in path order, so that the same base gives the same lesson. */
export async function prepareLesson(
  parts: ReadParts,
  { signal, onProgress }: LearnOptions,
): Promise<Lesson> {
  const { store } = parts
  const order = await store.pathOrder()
  const keys = (await store.paths([...order])).map(({ source, path }) => `${source}/${path}`)
  const chosen = chooseSample(keys).map((place) => order[place]!)
  // Of a sample, most of what the lists say would be passed over.
  const lists = chosen.length === order.length ? await readLists(store, chosen, keys) : undefined
  const builder = new TermMatrixBuilder()
  const records: Lesson['records'][number][] = []
  for (let at = 0; at < chosen.length && builder.entries < TRAINING_ENTRIES; at += BATCH) {
    signal?.throwIfAborted()
    onProgress?.({ phase: 'learn', done: at, total: chosen.length })
    const some = chosen.slice(at, at + BATCH)
    const chunks = await store.chunksOf(some.filter((no) => lists?.digestOf(no)))
    const unlisted = some.filter((no) => !lists?.digestOf(no))
    const texts = new Map(
      (await readDocuments(parts, unlisted)).map((document) => [document.record.no, document]),
    )
    let listed = 0
    for (const no of some) {
      const digest = lists?.digestOf(no)
      const document = texts.get(no)
      if (lists && digest !== undefined) {
        lists.add(builder, no, chunks[listed++]!)
        records.push({ no, digest })
      } else if (document) {
        builder.addDocument(
          contentTerms(document.title),
          document.passages.map((passage) => contentTerms(passageText(passage))),
        )
        records.push(document.record)
      }
    }
    await setImmediate()
  }
  return { records, matrix: builder.build() }
}

/** Undefined where there are too many words. */
async function readLists(
  store: Store,
  order: readonly DocNo[],
  keys: readonly string[],
): Promise<Lists | undefined> {
  // Looked up before the lists: what is made of a document that changes in between is not kept.
  const digests = await digestsInLists(store, order, keys)
  const segments = await Promise.all((await store.segments({ toRead: true })).map(openIn(store)))
  if (segments.reduce((sum, { segment }) => sum + wordsIn(segment), 0) > LISTED_WORDS) {
    return undefined
  }
  const firstRowOf = new Map<DocNo, number>()
  let rows = 0
  const rowed = segments.map(({ segment, gone }) => {
    const { documents } = segment
    const firstRows = new Int32Array(documents.count).fill(-1)
    for (const [ordinal, no] of documents.numbers.entries()) {
      // Stems of other languages are marked as theirs there, and questions have them as English.
      const isEnglish = LANGUAGES[documents.languages[ordinal]!] === 'english'
      if (gone.has(no) || !isEnglish || !digests.has(no)) continue
      firstRowOf.set(no, rows)
      firstRows[ordinal] = rows
      rows += 1 + documents.chunkCount(ordinal)
    }
    return { segment, firstRows }
  })
  const terms = await readPassageTerms(rowed, rows)
  return new Lists(terms, firstRowOf, digests)
}

/** Names in source files count several times in lists: those are read. */
async function digestsInLists(
  store: Store,
  order: readonly DocNo[],
  keys: readonly string[],
): Promise<ReadonlyMap<DocNo, string>> {
  const digests = new Map<DocNo, string>()
  for (let at = 0; at < order.length; at += BATCH) {
    const some = order.slice(at, at + BATCH)
    for (const [i, digest] of (await store.digests(some)).entries()) {
      const isCode = codeLanguageOf(keys[at + i]!) !== undefined
      if (digest !== undefined && !isCode) digests.set(some[i]!, digest)
    }
    await setImmediate()
  }
  return digests
}

function openIn(store: Store) {
  return async ({ id, deleted }: SegmentRecord) => ({
    gone: docSet(deleted),
    segment: await openSegment({
      resident: (name) => store.segmentStream(id, name),
      paged: (name, ranges) => store.segmentRanges(id, name, ranges),
    }),
  })
}

function wordsIn({ documents }: Segment): number {
  return documents.lengths.reduce((sum, length) => sum + length, 0)
}

/** Documents by what the lists say of them. */
class Lists {
  readonly #terms: PassageTerms
  readonly #firstRowOf: ReadonlyMap<DocNo, number>
  readonly #digests: ReadonlyMap<DocNo, string>
  /** Column of each term, once it was met: their order is that of the documents. */
  readonly #columns: Int32Array
  readonly #headings = new Map<string, readonly string[]>()

  constructor(
    terms: PassageTerms,
    firstRowOf: ReadonlyMap<DocNo, number>,
    digests: ReadonlyMap<DocNo, string>,
  ) {
    this.#terms = terms
    this.#firstRowOf = firstRowOf
    this.#digests = digests
    this.#columns = new Int32Array(terms.terms.length).fill(-1)
  }

  /** Undefined for a document whose text must be read. */
  digestOf(no: DocNo): string | undefined {
    return this.#firstRowOf.has(no) ? this.#digests.get(no) : undefined
  }

  add(builder: TermMatrixBuilder, no: DocNo, chunks: readonly ChunkRecord[]): void {
    const first = this.#firstRowOf.get(no)!
    builder.startDocument()
    this.#addRow(builder, first)
    builder.endRow()
    for (const [ordinal, { headingPath }] of chunks.entries()) {
      this.#addRow(builder, first + 1 + ordinal)
      // A passage is read with the headings it stands under.
      for (const heading of headingPath) {
        for (const term of this.#termsOf(heading)) builder.count(builder.columnOf(term), 1)
      }
      builder.endRow()
    }
  }

  #addRow(builder: TermMatrixBuilder, row: number): void {
    const { terms, rowStart, columns, counts } = this.#terms
    for (let e = rowStart[row]!; e < rowStart[row + 1]!; e++) {
      const term = columns[e]!
      if (this.#columns[term]! < 0) this.#columns[term] = builder.columnOf(terms[term]!)
      builder.count(this.#columns[term]!, counts[e]!)
    }
  }

  #termsOf(heading: string): readonly string[] {
    const known = this.#headings.get(heading)
    if (known) return known
    const terms = contentTerms(heading)
    this.#headings.set(heading, terms)
    return terms
  }
}
