/** Which documents answer this question best? The order that search, suggestions and tests share. */
import type { DocNo } from '../domain/document.ts'
import type { DocSet } from '../search/contract.ts'
import type { MatchedWord } from '../search/lexical-index.ts'
import type { Knowledge } from './knowledge.ts'

export interface RankOptions {
  readonly limit: number
  readonly filter?: DocSet
}

export interface RankedDocument {
  readonly doc: DocNo
  readonly score: number
  /** Ordinal of the best passage, or undefined when only title, tags or path matched. */
  readonly chunk: number | undefined
}

export interface Ranking {
  readonly hits: readonly RankedDocument[]
  /** What the words of the question were taken for; snippets show them. */
  readonly words: readonly MatchedWord[]
  readonly truncated: boolean
}

export async function rankDocuments(
  kb: Knowledge,
  query: string,
  { limit, filter }: RankOptions,
): Promise<Ranking> {
  return kb.view.retrying(async () => {
    const lexical = await kb.view.lexical()
    const rank = await kb.view.pathRank()
    return lexical.search(query, { limit, filter, compare: (a, b) => rank(a) - rank(b) })
  })
}
