/** Pages and hits as this surface shows them. */
import type { FoundPage } from './operations/find-pages.ts'
import type { ReadPage } from './operations/read-pages.ts'
import type { Page } from './operations/pages.ts'
import { linkedSlugs } from './operations/wiki-links.ts'
import type { WikiLinks } from './operations/wiki-links.ts'
import { normalizeTarget } from './slugs.ts'

export function presentListed({ name, detail }: Page) {
  return { slug: name, title: detail.title }
}

export function presentPage(links: WikiLinks, { page, title, content, newTargets }: ReadPage) {
  const outlinks = newTargets
    ? linkedSlugs(links.pages, newTargets, normalizeTarget)
    : links.outlinks(page)
  return { slug: page.name, title, content, outlinks, backlinks: links.backlinks(page) }
}

export function presentHit({ page, title, content, hit }: FoundPage) {
  return { slug: page.name, title, excerpt: excerpt(content, hit) }
}

export function presentConnections(links: WikiLinks, page: Page) {
  const { nodes, edges } = links.localGraph(page)
  return {
    slug: page.name,
    outlinks: links.outlinks(page),
    backlinks: links.backlinks(page),
    localGraph: {
      nodes: nodes.map(({ page: { name, detail }, connections }) => ({
        id: name,
        title: detail.title,
        connections,
      })),
      edges: edges.map(([from, to]) => ({ source: from.name, target: to.name })),
    },
  }
}

const BEFORE = 50
const AFTER = 100
const OPENING = 150
/** So much of a hit is shown: who pastes a page to look for does not want twenty back. */
const LONGEST_HIT = 2_000
const CUT = '...'

/** The text around a hit, by code units; without one, the beginning. */
export function excerpt(content: string, hit: FoundPage['hit']): string {
  if (!hit) return content.slice(0, OPENING) + (content.length > OPENING ? CUT : '')
  const start = Math.max(0, hit.start - BEFORE)
  const end = Math.min(content.length, hit.start + Math.min(hit.length, LONGEST_HIT) + AFTER)
  return (start > 0 ? CUT : '') + content.slice(start, end) + (end < content.length ? CUT : '')
}
