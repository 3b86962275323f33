/**
 * The committed index as this process sees it: words, links and meaning, opened when first asked
 * for and brought up to date when another batch was committed, by whichever process.
 */
import type { DocNo } from '../../domain/document.ts'
import { KnowledgeError } from '../../domain/error.ts'
import type { Embedder } from '../../models/embedder.ts'
import type { DocSet } from '../../search/contract.ts'
import { docSet } from '../../search/doc-set.ts'
import { createLexicalIndex } from '../../search/lexical-index.ts'
import type { LexicalIndex } from '../../search/lexical-index.ts'
import { createVectorIndex } from '../../search/vectors/vector-index.ts'
import type { VectorIndex } from '../../search/vectors/vector-index.ts'
import type { SegmentRecord, Stamps, Store } from '../../store/store.ts'
import { derived } from './derived.ts'
import type { Derived } from './derived.ts'
import { followPathOrder } from './follow-order.ts'
import { followMentions, keptLinks, keptMentions } from './kept-links.ts'
import { followLinks, loadLinkGraph, loadPathOrder } from './link-graph.ts'
import type { LinkGraph, PathOrder } from './link-graph.ts'
import { lookAgain, stampsOf } from './snapshot.ts'
import type { PartMeaning } from './part-meaning.ts'
import { relinkGraph } from './relinked.ts'
import type { Relinked } from './relinked.ts'
import type { VisibleDocuments } from './visible-places.ts'

/** Vectors of every passage, and who turns a question into one. */
export interface Meaning {
  readonly embedder: Embedder
  readonly vectors: VectorIndex
  /** How many documents count; all that have vectors unless said. */
  readonly documents?: number
  /** Whether nothing is missing: documents that were written a moment ago have their vectors. */
  readonly complete?: boolean
}

/** The index as of one look at its stamps: whoever needs several parts takes them from one. */
export interface Moment {
  readonly stamps: Stamps
  lexical(): Promise<LexicalIndex>
  links(): Promise<LinkGraph>
  pathOrder(): Promise<PathOrder>
  /** Undefined while there are no vectors. */
  meaning(): Promise<Meaning | undefined>
}

export interface Index {
  look(): Promise<Moment>
  /** Runs a query again from a fresh look when a merge took a segment away under it. */
  retrying<Result>(query: (moment: Moment) => Promise<Result>): Promise<Result>
}

const RETRIES = 3

/** Finds the embedder that made the serving vectors; undefined when it is not to be had. */
export type OpenEmbedder = (store: Store) => Promise<Embedder | undefined>

export interface IndexOptions {
  /** Begins with the links that were kept beside the index, where asking for them is no journey. */
  readonly keepsLinks?: boolean
}

export function openIndex(
  store: Store,
  openEmbedder: OpenEmbedder,
  { keepsLinks = false }: IndexOptions = {},
): Index {
  const lexical = derived(store, lexicalIndex(store))
  /** Came with the order, and is of use once: from then on, changes are followed. */
  let kept: { readonly graph: number; readonly links: LinkGraph } | undefined
  const pathOrder = derived(store, {
    on: ['graph'],
    load: async (stamps) => {
      const found = keepsLinks ? await keptLinks(store, stamps) : undefined
      kept = found && { graph: stamps.graph, links: found.links }
      return found?.order ?? loadPathOrder(store)
    },
    follow: (before, { generation }) => followPathOrder(store, before, generation),
  })
  const links = derived(store, {
    on: ['graph'],
    load: async (stamps) => {
      const order = await pathOrder.at(stamps)
      const { graph, links } = kept ?? {}
      kept = undefined
      const loaded =
        graph === stamps.graph && links?.docs === order.docs
          ? links
          : await loadLinkGraph(store, order)
      const mentions = keepsLinks ? await keptMentions(store) : undefined
      return mentions ? { ...loaded, mentions } : loaded
    },
    follow: async (before, { generation }, stamps) => {
      const links = await followLinks(store, before, generation, await pathOrder.at(stamps))
      if (!links || !before.mentions) return links
      const mentions = await followMentions(store, before.mentions, generation)
      return mentions ? { ...links, mentions } : links
    },
  })
  const meaning = derived(store, learnedMeaning(store, openEmbedder))

  const look = async (): Promise<Moment> => {
    const stamps = await stampsOf(store)
    return {
      stamps,
      lexical: () => lexical.at(stamps),
      links: () => links.at(stamps),
      pathOrder: () => pathOrder.at(stamps),
      meaning: async () => (await meaning.at(stamps)).value,
    }
  }
  return {
    look,
    retrying: retryingWith(look, () => {
      lexical.outdate()
      lookAgain(store)
    }),
  }
}

/** What is seen, what it means, and where links lead in it. */
export interface Part {
  readonly seen: Derived<VisibleDocuments>
  readonly meaning: PartMeaning
  readonly relinked: Derived<Relinked>
}

/**
 * The index for someone who sees a part: the same segments, in which all else is as good as deleted.
 * How rare a word is, what it may be a misspelling of, and whether a document is about a question is
 * then measured on that part.
 */
export function narrowIndex(whole: Index, store: Store, part: Part): Index {
  const lexical = derived(store, lexicalIndex(store, part.seen.now))
  const links = derived(store, {
    on: ['graph'],
    load: async (stamps) =>
      relinkGraph(await (await whole.look()).links(), await part.relinked.at(stamps)),
  })
  const look = async (): Promise<Moment> => {
    const moment = await whole.look()
    return {
      ...moment,
      lexical: () => lexical.at(moment.stamps),
      links: () => links.at(moment.stamps),
      meaning: () => part.meaning.at(moment),
    }
  }
  return {
    look,
    retrying: retryingWith(look, () => {
      lexical.outdate()
      lookAgain(store)
    }),
  }
}

function retryingWith(look: Index['look'], outdate: () => void): Index['retrying'] {
  return async (query) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await query(await look())
      } catch (error) {
        const stale = error instanceof KnowledgeError && error.code === 'conflict'
        if (!stale || attempt === RETRIES) throw error
        outdate()
      }
    }
  }
}

/** One index is kept as long as one store stands behind it: it takes up new segments by itself. */
export function lexicalIndex(store: Store, seen?: () => Promise<DocSet>) {
  const deleted = new Map<number, DocSet>()
  const gone = new Map<number, { readonly deleted: DocSet; readonly seen: DocSet; all: DocSet }>()

  /** The same set as long as nothing was added to it: then the index has nothing to work out. */
  const deletedOf = ({ id, deleted: docs }: SegmentRecord): DocSet => {
    let known = deleted.get(id)
    if (known?.size !== docs.length) {
      known = docSet(docs)
      deleted.set(id, known)
    }
    return known
  }
  /** What is not seen is gone too; again the same set as long as nothing has changed. */
  const goneOf = (segment: SegmentRecord, visible: DocSet | undefined): DocSet => {
    const own = deletedOf(segment)
    if (!visible) return own
    const known = gone.get(segment.id)
    if (known?.deleted === own && known.seen === visible) return known.all
    const all = { has: (doc: DocNo) => own.has(doc) || !visible.has(doc), size: Infinity }
    gone.set(segment.id, { deleted: own, seen: visible, all })
    return all
  }
  const refresh = async (index: LexicalIndex): Promise<LexicalIndex> => {
    const segments = await store.segments({ toRead: true })
    const living = new Set(segments.map(({ id }) => id))
    const visible = await seen?.()
    for (const id of deleted.keys()) if (!living.has(id)) deleted.delete(id)
    for (const id of gone.keys()) if (!living.has(id)) gone.delete(id)
    await index.setSegments(
      segments.map((segment) => ({
        id: String(segment.id),
        deleted: goneOf(segment, visible),
        reader: {
          resident: (name) => store.segmentStream(segment.id, name),
          paged: (name, ranges) => store.segmentRanges(segment.id, name, ranges),
        },
      })),
    )
    return index
  }
  return {
    on: ['generation'] as const,
    load: (): Promise<LexicalIndex> => {
      deleted.clear()
      gone.clear()
      return refresh(createLexicalIndex())
    },
    follow: refresh,
  }
}

/** What serves, and the stamp up to which its vectors were taken over. */
interface Learned {
  readonly value: Meaning | undefined
  readonly upTo: number
}

/** Vectors that were put since are added; a document that is gone takes its vectors with it. */
function learnedMeaning(store: Store, openEmbedder: OpenEmbedder) {
  const read = async (before: Learned | undefined, generation = 0): Promise<Learned> => {
    const serving = await store.servingEmbedder()
    const known = before?.value
    const fresh = known?.embedder.id !== serving
    const embedder = fresh ? await openEmbedder(store) : known?.embedder
    if (!embedder) return { value: undefined, upTo: 0 }
    const vectors =
      fresh || !known ? createVectorIndex({ dimensions: embedder.dimensions }) : known.vectors
    const take = (doc: DocNo, data: Uint8Array): void => void vectors.setStored(doc, data)
    const since = fresh ? 0 : (before?.upTo ?? 0)
    const upTo = await store.vectorsSince(embedder.id, since, take)
    // What was just read has nothing of documents that are gone.
    if (!fresh) await dropGone(store, { embedder, vectors }, generation)
    return { value: fresh || !known ? { embedder, vectors } : known, upTo }
  }
  return {
    on: ['vectors', 'generation'] as const,
    load: () => read(undefined),
    follow: (before: Learned, { generation }: Stamps) => read(before, generation),
  }
}

/** Asks only after the documents that changed since, where they are known by name. */
async function dropGone(
  store: Store,
  { embedder, vectors }: Meaning,
  since: number,
): Promise<void> {
  const { unnamed, putDocs, goneDocs } = await store.changesSince(since)
  const among = unnamed ? undefined : Uint32Array.from([...putDocs, ...goneDocs])
  if (among?.length === 0) return
  const living = await store.vectorDocs(embedder.id, among)
  if (!among && living.length === vectors.documents) return
  const kept = docSet(living)
  for (const doc of among ?? vectors.docs()) if (!kept.has(doc)) vectors.remove(doc)
}
