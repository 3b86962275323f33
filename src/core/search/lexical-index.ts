/**
 * The lexical index over several immutable segments. A search looks its words up in the resident
 * dictionaries, fetches all their lists in one round trip, and ranks without waiting again.
 */
import type { DocNo } from '../domain/document.ts'
import { inSlices, Slices } from '../kit/slices.ts'
import type { DocSet, FieldWeights, LexicalHit } from './contract.ts'
import { FIELDS } from './contract.ts'
import { analyseText } from './analysis/analyser.ts'
import type { Language } from './analysis/languages/language.ts'
import { documentsWith, documentsWithPhrase } from './conditions.ts'
import { findNamed } from './find-named.ts'
import { ListCache } from './list-cache.ts'
import { LiveSegment, rankSegment } from './live-segment.ts'
import type { RankedSegment, SegmentSource } from './live-segment.ts'
import type { Mention, MentionedName, NameKind } from './names.ts'
import { planQuery } from './plan-query.ts'
import type { Condition, QueryPlan, QueryWord, StopWordRule } from './plan-query.ts'
import { parseQuery } from './query.ts'
import type { ParsedQuery } from './query.ts'
import { DEFAULT_FIELD_WEIGHTS } from './ranking/bm25f.ts'
import { bestOfCursor, listCursor } from './ranking/cursor.ts'
import type { Cursor, Scorer } from './ranking/cursor.ts'
import { Occurrences } from './ranking/occurrences.ts'
import { RESCORE_WEIGHTS, Rescorer } from './ranking/rescore.ts'
import type { RescoreWeights, RescoreWord } from './ranking/rescore.ts'
import { statisticsOf } from './ranking/statistics.ts'
import type { Statistics } from './ranking/statistics.ts'
import { TopDocuments } from './ranking/top-documents.ts'
import type { CompareDocs } from './ranking/top-documents.ts'
import { openSegment } from './segment/segment.ts'
import { SPELT_WEIGHT, SPELT_WORDS, TermLookup } from './term-lookup.ts'
import type { TermList } from './segment/term-list.ts'
import type { Fuzziness, Lists, NearTerms, ResolvedWord } from './term-lookup.ts'

export interface LexicalIndex {
  /** Makes these segments the index. Those already open stay open; a search under way is not disturbed. */
  setSegments(sources: readonly SegmentSource[]): Promise<void>
  search(query: string | ParsedQuery, options: SearchOptions): Promise<SearchResult>
  /** Live documents. */
  readonly documents: number
  close(): void
}

export interface SearchOptions {
  readonly limit: number
  /** Field weights that differ from the default. */
  readonly weights?: Partial<FieldWeights>
  /** Only these documents may be found. */
  readonly filter?: DocSet
  /** Decides between documents of equal score; by number unless given. */
  readonly compare?: CompareDocs
  readonly rescore?: RescoreWeights
  /** Which words also stand for terms one slip away: those the corpus lacks, or every one. */
  readonly fuzzy?: Fuzziness
  /** What becomes of a query of stop words only: they are searched, unless they are dropped. */
  readonly stopWords?: StopWordRule
}

export interface SearchResult {
  readonly hits: readonly LexicalHit[]
  /** Documents that bear the whole query as a name; of headings, only those of hits. */
  readonly named: ReadonlyMap<DocNo, NameKind>
  /** Documents whose title or alias stands in the query. */
  readonly mentioned: ReadonlyMap<DocNo, Mention>
  /** Documents that other evidence may add; undefined when the query does not restrict it. */
  readonly admitted: Pick<DocSet, 'has'> | undefined
  /** What the words of the query were taken for; snippets highlight these terms. */
  readonly words: readonly MatchedWord[]
  /** Languages of the corpus, in which the words were looked up; snippets want to know. */
  readonly languages: readonly Language[]
  /** Whether the query was longer than could be read. */
  readonly truncated: boolean
  /** Whether no document has a quoted phrase, so that its words were searched instead. */
  readonly relaxed: boolean
  /** How many documents were scored: a measure of early termination. */
  readonly examined: number
}

export interface MatchedWord {
  readonly spelling: string
  /** Terms of the index that stand for the word; none when nothing is like it. */
  readonly terms: readonly string[]
  readonly match: 'exact' | 'prefix' | 'fuzzy' | 'none'
  /** Query weight times inverse document frequency. */
  readonly weight: number
}

export interface LexicalIndexOptions {
  /** Memory for term lists that were read lately. */
  readonly cacheBytes?: number
}

const DEFAULT_CACHE_BYTES = 16 * 1024 * 1024

/** Candidates of the second stage: enough that reordering them cannot miss a good one. */
const MIN_CANDIDATES = 200

/** What more documents are called is a kind of thing, not the name of one. */
const MOST_NAMESAKES = 3

export function createLexicalIndex(options: LexicalIndexOptions = {}): LexicalIndex {
  return new SegmentedIndex(new ListCache(options.cacheBytes ?? DEFAULT_CACHE_BYTES))
}

/** What one search sees from beginning to end. */
interface Snapshot {
  readonly segments: readonly RankedSegment[]
  readonly statistics: Statistics
  readonly near: NearTerms
}

class SegmentedIndex implements LexicalIndex {
  readonly #cache: ListCache
  #snapshot: Snapshot = { segments: [], statistics: statisticsOf([]), near: new Map() }

  constructor(cache: ListCache) {
    this.#cache = cache
  }

  get documents(): number {
    return this.#snapshot.statistics.documents
  }

  async setSegments(sources: readonly SegmentSource[]): Promise<void> {
    const before = this.#snapshot
    const open = new Map(before.segments.map(({ live }) => [live.source.id, live]))
    const opened = await Promise.all(
      sources.map((source) => open.get(source.id)?.segment ?? openSegment(source.reader)),
    )
    // Every one of them is gone through twice, which takes as long as it has documents.
    const live = await inSlices(sources.entries(), ([at, source]) => {
      const known = open.get(source.id)
      const unchanged =
        known?.source.deleted === source.deleted && known.deletedSize === source.deleted.size
      return known && unchanged ? known : new LiveSegment(source, opened[at]!)
    })
    const living = new Set(sources.map(({ id }) => id))
    this.#cache.forget(new Set([...open.keys()].filter((id) => !living.has(id))))
    const statistics = statisticsOf(live.map((segment) => segment.totals))
    const ranked = new Map(before.segments.map((each) => [each.live.segment, each]))
    // Averages go in coarse steps: most changes leave them, and with them all that follows.
    const same = statistics.averages.every((each, f) => each === before.statistics.averages[f])
    const segments = await inSlices(live, (segment) => {
      const known = same ? ranked.get(segment.segment) : undefined
      return known ? { ...known, live: segment } : rankSegment(segment, statistics)
    })
    this.#snapshot = { segments, statistics, near: new Map() }
  }

  close(): void {
    this.#snapshot = { segments: [], statistics: statisticsOf([]), near: new Map() }
    this.#cache.clear()
  }

  async search(query: string | ParsedQuery, options: SearchOptions): Promise<SearchResult> {
    const snapshot = this.#snapshot
    const plan = planQuery(
      typeof query === 'string' ? parseQuery(query) : query,
      snapshot.statistics.languages,
      options.stopWords,
    )
    const lookup = new TermLookup(
      snapshot.segments,
      snapshot.statistics,
      this.#cache,
      snapshot.near,
    )
    await lookup.resolve(plan, options.fuzzy)
    return new Search(snapshot, plan, lookup, options).run()
  }
}

/** One search, after everything it needs has been fetched. */
class Search {
  readonly #snapshot: Snapshot
  readonly #plan: QueryPlan
  readonly #lookup: TermLookup
  readonly #options: SearchOptions
  readonly #words: readonly ResolvedWord[]
  readonly #compare: CompareDocs
  readonly #everyField: Float64Array
  #relaxed = false
  #admitted: Pick<DocSet, 'has'> | undefined

  constructor(snapshot: Snapshot, plan: QueryPlan, lookup: TermLookup, options: SearchOptions) {
    this.#snapshot = snapshot
    this.#plan = plan
    this.#lookup = lookup
    this.#options = options
    this.#words = plan.words.map((word) => lookup.wordOf(word))
    this.#compare = options.compare ?? ((a, b) => a - b)
    const weights = { ...DEFAULT_FIELD_WEIGHTS, ...options.weights }
    this.#everyField = Float64Array.from(FIELDS, (field) => Math.max(0, weights[field]))
  }

  async run(): Promise<SearchResult> {
    const limit = Math.max(0, Math.floor(this.#options.limit))
    const { passage, proximity } = this.#options.rescore ?? RESCORE_WEIGHTS
    // A second stage that adds nothing keeps the order of the first.
    const isReordered = passage > 0 || proximity > 0
    const candidates = isReordered ? Math.max(MIN_CANDIDATES, 2 * limit) : limit
    const top = new TopDocuments(candidates, this.#compare)
    if (limit > 0) await this.#collect(top)
    const hits = this.#rescore(top, limit)
    return {
      hits,
      named: limit > 0 ? this.#named(hits) : new Map(),
      mentioned: limit > 0 ? this.#mentioned() : new Map(),
      admitted: this.#admitted,
      words: this.#words.map(({ word, terms, match, weight }) => ({
        spelling: word.spelling,
        terms: terms.map(({ term }) => term),
        match,
        weight,
      })),
      languages: this.#snapshot.statistics.languages,
      truncated: this.#plan.truncated,
      relaxed: this.#relaxed,
      examined: top.examined,
    }
  }

  async #collect(top: TopDocuments): Promise<void> {
    const { filter } = this.#options
    const allowed = await this.#allowedDocuments()
    this.#admitted = allowed && this.#documentsIn(allowed)
    const slices = new Slices()
    for (const [s, segment] of this.#snapshot.segments.entries()) {
      if (slices.over) await slices.pause()
      const { isDeleted, segment: data } = segment.live
      const documents = data.documents.numbers
      const mask = allowed?.[s]
      top.search({
        segment: s,
        documents,
        cursors: this.#words.flatMap((word) => [
          ...this.#cursor(word, s, segment),
          ...this.#speltCursor(word, s, segment),
        ]),
        accepts: (ordinal) =>
          isDeleted?.[ordinal] !== 1 &&
          (mask === undefined || mask[ordinal] === 1) &&
          (filter === undefined || filter.has(documents[ordinal] as DocNo)),
      })
    }
  }

  #cursor(word: ResolvedWord, s: number, segment: RankedSegment): Cursor[] {
    const fieldWeights = this.#fieldWeights(word.word)
    const lists = word.terms.flatMap(({ lists, boost }): [TermListOf, Scorer][] => {
      const list = lists[s]
      if (list === undefined) return []
      const { inverseNorms, drift } = segment
      return [[list, { weight: word.weight * boost, fieldWeights, inverseNorms, drift }]]
    })
    const [first] = lists
    if (first === undefined) return []
    return [lists.length === 1 ? listCursor(...first) : bestOfCursor(lists)]
  }

  /** The word as it is spelt counts a little on top of its stem. */
  #speltCursor({ word, spelt, weight }: ResolvedWord, s: number, segment: RankedSegment): Cursor[] {
    const list = spelt?.[s]
    if (list === undefined || this.#words.length > SPELT_WORDS) return []
    const { inverseNorms, drift } = segment
    const fieldWeights = this.#fieldWeights(word)
    return [listCursor(list, { weight: weight * SPELT_WEIGHT, fieldWeights, inverseNorms, drift })]
  }

  #fieldWeights({ field: only }: QueryWord): Float64Array {
    if (only === undefined) return this.#everyField
    const weights = { ...DEFAULT_FIELD_WEIGHTS, ...this.#options.weights }
    // A word that was asked for in a field counts there, however little the field weighs.
    return Float64Array.from(FIELDS, (field) => (only === field ? Math.max(weights[field], 1) : 0))
  }

  /** Per segment, one byte per document: whether it meets all conditions. */
  async #allowedDocuments(): Promise<readonly Uint8Array[] | undefined> {
    const { required, excluded } = this.#plan
    if (required.length === 0 && excluded.length === 0) return undefined
    const masks = await this.#masks(required, excluded)
    if (masks.some((mask) => mask.includes(1))) return masks
    const words = required.filter((condition) => condition.kind === 'word')
    if (words.length === required.length) return masks
    this.#relaxed = true
    return this.#masks(words, excluded)
  }

  async #masks(
    required: readonly Condition[],
    excluded: readonly Condition[],
  ): Promise<Uint8Array[]> {
    const slices = new Slices()
    const masks: Uint8Array[] = []
    for (const [s, { live }] of this.#snapshot.segments.entries()) {
      const { isDeleted, segment } = live
      const mask = new Uint8Array(segment.documents.count).fill(1)
      for (const condition of required) {
        if (slices.over) await slices.pause()
        keepOnly(mask, this.#meeting(condition, s))
      }
      for (const condition of excluded) {
        if (slices.over) await slices.pause()
        for (const ordinal of this.#meeting(condition, s)) mask[ordinal] = 0
      }
      if (isDeleted) for (const ordinal of live.deletedOrdinals) mask[ordinal] = 0
      masks.push(mask)
    }
    return masks
  }

  #documentsIn(masks: readonly Uint8Array[]): Pick<DocSet, 'has'> {
    const documents = new Set<DocNo>()
    for (const [s, { live }] of this.#snapshot.segments.entries()) {
      const { numbers } = live.segment.documents
      masks[s]?.forEach((met, ordinal) => {
        if (met === 1) documents.add(numbers[ordinal] as DocNo)
      })
    }
    return documents
  }

  #meeting(condition: Condition, s: number): Int32Array {
    if (condition.kind === 'word') {
      const { word, terms } = this.#lookup.wordOf(condition.word)
      return documentsWith(
        terms.flatMap(({ lists }) => lists[s] ?? []),
        word.field,
      )
    }
    const segment = this.#snapshot.segments[s]?.live.segment
    if (segment === undefined) return new Int32Array()
    const listsOf = (terms: readonly string[]): TermList[] =>
      terms.flatMap((term) => this.#lookup.listsOf(term)?.[s] ?? [])
    const words = condition.terms.map(({ terms, letters, offset }) => ({
      lists: listsOf(terms),
      // Who means the letters does not mean what merely shares the stem.
      otherForms: letters === undefined ? [] : listsOf(this.#lookup.otherForms(letters)),
      offset,
    }))
    return documentsWithPhrase(segment, words, condition.field)
  }

  /** What the signs in a name would require or exclude is not meant: the name is. */
  #named(hits: readonly LexicalHit[]): ReadonlyMap<DocNo, NameKind> {
    const { filter } = this.#options
    const names = this.#lookup.knownAmong(this.#plan.names)
    if (names.length === 0) return new Map()
    let found: ReadonlySet<DocNo> | undefined
    const isFound = (no: DocNo): boolean => (found ??= new Set(hits.map(({ doc }) => doc))).has(no)
    return findNamed(this.#snapshot.segments, this.#lookup, names, (doc, kind) =>
      kind === 'heading' ? isFound(doc) : filter === undefined || filter.has(doc),
    )
  }

  /** The longest names that stand in the query; one inside of another is not meant. */
  #mentioned(): ReadonlyMap<DocNo, Mention> {
    const { filter } = this.#options
    const accepts = (doc: DocNo, kind: NameKind): boolean =>
      (kind === 'title' || kind === 'alias') &&
      (filter === undefined || filter.has(doc)) &&
      (this.#admitted === undefined || this.#admitted.has(doc))
    const mentioned = new Map<DocNo, Mention>()
    const taken: MentionedName[] = []
    const known = this.#plan.mentioned.filter(({ term }) => this.#lookup.listsOf(term))
    for (const name of known.toSorted((a, b) => b.last - b.first - (a.last - a.first))) {
      if (taken.some(({ first, last }) => first <= name.first && name.last <= last)) continue
      const named = findNamed(this.#snapshot.segments, this.#lookup, [name.term], accepts)
      if (named.size === 0 || named.size > MOST_NAMESAKES) continue
      taken.push(name)
      const mention = { share: name.share, common: this.#commonness(name) }
      for (const doc of named.keys()) if (!mentioned.has(doc)) mentioned.set(doc, mention)
    }
    return mentioned
  }

  /** How much less its words weigh than as many words of the query do on average, from 0 to 1. */
  #commonness({ text, share }: MentionedName): number {
    const spellings = new Set(analyseText(text).map(({ spelling }) => spelling))
    let [own, all] = [0, 0]
    for (const { word, weight } of this.#words) {
      all += weight
      if (spellings.has(word.spelling)) own += weight
    }
    return all > 0 ? Math.max(0, 1 - own / all / share) : 0
  }

  #rescore(top: TopDocuments, limit: number): LexicalHit[] {
    const words = this.#words.map(({ word, weight }): RescoreWord => ({
      weight,
      fieldWeights: this.#fieldWeights(word),
      position: word.position,
      isWhole: word.kind === 'whole',
    }))
    const { averagePassage } = this.#snapshot.statistics
    const rescorer = new Rescorer(words, averagePassage, this.#options.rescore ?? RESCORE_WEIGHTS)
    // In columns: of twice as many as are wanted, the better half becomes hits.
    const { count } = top
    const [docs, chunks] = [new Uint32Array(count), new Int32Array(count)]
    const [scores, coverage] = [new Float64Array(count), new Float64Array(count)]
    const together = new Float64Array(count)
    const order: number[] = []
    for (const [s, { live, inverseNorms }] of this.#snapshot.segments.entries()) {
      const { documents } = live.segment
      const candidates = top.candidatesIn(s)
      const { ordinals } = candidates
      const occurrences = new Occurrences(ordinals, words.length)
      for (const [w, { terms }] of this.#words.entries()) {
        occurrences.read(
          w,
          terms.flatMap(({ lists }) => lists[s] ?? []),
        )
      }
      for (let i = 0; i < ordinals.length; i++) {
        const ordinal = ordinals[i]!
        rescorer.rescore(occurrences, i, candidates.scores[i]!, documents, ordinal, inverseNorms)
        const at = order.push(order.length) - 1
        docs[at] = documents.numbers[ordinal]!
        chunks[at] = rescorer.chunk ?? -1
        scores[at] = rescorer.score
        coverage[at] = rescorer.coverage
        together[at] = rescorer.together
      }
    }
    const best = order.toSorted((a, b) => {
      if (scores[a] === scores[b]) return this.#compare(docs[a]!, docs[b]!)
      return scores[a]! > scores[b]! ? -1 : 1
    })
    return best.slice(0, limit).map((at) => ({
      doc: docs[at]!,
      score: scores[at]!,
      chunk: chunks[at]! < 0 ? undefined : chunks[at]!,
      coverage: coverage[at]!,
      together: together[at]!,
    }))
  }
}

type TermListOf = NonNullable<Lists[number]>

function keepOnly(mask: Uint8Array, ordinals: Int32Array): void {
  let next = 0
  for (const ordinal of ordinals) {
    mask.fill(0, next, ordinal)
    next = ordinal + 1
  }
  mask.fill(0, next)
}
