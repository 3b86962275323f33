/**
 * Where do links lead for someone who sees a part of the base? The index resolves every link among
 * all documents, and a hidden one may take the place of one that is seen: the link to it would lead
 * nowhere, and tell that somebody is there. So links that lead out of what is seen are resolved once
 * more, among what is seen. There are few of them; all others mean what they mean to everybody: who
 * is first among all is first among some.
 */
import type { DocNo, LinkRecord } from '../../domain/document.ts'
import { Slices, stepsInSlices } from '../../kit/slices.ts'
import { isRelation } from '../../domain/text.ts'
import type { LinkKind } from '../../domain/text.ts'
import { patchSteps } from '../../graph/graph.ts'
import { documentNames, linkKey } from '../../indexing/link-names.ts'
import { resolveLink } from '../../indexing/resolve-link.ts'
import type { NamedDocument, Stamps } from '../../store/store.ts'
import { codeFilesOf } from './code-files.ts'
import type { Derived, DerivedOptions } from './derived.ts'
import type { Knowledge } from './knowledge.ts'
import { numberOf } from './link-graph.ts'
import type { LinkGraph } from './link-graph.ts'
import type { VisibleDocuments } from './visible-places.ts'

/** The links that lead elsewhere than for someone who sees everything. */
export interface Relinked {
  /** Where such a link leads. */
  to(link: Pick<LinkRecord, 'from' | 'kind' | 'target'>): DocNo | undefined
  /** Who has such links to a document. */
  sources(doc: DocNo): ReadonlySet<DocNo>
  readonly links: readonly LinkRecord[]
}

type Base = Pick<Knowledge, 'store' | 'index' | 'sources'>

/** A link that leads to nobody who is seen, and the name that others may have too. */
interface CutLink {
  readonly link: LinkRecord
  readonly key: string
}

interface Known extends Relinked {
  readonly cut: ReadonlyMap<DocNo, readonly CutLink[]>
  /** Who has a name that a cut link has, among what is seen; and all names they have. */
  readonly named: ReadonlyMap<string, readonly NamedDocument[]>
  readonly namesOf: ReadonlyMap<DocNo, readonly string[]>
}

/** What several have means none of them: there a hidden one may make a name mean nothing. */
const SHARED_NAMES: readonly LinkKind[] = ['mention', 'import', 'exercises']

/** Names looked up at a time, and documents whose change is followed instead of looking at all. */
const AT_ONCE = 500
/** Documents whose links are asked for at a time. */
const DOCS_AT_ONCE = 20

/** How they are found and kept up to date, for `derived`. */
export function relinkedAmong(
  base: Base,
  seen: Derived<VisibleDocuments>,
): DerivedOptions<Relinked> {
  const { store } = base
  const holdsCode = async (stamps: Stamps): Promise<boolean> =>
    [...base.sources.values()].some((source) => source.holdsCode) ||
    (await codeFilesOf(store).at(stamps)).length > 0
  const load = async (stamps: Stamps): Promise<Known> => {
    const set = await seen.at(stamps)
    const hidden = (await holdsCode(stamps)) ? await hiddenNames(base, set) : NOBODY
    const docs = [...leavingDocs(await (await base.index.look()).links(), set), ...hidden.docs]
    const cut = await cutLinks(base, set, new Set(docs), hidden.keys)
    return resolved(base, cut, await lookUp(base, set, keysOf(cut.values())))
  }
  return {
    on: ['graph'],
    load,
    async follow(last, { generation }, stamps) {
      const before = last as Known
      const { unnamed, putDocs, goneDocs, relinkedDocs } = await store.changesSince(generation)
      const changed = new Set([...putDocs, ...(relinkedDocs ?? [])])
      if (unnamed || !relinkedDocs || changed.size > AT_ONCE) return undefined
      if (await holdsCode(stamps)) return undefined
      const set = await seen.at(stamps)
      const cut = new Map(before.cut)
      for (const doc of [...changed, ...goneDocs]) cut.delete(doc)
      for (const [doc, links] of await cutLinks(base, set, changed, NOBODY.keys))
        cut.set(doc, links)
      // Names that came or went, and those that nobody has asked for yet.
      const stale = new Set(
        [...putDocs, ...goneDocs].flatMap((doc) => before.namesOf.get(doc) ?? []),
      )
      for (const record of await store.documents(putDocs)) {
        if (record) for (const name of documentNames(record)) stale.add(name)
      }
      const wanted = keysOf(cut.values())
      const asked = [...wanted].filter((key) => stale.has(key) || !before.named.has(key))
      const found = await lookUp(base, set, new Set(asked))
      const named = new Map(
        [...wanted].map((key) => [key, found.named.get(key) ?? before.named.get(key) ?? []]),
      )
      const namesOf = new Map([...before.namesOf, ...found.namesOf])
      return resolved(base, cut, { named, namesOf })
    },
  }
}

/** The graph of links as it is among what is seen. */
export async function relinkGraph(graph: LinkGraph, { links }: Relinked): Promise<LinkGraph> {
  const rows = new Map<number, { to: number[]; type: number[] }>()
  const { out } = graph.graph
  for (const { from, to, kind, label } of links) {
    const [node, end] = [graph.nodeOf(from), graph.nodeOf(to!)]
    const type = isRelation(kind)
      ? numberOf(graph.types, { kind: 'relation', label: label ?? '' })
      : numberOf(graph.types, { kind })
    if (node === undefined || end === undefined || type < 0) continue
    let row = rows.get(node)
    if (!row) {
      const [first, last] = [out.start[node]!, out.start[node + 1]!]
      row = { to: [...out.node.subarray(first, last)], type: [...out.type.subarray(first, last)] }
      rows.set(node, row)
    }
    row.to.push(end)
    row.type.push(type)
  }
  if (rows.size === 0) return graph
  return { ...graph, graph: await stepsInSlices(patchSteps(graph.graph, rows)) }
}

interface Hidden {
  readonly keys: ReadonlySet<string>
  /** Documents that are seen and have such a name in a link. */
  readonly docs: readonly DocNo[]
}

const NOBODY: Hidden = { keys: new Set(), docs: [] }

/** Names of files, as links mention them, that somebody has who is not seen. */
async function hiddenNames({ store }: Base, seen: VisibleDocuments): Promise<Hidden> {
  const docs = new Map<string, Set<DocNo>>()
  for (const kind of SHARED_NAMES) {
    for (const { from, target } of await store.linkTargets([kind])) {
      const key = seen.has(from) ? linkKey({ kind, target }) : undefined
      if (key !== undefined) docs.set(key, (docs.get(key) ?? new Set()).add(from))
    }
  }
  const keys = new Set<string>()
  for (const some of inChunks([...docs.keys()])) {
    const others = (await store.named(some)).filter(({ no }) => !seen.has(no))
    for (const record of await store.documents(others.map(({ no }) => no))) {
      for (const name of record ? documentNames(record) : []) if (docs.has(name)) keys.add(name)
    }
  }
  return { keys, docs: [...keys].flatMap((key) => [...docs.get(key)!]) }
}

/** Documents that are seen, with a link to one that is not. */
function leavingDocs({ graph, docs }: LinkGraph, seen: VisibleDocuments): readonly DocNo[] {
  const { start, node } = graph.out
  const isSeen = Uint8Array.from(docs, (doc) => (seen.has(doc) ? 1 : 0))
  const leaving: DocNo[] = []
  for (let from = 0; from < docs.length; from++) {
    if (!isSeen[from]) continue
    for (let at = start[from]!; at < start[from + 1]!; at++) {
      if (isSeen[node[at]!]) continue
      leaving.push(docs[from]!)
      break
    }
  }
  return leaving
}

async function cutLinks(
  { store }: Base,
  seen: VisibleDocuments,
  docs: ReadonlySet<DocNo>,
  shared: ReadonlySet<string>,
): Promise<Map<DocNo, readonly CutLink[]>> {
  const cut = new Map<DocNo, readonly CutLink[]>()
  const visible = [...docs].filter((doc) => seen.has(doc))
  for (let at = 0; at < visible.length; at += DOCS_AT_ONCE) {
    const some = visible.slice(at, at + DOCS_AT_ONCE)
    const links = await Promise.all(some.map((doc) => store.linksFrom(doc)))
    for (const [place, doc] of some.entries()) {
      const found = links[place]!.flatMap((link): CutLink[] => {
        if (link.to !== undefined && seen.has(link.to)) return []
        const key = linkKey(link)
        if (key === undefined || (link.to === undefined && !shared.has(key))) return []
        return [{ link, key }]
      })
      if (found.length > 0) cut.set(doc, found)
    }
  }
  return cut
}

function keysOf(all: Iterable<readonly CutLink[]>): Set<string> {
  const keys = new Set<string>()
  for (const links of all) for (const { key } of links) keys.add(key)
  return keys
}

/** Who has each of these names, of those who are seen. */
async function lookUp({ store }: Base, seen: VisibleDocuments, keys: ReadonlySet<string>) {
  const named = new Map<string, NamedDocument[]>([...keys].map((key) => [key, []]))
  const namesOf = new Map<DocNo, readonly string[]>()
  for (const some of inChunks([...keys])) {
    const found = (await store.named(some)).filter(({ no }) => seen.has(no))
    const records = await store.documents(found.map(({ no }) => no))
    for (const [place, record] of records.entries()) {
      const names = record ? documentNames(record) : []
      namesOf.set(found[place]!.no, names)
      for (const name of names) if (some.includes(name)) named.get(name)?.push(found[place]!)
    }
  }
  return { named, namesOf }
}

function* inChunks(keys: readonly string[]): Generator<readonly string[]> {
  for (let at = 0; at < keys.length; at += AT_ONCE) yield keys.slice(at, at + AT_ONCE)
}

async function resolved(
  { store }: Base,
  cut: Known['cut'],
  { named, namesOf }: Pick<Known, 'named' | 'namesOf'>,
): Promise<Known> {
  const places = await store.paths([...cut.keys()])
  const ends = new Map<DocNo, Map<string, DocNo>>()
  const sources = new Map<DocNo, Set<DocNo>>()
  const links: LinkRecord[] = []
  const slices = new Slices()
  for (const [place, [doc, own]] of [...cut].entries()) {
    for (const { link, key } of own) {
      if (slices.over) await slices.pause()
      const to = resolveLink(link, places[place]!, named.get(key) ?? [])
      if (to === undefined) continue
      links.push({ ...link, to })
      ends.set(doc, (ends.get(doc) ?? new Map()).set(asWritten(link), to))
      sources.set(to, (sources.get(to) ?? new Set()).add(doc))
    }
  }
  return {
    to: (link) => ends.get(link.from)?.get(asWritten(link)),
    sources: (doc) => sources.get(doc) ?? NO_DOCS,
    links,
    cut,
    named,
    namesOf,
  }
}

const NO_DOCS: ReadonlySet<DocNo> = new Set()

/** Two links of one document that are written alike mean the same. */
function asWritten({ kind, target }: Pick<LinkRecord, 'kind' | 'target'>): string {
  return `${kind} ${target}`
}
