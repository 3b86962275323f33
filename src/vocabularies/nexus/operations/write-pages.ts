/** Makes, changes and removes pages of a wiki, each known by its slug. */
import { documentId } from '../../../core/domain/document.ts'
import {
  type KnowledgeError,
  alreadyThere,
  quoted,
  unavailable,
} from '../../../core/domain/error.ts'
import type { Properties } from '../../../core/domain/text.ts'
import { setFrontMatter } from '../../../core/editing/edit-front-matter.ts'
import { newlineOf, withNewlines } from '../../../core/editing/text-file.ts'
import type { Author } from '../../../core/history/history.ts'
import { changeFiles } from '../../../core/operations/writing/change-files.ts'
import { createNamed } from '../../../core/operations/writing/create-document.ts'
import { planFollowing } from '../../../core/operations/writing/plan-following.ts'
import { withContent } from '../../../core/operations/reading/page-content.ts'
import type { Page, Wiki } from './pages.ts'

export type { Author } from '../../../core/history/history.ts'

export interface NewPage {
  readonly slug: string
  readonly content: string
  /** Goes into the front matter as it is. */
  readonly properties: Properties
}

/** The file is named after the slug and stands in the first source. Throws `exists`. */
export async function createPage(
  kb: Wiki,
  { slug, content, properties }: NewPage,
  by: Author,
): Promise<Page> {
  const page = { name: slug, path: `${slug}.md`, content: pageFile(properties, content) }
  const { id } = await createNamed(kb, { ...page, taken: () => slugTaken(slug) }, { by })
  return getPage(kb, id)
}

/** The text of a file with this front matter and content. */
export function pageFile(properties: Properties, content: string): string {
  return withContent(setFrontMatter('', '', { set: properties }), content, '\n')
}

export interface PageChange {
  /** The whole text behind the front matter. */
  readonly content?: string
  readonly set?: Properties
  readonly remove?: readonly string[]
}

/** What is not named stays as it is, to the byte. Throws `not_found`. */
export async function updatePage(
  kb: Wiki,
  page: Page,
  { content, set, remove }: PageChange,
  by: Author,
): Promise<Page> {
  await changeFiles(kb.whole, 'update', { by }, () =>
    planFollowing(kb.whole, documentId(page), {}, (text, _parse, name) => {
      const newline = newlineOf(text)
      const edited = setFrontMatter(name, text, { set, remove })
      return content === undefined
        ? edited
        : withContent(edited, withNewlines(content, newline), newline)
    }),
  )
  return getPage(kb, documentId(page))
}

async function getPage(kb: Wiki, id: string): Promise<Page> {
  const page = (await kb.names.now()).ofId(id)
  if (page) return page
  throw unavailable(
    `${quoted(id)} is written, and the index will show it a little later.`,
    'Ask for it again in a moment.',
  )
}

function slugTaken(slug: string): KnowledgeError {
  return alreadyThere(
    `A note with slug '${slug}' already exists`,
    'Choose another slug, or change that note.',
  )
}
