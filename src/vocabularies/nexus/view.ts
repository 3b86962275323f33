/** What this surface sees of a base: its Markdown files as the pages of a wiki. */
import { isEntityPath } from '../../core/domain/entity-document.ts'
import { noteTitle } from '../../core/operations/reading/note-fields.ts'
import { openPageTexts } from './operations/page-texts.ts'
import type { PageTexts } from './operations/page-texts.ts'
import { pageNames } from './operations/pages.ts'
import type { Page, PageDetail, Pages, Wiki } from './operations/pages.ts'
import type { Knowledge } from '../../core/operations/view/knowledge.ts'
import type { Derived } from '../../core/operations/view/derived.ts'
import type { Scope } from '../../core/operations/view/scope.ts'
import { createView } from '../../core/operations/view/view.ts'
import { openWikiLinks } from './operations/wiki-links.ts'
import type { WikiLinks } from './operations/wiki-links.ts'
import { pageNotFound } from './errors.ts'
import { assignSlugs, isPage, normalizeTarget, slugWish, spellings } from './slugs.ts'

export interface NexusView {
  readonly wiki: Wiki
  readonly texts: PageTexts
  readonly links: Derived<WikiLinks>
}

/** Under exactly this slug, else under what it may mean. Throws `Page '…' not found`. */
export function getPage(pages: Pages, slug: string): Page {
  const page = pages.find(slug) ?? pages.meant(slug)
  if (!page) throw pageNotFound(slug)
  return page
}

function nexusScope(kb: Knowledge): Scope<PageDetail> {
  return {
    sees: ({ path }) => isPage(path) && !isEntityPath(path),
    linkKinds: ['wiki', 'embed'],
    names: pageNames(kb, { wish: slugWish, assign: assignSlugs, spellings }),
    titleOf: ({ properties, path }) => noteTitle(properties, path),
  }
}

export function createNexusView(kb: Knowledge): NexusView {
  const wiki = createView(kb, nexusScope(kb))
  return { wiki, texts: openPageTexts(wiki), links: openWikiLinks(wiki, normalizeTarget) }
}
