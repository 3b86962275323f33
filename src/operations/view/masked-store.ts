/**
 * What the store tells someone who does not see everything. A document that is not seen is not
 * there: not by number, not by name, not in a count, not at the end of a link.
 */
import { mayBreak } from '../../domain/text.ts'
import { foldTag } from '../../domain/fold-name.ts'
import { parsePlace } from '../../domain/document.ts'
import type { DocNo, LinkRecord, Place } from '../../domain/document.ts'
import type { DocSet } from '../../search/contract.ts'
import type { Counts, Store } from '../../store/store.ts'

/** The part of the store that answers questions. Operations have no other. */
export type ReadableStore = Pick<
  Store,
  | 'stamps'
  | 'changesSince'
  | 'files'
  | 'listFiles'
  | 'documents'
  | 'findByPath'
  | 'findByPathFolded'
  | 'named'
  | 'namesLike'
  | 'matching'
  | 'list'
  | 'chunksOf'
  | 'warnings'
  | 'tags'
  | 'linksFrom'
  | 'linksTo'
  | 'linksBetween'
  | 'brokenLinks'
  | 'edges'
  | 'linkTargets'
  | 'pathOrder'
  | 'paths'
  | 'duplicates'
  | 'counts'
>

export interface Mask {
  readonly sees: (place: Place) => boolean
  readonly seen: () => Promise<DocSet>
}

const ALL = { offset: 0, limit: -1 }

/** `sees` says it of files, which need not be documents; `seen` of documents. */
export function maskStore(store: ReadableStore, { sees, seen }: Mask): ReadableStore {
  const only = async <Found extends { readonly no: DocNo }>(
    found: Promise<readonly Found[]>,
  ): Promise<readonly Found[]> => {
    const { has } = await seen()
    return (await found).filter(({ no }) => has(no))
  }
  /** Where a link ends that nobody may see, it ends nowhere. */
  const cut = (link: LinkRecord, { has }: DocSet): LinkRecord =>
    link.to === undefined || has(link.to) ? link : { ...link, to: undefined }

  return {
    stamps: () => store.stamps(),
    async changesSince(generation) {
      const changes = await store.changesSince(generation)
      return {
        ...changes,
        put: changes.put.filter((id) => sees(parsePlace(id))),
        removed: changes.removed.filter((id) => sees(parsePlace(id))),
      }
    },
    files: async (source, under) => (await store.files(source, under)).filter(sees),
    async listFiles(filter, page) {
      const files = (await store.listFiles(filter, ALL)).files.filter(sees)
      return { files: pageOf(files, page), total: files.length }
    },
    async documents(nos) {
      const { has } = await seen()
      return (await store.documents(nos)).map((each) => (each && has(each.no) ? each : undefined))
    },
    async findByPath(source, path) {
      const found = await store.findByPath(source, path)
      return found && (await seen()).has(found.no) ? found : undefined
    },
    findByPathFolded: (path) => only(store.findByPathFolded(path)),
    named: (keys) => only(store.named(keys)),
    // Those that are not seen must not take the places of those that are.
    namesLike: async (prefix, limit) => (await only(store.namesLike(prefix, -1))).slice(0, limit),
    async matching(filter) {
      const { has } = await seen()
      return (await store.matching(filter)).filter(has)
    },
    async list(filter, order, page) {
      const { has } = await seen()
      const { documents } = await store.list(filter, order, ALL)
      const found = documents.filter(({ no }) => has(no))
      return { documents: pageOf(found, page), total: found.length }
    },
    async chunksOf(docs) {
      const { has } = await seen()
      const chunks = await store.chunksOf(docs)
      return chunks.map((each, index) => (has(docs[index]!) ? each : []))
    },
    warnings: async (doc) => ((await seen()).has(doc) ? store.warnings(doc) : []),
    async tags(limit) {
      const { documents } = await store.list({}, 'path', ALL)
      const { has } = await seen()
      return countTags(documents.filter(({ no }) => has(no))).slice(0, limit)
    },
    async linksFrom(doc) {
      const set = await seen()
      return set.has(doc) ? (await store.linksFrom(doc)).map((link) => cut(link, set)) : []
    },
    async linksTo(doc) {
      const { has } = await seen()
      return has(doc) ? (await store.linksTo(doc)).filter(({ from }) => has(from)) : []
    },
    async linksBetween(from, to) {
      const { has } = await seen()
      return has(from) && has(to) ? store.linksBetween(from, to) : []
    },
    async brokenLinks(page) {
      const links = await brokenSeen(store, await seen())
      return { links: pageOf(links, page), total: links.length }
    },
    async edges() {
      const { has } = await seen()
      const { from, to, type, types } = await store.edges()
      const both = (_: number, edge: number): boolean => has(from[edge]!) && has(to[edge]!)
      return { from: from.filter(both), to: to.filter(both), type: type.filter(both), types }
    },
    async linkTargets(kinds) {
      const { has } = await seen()
      return (await store.linkTargets(kinds)).filter(({ from }) => has(from))
    },
    async pathOrder() {
      const { has } = await seen()
      return (await store.pathOrder()).filter(has)
    },
    paths: (nos) => store.paths(nos),
    async duplicates() {
      const { has } = await seen()
      return (await store.duplicates())
        .map(({ digest, nos }) => ({ digest, nos: nos.filter(has) }))
        .filter(({ nos }) => nos.length > 1)
    },
    counts: async () => countSeen(store, await seen()),
  }
}

function pageOf<Item>(
  items: readonly Item[],
  { offset, limit }: { readonly offset: number; readonly limit: number },
): readonly Item[] {
  return items.slice(offset, limit < 0 ? undefined : offset + limit)
}

interface Tagged {
  readonly tags: readonly string[]
  readonly inlineTags: readonly string[]
}

/** Most used first, then by name, as the store counts them. */
function countTags(documents: readonly Tagged[]): { tag: string; documents: number }[] {
  const counts = new Map<string, number>()
  for (const { tags, inlineTags } of documents) {
    const own = new Set([...tags, ...inlineTags].map(foldTag))
    for (const tag of own) if (tag !== '') counts.set(tag, (counts.get(tag) ?? 0) + 1)
  }
  return [...counts]
    .map(([tag, count]) => ({ tag, documents: count }))
    .toSorted((a, b) => b.documents - a.documents || (a.tag < b.tag ? -1 : 1))
}

/** Links of seen documents that lead nowhere, or where nobody may look. */
async function brokenSeen(store: ReadableStore, { has }: DocSet): Promise<readonly LinkRecord[]> {
  const { links } = await store.brokenLinks(ALL)
  const { from, to } = await store.edges()
  const hidden: LinkRecord[] = []
  const pairs = new Set<string>()
  for (const [edge, start] of from.entries()) {
    const end = to[edge]!
    if (!has(start) || has(end) || pairs.has(`${start} ${end}`)) continue
    pairs.add(`${start} ${end}`)
    const between = await store.linksBetween(start, end)
    hidden.push(
      ...between.filter(({ kind }) => mayBreak(kind)).map((link) => ({ ...link, to: undefined })),
    )
  }
  const broken = [...links.filter((link) => has(link.from)), ...hidden]
  if (hidden.length === 0) return broken
  const { docs, rank } = ranks(await store.pathOrder())
  return broken.toSorted(
    (a, b) => (rank.get(a.from) ?? docs) - (rank.get(b.from) ?? docs) || a.line - b.line,
  )
}

function ranks(order: Uint32Array): { docs: number; rank: ReadonlyMap<DocNo, number> } {
  return { docs: order.length, rank: new Map([...order].map((doc, place) => [doc, place])) }
}

async function countSeen(store: ReadableStore, set: DocSet): Promise<Counts> {
  const docs = (await store.pathOrder()).filter(set.has)
  const chunks = await store.chunksOf([...docs])
  const { documents } = await store.list({}, 'path', ALL)
  const { from, to } = await store.edges()
  return {
    documents: docs.length,
    chunks: chunks.reduce((sum, each) => sum + each.length, 0),
    links: from.filter((start, edge) => set.has(start) && set.has(to[edge]!)).length,
    brokenLinks: (await brokenSeen(store, set)).length,
    tags: countTags(documents.filter(({ no }) => set.has(no))).length,
    // In how many pieces the index lies would tell of all of it.
    segments: 1,
  }
}
