/** What this surface sees of a base: its Markdown files as the pages of a wiki. */
import type { Knowledge } from '../../operations/view/knowledge.ts'
import { openPageTexts } from '../../operations/reading/page-texts.ts'
import type { PageTexts } from '../../operations/reading/page-texts.ts'
import { openWiki } from '../../operations/reading/wiki.ts'
import type { Wiki, WikiPage, WikiPages } from '../../operations/reading/wiki.ts'
import { openWikiLinks } from '../../operations/walking/wiki-links.ts'
import type { WikiLinks } from '../../operations/walking/wiki-links.ts'
import { pageNotFound } from './errors.ts'
import { assignSlugs, isPage, normalizeTarget, slugWish, spellings } from './slugs.ts'

export interface NexusView {
  readonly wiki: Wiki
  readonly texts: PageTexts
  links(): Promise<WikiLinks>
}

/** Under exactly this slug, else under what it may mean. Throws `Page '…' not found`. */
export function getPage(pages: WikiPages, slug: string): WikiPage {
  const page = pages.find(slug) ?? pages.meant(slug)
  if (!page) throw pageNotFound(slug)
  return page
}

export function openNexusView(kb: Knowledge): NexusView {
  const wiki = openWiki(kb, {
    sees: isPage,
    wish: slugWish,
    assign: assignSlugs,
    spellings,
    unwritten: normalizeTarget,
    linkKinds: ['wiki', 'embed'],
  })
  return {
    wiki,
    texts: openPageTexts(kb),
    links: openWikiLinks(wiki),
  }
}
