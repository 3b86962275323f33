/**
 * Finds pages by a piece of text, exactly as it is written but for case; and where nobody wrote it
 * like that, by its words.
 */
import { compareIds } from '../../../core/domain/document.ts'
import { eachInSteps, sortInSteps, stepsInSlices } from '../../../core/kit/slices.ts'
import type { Steps } from '../../../core/kit/slices.ts'
import { foldCase } from '../../../core/operations/reading/fold-case.ts'
import type { PageTexts } from './page-texts.ts'
import { rankDocuments } from '../../../core/operations/searching/rank-documents.ts'
import type { Ranking } from '../../../core/operations/searching/rank-documents.ts'
import { readPages } from './read-pages.ts'
import type { ReadPage } from './read-pages.ts'
import type { Page, Pages, Wiki } from './pages.ts'

export interface FoundPage extends ReadPage {
  readonly by: 'title' | 'content' | 'words'
  /** What of the query stands in the content first, in code units. */
  readonly hit: { readonly start: number; readonly length: number } | undefined
}

/** Titles first, then whole titles, then where the text stands earlier, then the newest. */
export async function findPages(
  kb: Wiki,
  texts: PageTexts,
  query: string,
  limit: number,
): Promise<readonly FoundPage[]> {
  const needle = foldCase(query.trim())
  const pages = await kb.names.now()
  const found = await exactHits(pages, texts, needle)
  if (found.length === 0) return findByWords(kb, pages, query, limit)
  const read = await readPages(
    kb,
    found.slice(0, limit).map(({ page }) => page),
  )
  const inTitle = new Set(found.filter(({ title }) => title).map(({ page }) => page))
  return read.map((each) => {
    const start = foldCase(each.content).indexOf(needle)
    return {
      ...each,
      by: inTitle.has(each.page) ? 'title' : 'content',
      hit: start < 0 ? undefined : { start, length: needle.length },
    }
  })
}

interface Hit {
  readonly page: Page
  readonly title: boolean
  readonly whole: boolean
  readonly at: number
}

async function exactHits(pages: Pages, texts: PageTexts, needle: string): Promise<readonly Hit[]> {
  return stepsInSlices(sortedHits(pages, await texts.find(pages, needle), needle))
}

function* sortedHits(
  { all }: Pages,
  inContent: ReadonlyMap<Page, number>,
  needle: string,
): Steps<readonly Hit[]> {
  const hits: Hit[] = []
  yield* eachInSteps(all, (page) => {
    const title = foldCase(page.detail.title)
    const at = title.indexOf(needle)
    const inside = inContent.get(page)
    if (at >= 0) hits.push({ page, title: true, whole: title === needle, at })
    else if (inside !== undefined) hits.push({ page, title: false, whole: false, at: inside })
  })
  return yield* sortInSteps(
    hits,
    (a, b) =>
      Number(b.title) - Number(a.title) ||
      Number(b.whole) - Number(a.whole) ||
      a.at - b.at ||
      b.page.detail.createdAt - a.page.detail.createdAt ||
      compareIds(a.page.name, b.page.name),
  )
}

async function findByWords(
  kb: Wiki,
  pages: Pages,
  query: string,
  limit: number,
): Promise<readonly FoundPage[]> {
  // Whoever asks for `100%` or `a_b` means these characters, and not a word in them.
  const [text, ...more] = query.trim().split(/\s+/, 2)
  if (more.length === 0 && /[^\p{L}\p{M}\p{N}'’-]/u.test(text ?? '')) return []
  const ranking = await rankPages(kb, pages, plainWords(query).join(' '), limit)
  const read = await readPages(kb, ranking.pages)
  return read.map((each) => ({ ...each, by: 'words', hit: firstWord(each.content, ranking.words) }))
}

function firstWord(content: string, words: Ranking['words']): FoundPage['hit'] {
  const folded = foldCase(content)
  const hits = words
    .map(({ spelling }) => ({ start: folded.indexOf(spelling), length: spelling.length }))
    .filter(({ start }) => start >= 0)
  return hits.toSorted((a, b) => a.start - b.start)[0]
}

/** A document that has none of the words must mean nearly the same to count. */
const MEANS_ENOUGH = 0.75

/** Pages in the order of the base's own search, those left out that only a link or a guess speaks for. */
export async function rankPages(
  kb: Wiki,
  pages: Pages,
  query: string,
  limit: number,
): Promise<{ readonly pages: readonly Page[]; readonly words: Ranking['words'] }> {
  if (query === '' || pages.all.length === 0) return { pages: [], words: [] }
  const {
    hits,
    words,
    nearEnough = MEANS_ENOUGH,
  } = await rankDocuments(kb, query, { limit: limit * 4 })
  const asWritten = words.filter(({ match }) => match === 'exact' || match === 'prefix')
  const relevant = hits.filter(
    ({ signals: { coverage, similarity = 0 } }) =>
      (coverage > 0 && asWritten.length > 0) || similarity >= nearEnough,
  )
  return {
    pages: relevant.flatMap(({ doc }) => pages.ofDocument(doc) ?? []).slice(0, limit),
    words: asWritten,
  }
}

/** Letters and digits only: what else a query may hold would be an operator of the search. */
export function plainWords(text: string): readonly string[] {
  return text.split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => word !== '')
}
