/**
 * What does a batch change? Pure: a store looks up what it knows, asks here what has to happen, and
 * writes that down, all in one transaction. So every store draws the same conclusions.
 *
 * Documents come first; links are planned once the documents are in, because what a link means
 * depends on all names there are then.
 */
import type { DocNo } from '../domain/document.ts'
import { isRelation } from '../domain/text.ts'
import type { LinkKind } from '../domain/text.ts'
import type { Batch, NewDocument, NewLink } from './batch.ts'
import { pageNameOf } from './fold-names.ts'
import type { NamedDocument, ResolveLink } from './link-store.ts'

export interface Place {
  readonly source: string
  readonly path: string
}

/** A document as it is before the batch: as much of it as planning needs. */
export interface StoredDocument extends Place {
  readonly no: DocNo
  readonly title: string
  readonly pageName: string | undefined
  readonly names: readonly string[]
  readonly aliases: readonly string[]
  /** Folded, each once. */
  readonly tags: readonly string[]
  readonly segment: number | undefined
  readonly size: number
  readonly modifiedAt: number
}

export interface Before {
  /** The generation of the index before the batch. */
  readonly generation: number
  /** The documents with a number of the batch, and those at the paths of its new documents. */
  readonly documents: readonly StoredDocument[]
  /** What changed since the batch was begun, as `<source>/<path>`; undefined: nobody knows any more. */
  readonly changedSince: ReadonlySet<string> | undefined
}

export interface DocumentPlan {
  /** Those of the batch that are no older than the index. */
  readonly put: readonly NewDocument[]
  /** What leaves the index, earlier states of `put` included. */
  readonly gone: readonly StoredDocument[]
  readonly touch: NonNullable<Batch['touch']>
  readonly files: NonNullable<Batch['files']>
  readonly leftOut: readonly Place[]
  /** Names that came, went or may mean something else: links with these keys are resolved again. */
  readonly affected: ReadonlySet<string>
  /** Documents that are dead in the segments that hold them. */
  readonly deleted: ReadonlyMap<number, readonly DocNo[]>
  /** The same in the segment of this batch: it holds what was left out. */
  readonly stillborn: readonly DocNo[]
  readonly changes: readonly Change[]
  /** Whether documents came or went, by number. */
  readonly listChanged: boolean
  /** False when the batch only says that files are as they were. */
  readonly isNews: boolean
}

export interface Change extends Place {
  readonly kind: ChangeKind
  readonly no: DocNo
}

export type ChangeKind =
  | 'new'
  | 'put'
  | 'gone'
  /** A number that is no document any more; the path has another. */
  | 'renumbered'
  /** Its links lead elsewhere, because names of others changed. */
  | 'relinked'
  /** So many links that they are not named. */
  | 'links'
  /** So many documents that they are not named. */
  | 'many'

/** Whoever has not asked for this many generations is told that anything may have changed. */
export const CHANGES_KEPT = 500
/** A batch of more documents is not spelled out. */
export const CHANGES_NAMED = 1_000

export function planDocuments(batch: Batch, before: Before): DocumentPlan {
  const leftOut: Place[] = []
  const isNews = newsSince(batch, before, leftOut)
  const living = new Map(before.documents.map((document) => [document.no, document]))
  const byPlace = new Map(before.documents.map((document) => [placeKey(document), document]))
  const gone = new Map<DocNo, StoredDocument>()
  const affected = new Set<string>()
  const changes: Change[] = []
  let listChanged = false
  const take = (document: StoredDocument): void => {
    gone.set(document.no, document)
    living.delete(document.no)
  }

  requireDistinct(batch.put ?? [])
  const put = (batch.put ?? []).filter(isNews)
  const own = new Set(put.map(({ no }) => no))
  for (const no of batch.remove ?? []) {
    const old = living.get(no)
    // Gone already: there is nothing to overwrite.
    if (!old || !isNews(old)) continue
    take(old)
    for (const name of old.names) affected.add(name)
    changes.push(changeOf('gone', old))
    listChanged = true
  }
  for (const document of put) {
    const twin = byPlace.get(placeKey(document))
    // Whoever indexed the same new file first gave it another number.
    const isTwin = twin !== undefined && twin.no !== document.no
    if (isTwin && !own.has(twin.no) && living.has(twin.no)) {
      take(twin)
      for (const name of twin.names) affected.add(name)
      changes.push(changeOf('renumbered', twin))
    }
    const old = living.get(document.no)
    if (old) take(old)
    if (old && placeKey(old) !== placeKey(document)) {
      changes.push(changeOf('gone', old))
      listChanged = true
    }
    if (!old || !sameNames(old, document)) {
      for (const name of [...(old?.names ?? []), ...document.names]) affected.add(name)
    }
    listChanged ||= !old
    changes.push(changeOf(old || isTwin ? 'put' : 'new', document))
  }

  const touch = (batch.touch ?? []).filter(({ no }) => {
    const known = living.get(no)
    return known === undefined || isNews(known)
  })
  const touched = touch.some(({ no, size, modifiedAt }) => {
    const known = living.get(no)
    return known !== undefined && (known.size !== size || known.modifiedAt !== modifiedAt)
  })
  return {
    put,
    gone: [...gone.values()],
    touch,
    files: (batch.files ?? []).filter(isNews),
    leftOut,
    affected,
    deleted: bySegment(gone.values()),
    stillborn: (batch.put ?? []).map(({ no }) => no).filter((no) => !own.has(no)),
    changes,
    listChanged,
    isNews: touched || !isOnlyLook(batch),
  }
}

/**
 * Tells files that nobody else put into the index since the batch was begun from the others. A
 * batch too large to be named is one of the lease holder's own, and those come one by one.
 */
function newsSince(
  { asOf }: Batch,
  { generation, changedSince }: Before,
  leftOut: Place[],
): (file: Place) => boolean {
  if (asOf === undefined || asOf === generation) return () => true
  return ({ source, path }) => {
    if (changedSince && !changedSince.has(`${source}/${path}`)) return true
    leftOut.push({ source, path })
    return false
  }
}

/** Whoever gathers a batch has made a mistake; nothing of it may be kept. */
function requireDistinct(put: readonly NewDocument[]): void {
  if (put.length < 2) return
  const numbers = new Set(put.map(({ no }) => no))
  const places = new Set(put.map(placeKey))
  if (numbers.size < put.length || places.size < put.length) {
    throw new Error('A batch puts the same document twice.')
  }
}

/** Whether a batch says nothing but that files are as they were. */
function isOnlyLook({ put, remove, files, forget, segment, merge }: Batch): boolean {
  const lists = [put, remove, files, forget]
  return lists.every((list = []) => list.length === 0) && !segment && !merge
}

function sameNames(old: StoredDocument, next: NewDocument): boolean {
  return (
    old.title === next.title &&
    old.pageName === pageNameOf(next.properties) &&
    sameList(old.names, next.names) &&
    sameList(old.aliases, next.aliases)
  )
}

function sameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((each, index) => each === b[index])
}

function bySegment(documents: Iterable<StoredDocument>): Map<number, DocNo[]> {
  const deleted = new Map<number, DocNo[]>()
  for (const { no, segment } of documents) {
    if (segment === undefined) continue
    const nos = deleted.get(segment)
    if (nos) nos.push(no)
    else deleted.set(segment, [no])
  }
  return deleted
}

function placeKey({ source, path }: Place): string {
  return `${source}\n${path}`
}

function changeOf(kind: ChangeKind, { no, source, path }: Place & { no: DocNo }): Change {
  return { kind, no, source, path }
}

/** A link of a document that is not in the batch. */
export interface StoredLink extends Place {
  readonly doc: DocNo
  readonly ordinal: number
  readonly kind: LinkKind
  readonly target: string
  readonly key: string
  readonly to: DocNo | undefined
}

export interface LinksBefore {
  readonly put: readonly NewDocument[]
  /** Links of all other documents with an affected key. */
  readonly others: readonly StoredLink[]
  /** Where the links of `put` led before, as `linkEnds` tells; undefined: surely elsewhere. */
  readonly ends: ReadonlyMap<DocNo, string> | undefined
  /** Documents by the keys they are known under, in the order of source and path. */
  readonly candidates: (key: string) => readonly NamedDocument[]
}

export interface LinkPlan {
  readonly insert: readonly PlannedLink[]
  /** Links of other documents that mean something else now. */
  readonly healed: readonly { doc: DocNo; ordinal: number; to: DocNo | undefined }[]
  /** Documents the healed links are in. */
  readonly relinked: readonly (Place & { readonly no: DocNo })[]
  readonly graphChanged: boolean
}

export interface PlannedLink extends NewLink {
  readonly doc: DocNo
  readonly ordinal: number
  readonly to: DocNo | undefined
}

export function planLinks(
  { put, others, ends, candidates }: LinksBefore,
  resolve: ResolveLink,
): LinkPlan {
  const insert: PlannedLink[] = []
  let graphChanged = ends === undefined
  for (const document of put) {
    const links = document.links.map((link, ordinal) => {
      const to = resolve(link, document, candidates(link.key))
      return { ...link, doc: document.no, ordinal, to }
    })
    insert.push(...links)
    graphChanged ||= linkEnds(links) !== (ends?.get(document.no) ?? '')
  }
  const healed: { doc: DocNo; ordinal: number; to: DocNo | undefined }[] = []
  const relinked = new Map<DocNo, Place & { no: DocNo }>()
  for (const { doc, ordinal, kind, target, key, to: before, source, path } of others) {
    const to = resolve({ kind, target }, { source, path }, candidates(key))
    if (to === before) continue
    healed.push({ doc, ordinal, to })
    relinked.set(doc, { no: doc, source, path })
  }
  graphChanged ||= healed.length > 0
  const inOrder = [...relinked.values()].toSorted((a, b) => a.no - b.no)
  return { insert, healed, relinked: inOrder, graphChanged }
}

/** Where a document's links lead, to compare before and after. */
export function linkEnds(
  links: Iterable<{ kind: LinkKind; to: DocNo | undefined; label?: string | undefined }>,
): string {
  const ends = new Set<string>()
  for (const { kind, to, label } of links) {
    // Of a relation it also counts what it says.
    if (to !== undefined) ends.add(isRelation(kind) ? `${kind} ${to} ${label}` : `${kind} ${to}`)
  }
  return [...ends].toSorted().join('\n')
}

/**
 * What is remembered of a batch. What a writer changed is always named: whoever indexes must not put
 * an older state back.
 */
export function namedChanges(
  documents: readonly Change[],
  { relinked }: Pick<LinkPlan, 'relinked'>,
  byWriter: boolean,
): readonly Change[] {
  const nothing = { no: -1, source: '', path: '' }
  if (documents.length > CHANGES_NAMED && !byWriter) return [{ kind: 'many', ...nothing }]
  const links: readonly Change[] =
    relinked.length > CHANGES_NAMED
      ? [{ kind: 'links', ...nothing }]
      : relinked.map((each) => ({ kind: 'relinked', ...each }))
  return [...documents, ...links]
}
