/**
 * The committed index as this process sees it: the lexical index and the link graph, opened when
 * first asked for and brought up to date when another batch was committed, by whichever process.
 */
import type { DocNo } from '../../domain/document.ts'
import { KnowledgeError } from '../../domain/error.ts'
import { buildGraph } from '../../graph/graph.ts'
import type { Graph } from '../../graph/graph.ts'
import type { DocSet } from '../../search/contract.ts'
import { docSet } from '../../search/doc-set.ts'
import { openLexicalIndex } from '../../search/lexical-index.ts'
import type { LexicalIndex } from '../../search/lexical-index.ts'
import type { Embedder } from '../../models/embedder.ts'
import { parseRows } from '../../search/vectors/encoded-rows.ts'
import { openVectorIndex } from '../../search/vectors/vector-index.ts'
import type { VectorIndex } from '../../search/vectors/vector-index.ts'
import type { SegmentRecord, Store } from '../../store/store.ts'
import type { EdgeChoice } from './edge-types.ts'

export interface LinkGraph {
  readonly graph: Graph
  /** Node numbers follow the order of paths, so "smallest node" means "alphabetically first". */
  readonly docs: Uint32Array
  nodeOf(doc: DocNo): number | undefined
}

/** Vectors of every passage, and who turns a question into one. */
export interface Meaning {
  readonly embedder: Embedder
  readonly vectors: VectorIndex
}

export interface IndexView {
  /** The generation the last answer came from. */
  readonly generation: number
  lexical(): Promise<LexicalIndex>
  links(): Promise<LinkGraph>
  /** Undefined while there are no vectors. */
  meaning(): Promise<Meaning | undefined>
  /** Links and meaning as far as they are loaded, for who cannot wait for them. */
  known(): { readonly links: LinkGraph | undefined; readonly meaning: Meaning | undefined }
  /** Position of a document in path order, for ties. Stale numbers sort last. */
  pathRank(): Promise<(doc: DocNo) => number>
  /** Runs a query again from a fresh view when a merge took a segment away under it. */
  retrying<Result>(query: () => Promise<Result>): Promise<Result>
}

const RETRIES = 3

/** Finds the embedder that made the serving vectors; undefined when it is not to be had. */
export type OpenEmbedder = (store: Store) => Promise<Embedder | undefined>

export function openIndexView(store: Store, openEmbedder: OpenEmbedder): IndexView {
  return new StoreView(store, openEmbedder)
}

class StoreView implements IndexView {
  readonly #store: Store
  #lexical = openLexicalIndex()
  #epoch = 0
  #lexicalGeneration = -1
  #refreshing: Promise<void> | undefined
  #meaning: { stamp: number; value: Meaning | undefined } | undefined
  #learning: Promise<Meaning | undefined> | undefined
  #links: { stamp: number; value: Promise<LinkGraph> } | undefined
  #knownLinks: LinkGraph | undefined
  #ranks: { stamp: number; value: Promise<(doc: DocNo) => number> } | undefined

  readonly #openEmbedder: OpenEmbedder

  constructor(store: Store, openEmbedder: OpenEmbedder) {
    this.#store = store
    this.#openEmbedder = openEmbedder
  }

  get generation(): number {
    return this.#lexicalGeneration
  }

  /** Also notices that another index stands behind the store: nothing known of the old one counts. */
  async #currentGeneration(): Promise<number> {
    const generation = await this.#store.generation()
    if (this.#store.epoch !== this.#epoch) {
      this.#epoch = this.#store.epoch
      this.#lexical = openLexicalIndex()
      this.#lexicalGeneration = -1
      this.#deleted.clear()
      this.#links = undefined
      this.#knownLinks = undefined
      this.#ranks = undefined
      this.#meaning = undefined
      this.#vectorStamp = 0
    }
    return generation
  }

  /** An edit that leads no link elsewhere leaves links and order as they are. */
  async #graphStamp(): Promise<number> {
    await this.#currentGeneration()
    return this.#store.graphStamp()
  }

  async lexical(): Promise<LexicalIndex> {
    const generation = await this.#currentGeneration()
    if (generation !== this.#lexicalGeneration) {
      // Concurrent queries share one refresh.
      this.#refreshing ??= this.#refresh().finally(() => {
        this.#refreshing = undefined
      })
      await this.#refreshing
    }
    return this.#lexical
  }

  async links(): Promise<LinkGraph> {
    const stamp = await this.#graphStamp()
    if (this.#links?.stamp !== stamp) {
      this.#links = { stamp, value: loadLinks(this.#store) }
    }
    const links = this.#links
    // A failure is told to those who wait for it; who asks next tries again.
    links.value.then(
      (value) => {
        this.#knownLinks = value
      },
      () => {
        if (this.#links === links) this.#links = undefined
      },
    )
    return links.value
  }

  async meaning(): Promise<Meaning | undefined> {
    const stamp = await this.#store.vectorStamp()
    const generation = await this.#currentGeneration()
    const now = stamp + generation
    if (this.#meaning?.stamp === now) return this.#meaning.value
    this.#learning ??= this.#refreshMeaning(now).finally(() => {
      this.#learning = undefined
    })
    return this.#learning
  }

  known(): { links: LinkGraph | undefined; meaning: Meaning | undefined } {
    return { links: this.#knownLinks, meaning: this.#meaning?.value }
  }

  async pathRank(): Promise<(doc: DocNo) => number> {
    const stamp = await this.#graphStamp()
    if (this.#ranks?.stamp !== stamp) {
      const value = this.#store.pathOrder().then((order) => {
        const ranks = inverse(order)
        return (doc: DocNo) => ranks[doc] ?? order.length
      })
      this.#ranks = { stamp, value }
    }
    const ranks = this.#ranks
    ranks.value.catch(() => {
      if (this.#ranks === ranks) this.#ranks = undefined
    })
    return ranks.value
  }

  async retrying<Result>(query: () => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await query()
      } catch (error) {
        const stale = error instanceof KnowledgeError && error.code === 'conflict'
        if (!stale || attempt === RETRIES) throw error
        this.#lexicalGeneration = -1
      }
    }
  }

  #vectorStamp = 0

  async #refreshMeaning(now: number): Promise<Meaning | undefined> {
    const serving = await this.#store.servingEmbedder()
    const known = this.#meaning?.value
    const fresh = known?.embedder.id !== serving
    const embedder = fresh ? await this.#openEmbedder(this.#store) : known?.embedder
    if (!embedder) {
      this.#meaning = { stamp: now, value: undefined }
      return undefined
    }
    const vectors =
      fresh || !known ? openVectorIndex({ dimensions: embedder.dimensions }) : known.vectors
    const since = fresh ? 0 : this.#vectorStamp
    const stamp = await this.#store.vectorsSince(embedder.id, since, (doc, data) => {
      const encoded = parseRows(data)
      if (encoded) vectors.setRows(doc, encoded)
    })
    const living = await this.#store.vectorDocs(embedder.id)
    if (living.length !== vectors.documents) {
      const kept = docSet(living)
      for (const doc of vectors.docs()) if (!kept.has(doc)) vectors.remove(doc)
    }
    this.#vectorStamp = stamp
    this.#meaning = { stamp: now, value: { embedder, vectors } }
    return this.#meaning.value
  }

  readonly #deleted = new Map<number, DocSet>()

  /** The same set as long as nothing was added to it: then the index has nothing to work out. */
  #deletedOf({ id, deleted }: SegmentRecord): DocSet {
    let known = this.#deleted.get(id)
    if (known?.size !== deleted.length) {
      known = docSet(deleted)
      this.#deleted.set(id, known)
    }
    return known
  }

  async #refresh(): Promise<void> {
    const generation = await this.#currentGeneration()
    const segments = await this.#store.segments()
    const living = new Set(segments.map(({ id }) => id))
    for (const id of this.#deleted.keys()) if (!living.has(id)) this.#deleted.delete(id)
    await this.#lexical.setSegments(
      segments.map((segment) => ({
        id: String(segment.id),
        deleted: this.#deletedOf(segment),
        reader: {
          resident: (name) => this.#store.segmentStream(segment.id, name),
          paged: (name, ranges) => this.#store.segmentRanges(segment.id, name, ranges),
        },
      })),
    )
    this.#lexicalGeneration = generation
  }
}

/** The graph of all links, or of the kinds that are chosen. */
export async function loadLinks(store: Store, choice?: EdgeChoice): Promise<LinkGraph> {
  const [docs, edges] = await Promise.all([
    store.pathOrder(),
    store.edges(choice?.kinds, choice?.labels),
  ])
  const nodes = inverse(docs)
  // A batch may land between the two reads; a link to a document not in the order is left out.
  const known = (doc: DocNo): boolean => doc < nodes.length && docs[nodes[doc]!] === doc
  const kept: number[] = []
  for (let edge = 0; edge < edges.from.length; edge++) {
    if (known(edges.from[edge]!) && known(edges.to[edge]!)) kept.push(edge)
  }
  const graph = buildGraph({
    nodeCount: docs.length,
    from: Uint32Array.from(kept, (edge) => nodes[edges.from[edge]!]!),
    to: Uint32Array.from(kept, (edge) => nodes[edges.to[edge]!]!),
  })
  return { graph, docs, nodeOf: (doc) => (known(doc) ? nodes[doc] : undefined) }
}

/** Where each document number stands in a list of them. */
function inverse(order: Uint32Array): Uint32Array {
  const size = order.reduce((largest, doc) => Math.max(largest, doc + 1), 0)
  const places = new Uint32Array(size)
  order.forEach((doc, place) => {
    places[doc] = place
  })
  return places
}
