/**
 * Finds curated files by their words: any word may match, as its stem or one slip away, and name,
 * keywords and content weigh what the operator gave them.
 */
import type { DocNo } from '../../../core/domain/document.ts'
import type { DocSet } from '../../../core/search/contract.ts'
import type { SearchResult } from '../../../core/search/lexical-index.ts'
import { plainQuery } from '../../../core/search/query.ts'
import { RESCORE_WEIGHTS } from '../../../core/search/ranking/rescore.ts'
import { snippet } from '../../../core/search/snippet.ts'
import { chunksOf, readDocuments } from '../../../core/operations/reading/read-document.ts'
import type { Chunk } from '../../../core/domain/text.ts'
import type { View } from '../../../core/operations/view/view.ts'
import type { CuratedFile } from './curated-files.ts'

export interface Boosts {
  readonly name: number
  readonly keywords: number
  readonly content: number
  /** As the content unless said. */
  readonly heading?: number | undefined
  /** The path is not searched unless said. */
  readonly path?: number | undefined
}

export interface CuratedSearchOptions {
  readonly boosts: Boosts
  readonly limit: number
  /** Where to look; nothing else is ranked. */
  readonly among: ReadonlyMap<DocNo, CuratedFile>
  /** Decides between files of equal score. */
  readonly compare: (a: CuratedFile, b: CuratedFile) => number
}

export interface CuratedHit {
  readonly file: CuratedFile
  readonly score: number
  /** The part of the content that matches, hits marked; undefined where none does. */
  readonly snippet: string | undefined
  /** Where in the file's text that is; undefined where nothing of the content matches. */
  readonly at: number | undefined
}

const EVERYTHING = '*'
const SNIPPET_LENGTH = 200

/**
 * A name or a list of keywords has few words, and one of them is nearly all there is to find: it
 * counts as often as a content must repeat a word to be about nothing else.
 */
const SAYS_ALL = 6

/** The score is that of the fields alone: boosts mean what they say. */
const FIELDS_ALONE = { ...RESCORE_WEIGHTS, passage: 0, proximity: 0 }

export async function searchCurated(
  kb: View,
  query: string,
  options: CuratedSearchOptions,
): Promise<readonly CuratedHit[]> {
  const { among, boosts, compare } = options
  const limit = Math.min(options.limit, among.size)
  if (query.trim() === EVERYTHING) {
    const first = [...among.values()].toSorted(compare).slice(0, limit)
    return first.map((file) => ({ file, score: 1, snippet: undefined, at: undefined }))
  }
  const found = await kb.index.retrying(async (moment) =>
    (await moment.lexical()).search(plainQuery(query), {
      limit,
      weights: {
        title: boosts.name * SAYS_ALL,
        tags: boosts.keywords * SAYS_ALL,
        heading: boosts.heading ?? boosts.content,
        body: boosts.content,
        path: boosts.path ?? 0,
      },
      filter: docsOf(among),
      compare: (a, b) => comparable(among, compare, a, b),
      rescore: FIELDS_ALONE,
      fuzzy: 'every_word',
      stopWords: 'always',
    }),
  )
  const lives = await readDocuments(
    kb,
    found.hits.map(({ doc }) => doc),
  )
  const chunks = await chunksOf(kb, lives)
  return found.hits.map(({ doc, score, chunk }) => {
    const live = lives.find(({ record }) => record.no === doc)
    const passages = (live && chunk !== undefined && chunks.get(live)) || []
    const passage = passages[Math.min(chunk ?? 0, passages.length - 1)]
    const cut = live && passage && cutOut(live.text, passage, found)
    return { file: among.get(doc)!, score, snippet: cut?.line, at: cut?.at }
  })
}

function docsOf(among: ReadonlyMap<DocNo, CuratedFile>): DocSet {
  return { has: (doc) => among.has(doc), size: among.size }
}

function comparable(
  among: CuratedSearchOptions['among'],
  compare: CuratedSearchOptions['compare'],
  a: DocNo,
  b: DocNo,
): number {
  const [first, second] = [among.get(a), among.get(b)]
  return first && second ? compare(first, second) : a - b
}

/** The best part of the passage on one line, `**` around what matches. */
function cutOut(
  whole: string,
  { start: from, end: to }: Chunk,
  { words, languages }: SearchResult,
): { readonly line: string; readonly at: number } | undefined {
  const passage = whole.slice(from, to)
  const cut = snippet(passage, words, { length: SNIPPET_LENGTH, languages })
  if (cut.matches.length === 0) return undefined
  let text = ''
  let at = cut.start
  for (const { start, end } of cut.matches) {
    text += `${passage.slice(at, start)}**${passage.slice(start, end)}**`
    at = end
  }
  const line = (text + passage.slice(at, cut.end)).replaceAll(/\s+/g, ' ').trim()
  const before = cut.start > 0 ? '...' : ''
  const behind = cut.end < passage.trimEnd().length ? '...' : ''
  return { line: `${before}${line}${behind}`, at: from + cut.matches[0]!.start }
}
