/** Pages of a wiki as their files are now. */
import type { FileContent } from '../../domain/source.ts'
import type { Properties } from '../../domain/text.ts'
import { parseFrontMatter } from '../../parsing/markdown/front-matter.ts'
import { contentOf } from './page-content.ts'
import { noteTitle } from './read-notes.ts'
import type { Wiki, WikiPage } from './wiki.ts'

export interface ReadPage {
  readonly page: WikiPage
  readonly title: string
  /** The text behind the front matter, whole. */
  readonly content: string
  readonly properties: Properties
  /** Link targets as they are written, where the file is not the one that was indexed. */
  readonly newTargets: readonly string[] | undefined
}

/** In the order asked for; a page whose file has just vanished is left out. */
export async function readPages(
  wiki: Wiki,
  pages: readonly WikiPage[],
): Promise<readonly ReadPage[]> {
  const { sources } = wiki.kb
  const files = new Map<WikiPage, FileContent>()
  for (const [source, group] of Map.groupBy(pages, (page) => page.source)) {
    const read = (await sources.get(source)?.read(group.map(({ path }) => path))) ?? []
    group.forEach((page, index) => files.set(page, read[index]!))
  }
  return pages.flatMap((page) => {
    const file = files.get(page)
    const current = file?.kind === 'text' && file.digest === page.digest
    if (!current) wiki.kb.noticeChange(page.source, page.path)
    return file?.kind === 'text' ? [presentFile(wiki, page, file.text, current)] : []
  })
}

/** What a file with front matter says. */
export function parsePageFile(text: string): Pick<ReadPage, 'properties' | 'content'> {
  return { properties: parseFrontMatter(text, '').properties, content: contentOf(text) }
}

function presentFile(wiki: Wiki, page: WikiPage, text: string, current: boolean): ReadPage {
  const { properties, content } = parsePageFile(text)
  return {
    page,
    title: noteTitle(properties, page.path),
    content,
    properties,
    newTargets: current ? undefined : targetsIn(wiki, page, text),
  }
}

function targetsIn({ kb, rules }: Wiki, { path }: WikiPage, text: string): readonly string[] {
  const { links } = kb.formatOf(path).parse(text, path).document
  return links.filter(({ kind }) => rules.linkKinds.includes(kind)).map(({ target }) => target)
}
