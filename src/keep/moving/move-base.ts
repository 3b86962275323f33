/**
 * Carries a finished index from where it is kept to somewhere else: from a file into PostgreSQL, or
 * back. Nothing is read from the documents again, and what was learned comes along. Postings go a
 * segment at a time and stay one; then a few thousand documents at a time come to life in it, each
 * time whole: whoever is interrupted goes on with `cairn index`.
 */
import type { DocNo, DocumentRecord } from '../../core/domain/document.ts'
import {
  type KnowledgeError,
  alreadyThere,
  conflict,
  invalid,
  quoted,
} from '../../core/domain/error.ts'
import { maskAddress, parseStoreAddress } from '../../core/domain/store-address.ts'
import { carrying } from '../../core/history/carry-history.ts'
import { documentNames, isAttachment, linkKey } from '../../core/indexing/link-names.ts'
import { resolveLink } from '../../core/indexing/resolve-link.ts'
import { docSet } from '../../core/search/doc-set.ts'
import { mergeSegments } from '../../core/search/segment/merge-segments.ts'
import type { OpenedStore } from '../../core/store/opened-store.ts'
import type { Lease, NewDocument, SegmentRecord, Store } from '../../core/store/store.ts'
import type { Config } from '../../serve/config/config.ts'
import { PROGRESS_KEY } from '../../serve/lifecycle/keep-current.ts'
import { leaseOwner } from '../../serve/lifecycle/start-indexing.ts'
import { openStore } from '../../serve/parts/stores.ts'

export interface Moved {
  readonly documents: number
  readonly vectors: number
  /** Operations of the history. */
  readonly operations: number
  /** Where it is now, without a password. */
  readonly to: string
}

/** A commit of this many takes some tens of megabytes for a moment. */
const AT_ONCE = 5_000
const VECTORS_AT_ONCE = 2_000
const LEASE_MS = 60_000

/** `to` is the address of a database or an absolute folder. */
export async function moveBase(config: Config, to: string): Promise<Moved> {
  const target = /^postgres(ql)?:\/\//.test(to)
    ? { ...config, store: checked(to) }
    : { ...config, store: undefined, state: to }
  if (target.store === config.store && target.state === config.state) throw sameplace(to)
  const shelf = config.sources.find(({ kind }) => kind === 'database')
  if (shelf) throw documentsStay(shelf.path)
  const from = await openStore(config)
  try {
    const into = await openStore(target)
    try {
      const carried = await carryOver(from.store, into.store)
      return { ...carried, operations: await carryChanges(from, into), to: maskAddress(to) }
    } finally {
      await into.store.close()
    }
  } finally {
    await from.store.close()
  }
}

function checked(address: string): string {
  parseStoreAddress(address)
  return address
}

/** What was changed comes along, and can be undone there. */
async function carryChanges(from: OpenedStore, into: OpenedStore): Promise<number> {
  const [source, target] = [await from.openWriting({}), await into.openWriting({})]
  try {
    return (await target.lock.hold([], carrying(source.history, target.history))) ?? 0
  } finally {
    await target.close()
    await source.close()
  }
}

async function carryOver(from: Store, into: Store): Promise<Omit<Moved, 'to' | 'operations'>> {
  if ((await into.counts()).documents > 0) throw notEmpty()
  const owner = leaseOwner()
  const lease = await into.acquireLease(owner, LEASE_MS)
  if (!lease) throw beingIndexed()
  try {
    const nos = [...(await from.pathOrder())]
    // Numbers stay as they are, and are never given out again.
    await into.reserveNumbers(Math.max(-1, ...(await largest(nos))) + 1)
    const held = async (): Promise<Lease> => {
      const renewed = await into.acquireLease(owner, LEASE_MS)
      if (!renewed) throw beingIndexed()
      return renewed
    }
    const left = new Set(nos)
    for (const segment of await from.segments()) {
      const docs = (await from.segmentDocs(segment.id)).filter((no) => left.delete(no))
      if (docs.length === 0) continue
      const within = await carrySegment(from, into, { segment, held })
      await carryDocuments(from, into, { docs, within, held })
    }
    // None, in an index that is whole.
    await carryDocuments(from, into, { docs: [...left], held })
    await carryFiles(from, into, await held())
    const vectors = await carryVectors(from, into)
    const done = { phase: 'done', done: 0, total: 0 }
    await into.putMeta(PROGRESS_KEY, JSON.stringify(done))
    return { documents: nos.length, vectors }
  } finally {
    await into.releaseLease(owner)
  }
}

async function largest(nos: readonly DocNo[]): Promise<number[]> {
  return nos.length === 0 ? [] : [nos.reduce((most, no) => Math.max(most, no), 0)]
}

interface Carrying {
  readonly docs: readonly DocNo[]
  /** The lease, good for the next step. */
  readonly held: () => Promise<Lease>
}

/** The postings come over whole, as those of documents that are not there; its number there. */
async function carrySegment(
  from: Store,
  into: Store,
  { segment: { id, deleted }, held }: Omit<Carrying, 'docs'> & { readonly segment: SegmentRecord },
): Promise<number> {
  const reader = {
    resident: (name: string) => from.segmentStream(id, name),
    paged: (name: string, ranges: readonly { start: number; end: number }[]) =>
      from.segmentRanges(id, name, ranges),
  }
  const to = await mergeSegments([{ deleted: docSet(deleted), reader }])
  const known = new Set((await into.segments()).map((each) => each.id))
  await into.commit({ lease: await held(), merge: { from: [], to } }, resolveLink)
  return (await into.segments()).find((each) => !known.has(each.id))!.id
}

/** After every step those that have come are in the index, and the others are not. */
async function carryDocuments(
  from: Store,
  into: Store,
  { docs, within, held }: Carrying & { readonly within?: number },
): Promise<void> {
  for (let at = 0; at < docs.length; at += AT_ONCE) {
    const put = await documentsOf(from, docs.slice(at, at + AT_ONCE))
    const lease = await held()
    await into.commit({ lease, put, ...(within !== undefined && { within }) }, resolveLink)
  }
}

async function documentsOf(from: Store, nos: readonly DocNo[]): Promise<NewDocument[]> {
  const records = (await from.documents(nos)).filter((record) => record !== undefined)
  const chunks = await from.chunksOf(records.map(({ no }) => no))
  const stamps = await stampsOf(from, records)
  const put: NewDocument[] = []
  for (const [place, record] of records.entries()) {
    const links = await from.linksFrom(record.no)
    put.push({
      ...record,
      chunks: chunks[place]!,
      links: links.map((link) => ({
        ...link,
        key: linkKey(link) ?? '',
        attachment: isAttachment(link),
      })),
      names: documentNames(record),
      warnings: await from.warnings(record.no),
      ...stamps.get(record.no),
    })
  }
  return put
}

async function stampsOf(
  from: Store,
  records: readonly DocumentRecord[],
): Promise<Map<DocNo, { readonly stamp?: string }>> {
  const stamps = new Map<DocNo, { readonly stamp?: string }>()
  for (const [source, group] of Map.groupBy(records, (record) => record.source)) {
    const files = await from.files(
      source,
      group.map(({ path }) => path),
    )
    for (const { doc, stamp } of files) {
      if (doc !== undefined && stamp !== undefined) stamps.set(doc, { stamp })
    }
  }
  return stamps
}

/** What became of the files that are no documents. */
async function carryFiles(from: Store, into: Store, lease: Lease): Promise<void> {
  for (const state of ['skipped', 'failed'] as const) {
    for (let offset = 0; ; offset += AT_ONCE) {
      const { files } = await from.listFiles({ state }, { offset, limit: AT_ONCE })
      if (files.length === 0) break
      await into.commit({ lease, files }, resolveLink)
    }
  }
}

/** What the serving embedder learned, and the vectors it made. */
async function carryVectors(from: Store, into: Store): Promise<number> {
  const embedder = await from.servingEmbedder()
  if (embedder === undefined) return 0
  const model = await from.model(embedder)
  if (model) await into.putModel(embedder, model)
  const vectors: { doc: DocNo; data: Uint8Array }[] = []
  await from.vectorsSince(embedder, 0, (doc, data) => {
    vectors.push({ doc, data: data.slice() })
  })
  for (let at = 0; at < vectors.length; at += VECTORS_AT_ONCE) {
    const some = vectors.slice(at, at + VECTORS_AT_ONCE)
    const records = await from.documents(some.map(({ doc }) => doc))
    await into.putVectors(
      embedder,
      some.flatMap((each, place) => {
        const record = records[place]
        return record ? [{ ...each, digest: record.digest }] : []
      }),
    )
  }
  await into.serveEmbedder(embedder)
  return vectors.length
}

function sameplace(to: string): KnowledgeError {
  return invalid(
    `The index is kept in ${maskAddress(to)} already.`,
    'Name another database or folder with --to.',
  )
}

/** Only an index is carried: one without the documents it speaks of is of use to nobody. */
function documentsStay(path: string): KnowledgeError {
  return invalid(
    `The documents of ${quoted(path)} are in the database, and only an index can be moved.`,
    'Nothing was changed. "cairn export DIR" writes the documents as files, "cairn backup" packs them with their history; "cairn import DIR" brings files into another database.',
  )
}

function notEmpty(): KnowledgeError {
  return alreadyThere(
    'There is an index already where this one should go.',
    'Nothing was changed. Choose another folder, or another name at the end of the address (?base=NAME).',
  )
}

function beingIndexed(): KnowledgeError {
  return conflict(
    'A server is keeping an index there at the moment.',
    'Nothing was changed. Stop it first, or choose another place.',
  )
}
