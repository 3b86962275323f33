/** Pages of a wiki as their files are now. */
import type { Properties } from '../../../core/domain/text.ts'
import { parseFrontMatter } from '../../../core/parsing/markdown/front-matter.ts'
import { contentOf } from '../../../core/operations/reading/page-content.ts'
import type { Page, Wiki } from './pages.ts'
import { parseLive, readDocuments } from '../../../core/operations/reading/read-document.ts'
import type { LiveDocument } from '../../../core/operations/reading/read-document.ts'

export interface ReadPage {
  readonly page: Page
  readonly title: string
  /** The text behind the front matter, whole. */
  readonly content: string
  readonly properties: Properties
  /** Link targets as they are written, where the file is not the one that was indexed. */
  readonly newTargets: readonly string[] | undefined
}

/** In the order asked for; a page whose file has just vanished is left out. */
export async function readPages(kb: Wiki, pages: readonly Page[]): Promise<readonly ReadPage[]> {
  const pageOf = new Map(pages.map((page) => [page.doc, page]))
  const read: ReadPage[] = []
  for (const live of await readDocuments(kb, [...pageOf.keys()])) {
    const { record, text, changed } = live
    read.push({
      page: pageOf.get(record.no)!,
      title: kb.titleOf(record),
      content: contentOf(text),
      properties: record.properties,
      newTargets: changed ? await targetsIn(kb, live) : undefined,
    })
  }
  return read
}

/** What a file with front matter says. */
export function parsePageFile(text: string): Pick<ReadPage, 'properties' | 'content'> {
  return { properties: parseFrontMatter(text, '').properties, content: contentOf(text) }
}

async function targetsIn(kb: Wiki, live: LiveDocument): Promise<readonly string[]> {
  const { links } = await parseLive(kb, live)
  return links
    .filter(({ kind }) => kb.scope.linkKinds?.includes(kind) ?? true)
    .map(({ target }) => target)
}
