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
import { Conditions, intersect, without } from './conditions.ts'
import { findNamed } from './find-named.ts'
import type { SoughtName } from './find-saying.ts'
import { ListCache } from './list-cache.ts'
import { LiveSegment, rankSegment } from './live-segment.ts'
import type { RankedSegment, SegmentSource } from './live-segment.ts'
import type { NameRun } from './name-runs.ts'
import type { Mention, MentionedName, NameKind } from './names.ts'
import { planQuery } from './plan-query.ts'
import type { Condition, QueryPlan, QueryWord, StopWordRule } from './plan-query.ts'
import { parseQuery } from './query.ts'
import type { ParsedQuery } from './query.ts'
import { DEFAULT_FIELD_WEIGHTS, SCORE_UNIT } from './ranking/bm25f.ts'
import { Occurrences } from './ranking/occurrences.ts'
import { RESCORE_WEIGHTS, Rescorer } from './ranking/rescore.ts'
import type { RescoreWeights, RescoreWord } from './ranking/rescore.ts'
import { giveBack, takeSums } from './ranking/score-sums.ts'
import type { CompareDocs, DecodedList, Scorer, ScoreSums } from './ranking/score-sums.ts'
import { statisticsOf } from './ranking/statistics.ts'
import type { Statistics } from './ranking/statistics.ts'
import { openSegment } from './segment/segment.ts'
import { encodeTerm } from './segment/term-table.ts'
import { SPELT_WEIGHT, SPELT_WORDS, TermLookup } from './term-lookup.ts'
import type { TermList } from './segment/term-list.ts'
import type { Fuzziness, NearTerms, ResolvedWord } from './term-lookup.ts'

export interface LexicalIndex {
  /** Makes these segments the index. Those already open stay open; a search under way is not disturbed. */
  setSegments(sources: readonly SegmentSource[]): Promise<void>
  search(query: string | ParsedQuery, options: SearchOptions): Promise<SearchResult>
  /** Who bears names that stand in a text, of those that anybody bears. */
  bearers(runs: readonly NameRun[]): Promise<readonly BorneName[]>
  /** Who says each of these names in their text: read by whoever keeps such edges, not by a search. */
  saying(names: readonly SoughtName[]): Promise<readonly (readonly DocNo[])[]>
  /** Whether any name begins like this term. */
  beginsName(term: string): boolean
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
}

/** A name in a text, and who is called so. */
export interface BorneName {
  readonly run: NameRun
  /** Which of its terms the name is. */
  readonly term: string
  /** Each with its strongest kind. */
  readonly bearers: ReadonlyMap<DocNo, NameKind>
  /** How many documents have the rarest of its words. */
  readonly spread: number
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

  async bearers(runs: readonly NameRun[]): Promise<readonly BorneName[]> {
    const { segments, statistics, near } = this.#snapshot
    const lookup = new TermLookup(segments, statistics, this.#cache, near)
    const names = await lookup.fetchKnown(runs.flatMap(({ terms }) => terms))
    const named = runs.flatMap((run): Omit<BorneName, 'spread'>[] => {
      for (const term of run.terms) {
        if (!names.has(term)) continue
        const bearers = findNamed(segments, lookup, [term], () => true)
        if (bearers.size > 0) return [{ run, term, bearers }]
      }
      return []
    })
    const spread = await lookup.spreadOf(new Set(named.flatMap(({ run }) => run.words)))
    return named.map((each) => ({
      ...each,
      spread: Math.min(...each.run.words.map((word) => spread.get(word) ?? 0)),
    }))
  }

  async saying(names: readonly SoughtName[]): Promise<readonly (readonly DocNo[])[]> {
    const { segments, statistics, near } = this.#snapshot
    const { findSaying } = await import('./find-saying.ts')
    const openLookup = (): TermLookup => new TermLookup(segments, statistics, this.#cache, near)
    return findSaying(segments, openLookup, statistics.languages, names)
  }

  beginsName(term: string): boolean {
    const bytes = encodeTerm(term)
    return this.#snapshot.segments.some(({ live }) => live.segment.terms.begins(bytes))
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
    const hits = limit > 0 ? await this.#rank(candidates, limit) : []
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
    }
  }

  /** Both stages, in room that the next search takes over. */
  async #rank(candidates: number, limit: number): Promise<LexicalHit[]> {
    const { segments } = this.#snapshot
    const bases = [0]
    for (const { live } of segments) bases.push(bases.at(-1)! + live.segment.documents.count)
    const sums = takeSums(bases.at(-1)!)
    const allowed = await this.#allowedDocuments(sums)
    this.#admitted = allowed && this.#documentsIn(allowed)
    sums.forget()
    const decoded = await this.#addScores(sums, bases, allowed)
    const numbers = (place: number): DocNo => {
      let s = segments.length - 1
      while (bases[s]! > place) s--
      return segments[s]!.live.segment.documents.numbers[place - bases[s]!]!
    }
    const compare = (a: number, b: number): number => this.#compare(numbers(a), numbers(b))
    const among = allowed && placesOf(allowed, bases)
    const places = sums.best(candidates, this.#greatestSum(), compare, among)
    const hits = this.#rescore(sums, places, bases, decoded, limit)
    giveBack(sums)
    return hits
  }

  /** Returns the lists of every word, by segment. */
  async #addScores(
    sums: ScoreSums,
    bases: readonly number[],
    allowed: readonly Int32Array[] | undefined,
  ): Promise<DecodedList[][][]> {
    const slices = new Slices()
    const decoded: DecodedList[][][] = []
    for (const [s, segment] of this.#snapshot.segments.entries()) {
      const words: DecodedList[][] = []
      for (const word of this.#words) {
        if (slices.over) await slices.pause()
        const { inverseNorms } = segment
        const fieldWeights = this.#fieldWeights(word.word)
        const scored: [TermList, Scorer][] = []
        for (const { lists, boost } of word.terms) {
          const weight = word.weight * boost
          if (lists[s]) scored.push([lists[s], { weight, fieldWeights, inverseNorms }])
        }
        words.push(sums.add(scored, bases[s]!, allowed?.[s]))
        // The word as it is spelt counts a little on top of its stem.
        const spelt = this.#words.length > SPELT_WORDS ? undefined : word.spelt?.[s]
        const weight = word.weight * SPELT_WEIGHT
        if (spelt)
          sums.add([[spelt, { weight, fieldWeights, inverseNorms }]], bases[s]!, allowed?.[s])
      }
      decoded.push(words)
      this.#dropOthers(sums.sums, bases[s]!, segment.live, allowed?.[s])
    }
    return decoded
  }

  /** Takes out the sums of documents that may not be found. */
  #dropOthers(
    sums: Float64Array,
    base: number,
    { segment, deletedOrdinals }: LiveSegment,
    allowed: Int32Array | undefined,
  ): void {
    const { filter } = this.#options
    const { numbers, count } = segment.documents
    let place = base
    for (const ordinal of allowed ?? []) {
      sums.fill(0, place, base + ordinal)
      place = base + ordinal + 1
    }
    if (allowed) sums.fill(0, place, base + count)
    for (const ordinal of deletedOrdinals) sums[base + ordinal] = 0
    if (!filter) return
    for (let ordinal = 0; ordinal < count; ordinal++) {
      if (sums[base + ordinal]! > 0 && !filter.has(numbers[ordinal]!)) sums[base + ordinal] = 0
    }
  }

  #greatestSum(): number {
    let most = 0
    for (const { weight } of this.#words) {
      most += Math.ceil((weight * (1 + SPELT_WEIGHT)) / SCORE_UNIT) + 1
    }
    return most
  }

  #fieldWeights({ field: only }: QueryWord): Float64Array {
    if (only === undefined) return this.#everyField
    const weights = { ...DEFAULT_FIELD_WEIGHTS, ...this.#options.weights }
    // A word that was asked for in a field counts there, however little the field weighs.
    return Float64Array.from(FIELDS, (field) => (only === field ? Math.max(weights[field], 1) : 0))
  }

  /** Per segment, the ordinals of documents that meet all conditions, rising. */
  async #allowedDocuments(sums: ScoreSums): Promise<readonly Int32Array[] | undefined> {
    const { required, excluded } = this.#plan
    if (required.length === 0 && excluded.length === 0) return undefined
    const allowed = await this.#meetingAll(required, excluded, sums)
    if (allowed.some(({ length }) => length > 0)) return allowed
    const words = required.filter((condition) => condition.kind === 'word')
    if (words.length === required.length) return allowed
    this.#relaxed = true
    return this.#meetingAll(words, excluded, sums)
  }

  async #meetingAll(
    required: readonly Condition[],
    excluded: readonly Condition[],
    sums: ScoreSums,
  ): Promise<Int32Array[]> {
    const slices = new Slices()
    const all: Int32Array[] = []
    for (const [s, { live }] of this.#snapshot.segments.entries()) {
      let allowed: Int32Array | undefined
      for (const condition of required) {
        if (slices.over) await slices.pause()
        const meeting = this.#meeting(condition, s, sums)
        allowed = allowed === undefined ? meeting : intersect(allowed, meeting)
      }
      allowed ??= Int32Array.from({ length: live.segment.documents.count }, (_, at) => at)
      const gone: Int32Array[] = [Int32Array.from(live.deletedOrdinals)]
      for (const condition of excluded) {
        if (slices.over) await slices.pause()
        gone.push(this.#meeting(condition, s, sums))
      }
      for (const each of gone) allowed = without(allowed, each)
      all.push(allowed)
    }
    return all
  }

  #documentsIn(allowed: readonly Int32Array[]): Pick<DocSet, 'has'> {
    const documents = new Set<DocNo>()
    for (const [s, { live }] of this.#snapshot.segments.entries()) {
      const { numbers } = live.segment.documents
      for (const ordinal of allowed[s]!) documents.add(numbers[ordinal]!)
    }
    return documents
  }

  #meeting(condition: Condition, s: number, sums: ScoreSums): Int32Array {
    const conditions = new Conditions(this.#snapshot.segments[s]!, sums)
    if (condition.kind === 'word') {
      const { word, terms } = this.#lookup.wordOf(condition.word)
      return conditions.documentsWith(
        terms.flatMap(({ lists }) => lists[s] ?? []),
        word.field,
      )
    }
    const listsOf = (terms: readonly string[]): TermList[] =>
      terms.flatMap((term) => this.#lookup.listsOf(term)?.[s] ?? [])
    const same = Map.groupBy(condition.terms, ({ terms, letters }) => [letters, ...terms].join(' '))
    const words = Array.from(same.values(), (places) => {
      const { terms, letters } = places[0]!
      return {
        lists: listsOf(terms),
        // Who means the letters does not mean what merely shares the stem.
        otherForms: letters === undefined ? [] : listsOf(this.#lookup.otherForms(letters)),
        offsets: places.map(({ offset }) => offset),
      }
    })
    return conditions.documentsWithPhrase(words, condition.field)
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

  #rescore(
    sums: ScoreSums,
    places: Int32Array,
    bases: readonly number[],
    decoded: readonly DecodedList[][][],
    limit: number,
  ): LexicalHit[] {
    const words = this.#words.map(({ word, weight }): RescoreWord => ({
      weight,
      fieldWeights: this.#fieldWeights(word),
      position: word.position,
      isWhole: word.kind === 'whole',
    }))
    const { averagePassage } = this.#snapshot.statistics
    const rescorer = new Rescorer(words, averagePassage, this.#options.rescore ?? RESCORE_WEIGHTS)
    // In columns: of twice as many as are wanted, the better half becomes hits.
    const count = places.length
    const [docs, chunks] = [new Uint32Array(count), new Int32Array(count)]
    const [scores, coverage] = [new Float64Array(count), new Float64Array(count)]
    const together = new Float64Array(count)
    let at = 0
    for (const [s, { live, inverseNorms }] of this.#snapshot.segments.entries()) {
      const { documents } = live.segment
      const from = at
      let end = at
      while (end < count && places[end]! < bases[s + 1]!) end++
      if (from === end) continue
      const ordinals = places.subarray(from, end).map((place) => place - bases[s]!)
      const occurrences = new Occurrences(ordinals, words.length, sums)
      for (const [w, lists] of decoded[s]!.entries()) occurrences.read(w, lists)
      for (; at < end; at++) {
        const ordinal = ordinals[at - from]!
        const units = sums.sums[places[at]!]!
        rescorer.rescore(occurrences, at - from, units, documents, ordinal, inverseNorms)
        docs[at] = documents.numbers[ordinal]!
        chunks[at] = rescorer.chunk
        scores[at] = rescorer.score
        coverage[at] = rescorer.coverage
        together[at] = rescorer.together
      }
    }
    const best = [...docs.keys()].toSorted((a, b) => {
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

/** Ordinals of all segments as places, one behind the other. */
function placesOf(ordinals: readonly Int32Array[], bases: readonly number[]): Int32Array {
  const places = new Int32Array(ordinals.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const [s, some] of ordinals.entries()) {
    for (const ordinal of some) places[at++] = bases[s]! + ordinal
  }
  return places
}
