/**
 * The index in memory, gone with the process that made it. For tests, and for the question what a
 * store promises beyond how one database happens to do it.
 */
import { comparePlaces, compareText } from '../../../src/core/domain/compare-places.ts'
import type { DocNo, LinkRecord } from '../../../src/core/domain/document.ts'
import { isRelation } from '../../../src/core/domain/text.ts'
import { summarizeChanges } from '../../../src/core/store/changes.ts'
import { collectEdges, EDGE_KINDS } from '../../../src/core/store/collect-edges.ts'
import { doubtIn, leaseJudges, requireLease } from '../../../src/core/store/judge-lease.ts'
import type { HeldLease } from '../../../src/core/store/judge-lease.ts'
import { ROLES } from '../../../src/core/store/lease-store.ts'
import type { Lease, LeaseStore, Role } from '../../../src/core/store/lease-store.ts'
import type { LinkStore } from '../../../src/core/store/link-store.ts'
import { missingStream } from '../../../src/core/store/missing-stream.ts'
import type { PlannedLink } from '../../../src/core/store/plan-commit.ts'
import type { SegmentStore } from '../../../src/core/store/segment-store.ts'
import type { Store } from '../../../src/core/store/store.ts'
import type { VectorStore } from '../../../src/core/store/vector-store.ts'
import { commitBatch } from './commit-batch.ts'
import { documentPart, pageOf, within } from './documents.ts'
import { emptyTables } from './tables.ts'
import type { Tables } from './tables.ts'

/** `tables` are those of a store that was closed, to open it again. */
export function openMemoryStore(tables: Tables = emptyTables()): Store {
  return {
    ...documentPart(tables),
    ...linkPart(tables),
    ...segmentPart(tables),
    ...vectorPart(tables),
    ...leasePart(tables),

    async stamps() {
      const { generation, graphStamp: graph, vectorStamp: vectors } = tables
      return { epoch: 'memory', generation, graph, vectors }
    },
    async reserveNumbers(count) {
      const first = tables.nextNo
      tables.nextNo += count
      return first
    },
    commit: async (batch, resolve) => commitBatch(tables, batch, resolve),
    async changesSince(since) {
      const rows = tables.changes.filter(({ generation }) => generation > since)
      return summarizeChanges(rows, { since, generation: tables.generation })
    },
    getMeta: async (key) => tables.meta.get(key),
    async putMeta(key, value) {
      tables.meta.set(key, value)
    },
    check: async () => findings(tables),
    async close() {},
  }
}

function linkPart(tables: Tables): LinkStore {
  const all = (): PlannedLink[] =>
    [...tables.links].toSorted(([a], [b]) => a - b).flatMap(([, links]) => links)
  return {
    linksFrom: async (doc) => (tables.links.get(doc) ?? []).map(linkOf),
    async linksTo(doc) {
      return all()
        .filter(({ to }) => to === doc)
        .map(linkOf)
    },
    async linksBetween(from, to) {
      return (tables.links.get(from) ?? []).filter((link) => link.to === to).map(linkOf)
    },
    async deadEnds(doc, limit) {
      const broken = (tables.links.get(doc) ?? []).filter(
        ({ to, attachment }) => to === undefined && !attachment,
      )
      return [...new Set(broken.map(({ target }) => target))].slice(0, limit)
    },
    async brokenLinks({ offset, limit }, among) {
      const isAmong = within(among)
      const docs = [...tables.documents.values()].map(({ record }) => record)
      const broken = docs
        .toSorted(comparePlaces)
        .flatMap(({ no }) => (isAmong(no) && tables.links.get(no)) || [])
        .filter(({ to, attachment }) => !attachment && (to === undefined || !isAmong(to)))
        .map((link) => ({ ...link, to: undefined }))
      return { links: pageOf(broken, offset, limit).map(linkOf), total: broken.length }
    },
    async edges(among) {
      const isAmong = within(among)
      const collected = collectEdges()
      const kinds: readonly string[] = EDGE_KINDS
      const relations: [label: string, doc: DocNo, to: DocNo][] = []
      const seen = new Set<string>()
      for (const { doc, kind, to, label = '' } of all()) {
        const key = isRelation(kind) ? `${doc} ${to} ${label}` : `${doc} ${to} ${kind}`
        if (to === undefined || seen.has(key) || !isAmong(doc)) continue
        seen.add(key)
        if (isRelation(kind)) relations.push([label, doc, to])
        else collected.link(doc, to, kinds.indexOf(kind))
      }
      const inOrder = relations.toSorted(
        ([a, from, to], [b, from2, to2]) => compareText(a, b) || from - from2 || to - to2,
      )
      for (const [label, doc, to] of inOrder) collected.relation(doc, to, label)
      return collected.edges()
    },
    async linkTargets(kinds) {
      return all()
        .filter(({ kind }) => kinds.includes(kind))
        .map(({ doc, target }) => ({ from: doc, target }))
    },
  }
}

function linkOf({ doc, kind, target, fragment, label, line, to }: PlannedLink): LinkRecord {
  return { from: doc, kind, target, fragment, label, line, to }
}

function segmentPart(tables: Tables): SegmentStore {
  const streamOf = (segment: number, name: string): Uint8Array => {
    const held = tables.segments.get(segment) ?? tables.replaced.get(segment)
    const data = held?.streams.get(name)
    if (!data) throw missingStream(segment, name)
    return data
  }
  return {
    async segments() {
      return [...tables.segments].map(([id, { docs, bytes, deleted }]) => ({
        id,
        docs,
        bytes,
        deleted: Uint32Array.from(deleted).toSorted(),
      }))
    },
    segmentStream: async (segment, name) => streamOf(segment, name).slice(),
    async segmentRanges(segment, name, ranges) {
      const data = streamOf(segment, name)
      return ranges.map(({ start, end }) => {
        if (end > data.length) throw missingStream(segment, name)
        return data.slice(start, end)
      })
    },
    async segmentDocs(segment) {
      return [...tables.documents]
        .filter(([, document]) => document.segment === segment)
        .map(([no]) => no)
        .toSorted((a, b) => a - b)
    },
  }
}

function vectorPart(tables: Tables): VectorStore {
  const of = (embedder: string) => tables.vectors.get(embedder) ?? new Map()
  return {
    servingEmbedder: async () => tables.embedder,
    async serveEmbedder(embedder, lease) {
      requireHeld(tables, lease)
      tables.embedder = embedder
      for (const table of [tables.vectors, tables.models]) {
        for (const each of table.keys()) if (each !== embedder) table.delete(each)
      }
      tables.vectorStamp++
    },
    async putModel(embedder, data, lease) {
      requireHeld(tables, lease)
      tables.models.set(embedder, data.slice())
    },
    model: async (embedder) => tables.models.get(embedder),
    async putVectors(embedder, rows, lease) {
      requireHeld(tables, lease)
      const stamp = ++tables.vectorStamp
      const known = of(embedder)
      tables.vectors.set(embedder, known)
      for (const { doc, digest, data } of rows) {
        if (tables.documents.get(doc)?.record.digest !== digest) continue
        known.set(doc, { stamp, data: data.slice() })
      }
    },
    async withoutVectors(embedder, limit) {
      const known = of(embedder)
      return [...tables.documents.values()]
        .map(({ record }) => record)
        .filter(({ no }) => !known.has(no))
        .toSorted(comparePlaces)
        .map(({ no }) => no)
        .slice(0, limit)
    },
    async vectorsSince(embedder, since, visit) {
      for (const [doc, { stamp, data }] of of(embedder)) if (stamp > since) visit(doc, data)
      return tables.vectorStamp
    },
    vectorDocs: async (embedder, among) =>
      Uint32Array.from([...of(embedder).keys()].filter(within(among))),
  }
}

function leasePart(tables: Tables): LeaseStore {
  const hasRunOut = leaseJudges()
  const living = (role: Role): HeldLease | undefined => {
    const held = tables.leases.get(role)
    return held && !hasRunOut(held, role) ? held : undefined
  }
  return {
    async acquireLease(owner, ttlMs, role = 'indexing') {
      const held = tables.leases.get(role)
      const renews = held?.owner === owner
      if (held && !renews && !hasRunOut(held, role)) return undefined
      const fence = renews ? held.fence : (tables.fences.get(role) ?? 0) + 1
      tables.fences.set(role, fence)
      const now = Date.now()
      const since = renews ? held.since : now
      tables.leases.set(role, { owner, fence, ttlMs, expiresAt: now + ttlMs, since })
      return { owner, fence, ...(role !== 'indexing' && { role }) }
    },
    async releaseLease(owner, role = 'indexing') {
      if (tables.leases.get(role)?.owner === owner) tables.leases.delete(role)
    },
    doubtfulLease: async () => doubtIn(tables.leases.get('indexing')),
    leaseHolder: async () => living('indexing')?.owner,
    async heldRoles() {
      return ROLES.flatMap((role) => {
        const held = living(role)
        return held ? [{ role, owner: held.owner, fence: held.fence, since: held.since }] : []
      })
    },
  }
}

function requireHeld({ leases }: Tables, lease: Lease | undefined): void {
  requireLease(lease, leases.get(lease?.role ?? 'indexing'))
}

/** What points at something that is not there. */
function findings({ documents, links, names, tags, segments }: Tables): string[] {
  const strays = {
    links: [...links.keys()].filter((doc) => !documents.has(doc)),
    targets: [...links.values()].flat().filter(({ to }) => to !== undefined && !documents.has(to)),
    names: [...names.values()].flatMap((docs) => [...docs]).filter((doc) => !documents.has(doc)),
    tags: [...tags.values()].flatMap((docs) => [...docs]).filter((doc) => !documents.has(doc)),
    documents: [...documents.values()].filter(
      ({ segment }) => segment === undefined || !segments.has(segment),
    ),
  }
  return Object.entries(strays)
    .filter(([, list]) => list.length > 0)
    .map(([what, list]) => `${list.length} ${what} point at something that is gone`)
}
