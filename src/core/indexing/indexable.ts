/** Which words of a document are found in which field? */
import { codeLanguageOf, wordsForLanguage } from '../domain/code.ts'
import { entityIdOf, isEntityPath } from '../domain/entity-document.ts'
import { withoutSecrets } from '../domain/secrets.ts'
import type { Heading } from '../domain/text.ts'
import { saidByPeople } from '../parsing/said-by-people.ts'
import type { IndexableDocument } from '../search/contract.ts'
import type { DescribedDocument, NewDocument } from '../store/store.ts'

/**
 * What a program calls something says more than a heading does, and stands among far more words.
 * Chosen on sets of what functions are said to do (`docs/decisions/0035-code.md`).
 */
const NAME_TIMES = 3

export function indexable(
  document: DescribedDocument,
  text: string,
  parsed: {
    readonly bodyStart: number
    readonly headings: readonly Heading[]
    readonly nameRanges?: IndexableDocument['headings']
  },
): IndexableDocument & { readonly text: string } {
  return {
    doc: document.no,
    title: document.title,
    aliases: [...document.aliases, ...namesIn(document)],
    tags: [
      ...document.tags,
      ...document.inlineTags,
      ...keywordsIn(document),
      ...(parsed.nameRanges ? languageIn(document) : []),
    ],
    // A scheme that all entities share says nothing about one of them.
    path: withoutSecrets(isEntityPath(document.path) ? entityIdOf(document.path) : document.path),
    text,
    bodyStart: parsed.bodyStart,
    headings: parsed.nameRanges ?? withSaid(parsed.headings.map(named), text, parsed.bodyStart),
    ...(parsed.nameRanges && { headingTimes: NAME_TIMES }),
    chunkStarts: document.chunks.map(({ start }) => start),
  }
}

/** Nothing else of a heading: very many are copied to the thread that sorts words. */
function named({ start, end, text }: Heading): IndexableDocument['headings'][number] {
  return { start, end, text }
}

/**
 * In a conversation with an assistant, what people said counts as headings do: it is what the rest is
 * about. A turn with headings of its own has those.
 */
function withSaid(
  headings: IndexableDocument['headings'],
  text: string,
  bodyStart: number,
): IndexableDocument['headings'] {
  const said = saidByPeople(text, bodyStart)
  if (said.length === 0) return headings
  const all = [...headings, ...said].toSorted((a, b) => a.start - b.start)
  return all.filter(
    (each, at) =>
      'text' in each ||
      !((all[at - 1]?.end ?? 0) > each.start || (all[at + 1]?.start ?? Infinity) < each.end),
  )
}

/** A `name` in front matter is another title to find a document by, and no alias to link to. */
function namesIn({ title, aliases, properties }: NewDocument): readonly string[] {
  const { name } = properties
  return typeof name === 'string' && name !== title && !aliases.includes(name) ? [name] : []
}

/** Keywords say what a document is about, as tags do; they are no tags to filter by. */
function keywordsIn({ tags, properties }: NewDocument): readonly string[] {
  const { keywords } = properties
  if (!Array.isArray(keywords)) return []
  return keywords.filter((word) => typeof word === 'string' && !tags.includes(word)) as string[]
}

/** In a question for code, `python` says where to look; no file has to mention it. */
function languageIn({ path }: NewDocument): readonly string[] {
  const language = codeLanguageOf(path)
  return language === undefined ? [] : wordsForLanguage(language)
}
