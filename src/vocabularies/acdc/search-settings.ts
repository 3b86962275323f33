/** What the operator may say about searching, and what counts otherwise. */
import type { Boosts } from './operations/search-curated.ts'

export interface SearchSettings {
  readonly maxResults: number
  readonly boosts: Boosts
  /** Whether results of a content directory bring the text of their section along. */
  readonly resultMode?: 'references' | 'content'
}

export const DEFAULT_SEARCH: SearchSettings = {
  maxResults: 10,
  boosts: { keywords: 3, name: 2, content: 1 },
}
