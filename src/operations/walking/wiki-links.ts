/** Who links to whom in a wiki, and what one page's surroundings look like. */
import { compareIds } from '../../domain/document.ts'
import type { DocNo } from '../../domain/document.ts'
import type { Wiki, WikiPage, WikiPages } from '../reading/wiki.ts'

export interface LocalGraph {
  /** The page itself first, then its neighbours by slug. */
  readonly nodes: readonly {
    readonly page: WikiPage
    /** Pages it is linked with in the whole wiki, in either direction. */
    readonly connections: number
  }[]
  /** Between two of the nodes, once for both directions. */
  readonly edges: readonly (readonly [from: WikiPage, to: WikiPage])[]
}

export interface WikiLinks {
  readonly pages: WikiPages
  /** Slugs a page links to, each once in the order of its text; nobody need be there. */
  outlinks(page: WikiPage): readonly string[]
  /** Slugs of the pages that link to it, in order; a page may link to itself. */
  backlinks(page: WikiPage): readonly string[]
  localGraph(page: WikiPage): LocalGraph
}

/** Opens the links of a wiki; they follow its pages. */
export function openWikiLinks(wiki: Wiki): () => Promise<WikiLinks> {
  const targetsOf = rememberTargets(wiki)
  let known: { pages: WikiPages; links: Promise<WikiLinks> } | undefined
  return async () => {
    const pages = await wiki.pages()
    if (known?.pages !== pages) {
      const links = targetsOf(pages).then((targets) => linksAmong(wiki, pages, targets))
      known = { pages, links }
      // What failed is tried again by the next call.
      links.catch(() => (known = undefined))
    }
    return known.links
  }
}

/** What stands between the brackets, made into slugs, each once. */
export function linkedSlugs(
  { rules }: Wiki,
  pages: WikiPages,
  targets: readonly string[],
): readonly string[] {
  const slugs = targets
    .filter((target) => target.trim() !== '')
    .map((target) => pages.meant(target)?.slug ?? rules.unwritten(target))
  return [...new Set(slugs)]
}

type TargetsOf = (doc: DocNo) => readonly string[]

/** Past this many, one look at all links is quicker than one for each page. */
const MANY = 1_000

/** Links as they are written, read from the store once and then only for pages that changed. */
function rememberTargets({ kb: { store }, rules }: Wiki): (pages: WikiPages) => Promise<TargetsOf> {
  const known = new Map<DocNo, { readonly digest: string; readonly targets: readonly string[] }>()

  const readAll = async (missing: readonly WikiPage[]): Promise<void> => {
    const all = Map.groupBy(await store.linkTargets(rules.linkKinds), ({ from }) => from)
    for (const { doc, digest } of missing) {
      known.set(doc, { digest, targets: (all.get(doc) ?? []).map(({ target }) => target) })
    }
  }
  const readOne = async ({ doc, digest }: WikiPage): Promise<void> => {
    const links = (await store.linksFrom(doc)).filter(({ kind }) => rules.linkKinds.includes(kind))
    known.set(doc, { digest, targets: links.map(({ target }) => target) })
  }
  return async (pages) => {
    const missing = pages.all.filter(({ doc, digest }) => known.get(doc)?.digest !== digest)
    if (missing.length > MANY) await readAll(missing)
    else for (const page of missing) await readOne(page)
    for (const doc of known.keys()) if (!pages.ofDocument(doc)) known.delete(doc)
    return (doc) => known.get(doc)?.targets ?? []
  }
}

function linksAmong(wiki: Wiki, pages: WikiPages, targetsOf: TargetsOf): WikiLinks {
  const outgoing = new Map<WikiPage, readonly string[]>()
  const linking = new Map<WikiPage, WikiPage[]>()
  const connected = new Map<WikiPage, Set<WikiPage>>()
  const connect = (a: WikiPage, b: WikiPage): void => {
    const others = connected.get(a)
    if (others) others.add(b)
    else connected.set(a, new Set([b]))
  }
  // By slug, so that what links here is in order without sorting.
  for (const page of pages.all) {
    const slugs = linkedSlugs(wiki, pages, targetsOf(page.doc))
    if (slugs.length === 0) continue
    outgoing.set(page, slugs)
    for (const target of existing(pages, slugs)) {
      const before = linking.get(target)
      if (before) before.push(page)
      else linking.set(target, [page])
      if (target === page) continue
      connect(page, target)
      connect(target, page)
    }
  }
  const outlinks = (page: WikiPage) => outgoing.get(page) ?? []

  return {
    pages,
    outlinks,
    backlinks: (page) => (linking.get(page) ?? []).map(({ slug }) => slug),
    localGraph(page) {
      const around = [...(connected.get(page) ?? [])].toSorted((a, b) => compareIds(a.slug, b.slug))
      const inside = new Set([page, ...around])
      const edges: [WikiPage, WikiPage][] = []
      const drawn = new Map<WikiPage, Set<WikiPage>>()
      // In the direction that is met first, page by page in the order of slugs.
      for (const from of [...inside].toSorted((a, b) => compareIds(a.slug, b.slug))) {
        for (const to of existing(pages, outlinks(from))) {
          if (to === from || !inside.has(to) || drawn.get(to)?.has(from)) continue
          drawn.set(from, (drawn.get(from) ?? new Set()).add(to))
          edges.push([from, to])
        }
      }
      const nodes = [...inside].map((each) => ({
        page: each,
        connections: connected.get(each)?.size ?? 0,
      }))
      return { nodes, edges }
    },
  }
}

function existing(pages: WikiPages, slugs: readonly string[]): readonly WikiPage[] {
  return slugs.flatMap((slug) => pages.find(slug) ?? [])
}
