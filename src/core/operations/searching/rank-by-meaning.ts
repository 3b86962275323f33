/** Which documents as a whole are closest in meaning to a query? */
import type { DocNo } from '../../domain/document.ts'
import { type KnowledgeError, upstream } from '../../domain/error.ts'
import { onePer } from '../../kit/one-per.ts'
import { Slices } from '../../kit/slices.ts'
import { embeddingTrouble } from '../../indexing/bring-meaning.ts'
import { createRowEncoder } from '../../search/vectors/encoded-rows.ts'
import { meanRow } from '../../search/vectors/mean-row.ts'
import { createVectorIndex } from '../../search/vectors/vector-index.ts'
import type { VectorIndex } from '../../search/vectors/vector-index.ts'
import { termCounts, wordCosine } from '../../search/word-cosine.ts'
import { derived } from '../view/derived.ts'
import type { Knowledge, Similarity } from '../view/knowledge.ts'
import type { Meaning, Moment } from '../view/open-index.ts'
import { partMeaning } from '../view/part-meaning.ts'
import { visiblePlaces } from '../view/visible-places.ts'
import { wholeView } from '../view/view.ts'
import type { View } from '../view/view.ts'
import { findLive, parseLive } from '../reading/read-document.ts'

type Ranked = Awaited<ReturnType<Similarity['rank']>>

export interface SimilarityOptions {
  /** Somebody asked for a provider by name: words must not stand in for it without a word. */
  readonly outside?: boolean
}

/**
 * By one vector per document where the base has vectors. Before it has learned any, documents and
 * query are compared by what their words mean in general and by the words they share; for words that
 * nobody has met, by the words alone. It is the same measure without what was learned.
 */
export function createSimilarity(base: Knowledge, options: SimilarityOptions = {}): Similarity {
  const { outside = false } = options
  const { store } = base
  const kb = wholeView(base)
  const whole = derived(store, {
    on: ['vectors', 'generation'],
    load: async () => {
      const meaning = await (await kb.index.look()).meaning()
      return meaning && wholeDocuments(meaning)
    },
  })
  const general = meaningForNow(base)
  return {
    async rank(query, { limit, includes }) {
      const moment = await kb.index.look()
      const meaning = await moment.meaning()
      if (outside && (!meaning || isHomeMade(meaning))) {
        if ((await kb.store.counts()).documents === 0) return []
        throw providerIsDown((await embeddingTrouble(store))?.message)
      }
      const vector = await meaning?.embedder.embedQuery(query)
      const { rank: pathRank } = await moment.pathOrder()
      const options = { limit, filter: { has: includes } }
      if (!meaning || !vector || vector.every((value) => value === 0)) {
        const byWords = await rankByWords(kb, query, limit, includes)
        const byMeaning = meaning ? [] : await general(moment, query, options)
        return nearer(byWords, byMeaning)
          .toSorted((a, b) => b.score - a.score || pathRank(a.doc) - pathRank(b.doc))
          .slice(0, limit)
      }
      const known = (await whole.at(moment.stamps))?.search(vector, options) ?? []
      const fresh = meaning.complete ? undefined : await freshDocuments(kb, meaning, includes)
      return [...known, ...(fresh?.search(vector, options) ?? [])]
        .toSorted((a, b) => b.similarity - a.similarity || pathRank(a.doc) - pathRank(b.doc))
        .slice(0, limit)
        .map(({ doc, similarity }) => ({ doc, score: similarity }))
    },
    async covered(docs) {
      const meaning = await (await kb.index.look()).meaning()
      return meaning ? docs.filter((doc) => meaning.vectors.has(doc)).length : 0
    },
    of: (part) => createSimilarity(part, options),
  }
}

type ByMeaning = (
  moment: Moment,
  query: string,
  options: Parameters<VectorIndex['search']>[1],
) => Promise<Ranked>

/** What words mean in general needs no learning; of very many documents, it needs a moment. */
function meaningForNow(base: Knowledge): ByMeaning {
  const seen = derived(
    base.store,
    visiblePlaces(base.store, () => true),
  )
  const general = partMeaning({ ...base, embeds: true }, seen)
  const wholes = onePer(wholeDocuments)
  return async (moment, query, options) => {
    const meaning = await general.at(moment)
    const vector = await meaning?.embedder.embedQuery(query)
    if (!meaning || !vector || vector.every((value) => value === 0)) return []
    const found = wholes(meaning).search(vector, options)
    return found.map(({ doc, similarity }) => ({ doc, score: similarity }))
  }
}

/** Each document once, by the measure that has it nearer. */
function nearer(...lists: readonly Ranked[]): Ranked {
  const best = new Map<DocNo, number>()
  for (const { doc, score } of lists.flat()) best.set(doc, Math.max(score, best.get(doc) ?? score))
  return [...best].map(([doc, score]) => ({ doc, score }))
}

/** Made from the base's own text or the table of words, before a provider has made any. */
function isHomeMade({ embedder }: Meaning): boolean {
  return embedder.id.startsWith('corpus:') || embedder.id.startsWith('table:')
}

function providerIsDown(trouble: string | undefined): KnowledgeError {
  return upstream(
    `The embedding provider has not made any vectors yet${trouble ? `: ${trouble}` : '; it may be down'}`,
    'Start it, or wait until it has read the notes. Other tools need no embedding.',
  )
}

/** The vectors of whole documents, worked out from those of their passages. */
function wholeDocuments({ vectors }: Meaning): VectorIndex {
  const index = createVectorIndex({ dimensions: vectors.dimensions })
  for (const doc of vectors.docs()) {
    const rows = vectors.rowsOf(doc)
    if (rows) index.setRows(doc, meanRow(rows))
  }
  return index
}

/** What was written a moment ago is found at once; of very much, the rest is found in a minute. */
const FRESH = 20

/** Vectors of documents that have none yet, made for this question. */
async function freshDocuments(
  kb: View,
  { embedder, vectors }: Meaning,
  includes: (doc: DocNo) => boolean,
): Promise<VectorIndex> {
  const index = createVectorIndex({ dimensions: vectors.dimensions })
  if (embedder.slow) return index
  const missing = (await kb.base.store.withoutVectors(embedder.id, FRESH)).filter(includes)
  const encoder = createRowEncoder(vectors.dimensions)
  const slices = new Slices()
  for (const record of await kb.store.documents(missing)) {
    if (slices.over) await slices.pause()
    const live = record && (await findLive(kb, record))
    if (!live) continue
    const { title, aliases, no } = live.record
    const { chunks } = await parseLive(kb, live)
    const passages = chunks.map(({ start, end, headingPath }) => ({
      text: live.text.slice(start, end),
      headingPath,
    }))
    const document = { title: [title, ...aliases].join('\n'), passages }
    const [rows = []] = await embedder.embedDocuments([document])
    index.setRows(no, meanRow(encoder.encode(rows)))
  }
  return index
}

/** Reading more files than this for one question would make it slow. */
const CANDIDATES = 100

async function rankByWords(
  kb: View,
  query: string,
  limit: number,
  includes: (doc: DocNo) => boolean,
): Promise<Ranked> {
  const wanted = termCounts(query)
  const lexical = await (await kb.index.look()).lexical()
  const { hits } = await lexical.search(query, {
    limit: Math.max(limit, CANDIDATES),
    filter: { has: includes, size: lexical.documents },
  })
  const records = await kb.store.documents(hits.map(({ doc }) => doc))
  const scored: { doc: DocNo; score: number }[] = []
  const slices = new Slices()
  for (const record of records) {
    if (slices.over) await slices.pause()
    const live = record && (await findLive(kb, record))
    if (!live) continue
    const score = wordCosine(wanted, termCounts(`${live.record.title}\n${live.text}`))
    scored.push({ doc: live.record.no, score })
  }
  return scored
}
