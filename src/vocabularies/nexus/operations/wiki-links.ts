/** Who links to whom in a wiki, and what one page's surroundings look like. */
import { compareIds } from '../../../core/domain/document.ts'
import type { DocNo } from '../../../core/domain/document.ts'
import { atOnce, eachInSteps, inSlices, Slices, stepsInSlices } from '../../../core/kit/slices.ts'
import type { Steps } from '../../../core/kit/slices.ts'
import type { Page, Pages, Wiki } from './pages.ts'
import { derived } from '../../../core/operations/view/derived.ts'
import type { Derived } from '../../../core/operations/view/derived.ts'

export interface LocalGraph {
  /** The page itself first, then its neighbours by slug. */
  readonly nodes: readonly {
    readonly page: Page
    /** Pages it is linked with in the whole wiki, in either direction. */
    readonly connections: number
  }[]
  /** Between two of the nodes, once for both directions. */
  readonly edges: readonly (readonly [from: Page, to: Page])[]
}

export interface WikiLinks {
  readonly pages: Pages
  /** Slugs a page links to, each once in the order of its text; nobody need be there. */
  outlinks(page: Page): readonly string[]
  /** Slugs of the pages that link to it, in order; a page may link to itself. */
  backlinks(page: Page): readonly string[]
  localGraph(page: Page): LocalGraph
}

/** What a link is called whose page nobody has written yet. */
export type Unwritten = (target: string) => string

/** The links of a wiki, which name pages; they follow its pages. */
export function openWikiLinks(kb: Wiki, unwritten: Unwritten): Derived<WikiLinks> {
  const targetsOf = rememberTargets(kb)
  return derived(kb.base.store, {
    on: ['generation'],
    async load(stamps) {
      const pages = await kb.names.at(stamps)
      return linksAmong(pages, await targetsOf(pages), unwritten)
    },
  })
}

/** What stands between the brackets, made into slugs, each once. */
export function linkedSlugs(
  pages: Pages,
  targets: readonly string[],
  unwritten: Unwritten,
): readonly string[] {
  return atOnce(linkingSlugs(pages, targets, unwritten))
}

function* linkingSlugs(
  pages: Pages,
  targets: readonly string[],
  unwritten: Unwritten,
): Steps<readonly string[]> {
  const slugs = new Set<string>()
  yield* eachInSteps(new Set(targets), (target) => {
    if (target.trim() !== '') slugs.add(pages.meant(target)?.name ?? unwritten(target))
  })
  return [...slugs]
}

type TargetsOf = (doc: DocNo) => readonly string[]

/** Past this many, one look at all links is quicker than one for each page. */
const MANY = 1_000

/** Links as they are written, each target of a page once, read from the store once and then only for pages that changed. */
function rememberTargets({ store, scope }: Wiki): (pages: Pages) => Promise<TargetsOf> {
  const kinds = scope.linkKinds ?? []
  const known = new Map<DocNo, { readonly digest: string; readonly targets: readonly string[] }>()

  const readAll = async (missing: readonly Page[]): Promise<void> => {
    const all = new Map<DocNo, Set<string>>()
    await inSlices(await store.linkTargets(kinds), ({ from, target }) => {
      const targets = all.get(from)
      if (targets) targets.add(target)
      else all.set(from, new Set([target]))
    })
    await inSlices(missing, ({ doc, detail }) => {
      known.set(doc, { digest: detail.digest, targets: [...(all.get(doc) ?? [])] })
    })
  }
  const readOne = async ({ doc, detail }: Page): Promise<void> => {
    const targets = new Set<string>()
    const reading = eachInSteps(await store.linksFrom(doc), ({ kind, target }) => {
      if (kinds.includes(kind)) targets.add(target)
    })
    await stepsInSlices(reading)
    known.set(doc, { digest: detail.digest, targets: [...targets] })
  }
  return async (pages) => {
    const missing: Page[] = []
    await inSlices(pages.all, (page) => {
      if (known.get(page.doc)?.digest !== page.detail.digest) missing.push(page)
    })
    if (missing.length > MANY) await readAll(missing)
    else for (const page of missing) await readOne(page)
    await inSlices(known.keys(), (doc) => {
      if (!pages.ofDocument(doc)) known.delete(doc)
    })
    return (doc) => known.get(doc)?.targets ?? []
  }
}

async function linksAmong(
  pages: Pages,
  targetsOf: TargetsOf,
  unwritten: Unwritten,
): Promise<WikiLinks> {
  const outgoing = new Map<Page, readonly string[]>()
  const linking = new Map<Page, Page[]>()
  // By slug, so that what links here is in order without sorting.
  const slices = new Slices()
  for (const page of pages.all) {
    if (slices.over) await slices.pause()
    const slugs = await stepsInSlices(linkingSlugs(pages, targetsOf(page.doc), unwritten))
    if (slugs.length === 0) continue
    outgoing.set(page, slugs)
    for (const target of existing(pages, slugs)) {
      const before = linking.get(target)
      if (before) before.push(page)
      else linking.set(target, [page])
    }
  }
  const outlinks = (page: Page) => outgoing.get(page) ?? []
  const connectedWith = (page: Page): ReadonlySet<Page> => {
    const others = new Set([...existing(pages, outlinks(page)), ...(linking.get(page) ?? [])])
    others.delete(page)
    return others
  }
  // Only the numbers are kept: a set for each of very many pages would be work for the collector.
  const connections = new Map<Page, number>()
  for (const page of pages.all) {
    if (slices.over) await slices.pause()
    connections.set(page, connectedWith(page).size)
    const from = linking.get(page)
    if (from) linking.set(page, from.slice())
  }

  return {
    pages,
    outlinks,
    backlinks: (page) => (linking.get(page) ?? []).map(({ name }) => name),
    localGraph(page) {
      const around = [...connectedWith(page)].toSorted((a, b) => compareIds(a.name, b.name))
      const inside = new Set([page, ...around])
      const edges: [Page, Page][] = []
      const drawn = new Map<Page, Set<Page>>()
      // In the direction that is met first, page by page in the order of slugs.
      for (const from of [...inside].toSorted((a, b) => compareIds(a.name, b.name))) {
        for (const to of existing(pages, outlinks(from))) {
          if (to === from || !inside.has(to) || drawn.get(to)?.has(from)) continue
          drawn.set(from, (drawn.get(from) ?? new Set()).add(to))
          edges.push([from, to])
        }
      }
      const nodes = [...inside].map((each) => ({
        page: each,
        connections: connections.get(each) ?? 0,
      }))
      return { nodes, edges }
    },
  }
}

function existing(pages: Pages, slugs: readonly string[]): readonly Page[] {
  return slugs.flatMap((slug) => pages.find(slug) ?? [])
}
