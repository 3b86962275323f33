/** Reports on the base as a whole: what holds it together, what hangs loose, what was left out. */
import type { DocNo, DocumentRecord, FileRecord } from '../../domain/document.ts'
import { GROWING_KINDS, READ_SO_FAR } from '../../domain/conversion.ts'
import { compareIds, documentId, isPart } from '../../domain/document.ts'
import { components } from '../../graph/components.ts'
import { degrees, orphans } from '../../graph/degrees.ts'
import { hubs } from '../../graph/hubs.ts'
import type { HubMetric } from '../../graph/hubs.ts'
import { hasEntities } from '../../indexing/indexer.ts'
import type { Counts } from '../../store/store.ts'
import { makeCursor, pageOf, parseCursor } from '../reading/cursor.ts'
import type { LinkedDocument } from '../reading/label-documents.ts'
import { brokenAnchors } from './find-broken-anchors.ts'
import { regionsOf } from '../walking/find-regions.ts'
import type { Region } from '../walking/find-regions.ts'
import { labelNodes } from '../walking/get-neighbors.ts'
import type { View } from '../view/view.ts'

export interface PageOptions {
  readonly limit?: number
  readonly cursor?: string
}

export interface Overview extends Counts {
  /** How many of the documents are entities; undefined where there is no graph. */
  readonly entities: number | undefined
  readonly sources: readonly { readonly name: string; readonly documents: number }[]
  readonly orphans: number
  readonly components: number
  readonly largestComponent: number
  readonly skippedFiles: number
  readonly failedFiles: number
  readonly recent: readonly DocumentRecord[]
}

const DEFAULT_LIMIT = 20

export async function reportOverview(kb: View): Promise<Overview> {
  const counts = await kb.store.counts()
  const { graph, within } = await kb.links()
  const parts = components(graph, within)
  const sources = []
  for (const name of kb.sources.keys()) {
    const { total } = await kb.store.list({ sources: [name] }, 'path', { offset: 0, limit: 0 })
    sources.push({ name, documents: total })
  }
  const page = { offset: 0, limit: 0 }
  const joined = hasEntities(kb.sources.values())
  return {
    ...counts,
    entities: joined ? (await kb.store.list({ kind: 'entity' }, 'path', page)).total : undefined,
    sources,
    orphans: orphans(graph, within).length,
    components: parts.sizes.length,
    largestComponent: parts.sizes[0] ?? 0,
    skippedFiles: (await kb.store.listFiles({ state: 'skipped' }, page)).total,
    failedFiles: (await kb.store.listFiles({ state: 'failed' }, page)).total,
    recent: (await kb.store.list({}, 'updated', { offset: 0, limit: 5 })).documents,
  }
}

export interface Hub extends LinkedDocument {
  readonly score: number
  readonly in: number
  readonly out: number
}

export async function reportHubs(
  kb: View,
  { metric = 'in', limit = DEFAULT_LIMIT }: { metric?: HubMetric; limit?: number } = {},
): Promise<readonly Hub[]> {
  const { graph, docs, within, order } = await kb.links()
  const found = hubs(graph, { metric, limit, order, ...within })
  const labelOf = await labelNodes(
    kb,
    docs,
    found.map(({ node }) => node),
  )
  const counts = degrees(graph, within)
  return found.map(({ node, score }) => ({
    ...labelOf(node),
    score,
    in: counts.in[node]!,
    out: counts.out[node]!,
  }))
}

export interface Listing<Item> {
  readonly items: readonly Item[]
  readonly total: number
  readonly nextCursor: string | undefined
}

/** Documents that nothing links to and that link to nothing. */
export async function reportOrphans(
  kb: View,
  options: PageOptions = {},
): Promise<Listing<LinkedDocument>> {
  const { graph, docs, within } = await kb.links()
  return paged('orphans', orphans(graph, within), options, async (nodes) => {
    return nodes.map(await labelNodes(kb, docs, nodes))
  })
}

/** What hangs together more than with the rest, largest first. */
export async function reportRegions(
  kb: View,
  options: PageOptions = {},
): Promise<Listing<Omit<Region, 'near'> & { readonly near: readonly string[] }>> {
  const { all } = await regionsOf(kb).now()
  return paged('regions', all, options, async (page) =>
    page.map((region) => ({ ...region, near: region.near.map((other) => all[other]!.name) })),
  )
}

export interface BrokenLink {
  readonly from: string
  readonly line: number
  readonly target: string
}

/** Links that lead nowhere, then those whose note is there and whose heading or block is gone. */
export async function reportBrokenLinks(
  kb: View,
  { limit = DEFAULT_LIMIT, cursor }: PageOptions = {},
): Promise<Listing<BrokenLink>> {
  const offset = parseCursor('broken_links', cursor)
  const { links, total: nowhere } = await kb.store.brokenLinks({ offset, limit })
  const anchors = await brokenAnchors(kb).now()
  const total = nowhere + anchors.length
  const records = await kb.store.documents(links.map(({ from }) => from))
  const items = links.flatMap(({ line, target }, index) => {
    const record = records[index]
    return record ? [{ from: documentId(record), line, target }] : []
  })
  const from = Math.max(0, offset - nowhere)
  const parts = anchors.slice(from, from + limit - links.length)
  const end = offset + links.length + parts.length
  return { items: [...items, ...parts], total, nextCursor: next('broken_links', end, total) }
}

export interface Coverage extends Listing<FileRecord> {
  readonly states: Readonly<Record<string, number>>
  /** What no record is kept of: files of other types, and what a rule leaves out. */
  readonly leftOut: readonly LeftOutCount[]
  /** Long files that are found by their beginning, while the rest of them is read. */
  readonly inPart: readonly { readonly id: string; readonly read: string }[]
}

export interface LeftOutCount {
  readonly by: 'type' | 'rule'
  /** `.png`, or the line of an ignore file and where it stands. */
  readonly what: string
  /** Files; a folder that is not entered counts as one. */
  readonly count: number
}

/** Files and what became of them; those that were left out first of all. */
export async function reportCoverage(
  kb: View,
  options: PageOptions & { readonly state?: FileRecord['state'] } = {},
): Promise<Coverage> {
  const { limit = DEFAULT_LIMIT, cursor, state } = options
  const question = ['coverage', state]
  const offset = parseCursor(question, cursor)
  const none = { offset: 0, limit: 0 }
  const states = {
    indexed: (await kb.store.listFiles({ state: 'indexed' }, none)).total,
    skipped: (await kb.store.listFiles({ state: 'skipped' }, none)).total,
    failed: (await kb.store.listFiles({ state: 'failed' }, none)).total,
  }
  const shown = state ?? (states.failed > 0 ? 'failed' : states.skipped > 0 ? 'skipped' : 'indexed')
  const { files, total } = await kb.store.listFiles({ state: shown }, { offset, limit })
  const nextCursor = next(question, offset + files.length, total)
  const leftOut = await countLeftOut(kb)
  return { items: files, total, states, leftOut, inPart: await listInPart(kb), nextCursor }
}

async function listInPart({ store }: View): Promise<Coverage['inPart']> {
  const page = { offset: 0, limit: -1 }
  const { documents } = await store.list({ types: GROWING_KINDS }, 'path', page)
  return documents.filter(isPart).map((record) => {
    const read = record.properties[READ_SO_FAR]
    return { id: documentId(record), read: `${typeof read === 'string' ? read : 'a part'} so far` }
  })
}

/** Counted by looking: an ignore file says something else as soon as it is saved. */
async function countLeftOut({ sources }: View): Promise<readonly LeftOutCount[]> {
  const counts = new Map<string, LeftOutCount>()
  const add = (by: LeftOutCount['by'], some: Readonly<Record<string, number>> = {}): void => {
    for (const [what, count] of Object.entries(some)) {
      const key = `${by} ${what}`
      counts.set(key, { by, what, count: (counts.get(key)?.count ?? 0) + count })
    }
  }
  for (const source of sources.values()) {
    // What a folder out of reach leaves out is not known.
    const scan = await source.scan().catch(() => undefined)
    add('type', scan?.leftOut?.types)
    add('rule', scan?.leftOut?.rules)
  }
  const sorted = [...counts.values()].toSorted(
    (a, b) => b.count - a.count || compareIds(a.what, b.what),
  )
  return [...largest(sorted, 'type'), ...largest(sorted, 'rule')]
}

/** A report has room for so many reasons of one kind; the rest is one figure. */
const LARGEST = 20

function largest(sorted: readonly LeftOutCount[], by: LeftOutCount['by']): LeftOutCount[] {
  const all = sorted.filter((each) => each.by === by)
  const rest = all.slice(LARGEST).reduce((sum, { count }) => sum + count, 0)
  const others = rest > 0 ? [{ by, what: 'others', count: rest }] : []
  return [...all.slice(0, LARGEST), ...others]
}

export async function reportTags(
  kb: View,
  { limit = DEFAULT_LIMIT }: { limit?: number } = {},
): Promise<readonly { readonly tag: string; readonly documents: number }[]> {
  return kb.store.tags(limit)
}

export interface DuplicateGroup {
  readonly digest: string
  readonly documents: readonly string[]
}

/** Files with the same bytes. */
export async function reportDuplicates(
  kb: View,
  options: PageOptions = {},
): Promise<Listing<DuplicateGroup>> {
  const groups = await kb.store.duplicates()
  return paged('duplicates', groups, options, async (page) => {
    const items: DuplicateGroup[] = []
    for (const { digest, nos } of page) {
      const paths = await kb.store.paths(nos)
      items.push({ digest, documents: paths.map(documentId) })
    }
    return items
  })
}

/** Something to read that nobody asked for. The same seed gives the same document. */
export async function pickRandom(
  kb: View,
  { seed = Math.random(), among }: { seed?: number; among?: ArrayLike<DocNo> } = {},
): Promise<DocumentRecord | undefined> {
  const docs = among ?? (await kb.store.pathOrder())
  const no = docs[Math.floor(spread(seed) * docs.length)]
  return no === undefined ? undefined : (await kb.store.documents([no]))[0]
}

/** Several, each once; the first is the one that the seed alone picks. */
export async function pickSeveral(
  kb: View,
  { seed = Math.random(), limit }: { seed?: number; limit: number },
): Promise<readonly DocumentRecord[]> {
  const docs = await kb.store.pathOrder()
  const picked = new Set<DocNo>()
  // Where most were picked already, the same are met again and again.
  for (let turn = 0; picked.size < Math.min(limit, docs.length) && turn < 20 * limit; turn++) {
    picked.add(docs[Math.floor(spread(seed + turn) * docs.length)]!)
  }
  const records = await kb.store.documents([...picked])
  return records.filter((record) => record !== undefined)
}

/** From 0 to 1. The sine of a seed beyond all measure is no number. */
function spread(seed: number): number {
  return Math.abs((Math.sin(seed * 12.9898 + 78.233) || 0) * 43_758.5453) % 1
}

async function paged<Part, Item>(
  question: string,
  all: readonly Part[],
  { limit = DEFAULT_LIMIT, cursor }: PageOptions,
  present: (page: readonly Part[]) => Promise<readonly Item[]>,
): Promise<Listing<Item>> {
  const { items, nextCursor } = pageOf(question, all, { limit, cursor })
  return { items: await present(items), total: all.length, nextCursor }
}

function next(question: unknown, end: number, total: number): string | undefined {
  return end < total ? makeCursor(question, end) : undefined
}
