/** Has an embedder make the vectors that are missing, a few documents at a time. */
import { setImmediate } from 'node:timers/promises'
import type { DocNo } from '../domain/document.ts'
import { KnowledgeError } from '../domain/error.ts'
import { named } from '../domain/secrets.ts'
import type { Embedder } from '../models/embedder.ts'
import { createRowEncoder, serialiseRows } from '../search/vectors/encoded-rows.ts'
import { countDocuments } from './count-documents.ts'
import { documentsWithoutVectors } from './documents-without-vectors.ts'
import type { LearnOptions, LearnParts } from './learn-meaning.ts'
import { readDocuments } from './read-documents.ts'
import type { ReadDocument } from './read-documents.ts'

const DOCUMENTS_AT_ONCE = 100

/** When so many are refused one after the other, it is not the text. */
const REFUSED_IN_A_ROW = 20

/** Number of documents whose text the embedder refused. What is done is kept at every step. */
export async function embedDocuments(
  parts: LearnParts,
  embedder: Embedder,
  { signal, onProgress }: LearnOptions,
): Promise<number> {
  const { store } = parts
  const encoder = createRowEncoder(embedder.dimensions, embedder)
  const { documentsAtOnce = DOCUMENTS_AT_ONCE } = embedder
  const total = await countDocuments(store)
  const patient = new PatientEmbedder(embedder, signal)
  const left = new Set<DocNo>()
  let done = (await store.vectorDocs(embedder.id)).length
  const tell = () => onProgress?.({ phase: 'embed', done: Math.min(done, total), total })
  for await (const batch of documentsWithoutVectors(store, embedder.id, documentsAtOnce, left)) {
    signal?.throwIfAborted()
    tell()
    const documents = (await readDocuments(parts, batch)).map(asSent)
    const vectors = await patient.embed(documents)
    const rows = documents.flatMap(({ record }, place) => {
      const found = vectors[place]
      if (!found) return []
      return [{ doc: record.no, digest: record.digest, data: serialiseRows(encoder.encode(found)) }]
    })
    await store.putVectors(embedder.id, rows)
    // A file that changed meanwhile gets its vectors when it has been indexed again.
    const kept = new Set(rows.map(({ doc }) => doc))
    for (const doc of batch) if (!kept.has(doc)) left.add(doc)
    done += batch.length
    await setImmediate()
  }
  tell()
  const { refusal, refused } = patient
  // Vectors of nothing must not take the place of those that serve.
  if (refusal && (await store.vectorDocs(embedder.id)).length === 0) throw refusal
  return refused
}

/** A model elsewhere gets words in place of secrets. */
function asSent(document: ReadDocument): ReadDocument {
  if (!document.record.secrets) return document
  const passages = document.passages.map((each) => ({ ...each, text: named(each.text) }))
  return { ...document, title: named(document.title), passages }
}

/** One page that an embedder cannot take must not stop the others. */
class PatientEmbedder {
  refused = 0
  refusal: KnowledgeError | undefined
  #inARow = 0
  readonly #embedder: Embedder
  readonly #signal: AbortSignal | undefined

  constructor(embedder: Embedder, signal: AbortSignal | undefined) {
    this.#embedder = embedder
    this.#signal = signal
  }

  /** All at once, or one by one when something among them is refused. */
  async embed(
    documents: readonly ReadDocument[],
  ): Promise<readonly (readonly Float32Array[] | undefined)[]> {
    try {
      return await this.#embedder.embedDocuments(documents, { signal: this.#signal })
    } catch (error) {
      if (!isRefusal(error)) throw error
    }
    const vectors: (readonly Float32Array[] | undefined)[] = []
    for (const document of documents) vectors.push(await this.#embedOne(document))
    return vectors
  }

  async #embedOne(document: ReadDocument): Promise<readonly Float32Array[] | undefined> {
    try {
      const [vectors] = await this.#embedder.embedDocuments([document], { signal: this.#signal })
      this.#inARow = 0
      return vectors
    } catch (error) {
      if (!isRefusal(error) || ++this.#inARow >= REFUSED_IN_A_ROW) throw error
      this.refused++
      this.refusal = error
      return undefined
    }
  }
}

function isRefusal(error: unknown): error is KnowledgeError {
  return error instanceof KnowledgeError && error.code === 'upstream'
}
