/** Pages of a wiki as their files are now. */
import type { FileContent } from '../../domain/source.ts'
import type { Properties } from '../../domain/text.ts'
import { parseFrontMatter } from '../../parsing/markdown/front-matter.ts'
import { contentOf } from './page-content.ts'
import { noteTitle } from './note-fields.ts'
import type { Page, Wiki } from './pages.ts'

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
  const files = new Map<Page, FileContent>()
  for (const [source, group] of Map.groupBy(pages, (page) => page.source)) {
    const read = (await kb.sources.get(source)?.read(group.map(({ path }) => path))) ?? []
    group.forEach((page, index) => files.set(page, read[index]!))
  }
  return pages.flatMap((page) => {
    const file = files.get(page)
    const current = file?.kind === 'text' && file.digest === page.detail.digest
    if (!current) kb.noticeChange(page.source, page.path)
    return file?.kind === 'text' ? [presentFile(kb, page, file.text, current)] : []
  })
}

/** What a file with front matter says. */
export function parsePageFile(text: string): Pick<ReadPage, 'properties' | 'content'> {
  return { properties: parseFrontMatter(text, '').properties, content: contentOf(text) }
}

function presentFile(kb: Wiki, page: Page, text: string, current: boolean): ReadPage {
  const { properties, content } = parsePageFile(text)
  return {
    page,
    title: noteTitle(properties, page.path),
    content,
    properties,
    newTargets: current ? undefined : targetsIn(kb, page, text),
  }
}

function targetsIn(kb: Wiki, { path }: Page, text: string): readonly string[] {
  const { links } = kb.formatOf(path).parse(text, path).document
  return links
    .filter(({ kind }) => kb.scope.linkKinds?.includes(kind) ?? true)
    .map(({ target }) => target)
}
