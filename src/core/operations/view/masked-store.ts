/**
 * What the store tells someone who does not see everything. A document that is not seen is not
 * there: not by number, not by name, not in a count, not at the end of a link.
 */
import { parsePlace } from '../../domain/document.ts'
import type { DocNo, LinkRecord, Place } from '../../domain/document.ts'
import { eachInSteps, stepsInSlices } from '../../kit/slices.ts'
import { isAttachment } from '../../indexing/link-names.ts'
import type { Store } from '../../store/store.ts'
import type { Relinked } from './relinked.ts'
import type { VisibleDocuments } from './visible-places.ts'

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
  | 'deadEnds'
  | 'brokenLinks'
  | 'linkTargets'
  | 'pathOrder'
  | 'paths'
  | 'duplicates'
  | 'counts'
>

export interface Mask {
  readonly sees: (place: Place) => boolean
  readonly seen: () => Promise<VisibleDocuments>
  /** Links that lead elsewhere among what is seen; none unless said. */
  readonly relinked?: () => Promise<Relinked>
}

const ALL = { offset: 0, limit: -1 }

/** `sees` says it of files, which need not be documents; `seen` of documents. */
export function maskStore(store: ReadableStore, { sees, seen, relinked }: Mask): ReadableStore {
  const only = async <Found extends { readonly no: DocNo }>(
    found: Promise<readonly Found[]>,
  ): Promise<readonly Found[]> => {
    const { has } = await seen()
    return (await found).filter(({ no }) => has(no))
  }
  /** Where a link ends that nobody may see, it ends nowhere, or at somebody else of that name. */
  const linksFrom = async (doc: DocNo): Promise<readonly LinkRecord[]> => {
    const { has } = await seen()
    if (!has(doc)) return []
    const elsewhere = await relinked?.()
    return (await store.linksFrom(doc)).map((link) => {
      if (link.to !== undefined && has(link.to)) return link
      const to = elsewhere?.to(link)
      return { ...link, to: to !== undefined && has(to) ? to : undefined }
    })
  }

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
      // The same work whether something is there or not.
      const { has } = await seen()
      const found = await store.findByPath(source, path)
      return found && has(found.no) ? found : undefined
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
      const { has, numbers } = await seen()
      const among = filter.among ? filter.among.filter((doc) => has(doc)) : numbers
      return store.list({ ...filter, among }, order, page)
    },
    async chunksOf(docs) {
      const { has } = await seen()
      const chunks = await store.chunksOf(docs)
      return chunks.map((each, index) => (has(docs[index]!) ? each : []))
    },
    warnings: async (doc) => ((await seen()).has(doc) ? store.warnings(doc) : []),
    tags: async (limit) => store.tags(limit, (await seen()).numbers),
    linksFrom,
    async linksTo(doc) {
      const { has } = await seen()
      if (!has(doc)) return []
      const others = [...((await relinked?.())?.sources(doc) ?? [])].filter(has)
      const links = (await store.linksTo(doc)).filter(
        ({ from }) => has(from) && !others.includes(from),
      )
      if (others.length === 0) return links
      for (const from of others) {
        for (const link of await linksFrom(from)) if (link.to === doc) links.push(link)
      }
      return links.toSorted((a, b) => a.from - b.from)
    },
    async linksBetween(from, to) {
      const { has } = await seen()
      if (!has(from) || !has(to)) return []
      if (!(await relinked?.())?.sources(to).has(from)) return store.linksBetween(from, to)
      return (await linksFrom(from)).filter((link) => link.to === to)
    },
    async deadEnds(doc, limit) {
      const targets = new Set<string>()
      const looking = eachInSteps(await linksFrom(doc), (link) => {
        const isDead = link.to === undefined && !isAttachment(link)
        if (isDead && targets.size < limit) targets.add(link.target)
      })
      await stepsInSlices(looking)
      return [...targets]
    },
    async brokenLinks(page) {
      const { has, numbers } = await seen()
      const elsewhere = await relinked?.()
      if (!elsewhere?.links.length) return store.brokenLinks(page, numbers)
      const leadsNowhere = (link: LinkRecord): boolean => {
        const to = elsewhere.to(link)
        return to === undefined || !has(to)
      }
      const links = (await store.brokenLinks(ALL, numbers)).links.filter(leadsNowhere)
      return { links: pageOf(links, page), total: links.length }
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
    async counts() {
      const { has, numbers } = await seen()
      const counts = await store.counts(numbers)
      const { links = [] } = (await relinked?.()) ?? {}
      const leading = links.filter(({ from, to }) => has(from) && has(to!))
      return {
        ...counts,
        links: counts.links + leading.length,
        brokenLinks: counts.brokenLinks - leading.filter((link) => !isAttachment(link)).length,
        // In how many pieces the index lies would tell of all of it.
        segments: 1,
      }
    },
  }
}

function pageOf<Item>(
  items: readonly Item[],
  { offset, limit }: { readonly offset: number; readonly limit: number },
): readonly Item[] {
  return items.slice(offset, limit < 0 ? undefined : offset + limit)
}
