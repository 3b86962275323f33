/**
 * What should be looked at again, and why: what says of itself that it is over, what another note
 * takes back, what names a version that is gone, what a file that it links to has left behind; then
 * all others, the oldest first.
 */
import { documentId } from '../../domain/document.ts'
import type { DocNo, DocumentRecord } from '../../domain/document.ts'
import { cutText } from '../../kit/cut-text.ts'
import { onePer } from '../../kit/one-per.ts'
import { isNotePath } from '../../kit/paths.ts'
import { inSlices, stepsInSlices } from '../../kit/slices.ts'
import type { Steps } from '../../kit/slices.ts'
import { DOCUMENT_ORDERS } from '../../store/document-orders.ts'
import { makeCursor, parseCursor } from '../reading/cursor.ts'
import { reviewOf, whyOver } from '../reading/when-of.ts'
import type { Over } from '../reading/when-of.ts'
import { derived } from '../view/derived.ts'
import type { ScopedLinks, View } from '../view/view.ts'
import type { GoneVersion } from './find-gone-versions.ts'
import type { Listing, PageOptions } from './report-insights.ts'

export interface StaleDocument {
  readonly record: DocumentRecord
  /** Undefined where nothing is known but its age. */
  readonly reason: StaleReason | undefined
}

/** Dates are milliseconds since the epoch. */
export type StaleReason =
  /** The id of what took its place; as it is written where that is no document. */
  | { readonly kind: 'superseded'; readonly by: string }
  | { readonly kind: 'status'; readonly status: string }
  | { readonly kind: 'until'; readonly at: number }
  | { readonly kind: 'review'; readonly at: number }
  /** A file that is no note changed a day or more after the note that links to it or names it. */
  | { readonly kind: 'changed'; readonly id: string; readonly at: number }
  /** It names a version that a manifest or another note says is gone. */
  | ({ readonly kind: 'version' } & GoneVersion)

const DEFAULT_LIMIT = 20

/** `now` decides what is over. Those with a reason come first, as the kinds above are ordered. */
export async function reportStale(
  kb: View,
  { limit = DEFAULT_LIMIT, cursor }: PageOptions = {},
  now = Date.now(),
): Promise<Listing<StaleDocument>> {
  const offset = parseCursor('stale', cursor)
  const known = await signsOf(kb).now()
  const found = known.flatMap((signs) => reasonNow(signs, now) ?? []).toSorted(inOrder)
  const first = found.slice(offset, offset + limit)
  const skip = Math.max(0, offset - found.length)
  const rest = await others(kb, found, { skip, limit: limit - first.length })
  const records = await kb.store.documents(first.map(({ record }) => record.no))
  const items = first.flatMap(({ reason }, place): StaleDocument[] => {
    const record = records[place]
    return record ? [{ record, reason }] : []
  })
  const end = offset + first.length + rest.items.length
  return {
    items: [...items, ...rest.items.map((record) => ({ record, reason: undefined }))],
    total: rest.total,
    nextCursor: end < rest.total ? makeCursor('stale', end) : undefined,
  }
}

/** As much of a document as says where it stands among others. */
type Placed = Pick<DocumentRecord, 'no' | 'source' | 'path' | 'updatedAt'>

interface Found {
  readonly record: Placed
  readonly reason: StaleReason
}

const KINDS: readonly StaleReason['kind'][] = [
  'superseded',
  'until',
  'status',
  'review',
  'version',
  'changed',
]

function inOrder(a: Found, b: Found): number {
  return (
    KINDS.indexOf(a.reason.kind) - KINDS.indexOf(b.reason.kind) || oldestFirst(a.record, b.record)
  )
}

function oldestFirst(a: Placed, b: Placed): number {
  return DOCUMENT_ORDERS.stale(a as DocumentRecord, b as DocumentRecord)
}

/**
 * A page of the documents without a reason, the oldest first. The index has them in one list with
 * the others, so the page begins later in it by as many as stand before it.
 */
async function others(
  kb: View,
  found: readonly Found[],
  { skip, limit }: { readonly skip: number; readonly limit: number },
): Promise<{ readonly items: readonly DocumentRecord[]; readonly total: number }> {
  const page = { offset: skip, limit: limit === 0 ? 0 : limit + found.length }
  const { documents, total } = await kb.store.list({}, 'stale', page)
  const [begin] = documents
  if (!begin) return { items: [], total }
  const before = found.filter(({ record }) => oldestFirst(record, begin) < 0).length
  const withReason = new Set(found.map(({ record }) => record.no))
  const plain = documents.filter(({ no }) => !withReason.has(no))
  return { items: plain.slice(before, before + limit), total }
}

/** What may make a document stale, now or on a day to come. */
interface Signs {
  readonly record: Placed
  readonly over: Over | undefined
  readonly reviewAt: number | undefined
  /** The id of a note that says of itself that it takes the place of this one. */
  readonly takenBackBy: string | undefined
  readonly changed: { readonly id: string; readonly at: number } | undefined
  readonly gone: GoneVersion | undefined
}

function reasonNow(signs: Signs, now: number): Found | undefined {
  const { record, over, reviewAt, takenBackBy, changed, gone } = signs
  const reason = ((): StaleReason | undefined => {
    if (takenBackBy !== undefined) return { kind: 'superseded', by: takenBackBy }
    if (over?.by !== undefined) return { kind: 'superseded', by: over.by }
    if (over?.until !== undefined && over.until <= now) return { kind: 'until', at: over.until }
    if (over?.status !== undefined) return { kind: 'status', status: over.status }
    if (reviewAt !== undefined && reviewAt <= now) return { kind: 'review', at: reviewAt }
    if (gone) return { kind: 'version', ...gone }
    return changed && { kind: 'changed', ...changed }
  })()
  return reason && { record, reason }
}

/** A report looks at so many documents, and names the reasons of so many. */
const MOST_DOCUMENTS = 50_000
const MOST_FOUND = 2_000
const AT_ONCE = 2_000
const LONGEST = 200

const signsOf = onePer((kb: View) =>
  derived(kb.base.store, { on: ['generation'], load: () => findSigns(kb) }),
)

async function findSigns(kb: View): Promise<readonly Signs[]> {
  const docs = [...(await kb.store.pathOrder())].slice(0, MOST_DOCUMENTS)
  const own = new Map<DocNo, Omit<Signs, 'takenBackBy' | 'changed' | 'gone'>>()
  for (let at = 0; at < docs.length; at += AT_ONCE) {
    const records = await kb.store.documents(docs.slice(at, at + AT_ONCE))
    await inSlices(records, (record) => {
      if (!record) return
      const { no, source, path, updatedAt } = record
      const over = whyOver(record)
      own.set(no, {
        record: { no, source, path, updatedAt },
        over: over && shortened(over),
        reviewAt: reviewOf(record),
      })
    })
  }
  const isFile = (doc: DocNo): boolean => {
    const known = own.get(doc)
    return known !== undefined && !isNotePath(known.record.path)
  }
  const { takenBack, files } = await stepsInSlices(tellingLinks(await kb.links(), isFile))
  // Loaded when it is asked for: it reads notes.
  const { findGoneVersions } = await import('./find-gone-versions.ts')
  const gone = await findGoneVersions(
    kb,
    new Map(Array.from(own, ([no, { record }]) => [no, record])),
  )
  const found: Signs[] = []
  await inSlices(own.values(), (each) => {
    if (found.length === MOST_FOUND) return
    const { no, updatedAt } = each.record
    const by = own.get(takenBack.get(no) ?? -1)?.record
    const linked = (files.get(no) ?? []).flatMap((file) => own.get(file)?.record ?? [])
    const changed = changedSince(updatedAt, linked)
    const takenBackBy = by && documentId(by)
    const version = gone.get(no)
    if (!each.over && each.reviewAt === undefined && !takenBackBy && !changed && !version) return
    found.push({ ...each, takenBackBy, changed, gone: version })
  })
  return found
}

function shortened({ by, status, ...rest }: Over): Over {
  return {
    ...rest,
    ...(by !== undefined && { by: cutText(by, LONGEST) }),
    ...(status !== undefined && { status: cutText(status, LONGEST) }),
  }
}

/** Files of a fresh copy differ by seconds, which says nothing. */
const DAY_MS = 86_400_000

function changedSince(since: number | undefined, files: readonly Placed[]): Signs['changed'] {
  if (since === undefined) return undefined
  let last: Signs['changed']
  for (const file of files) {
    const at = file.updatedAt
    if (at === undefined || at < since + DAY_MS || (last && last.at >= at)) continue
    last = { id: documentId(file), at }
  }
  return last
}

/** What notes say of others by the predicate of a link, and where they say it of themselves. */
const TAKES_BACK = /^(?:supersedes|replaces|obsoletes)$/i
const TAKEN_BACK = /^(?:superseded|replaced|obsoleted)[ _-]by$/i

/** Files that a document links to; of very many, the first. */
const MOST_FILES = 50

interface TellingLinks {
  readonly takenBack: ReadonlyMap<DocNo, DocNo>
  readonly files: ReadonlyMap<DocNo, readonly DocNo[]>
}

/** Which notes take back which, and which files documents link to or name. */
function* tellingLinks(
  { graph, docs, types, within: { exclude } }: ScopedLinks,
  isFile: (doc: DocNo) => boolean,
): Steps<TellingLinks> {
  const takenBack = new Map<DocNo, DocNo>()
  const files = new Map<DocNo, DocNo[]>()
  const { start, node, type } = graph.out
  for (let from = 0; from < graph.nodeCount; from++) {
    if (from % AT_ONCE === AT_ONCE - 1) yield
    if (exclude && exclude[from] !== 0) continue
    for (let edge = start[from]!; edge < start[from + 1]!; edge++) {
      const to = node[edge]!
      if (to === from || (exclude && exclude[to] !== 0)) continue
      const { kind, label = '' } = types[type[edge]!]!
      const [doc, end] = [docs[from]!, docs[to]!]
      if (kind === 'relation') {
        if (TAKES_BACK.test(label)) takenBack.set(end, doc)
        else if (TAKEN_BACK.test(label)) takenBack.set(doc, end)
      } else if (!isFile(doc) && isFile(end)) {
        const known = files.get(doc)
        if (!known) files.set(doc, [end])
        else if (known.length < MOST_FILES) known.push(end)
      }
    }
  }
  return { takenBack, files }
}
