/** Carries out a batch. Everything is planned first, so that a failure leaves all as it was. */
import { comparePlaces } from '../../../src/core/domain/compare-places.ts'
import type { DocNo } from '../../../src/core/domain/document.ts'
import type { Batch, NewDocument } from '../../../src/core/store/batch.ts'
import { foldedTags } from '../../../src/core/store/fold-names.ts'
import { requireLease } from '../../../src/core/store/judge-lease.ts'
import type { NamedDocument, ResolveLink } from '../../../src/core/store/link-store.ts'
import {
  CHANGES_KEPT,
  CHANGES_NAMED,
  linkEnds,
  namedChanges,
  planDocuments,
  planLinks,
} from '../../../src/core/store/plan-commit.ts'
import type {
  DocumentPlan,
  PlannedLink,
  StoredDocument,
  StoredLink,
} from '../../../src/core/store/plan-commit.ts'
import { cameBack, noSuchSegment } from '../../../src/core/store/missing-stream.ts'
import { outlived } from '../../../src/core/store/replaced-segments.ts'
import type { NewSegment } from '../../../src/core/store/segment-store.ts'
import { link, namedOf, placeKey, storedOf, unlink } from './tables.ts'
import type { Tables } from './tables.ts'

/** The generation of the index afterwards. */
export function commitBatch(tables: Tables, batch: Batch, resolve: ResolveLink): number {
  requireLease(batch.lease, tables.leases.get(batch.lease?.role ?? 'indexing'))
  const { put = [], remove = [], touch = [], forget = [], merge } = batch
  const checkedAt = batch.checkedAt ?? Date.now()
  const plan = planDocuments(batch, {
    generation: tables.generation,
    documents: storedDocuments(tables, [...remove, ...[...put, ...touch].map(({ no }) => no)], put),
    changedSince: changedSince(tables, batch.asOf),
  })
  const ends =
    plan.put.length > CHANGES_NAMED
      ? undefined
      : new Map(plan.put.map(({ no }) => [no, linkEnds(tables.links.get(no) ?? [])]))
  const links = planLinks(
    {
      put: plan.put,
      others: linksWithKeys(tables, plan),
      ends,
      candidates: candidatesAfter(tables, plan),
    },
    resolve,
  )

  for (const place of plan.leftOut) batch.onLeftOut?.(place)
  const generation = tables.generation + 1
  if (batch.within !== undefined && !tables.segments.has(batch.within)) {
    throw noSuchSegment(batch.within)
  }
  const own = batch.segment && addSegment(tables, batch.segment)
  const segment = own ?? batch.within
  for (const document of plan.gone) takeDocument(tables, document)
  for (const record of plan.put) addDocument(tables, record, { checkedAt, generation, segment })
  for (const { no, size, modifiedAt, stamp } of plan.touch) {
    const known = tables.documents.get(no)
    if (!known) continue
    const { stamp: _, ...rest } = known.record
    const record = { ...rest, size, modifiedAt, ...(stamp !== undefined && { stamp }) }
    tables.documents.set(no, { ...known, record, checkedAt })
  }
  for (const file of plan.files) tables.files.set(placeKey(file), file)
  for (const place of forget) tables.files.delete(placeKey(place))
  for (const [id, nos] of plan.deleted) markDeleted(tables, id, nos)
  if (own !== undefined) markDeleted(tables, own, plan.stillborn)
  if (batch.within !== undefined) revive(tables, batch.within, plan.put)
  if (merge) replaceSegments(tables, merge)
  forgetReplaced(tables)
  for (const each of links.insert) addLink(tables, each)
  for (const { doc, ordinal, to } of links.healed) {
    const known = tables.links.get(doc)
    tables.links.set(
      doc,
      (known ?? []).map((each) => (each.ordinal === ordinal ? { ...each, to } : each)),
    )
  }

  if (!plan.isNews) return tables.generation
  if (plan.listChanged || links.graphChanged) tables.graphStamp = generation
  tables.generation = generation
  const named = namedChanges(plan.changes, links, batch.lease === undefined)
  const kept = tables.changes.filter((change) => change.generation > generation - CHANGES_KEPT)
  tables.changes = [...kept, ...named.map((change) => ({ ...change, generation }))]
  return generation
}

function storedDocuments(
  tables: Tables,
  nos: readonly DocNo[],
  places: readonly NewDocument[],
): StoredDocument[] {
  const at = places.map((place) => tables.places.get(placeKey(place)))
  const found = [...new Set([...nos, ...at])].map((no) => tables.documents.get(no ?? -1))
  return found.filter((document) => document !== undefined).map(storedOf)
}

function changedSince(
  { generation, changes }: Tables,
  asOf: number | undefined,
): ReadonlySet<string> | undefined {
  if (asOf === undefined) return new Set()
  if (asOf < generation - CHANGES_KEPT) return undefined
  return new Set(
    changes
      .filter((change) => change.generation > asOf)
      .filter(({ kind }) => kind === 'new' || kind === 'put' || kind === 'gone')
      .map(({ source, path }) => `${source}/${path}`),
  )
}

/** Links with an affected key of documents that stay as they are. */
function linksWithKeys(tables: Tables, { affected, put, gone }: DocumentPlan): StoredLink[] {
  const changed = new Set([...put, ...gone].map(({ no }) => no))
  const docs = new Set([...affected].flatMap((key) => [...(tables.linkKeys.get(key) ?? [])]))
  return [...docs]
    .filter((doc) => !changed.has(doc))
    .flatMap((doc) => {
      const { source, path } = tables.documents.get(doc)!.record
      const links = (tables.links.get(doc) ?? []).filter(({ key }) => affected.has(key))
      return links.map((each) => ({ ...each, source, path }))
    })
}

/** Who is known under a key once the documents of the plan are in. */
function candidatesAfter(
  tables: Tables,
  { put, gone }: DocumentPlan,
): (key: string) => readonly NamedDocument[] {
  const taken = new Set(gone.map(({ no }) => no))
  const fresh = Map.groupBy(
    put.flatMap((document) => document.names.map((name) => ({ name, document }))),
    ({ name }) => name,
  )
  const cache = new Map<string, readonly NamedDocument[]>()
  return (key) => {
    let found = cache.get(key)
    if (!found) {
      const old = [...(tables.names.get(key) ?? [])].filter((no) => !taken.has(no))
      const documents = [
        ...old.map((no) => tables.documents.get(no)!.record),
        ...new Set(fresh.get(key)?.map(({ document }) => document)),
      ]
      found = documents.toSorted(comparePlaces).map(namedOf)
      cache.set(key, found)
    }
    return found
  }
}

function takeDocument(tables: Tables, { no, source, path, names, tags }: StoredDocument): void {
  for (const name of names) unlink(tables.names, name, no)
  for (const tag of tags) unlink(tables.tags, tag, no)
  for (const { key } of tables.links.get(no) ?? []) unlink(tables.linkKeys, key, no)
  for (const vectors of tables.vectors.values()) vectors.delete(no)
  tables.links.delete(no)
  tables.places.delete(placeKey({ source, path }))
  tables.documents.delete(no)
}

function addDocument(
  tables: Tables,
  record: NewDocument,
  occasion: { checkedAt: number; generation: number; segment: number | undefined },
): void {
  tables.files.delete(placeKey(record))
  tables.documents.set(record.no, { record, ...occasion })
  tables.places.set(placeKey(record), record.no)
  for (const name of record.names) link(tables.names, name, record.no)
  for (const tag of foldedTags(record)) link(tables.tags, tag, record.no)
}

function addLink(tables: Tables, each: PlannedLink): void {
  const known = tables.links.get(each.doc)
  if (known) known.push(each)
  else tables.links.set(each.doc, [each])
  link(tables.linkKeys, each.key, each.doc)
}

function addSegment(tables: Tables, { docs, resident, paged }: NewSegment): number {
  const id = tables.nextSegment++
  // The builder may go on writing into its own memory.
  const streams = new Map(
    Object.entries({ ...resident, ...paged }).map(([name, data]) => [name, data.slice()]),
  )
  const bytes = [...streams.values()].reduce((sum, data) => sum + data.length, 0)
  tables.segments.set(id, { docs: docs.length, bytes, deleted: new Set(), streams })
  return id
}

function markDeleted(tables: Tables, id: number, nos: readonly DocNo[]): void {
  const segment = tables.segments.get(id)
  if (!segment) return
  tables.segments.set(id, { ...segment, deleted: new Set([...segment.deleted, ...nos]) })
}

function revive(tables: Tables, id: number, put: readonly NewDocument[]): void {
  const segment = tables.segments.get(id)
  if (!segment) return
  const living = new Set(put.map(({ no }) => no))
  const deleted = new Set([...segment.deleted].filter((no) => !living.has(no)))
  tables.segments.set(id, { ...segment, deleted })
}

function replaceSegments(tables: Tables, { from, to }: NonNullable<Batch['merge']>): void {
  const old = new Set(from)
  const merged = new Set(to?.docs)
  for (const [no, { segment }] of tables.documents) {
    if (segment !== undefined && old.has(segment) && !merged.has(no)) throw cameBack()
  }
  if (to) {
    const id = addSegment(tables, to)
    const dead: DocNo[] = []
    for (const no of to.docs) {
      const known = tables.documents.get(no)
      // A document that was written while its old version was merged lives elsewhere now.
      if (known?.segment !== undefined && old.has(known.segment)) {
        tables.documents.set(no, { ...known, segment: id })
      } else {
        dead.push(no)
      }
    }
    markDeleted(tables, id, dead)
  }
  for (const id of from) {
    const segment = tables.segments.get(id)
    if (segment) tables.replaced.set(id, { ...segment, replacedAt: Date.now() })
    tables.segments.delete(id)
  }
}

function forgetReplaced({ replaced }: Tables): void {
  const all = [...replaced].map(([id, { bytes, replacedAt }]) => ({ id, bytes, replacedAt }))
  for (const id of outlived(all, Date.now())) replaced.delete(id)
}
