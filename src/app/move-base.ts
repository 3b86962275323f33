/**
 * Carries a finished index from where it is kept to somewhere else: from a file into PostgreSQL, or
 * back. Nothing is read from the documents again, and what was learned comes along. A few thousand
 * documents go at a time, each time whole: whoever is interrupted goes on with `cairn index`.
 */
import type { DocNo, DocumentRecord } from '../domain/document.ts'
import { KnowledgeError } from '../domain/error.ts'
import { maskAddress, parseStoreAddress } from '../domain/store-address.ts'
import { carrying } from '../history/carry-history.ts'
import { documentNames, isAttachment, linkKey } from '../indexing/link-names.ts'
import { resolveLink } from '../indexing/resolve-link.ts'
import { mergeSegments } from '../search/segment/merge-segments.ts'
import type { OpenedStore } from '../store/opened-store.ts'
import type { Lease, NewDocument, NewSegment, Store } from '../store/store.ts'
import type { Config } from '../config/config.ts'
import { PROGRESS_KEY } from './keep-current.ts'
import { leaseOwner } from './start-indexing.ts'
import { openStore } from './stores.ts'

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
    for (let at = 0; at < nos.length; at += AT_ONCE) {
      await into.acquireLease(owner, LEASE_MS)
      await carryDocuments(from, into, nos.slice(at, at + AT_ONCE), lease)
    }
    await carryFiles(from, into, lease)
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

async function carryDocuments(
  from: Store,
  into: Store,
  nos: readonly DocNo[],
  lease: Lease,
): Promise<void> {
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
  const segment = await segmentOf(from, new Set(put.map(({ no }) => no)))
  await into.commit({ lease, put, segment }, resolveLink)
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

/** The postings of these documents alone: all others are as good as deleted. */
async function segmentOf(from: Store, docs: ReadonlySet<DocNo>): Promise<NewSegment> {
  const inputs = (await from.segments()).map(({ id, deleted }) => {
    const gone = new Set(deleted)
    return {
      deleted: { has: (doc: DocNo) => gone.has(doc) || !docs.has(doc), size: Infinity },
      reader: {
        resident: (name: string) => from.segmentStream(id, name),
        paged: (name: string, ranges: readonly { start: number; end: number }[]) =>
          from.segmentRanges(id, name, ranges),
      },
    }
  })
  return { docs: [...docs], ...(await mergeSegments(inputs)) }
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
  return new KnowledgeError(
    'invalid',
    `The index is kept in ${maskAddress(to)} already.`,
    'Name another database or folder with --to.',
  )
}

function notEmpty(): KnowledgeError {
  return new KnowledgeError(
    'exists',
    'There is an index already where this one should go.',
    'Nothing was changed. Choose another folder, or another name at the end of the address (?base=NAME).',
  )
}

function beingIndexed(): KnowledgeError {
  return new KnowledgeError(
    'conflict',
    'A server is keeping an index there at the moment.',
    'Nothing was changed. Stop it first, or choose another place.',
  )
}
