/**
 * Gives every document vectors. Words are searchable before this begins; meaning joins when it is
 * done. New vectors are made beside the old ones, which serve until the new ones are complete.
 */
import { setImmediate } from 'node:timers/promises'
import type { DocNo } from '../domain/document.ts'
import { corpusDrift, RETRAIN_AT } from '../models/corpus/drift.ts'
import type { Embedder } from '../models/embedder.ts'
import { MODEL_VERSION, parseLearnedModel } from '../models/general/learned-model.ts'
import type { LearnedModel } from '../models/general/learned-model.ts'
import { CONTENT_TERMS_ID } from '../search/analysis/content-terms.ts'
import { createRowEncoder, serialiseRows } from '../search/vectors/encoded-rows.ts'
import type { Store } from '../store/store.ts'
import { countDocuments } from './count-documents.ts'
import { documentsWithoutVectors } from './documents-without-vectors.ts'
import type { Progress } from './indexer.ts'
import { analysis, openLearning } from './learn-together.ts'
import type { Learning } from './learn-together.ts'
import { packagedWords, packagedWordsId } from './packaged-words.ts'
import { prepareLesson } from './prepare-lesson.ts'
import type { Lesson } from './prepare-lesson.ts'
import { readDocuments } from './read-documents.ts'
import type { ReadParts } from './read-documents.ts'

export type LearnParts = ReadParts

export interface LearnOptions {
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: Progress) => void
}

/** Documents read and embedded at a time. */
const BATCH = 200
/** A base of this size learns again after every change, so that its history leaves no trace. */
const SMALL_BASE = 2_000

const TRAINED_KEY = 'corpus_trained'

/** The embedder that was learned from the base; undefined before it has learned anything. */
export async function openCorpusEmbedder(store: Store): Promise<Embedder | undefined> {
  const serving = await store.servingEmbedder()
  const model = serving?.startsWith('corpus:') ? await storedModel(store, serving) : undefined
  return model?.embedder.id === serving ? model?.embedder : undefined
}

async function storedModel(store: Store, id: string): Promise<LearnedModel | undefined> {
  const data = await store.model(id)
  return data && parseLearnedModel(data, analysis, packagedWords)
}

/** Whether `learnMeaning` would have something to do. */
export async function needsLearning(store: Store): Promise<boolean> {
  const documents = await countDocuments(store)
  const serving = await store.servingEmbedder()
  if (documents === 0) return serving !== undefined
  return (await hasDrifted(store, documents)) || lacksVectors(store)
}

async function lacksVectors(store: Store): Promise<boolean> {
  const serving = await store.servingEmbedder()
  return serving !== undefined && (await store.withoutVectors(serving, 1)).length > 0
}

/** Brings model and vectors up to date. Stops anywhere and goes on from there. */
export async function learnMeaning(parts: LearnParts, options: LearnOptions = {}): Promise<void> {
  const { store } = parts
  const documents = await countDocuments(store)
  if (documents === 0) {
    if ((await store.servingEmbedder()) !== undefined) await store.serveEmbedder(undefined)
    return
  }
  if (!(await hasDrifted(store, documents))) {
    // A question from a shell comes through here: what nothing is missing from is not opened.
    const serving = (await lacksVectors(store)) ? await openCorpusEmbedder(store) : undefined
    if (serving) await embedMissing(parts, serving, options)
    return
  }
  const { generation } = await store.stamps()
  const learning = openLearning(documents)
  let embedder: Embedder | undefined
  try {
    const lesson = await prepareLesson(parts, options)
    if (lesson.records.length === 0) return
    const model = await learning.learn(lesson.matrix)
    embedder = model?.embedder
    if (model && model.embedder.id !== (await openCorpusEmbedder(store))?.id) {
      await store.putModel(model.embedder.id, model.serialise())
      await embedLesson(parts, { ...lesson, model, learning }, options)
    }
  } finally {
    await learning.close()
  }
  if (embedder) await embedMissing(parts, embedder, options)
  if (embedder || (await store.servingEmbedder()) !== undefined) {
    await store.serveEmbedder(embedder?.id)
  }
  const trained: Trained = { embedder: embedder?.id, maker: maker(), generation, documents }
  await store.putMeta(TRAINED_KEY, JSON.stringify(trained))
}

interface Trained {
  /** Undefined where there was nothing to learn. */
  readonly embedder: string | undefined
  /** What it was learned with. */
  readonly maker: string
  readonly generation: number
  readonly documents: number
}

/**
 * Another stemmer or another table would learn something else from the same documents, and what an
 * older version kept is not read.
 */
function maker(): string {
  return `${MODEL_VERSION} ${CONTENT_TERMS_ID} ${packagedWordsId() ?? ''}`
}

async function hasDrifted(store: Store, documents: number): Promise<boolean> {
  const text = await store.getMeta(TRAINED_KEY)
  const trained = text === undefined ? undefined : (JSON.parse(text) as Trained)
  if (!trained || trained.embedder !== (await store.servingEmbedder())) return true
  if (trained.maker !== maker()) return true
  const { generation } = await store.stamps()
  const put =
    generation === trained.generation ? 0 : await store.changedDocuments(trained.generation)
  const gone = Math.max(0, trained.documents + put - documents)
  if (documents <= SMALL_BASE) return put + gone > 0
  const change = { documents, changed: put + gone, unknownShare: 0 }
  return corpusDrift({ documents: trained.documents, unknownShare: 0 }, change) >= RETRAIN_AT
}

/** What was read for learning need not be read again to be embedded. */
async function embedLesson(
  { store }: LearnParts,
  { records, matrix, model, learning }: Lesson & { model: LearnedModel; learning: Learning },
  { signal, onProgress }: LearnOptions,
): Promise<void> {
  const { id } = model.embedder
  let rows: { doc: DocNo; digest: string; data: Uint8Array }[] = []
  let place = 0
  for await (const some of learning.rows(model, matrix)) {
    for (const data of some) {
      const { no, digest } = records[place++]!
      rows.push({ doc: no, digest, data })
      if (rows.length < BATCH && place < records.length) continue
      signal?.throwIfAborted()
      await store.putVectors(id, rows)
      rows = []
      onProgress?.({ phase: 'embed', done: place, total: records.length })
      await setImmediate()
    }
  }
}

async function embedMissing(
  parts: LearnParts,
  embedder: Embedder,
  { signal, onProgress }: LearnOptions,
): Promise<void> {
  const encoder = createRowEncoder(embedder.dimensions, embedder)
  const total = await countDocuments(parts.store)
  const unreadable = new Set<DocNo>()
  let done = 0
  for await (const batch of documentsWithoutVectors(parts.store, embedder.id, BATCH, unreadable)) {
    signal?.throwIfAborted()
    const documents = await readDocuments(parts, batch)
    const vectors = await embedder.embedDocuments(documents, { signal })
    const rows = documents.map(({ record }, place) => ({
      doc: record.no,
      digest: record.digest,
      data: serialiseRows(encoder.encode(vectors[place] ?? [])),
    }))
    await parts.store.putVectors(embedder.id, rows)
    // A file that changed meanwhile gets its vectors when it has been indexed again.
    const read = new Set(documents.map(({ record }) => record.no))
    for (const doc of batch) if (!read.has(doc)) unreadable.add(doc)
    done += batch.length
    onProgress?.({ phase: 'embed', done: Math.min(done, total), total })
    await setImmediate()
  }
}
