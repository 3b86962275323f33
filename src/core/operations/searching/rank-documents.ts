/** Which documents answer this question best? The order that search, suggestions and tests share. */
import type { DocNo } from '../../domain/document.ts'
import { KnowledgeError } from '../../domain/error.ts'
import { embeddingTrouble } from '../../indexing/bring-meaning.ts'
import type { Reading } from '../../models/embedder.ts'
import { combine, meaningWeight } from '../../search/combine.ts'
import type { CombinedHit, LinkedDoc, Signals } from '../../search/combine.ts'
import type { DocSet } from '../../search/contract.ts'
import type { MatchedWord, SearchResult } from '../../search/lexical-index.ts'
import { docSet } from '../../search/doc-set.ts'
import { nameShare } from '../../search/names.ts'
import type { Mention } from '../../search/names.ts'
import { isUnspaced } from '../../search/relevance.ts'
import { askedText, parseQuery } from '../../search/query.ts'
import { applyFeedback, judgedDocuments } from './apply-feedback.ts'
import { codeFilesOf } from '../view/code-files.ts'
import { findDefiners } from './find-definers.ts'
import type { Meaning, Moment } from '../view/open-index.ts'
import type { ScopedLinks, View } from '../view/view.ts'

export const SEARCH_MODES = ['auto', 'lexical', 'semantic', 'hybrid'] as const
export type SearchMode = (typeof SEARCH_MODES)[number]

export interface RankOptions {
  readonly limit: number
  /** Among these; all the view sees unless said. */
  readonly filter?: DocSet
  /** `auto` is hybrid where there are vectors, and lexical where there are none. */
  readonly mode?: SearchMode
  /** Whether links count; on unless turned off. */
  readonly links?: boolean
}

export interface RankedDocument {
  readonly doc: DocNo
  readonly score: number
  /** Ordinal of the best passage, or undefined when only title, tags or path matched. */
  readonly chunk: number | undefined
  readonly signals: Signals
}

export interface Ranking {
  readonly hits: readonly RankedDocument[]
  /** What the words of the question were taken for; snippets show them. */
  readonly words: readonly MatchedWord[]
  /** Languages of the documents that were searched, for snippets too. */
  readonly languages: SearchResult['languages']
  readonly truncated: boolean
  /** Whether no document has a quoted phrase, so that its words were searched instead. */
  readonly relaxed: boolean
  /** How the question was really searched. */
  readonly mode: 'lexical' | 'semantic' | 'hybrid'
  /** The similarity that makes an answer of a document; undefined where similarities tell nothing. */
  readonly nearEnough: number | undefined
  /** The similarity of texts that have nothing to do with each other, where it is known. */
  readonly unrelatedAt: number | undefined
  /** The share of the words that makes one; undefined where that is not known. */
  readonly coversEnough: number | undefined
  /** Whether the words of the question are pairs of characters. */
  readonly pairs: boolean
  /** Documents whose title or alias stands in the question. */
  readonly mentioned: ReadonlyMap<DocNo, Mention>
  /** Why meaning did not count although it should have. */
  readonly withoutMeaning: string | undefined
}

/**
 * Candidates of each kind of evidence. Their number does not depend on how many are shown: the first
 * ten of a hundred are the ten that a page of ten has, and what is measured is what agents get. The
 * second document of a question that needs two may stand far down until links speak for it.
 */
const CANDIDATES = 200
/** What lies deeper than half of them is asked for by those who page on and on. */
const DEEP_CANDIDATES = 1_000
/** At half of a question, names leave nothing to general meanings. */
const NAMES_WEIGH = 2

export async function rankDocuments(
  kb: View,
  query: string,
  { limit, filter, mode = 'auto', links = true }: RankOptions,
): Promise<Ranking> {
  const scoped = filter ?? (await kb.documents())
  return kb.index.retrying(async (moment) => {
    const wanted = 2 * limit <= CANDIDATES ? CANDIDATES : Math.max(DEEP_CANDIDATES, 2 * limit)
    const { rank } = await moment.pathOrder()
    const compare = (a: DocNo, b: DocNo): number => rank(a) - rank(b)
    const lexical = await moment.lexical()
    const asked = parseQuery(query)
    const within = asked.symbols ? await withinCode(kb, scoped, moment) : scoped
    const found = await lexical.search(asked, { limit: wanted, filter: within, compare })
    const text = askedText(asked)
    // What words require or exclude binds meaning and links as well.
    const admitted = both(within, found.admitted)
    const asks = mode !== 'lexical' && (mode === 'semantic' || needsMeaning(found))
    const { meaning, vector, failure } = asks ? await understand(kb, moment, text) : WORDS_ALONE
    const reading = readingOf(meaning, text)
    const similar =
      meaning && vector
        ? findSimilar(meaning, vector, found.hits, {
            limit: wanted,
            filter: admitted,
            compare,
          })
        : []
    const graph = links ? await kb.links(moment) : undefined
    const learned = kb.keeping?.learned()
    const judged = learned?.active ? await judgedDocuments(kb, learned, text) : undefined
    const combined = combine(
      {
        words: mode === 'semantic' && meaning ? [] : found.hits,
        wordCount: found.words.length,
        meaning: similar,
        scale: reading.scale,
        // A name is one word: what has blanks in it defines nothing.
        defines: /\S\s+\S/.test(query) ? undefined : await findDefiners(kb, query, moment),
        understood: reading.understood,
        general: reading.general,
        baseline: reading.baseline,
        named: mode === 'semantic' && meaning ? undefined : found.named,
        mentioned: mode === 'semantic' && meaning ? undefined : found.mentioned,
        linked: graph && ((doc) => linkedWith(graph, doc, admitted)),
      },
      compare,
      // The same order for every limit: whoever is moved comes from anywhere.
      judged ? Infinity : limit,
    )
    const hits = judged ? applyFeedback(combined, judged).slice(0, limit) : combined
    return {
      hits: hits.map(rankedOf),
      words: found.words,
      languages: found.languages,
      truncated: found.truncated,
      relaxed: found.relaxed,
      mode: !meaning ? 'lexical' : mode === 'semantic' ? 'semantic' : 'hybrid',
      nearEnough: reading.nearEnough,
      unrelatedAt: reading.unrelatedAt,
      coversEnough: reading.coversEnough,
      pairs: isUnspaced(text),
      mentioned: found.mentioned,
      withoutMeaning: failure,
    }
  })
}

/** Headings of notes are no symbols. */
async function withinCode(
  kb: View,
  filter: DocSet | undefined,
  { stamps }: Moment,
): Promise<DocSet> {
  const files = await codeFilesOf(kb.base.store).at(stamps)
  const within = both(await kb.documents(), filter)
  return docSet(within ? files.filter((doc) => within.has(doc)) : files)
}

type Admits = Pick<DocSet, 'has'>

function both(a: Admits | undefined, b: Admits | undefined): Admits | undefined {
  if (!a || !b) return a ?? b
  return { has: (doc) => a.has(doc) && b.has(doc) }
}

/** A name that is found needs no interpretation, and the scan of all vectors is saved. */
function needsMeaning({ hits, words }: SearchResult): boolean {
  const [best] = hits
  return !best || meaningWeight(words.length, Math.min(best.coverage, best.together)) > 0
}

function rankedOf({ doc, chunk, ...signals }: CombinedHit): RankedDocument {
  return { doc, chunk, score: signals.total, signals }
}

interface Understood {
  readonly meaning: Meaning | undefined
  readonly vector: Float32Array | undefined
  readonly failure: string | undefined
}

/**
 * What the embedder makes of the question. General meanings tell little about names: a question full
 * of them is answered by words and links.
 */
function readingOf(meaning: Meaning | undefined, text: string): Reading {
  const reading =
    meaning?.embedder.read?.(text, meaning.documents ?? meaning.vectors.documents) ?? ALL_KNOWN
  if (reading.knowsNames || reading.general === 0) return reading
  const trust = Math.max(0, 1 - NAMES_WEIGH * nameShare(text))
  return {
    ...reading,
    understood: reading.understood * (1 - reading.general * (1 - trust)),
    general: reading.general * trust,
  }
}

const ALL_KNOWN: Reading = { understood: 1, general: 0, scale: 1 }

const WORDS_ALONE: Understood = { meaning: undefined, vector: undefined, failure: undefined }

/** What the question means. An embedder that fails costs the meaning, never the answer. */
export async function understand(kb: View, moment: Moment, query: string): Promise<Understood> {
  const meaning = await moment.meaning()
  if (!meaning) {
    const trouble = await embeddingTrouble(kb.base.store)
    return { ...WORDS_ALONE, failure: trouble?.message }
  }
  try {
    return { meaning, vector: await meaning.embedder.embedQuery(query), failure: undefined }
  } catch (error) {
    // What else is thrown is a bug of the embedder, and its text may hold anything.
    const known = error instanceof KnowledgeError
    return { ...WORDS_ALONE, failure: known ? error.message : 'The embedder failed.' }
  }
}

/** The closest documents, and how close those are that words have found. */
function findSimilar(
  { vectors }: Meaning,
  vector: Float32Array,
  found: readonly { readonly doc: DocNo }[],
  options: Parameters<Meaning['vectors']['search']>[1],
) {
  if (vector.every((value) => value === 0)) return []
  return vectors.search(vector, { ...options, also: found.map(({ doc }) => doc) })
}

function linkedWith(
  links: ScopedLinks,
  doc: DocNo,
  filter: Admits | undefined,
): readonly LinkedDoc[] {
  const all = neighboursOf(links, doc)
  return filter ? all.filter((each) => filter.has(each.doc)) : all
}

function neighboursOf(
  { graph, docs, types, nodeOf, within, mentions }: ScopedLinks,
  doc: DocNo,
): readonly LinkedDoc[] {
  const node = nodeOf(doc)
  if (node === undefined) return []
  const linked: { doc: DocNo; forward: boolean; imported: boolean }[] = []
  // Both rows are in the order of their nodes; a node that is in both, or with two types, is one.
  let from = graph.in.start[node]!
  let to = graph.out.start[node]!
  const fromEnd = graph.in.start[node + 1]!
  const toEnd = graph.out.start[node + 1]!
  let last = -1
  while (from < fromEnd || to < toEnd) {
    const forward = from === fromEnd || (to < toEnd && graph.out.node[to]! <= graph.in.node[from]!)
    const rows = forward ? graph.out : graph.in
    const at = forward ? to++ : from++
    const other = rows.node[at]!
    const type = rows.type[at]!
    if (other === node || (within.types && !within.types.includes(type))) continue
    if (other !== last) linked.push({ doc: docs[other]!, forward, imported: false })
    last = other
    const { kind } = types[type]!
    if (kind === 'import' || kind === 'exercises') linked.at(-1)!.imported = true
  }
  if (linked.length > 0 || !mentions) return linked
  return mentions.of(doc).map((each) => ({ ...each, mentioned: true }))
}
