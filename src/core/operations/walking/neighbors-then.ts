/**
 * Breadth-first search in the graph of another day: links of what has changed since are read from
 * its text of then and resolved among the names of then, all others are those of the index.
 * Loaded by who asks for it.
 */
import { compareIds, documentId } from '../../domain/document.ts'
import type { DocNo, DocumentRecord, LinkRecord } from '../../domain/document.ts'
import { invalid, KnowledgeError } from '../../domain/error.ts'
import { isRelation } from '../../domain/text.ts'
import { foldName } from '../../kit/fold-name.ts'
import { Slices } from '../../kit/slices.ts'
import { documentNames, linkKey, nameKey } from '../../indexing/link-names.ts'
import { resolveLink } from '../../indexing/resolve-link.ts'
import { foldPath, pageNameOf } from '../../store/fold-names.ts'
import type { NamedDocument, NewDocument, NewLink } from '../../store/store.ts'
import type { EdgeType } from '../../store/link-store.ts'
import { notYet, openBaseThen } from '../reading/base-then.ts'
import type { BaseThen } from '../reading/base-then.ts'
import { makeCursor, parseCursor } from '../reading/cursor.ts'
import { readDocuments } from '../reading/read-document.ts'
import { resolveDocument } from '../reading/resolve-document.ts'
import { edgeTypes, parseEdgeTypes } from '../view/edge-types.ts'
import type { EdgeChoice } from '../view/edge-types.ts'
import type { View } from '../view/view.ts'
import { momentOf, notThere } from '../writing/past-versions.ts'
import type { NeighborDocument, Neighborhood, NeighborsOptions } from './get-neighbors.ts'

/** Of documents that changed since, so many are read as they stood. */
const CHANGED_SINCE = 300
/** Of links that lead nowhere now, so many are looked at: they may have led somewhere then. */
const MOST_DEAD_ENDS = 50_000
const DEAD_ENDS_AT_ONCE = 2_000
/** So many documents are walked over. */
const MOST_REACHED = 2_000
/** Whoever has gone waits for so many documents at most. */
const READ_AT_ONCE = 200

export interface ThenWalk extends NeighborsOptions {
  readonly asOf: string
  readonly signal?: AbortSignal | undefined
}

export async function getNeighborsThen(
  kb: View,
  id: string,
  { asOf, signal, direction = 'both', depth = 1, limit = 20, cursor, types }: ThenWalk,
): Promise<Neighborhood> {
  const chosen = types?.length ? parseEdgeTypes(types) : undefined
  if (chosen?.kinds.includes('mention')) {
    throw invalid('as_of and MENTIONS do not go together.', 'Names in prose are read as it is now.')
  }
  const moment = momentOf(asOf.trim())
  const question = ['neighbors', id, direction, depth, types, asOf]
  const offset = parseCursor(question, cursor)
  const then = await openBaseThen(kb, moment, asOf, { most: CHANGED_SINCE, signal })
  const graph = await openGraphThen(kb, then, { chosen, signal })
  const origin = await originOf(kb, id, graph)
  if (await graph.isAbsent(origin.no)) throw notThere(origin, asOf)
  const { found, isCut } = await walk(graph, origin.no, { direction, depth, signal })
  const reached = [...found.values()].toSorted(
    (a, b) => a.hops - b.hops || compareIds(documentId(a.record), documentId(b.record)),
  )
  const page = reached.slice(offset, offset + limit)
  const named = new Map([[origin.no, documentId(origin)], ...reached.map(nameOfReached)])
  const shown = new Set([origin.no, ...page.map(({ record }) => record.no)])
  const edges = []
  for (const from of shown) {
    signal?.throwIfAborted()
    for (const [to, kinds] of await graph.out(from)) {
      if (!shown.has(to)) continue
      edges.push({ from: named.get(from)!, to: named.get(to)!, types: unlessPlain(kinds) })
    }
  }
  const end = offset + page.length
  return {
    id: documentId(origin),
    title: origin.title,
    exists: true,
    neighbors: page.map((each): NeighborDocument => ({
      id: documentId(each.record),
      title: each.record.title,
      hops: each.hops,
      direction: each.direction,
      types: unlessPlain(each.types),
      through: each.through.map((no) => named.get(no)!),
    })),
    total: reached.length,
    edges,
    unresolved: await graph.deadEnds(origin.no),
    nextCursor: end < reached.length ? makeCursor(question, end) : undefined,
    notes: notesOn(then, graph.unknown, isCut),
  }
}

function notesOn({ moment, more }: BaseThen, unknown: number, isCut: boolean): readonly string[] {
  const day = new Date(moment).toISOString().slice(0, 16).replace('T', ' ')
  return [
    `As of ${day} UTC.`,
    ...(unknown > 0
      ? [`What ${unknown} notes that changed since said then is not known; their links are as now.`]
      : []),
    ...(more ? [`More than ${CHANGED_SINCE} notes changed since; the newest count.`] : []),
    ...(isCut ? [`Only the first ${MOST_REACHED} documents were walked over.`] : []),
  ]
}

function unlessPlain(links: readonly EdgeType[]): readonly string[] | undefined {
  const types = edgeTypes(links)
  return types.some((type) => type !== 'LINKS_TO') ? types : undefined
}

interface Reached {
  readonly record: DocumentRecord
  readonly hops: number
  readonly direction: 'in' | 'out' | 'both'
  readonly types: readonly EdgeType[]
  /** Between it and the origin, both left out. */
  readonly through: readonly DocNo[]
}

function nameOfReached({ record }: Reached): [DocNo, string] {
  return [record.no, documentId(record)]
}

async function walk(
  graph: GraphThen,
  origin: DocNo,
  {
    direction,
    depth,
    signal,
  }: Required<Pick<ThenWalk, 'direction' | 'depth'>> & Pick<ThenWalk, 'signal'>,
): Promise<{ readonly found: ReadonlyMap<DocNo, Reached>; readonly isCut: boolean }> {
  const found = new Map<DocNo, Reached>()
  let level: DocNo[] = [origin]
  for (let hops = 1; hops <= depth && level.length > 0; hops++) {
    const next: DocNo[] = []
    for (const at of level) {
      signal?.throwIfAborted()
      const out = direction === 'in' ? NO_LINKS : await graph.out(at)
      const into = direction === 'out' ? NO_LINKS : await graph.into(at)
      const ends = [...new Set([...out.keys(), ...into.keys()])].filter(
        (end) => end !== origin && !found.has(end),
      )
      const before = found.get(at)
      const through = before ? [...before.through, at] : []
      for (let first = 0; first < ends.length; first += READ_AT_ONCE) {
        signal?.throwIfAborted()
        for (const record of await graph.records(ends.slice(first, first + READ_AT_ONCE))) {
          const [there, back] = [out.get(record.no), into.get(record.no)]
          found.set(record.no, {
            record,
            hops,
            direction: there && back ? 'both' : there ? 'out' : 'in',
            types: [...(there ?? []), ...(back ?? [])],
            through,
          })
          next.push(record.no)
          if (found.size === MOST_REACHED) return { found, isCut: true }
        }
      }
    }
    level = next
  }
  return { found, isCut: false }
}

type Ends = ReadonlyMap<DocNo, readonly EdgeType[]>
const NO_LINKS: Ends = new Map()

interface GraphThen {
  /** Changed documents that count as they are now. */
  readonly unknown: number
  out(doc: DocNo): Promise<Ends>
  into(doc: DocNo): Promise<Ends>
  /** Of those that were there, as they stood. */
  records(docs: readonly DocNo[]): Promise<readonly DocumentRecord[]>
  isAbsent(doc: DocNo): Promise<boolean>
  deadEnds(doc: DocNo): Promise<readonly string[]>
  /** What is gone by now, or had this name only then. */
  named(name: string): DocumentRecord | undefined
}

async function openGraphThen(
  kb: View,
  then: BaseThen,
  { chosen, signal }: { readonly chosen: EdgeChoice | undefined } & Pick<ThenWalk, 'signal'>,
): Promise<GraphThen> {
  const { stood, absent, unknown } = await readChanged(kb, then)
  const names = new NamesThen(kb, stood, absent)
  const changed = new Map<DocNo, { readonly ends: Ends; readonly deadEnds: readonly string[] }>()
  const slices = new Slices()
  for (const [no, record] of stood) {
    const ends = new Map<DocNo, EdgeType[]>()
    const deadEnds: string[] = []
    for (const link of record.links) {
      signal?.throwIfAborted()
      if (slices.over) await slices.pause()
      const to = await names.resolve(link, record)
      if (to === undefined && !link.attachment) deadEnds.push(link.target)
      if (to !== undefined && to !== no) putTo(ends, to, typeOf(link))
    }
    changed.set(no, { ends, deadEnds: [...new Set(deadEnds)] })
  }
  // What leads nowhere now may have led to what is gone.
  const revived = new Map<DocNo, LinkRecord[]>()
  const revivedTo = new Map<DocNo, LinkRecord[]>()
  for await (const link of deadLinks(kb, names.isEmpty)) {
    signal?.throwIfAborted()
    if (stood.has(link.from) || absent.has(link.from)) continue
    if (slices.over) await slices.pause()
    const to = await names.resolveAmongThen(link)
    if (to === undefined) continue
    putTo(revived, link.from, { ...link, to })
    putTo(revivedTo, to, { ...link, to })
  }
  const isMeant = ({ kind, label = '' }: EdgeType): boolean => {
    if (!chosen) return true
    const isLabelled = chosen.labels.length === 0 || chosen.labels.includes(label)
    return chosen.kinds.includes(kind) && (kind !== 'relation' || isLabelled)
  }
  const graph: GraphThen = {
    unknown,
    async out(doc) {
      const known = changed.get(doc)
      if (known) return only(known.ends, isMeant)
      if (absent.has(doc) || doc < 0) return NO_LINKS
      const links = [...(await kb.store.linksFrom(doc)), ...(revived.get(doc) ?? [])]
      return grouped(
        links,
        ({ to }) => (to === doc || absent.has(to ?? doc) ? undefined : to),
        isMeant,
      )
    },
    async into(doc) {
      const now = doc < 0 ? [] : await kb.store.linksTo(doc)
      const back = revivedTo.get(doc) ?? []
      const isAsNow = (from: DocNo): boolean =>
        from !== doc && !changed.has(from) && !absent.has(from)
      const ends = grouped(
        [...now, ...back],
        ({ from }) => (isAsNow(from) ? from : undefined),
        isMeant,
      )
      for (const [from, known] of changed) {
        const links = known.ends.get(doc)?.filter(isMeant) ?? []
        if (links.length > 0) ends.set(from, links)
      }
      return ends
    },
    async records(docs) {
      const now = docs.filter((doc) => doc >= 0 && !stood.has(doc) && !absent.has(doc))
      const found = new Map(
        (await kb.store.documents(now)).flatMap((record) => (record ? [[record.no, record]] : [])),
      )
      return docs.flatMap((doc) => {
        const record = stood.get(doc) ?? found.get(doc)
        return record && !notYet(record, then.moment) ? [record] : []
      })
    },
    async isAbsent(doc) {
      return (await graph.records([doc])).length === 0
    },
    async deadEnds(doc) {
      return changed.get(doc)?.deadEnds ?? (doc < 0 ? [] : kb.store.deadEnds(doc, 50))
    },
    named: (name) => names.named(name),
  }
  return graph
}

function putTo<Item>(lists: Map<DocNo, Item[]>, doc: DocNo, item: Item): void {
  const known = lists.get(doc)
  if (known) known.push(item)
  else lists.set(doc, [item])
}

/** The label of a plain link is what it shows. */
function typeOf({ kind, label }: Pick<NewLink, 'kind' | 'label'>): EdgeType {
  return isRelation(kind) ? { kind: 'relation', label: label ?? '' } : { kind }
}

function only(ends: Ends, isMeant: (link: EdgeType) => boolean): Ends {
  return new Map(
    [...ends].flatMap(([to, links]) => {
      const some = links.filter(isMeant)
      return some.length > 0 ? [[to, some] as const] : []
    }),
  )
}

function grouped(
  links: readonly LinkRecord[],
  endOf: (link: LinkRecord) => DocNo | undefined,
  isMeant: (link: EdgeType) => boolean,
): Map<DocNo, readonly EdgeType[]> {
  const ends = new Map<DocNo, readonly EdgeType[]>()
  for (const link of links) {
    const end = endOf(link)
    const type = typeOf(link)
    if (end !== undefined && isMeant(type)) ends.set(end, [...(ends.get(end) ?? []), type])
  }
  return ends
}

/** What has changed since, as it stood; what is gone has a number below zero. */
async function readChanged(kb: View, then: BaseThen) {
  const stood = new Map<DocNo, NewDocument>()
  const absent = new Set<DocNo>()
  let unknown = 0
  const slices = new Slices()
  let gone = 0
  const lives = await readDocuments(kb, then.changed)
  for await (const { now, was } of then.read([...lives, ...then.gone])) {
    if (slices.over) await slices.pause()
    const no = now ? now.record.no : -1 - gone++
    if (was === 'absent') absent.add(no)
    else if (was === 'unknown') unknown++
    else if (isDescribed(was.record)) stood.set(no, { ...was.record, no })
  }
  return { stood, absent, unknown }
}

/** Read anew from a text of then; whatever stands as it stood is the record of the index. */
function isDescribed(record: DocumentRecord): record is NewDocument {
  return 'links' in record
}

/** Names as they were: those of now, but for what was called otherwise then or was not there. */
class NamesThen {
  readonly #kb: View
  readonly #isOther: (doc: DocNo) => boolean
  readonly #then = new Map<string, NamedDocument[]>()
  readonly #records: readonly DocumentRecord[]

  constructor(kb: View, stood: ReadonlyMap<DocNo, NewDocument>, absent: ReadonlySet<DocNo>) {
    this.#kb = kb
    this.#isOther = (doc) => stood.has(doc) || absent.has(doc)
    this.#records = [...stood.values()]
    for (const record of this.#records) {
      const named = namedAs(record)
      for (const name of documentNames(record)) {
        const known = this.#then.get(name)
        if (known) known.push(named)
        else this.#then.set(name, [named])
      }
    }
  }

  get isEmpty(): boolean {
    return this.#then.size === 0
  }

  async resolve(
    link: Pick<LinkRecord, 'kind' | 'target'>,
    from: { readonly source: string; readonly path: string },
  ): Promise<DocNo | undefined> {
    const key = linkKey(link)
    if (key === undefined) return undefined
    const now = (await this.#kb.store.named([key])).filter(({ no }) => !this.#isOther(no))
    return resolveLink(link, from, [...(this.#then.get(key) ?? []), ...now])
  }

  async resolveAmongThen(link: LinkRecord): Promise<DocNo | undefined> {
    const key = linkKey(link)
    const named = key === undefined ? undefined : this.#then.get(key)
    if (!named) return undefined
    const [from] = await this.#kb.store.paths([link.from])
    return from && resolveLink(link, from, named)
  }

  named(name: string): DocumentRecord | undefined {
    const wanted = foldName(name.trim().replace(/\.md$/i, ''))
    const paths = ({ source, path }: DocumentRecord): string[] =>
      [path, `${source}/${path}`].map((each) => foldName(each.replace(/\.md$/i, '')))
    const key = nameKey(name)
    return (
      this.#records.find((record) => paths(record).includes(wanted)) ??
      this.#records.find((record) => documentNames(record).includes(key))
    )
  }
}

function namedAs(record: DocumentRecord): NamedDocument {
  const { no, source, path, title, aliases, properties, symbols } = record
  const pageName = pageNameOf(properties)
  const foldedPath = foldPath(path)
  return { no, source, path, foldedPath, title, aliases, pageName, ...(symbols && { symbols }) }
}

async function* deadLinks(kb: View, none: boolean): AsyncGenerator<LinkRecord> {
  if (none) return
  for (let offset = 0; offset < MOST_DEAD_ENDS; offset += DEAD_ENDS_AT_ONCE) {
    const { links } = await kb.store.brokenLinks({ offset, limit: DEAD_ENDS_AT_ONCE })
    yield* links
    if (links.length < DEAD_ENDS_AT_ONCE) return
  }
}

/** What is gone by now was there then. */
async function originOf(kb: View, id: string, graph: GraphThen): Promise<DocumentRecord> {
  try {
    return await resolveDocument(kb, id)
  } catch (error) {
    const isMissing = error instanceof KnowledgeError && error.code === 'not_found'
    const gone = isMissing ? graph.named(id) : undefined
    if (gone) return gone
    throw error
  }
}
