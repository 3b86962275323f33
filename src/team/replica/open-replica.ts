/**
 * Read-through cache of a store that is elsewhere, which also serves when that fails (stale if
 * error). What it says of documents and passages is remembered until the stamps tell that they
 * changed, so that a question takes one message instead of three. While the other side does not
 * answer, questions are answered from what is remembered here, and whoever asks can learn since
 * when; nothing can be changed meanwhile.
 */
import type { ChunkRecord, DocNo, DocumentRecord } from '../../core/domain/document.ts'
import { KnowledgeError } from '../../core/domain/error.ts'
import type { Stamps, Store } from '../../core/store/store.ts'
import { Remembered } from './remembered.ts'

export interface Replica {
  readonly store: Store
  /**
   * Since when the other side has not answered, milliseconds since the epoch; undefined: it does.
   */
  awaySince(): number | undefined
  /** When it last told how far it is, on the same clock. */
  toldAt(): number
  /** Throws `unavailable` unless the other side answers now. For whoever is about to write. */
  requireReachable(): Promise<void>
  /** Asks the other side; says what is known here while that does not answer. */
  orKnown<Result>(ask: () => Promise<Result>, known: () => Result): Promise<Result>
}

export interface ReplicaOptions {
  readonly now?: () => number
  /** So often it is tried whether the other side is back. */
  readonly tryEveryMs?: number
  readonly mostBytes?: number
}

const TRY_EVERY_MS = 1_000
/** What is shown at once has no more documents than this. */
const PAGE = 64
/** A bound for what is remembered, as far as that can be estimated. */
const MOST_BYTES = 32 * 1024 * 1024

export function openReplica(
  store: Store,
  { now = Date.now, tryEveryMs = TRY_EVERY_MS, mostBytes = MOST_BYTES }: ReplicaOptions = {},
): Replica {
  const records = new Remembered<DocumentRecord>(mostBytes / 4, recordBytes)
  const passages = new Remembered<readonly ChunkRecord[]>((mostBytes * 3) / 4, passageBytes)
  /** The last stamps that the other side told, and those up to which the memory is right. */
  let last: Stamps | undefined
  let upTo: Stamps | undefined
  let away: number | undefined
  let trying: NodeJS.Timeout | undefined

  const forget = (): void => {
    records.clear()
    passages.clear()
  }
  let toldAt = now()
  const told = (stamps: Stamps): Stamps => {
    away = undefined
    toldAt = now()
    if (upTo?.epoch !== stamps.epoch) {
      forget()
      upTo = stamps
    }
    last = stamps
    return stamps
  }
  const lost = (error: unknown): void => {
    if (!isOutOfReach(error)) return
    away ??= now()
    if (trying) return
    let asking = false
    trying = setInterval(() => {
      // One that falls silent keeps those who ask for long: they would become more and more.
      if (asking) return
      asking = true
      store.stamps().then(
        (stamps) => {
          clearInterval(trying)
          trying = undefined
          told(stamps)
        },
        () => {
          asking = false
        },
      )
    }, tryEveryMs)
    trying.unref()
  }

  const stamps = async (): Promise<Stamps> => {
    // Nobody waits again and again for someone who is known not to answer.
    if (away !== undefined && last) return { ...last, remembered: true }
    try {
      return told(await store.stamps())
    } catch (error) {
      lost(error)
      if (last && isOutOfReach(error)) return { ...last, remembered: true }
      throw error
    }
  }

  /** Forgets what has changed up to the last stamps that anybody was told. */
  const follow = async (): Promise<void> => {
    const [from, to] = [upTo, last]
    if (!from || !to || from.generation === to.generation || away !== undefined) return
    const { unnamed, putDocs, goneDocs, generation } = await store.changesSince(from.generation)
    if (upTo !== from) return
    if (unnamed) forget()
    for (const doc of [...putDocs, ...goneDocs]) {
      records.delete(doc)
      passages.delete(doc)
    }
    upTo = { ...to, generation: Math.max(generation, to.generation) }
  }

  /**
   * What is remembered, and the rest from the other side; nothing for the rest while it is away.
   */
  const answer = async <Value>(
    memory: Remembered<Value>,
    docs: readonly DocNo[],
    ask: (docs: readonly DocNo[]) => Promise<readonly (Value | undefined)[]>,
  ): Promise<(Value | undefined)[]> => {
    try {
      await follow()
    } catch (error) {
      lost(error)
      if (away === undefined) throw error
    }
    const found = docs.map((doc) => memory.get(doc))
    const missing = docs.filter((_, index) => found[index] === undefined)
    if (missing.length === 0 || away !== undefined) return found
    const before = memory.version
    try {
      const rest = await ask(missing)
      const byDoc = new Map(missing.map((doc, index) => [doc, rest[index]]))
      // What was read before something was forgotten may be what was forgotten.
      if (memory.version === before) {
        for (const [doc, value] of byDoc) if (value !== undefined) memory.put(doc, value)
      }
      return docs.map((doc, index) => found[index] ?? byDoc.get(doc))
    } catch (error) {
      lost(error)
      if (away === undefined || docs.length === missing.length) throw error
      return found
    }
  }

  /** Whoever asks for a few documents wants to show them, and asks for their passages next. */
  const askForDocuments = async (
    missing: readonly DocNo[],
  ): Promise<readonly (DocumentRecord | undefined)[]> => {
    if (!store.documentsWithChunks || missing.length > PAGE) return store.documents(missing)
    const before = passages.version
    const found = await store.documentsWithChunks(missing)
    if (passages.version === before) {
      for (const each of found) if (each) passages.put(each.document.no, each.chunks)
    }
    return found.map((each) => each?.document)
  }

  const orKnown: Replica['orKnown'] = async (ask, known) => {
    if (away !== undefined) return known()
    try {
      return await ask()
    } catch (error) {
      if (!isOutOfReach(error)) throw error
      // It may be this one question that fails, and not the other side.
      const { remembered } = await stamps()
      return remembered ? known() : ask()
    }
  }

  const notes = new Map<string, string | undefined>()
  /** Who makes vectors, as of a stamp of theirs. */
  let serving: { readonly embedder: string | undefined; readonly at: Stamps } | undefined
  const servingEmbedder = async (): Promise<string | undefined> => {
    const at = last
    const same = serving && serving.at.epoch === at?.epoch && serving.at.vectors === at.vectors
    if (serving && (same || away !== undefined)) return serving.embedder
    const embedder = await store.servingEmbedder(at)
    if (at) serving = { embedder, at }
    return embedder
  }

  const own: Pick<
    Store,
    | 'stamps'
    | 'servingEmbedder'
    | 'serveEmbedder'
    | 'getMeta'
    | 'commit'
    | 'documents'
    | 'documentsWithChunks'
    | 'chunksOf'
    | 'findByPath'
    | 'close'
  > = {
    stamps,
    servingEmbedder,
    async serveEmbedder(embedder, lease) {
      await store.serveEmbedder(embedder, lease)
      serving = undefined
    },
    /** Always asked for, and only while nobody answers told from memory. */
    getMeta: (key) =>
      orKnown(
        async () => {
          notes.set(key, await store.getMeta(key))
          return notes.get(key)
        },
        () => notes.get(key),
      ),
    async commit(batch, resolve) {
      const generation = await store.commit(batch, resolve)
      const { put = [], touch = [], remove = [] } = batch
      // Whoever commits sees it at once, before anybody has told a new generation.
      for (const doc of [...[...put, ...touch].map(({ no }) => no), ...remove]) {
        records.delete(doc)
        passages.delete(doc)
      }
      return generation
    },
    documents: (docs) => answer(records, docs, askForDocuments),
    // What is remembered here is to be had by the two others.
    documentsWithChunks: undefined,
    async chunksOf(docs) {
      const found = await answer(passages, docs, (missing) => store.chunksOf(missing))
      return found.map((chunks) => chunks ?? [])
    },
    async findByPath(source, path) {
      const known = (): DocumentRecord | undefined =>
        records.find((record) => record.source === source && record.path === path)
      if (away !== undefined) return known() ?? store.findByPath(source, path)
      const before = records.version
      try {
        const found = await store.findByPath(source, path)
        // Whoever reads a document now may want to read it again while nobody answers.
        if (found && records.version === before) records.put(found.no, found)
        return found
      } catch (error) {
        // It may be this one question that fails, and not the other side.
        const record = isOutOfReach(error) && (await stamps()).remembered ? known() : undefined
        if (record) return record
        throw error
      }
    },
    close: () => {
      clearInterval(trying)
      return store.close()
    },
  }
  return {
    store: { ...store, ...own },
    awaySince: () => away,
    toldAt: () => toldAt,
    orKnown,
    async requireReachable() {
      try {
        told(await store.stamps())
      } catch (error) {
        lost(error)
        throw error
      }
    },
  }
}

function isOutOfReach(error: unknown): boolean {
  return error instanceof KnowledgeError && error.code === 'unavailable'
}

function recordBytes({ title, path, properties }: DocumentRecord): number {
  return 600 + 2 * (title.length + path.length) + 60 * Object.keys(properties).length
}

function passageBytes(chunks: readonly ChunkRecord[]): number {
  return 100 + 200 * chunks.length
}
