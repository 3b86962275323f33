/**
 * Meaning for callers who see a part of the base. What is learned from a base's text is learned from
 * all of it, and would tell of what is hidden; what words mean in general does not. So passages get
 * vectors here that depend on nothing but their own words. They are made when such a caller first
 * asks, once for all sets of rules, and follow what changes.
 */
import type { DocNo } from '../../domain/document.ts'
import { onePer } from '../../kit/one-per.ts'
import { readDocuments } from '../../indexing/read-documents.ts'
import { tableEmbedder } from '../../indexing/table-embedder.ts'
import type { Embedder } from '../../models/embedder.ts'
import { createVectorIndex } from '../../search/vectors/vector-index.ts'
import type { VectorIndex } from '../../search/vectors/vector-index.ts'
import type { Store } from '../../store/store.ts'
import { derived } from './derived.ts'
import type { Derived } from './derived.ts'
import type { Knowledge } from './knowledge.ts'
import type { Meaning, Moment } from './open-index.ts'
import type { VisibleDocuments } from './visible-places.ts'

/** Documents read at a time; others get their turn in between. */
const BATCH = 20
/** A question waits for the vectors of so many documents; of more it is answered by words until then. */
const SOON = 500
/** Where something changes all the while, the next question goes on. */
const TURNS = 100

export interface PartMeaning {
  at(moment: Moment): Promise<Meaning | undefined>
}

export function partMeaning(
  base: Pick<Knowledge, 'store' | 'sources'> & { readonly embeds: boolean },
  seen: Derived<VisibleDocuments>,
): PartMeaning {
  const { store } = base
  const part = derived(store, {
    on: ['generation', 'graph'],
    load: async (stamps): Promise<Meaning | undefined> => {
      const embedder = tableEmbedder()
      if (!embedder) return undefined
      const { numbers } = await seen.at(stamps)
      for (let turn = 0; turn < TURNS; turn++) {
        const all = await plainVectors(store).at(stamps)
        // Each time some more have theirs: what was made stays.
        if (!(await embedMissing(base, embedder, all, numbers))) continue
        const documents = numbers.filter((doc) => all.vectors.has(doc)).length
        return { embedder, vectors: all.vectors, documents, complete: true }
      }
      return undefined
    },
  })
  return {
    async at(moment) {
      if (!base.embeds) return undefined
      const { stamps } = moment
      const serving = await store.servingEmbedder(stamps)
      if (serving !== undefined && !serving.startsWith('corpus:')) {
        // A model that was made elsewhere knows nothing of this base: its vectors serve everybody.
        const meaning = await moment.meaning()
        return meaning && { ...meaning, documents: (await seen.at(stamps)).size }
      }
      const made = part.at(stamps)
      if ((await seen.at(stamps)).size <= SOON) return made
      made.catch(() => {})
      return part.known()
    },
  }
}

/** The vectors of all documents that somebody with rules sees; `tried` has those without any, too. */
interface PlainVectors {
  readonly vectors: VectorIndex
  readonly tried: Set<DocNo>
  /** Whoever read a document before it was indexed again has nothing to add any more. */
  isCurrent: boolean
}

const plainVectors = onePer((store: Store) =>
  derived<PlainVectors>(store, {
    on: ['generation'],
    load: async () => ({
      vectors: createVectorIndex({ dimensions: tableEmbedder()!.dimensions }),
      tried: new Set(),
      isCurrent: true,
    }),
    async follow(before, { generation }) {
      const { unnamed, putDocs, goneDocs } = await store.changesSince(generation)
      before.isCurrent = false
      if (unnamed) return undefined
      for (const doc of [...putDocs, ...goneDocs]) {
        before.tried.delete(doc)
        before.vectors.remove(doc)
      }
      return { ...before, isCurrent: true }
    },
  }),
)

/** Tells whether all have theirs: while this was at work, something may have changed. */
async function embedMissing(
  { store, sources }: Pick<Knowledge, 'store' | 'sources'>,
  embedder: Embedder,
  all: PlainVectors,
  docs: Uint32Array,
): Promise<boolean> {
  const { vectors, tried } = all
  const missing = docs.filter((doc) => !tried.has(doc))
  for (let at = 0; at < missing.length; at += BATCH) {
    const batch = [...missing.subarray(at, at + BATCH)]
    const documents = await readDocuments({ store, sources }, batch)
    const rows = await embedder.embedDocuments(documents)
    if (!all.isCurrent) return false
    for (const [place, { record }] of documents.entries()) vectors.setRows(record.no, rows[place]!)
    for (const doc of batch) tried.add(doc)
  }
  return all.isCurrent
}
