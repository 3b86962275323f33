/**
 * Finds the terms that stand for the words of a query and fetches their lists: the term itself,
 * the terms a prefix begins, or, for a word the corpus lacks, the terms one slip away.
 */
import { Slices } from '../kit/slices.ts'
import type { ByteRange } from './contract.ts'
import { analyseSpan } from './analysis/analyser.ts'
import { stem } from './analysis/languages/language.ts'
import type { Language } from './analysis/languages/language.ts'
import type { ListCache } from './list-cache.ts'
import type { RankedSegment } from './live-segment.ts'
import { spellingOf, speltPrefix } from './names.ts'
import type { PhraseTerm, QueryPlan, QueryWord } from './plan-query.ts'
import { inverseFrequency } from './ranking/bm25f.ts'
import type { Statistics } from './ranking/statistics.ts'
import { TermList } from './segment/term-list.ts'
import { encodeTerm } from './segment/term-table.ts'
import { STOP_WORDS } from './analysis/stop-words.ts'
import { neighbours } from './spelling.ts'

/** A term's list in each segment. */
export type Lists = readonly (TermList | undefined)[]

export interface ResolvedTerm {
  readonly term: string
  readonly lists: Lists
  /** 1 for the term itself, less for a guess. */
  readonly boost: number
}

export interface ResolvedWord {
  readonly word: QueryWord
  readonly terms: readonly ResolvedTerm[]
  /** Where it stands as it is spelt; undefined where that is nothing but its stem. */
  readonly spelt?: Lists
  readonly match: 'exact' | 'prefix' | 'fuzzy' | 'none'
  /** Query weight times inverse document frequency. */
  readonly weight: number
}

/**
 * What was found to be near a stem, what an unknown word may be a slip of, and the other forms of a
 * word under what its spellings begin with, for as long as the segments stay the same.
 */
export type NearTerms = Map<string, readonly string[]>
const MAX_REMEMBERED = 10_000
/** Before an unknown word: no term begins with it. */
const MEANT = '?'

/** Which words of a query also stand for the terms one slip away. */
export type Fuzziness = 'unknown_words' | 'every_word'

/**
 * What a word as it is spelt counts on top of its stem, and up to how many words: who types a name
 * means its letters, who asks a question will take any form (0.2 throughout costs scifact .008).
 */
export const SPELT_WEIGHT = 0.3
export const SPELT_WORDS = 3
/** A guess counts less than the word itself would. */
const FUZZY_BOOST = 0.7
const MAX_GUESSES = 8
/** Where every word is guessed at, all that are near count; the bound is against odd corpora. */
const MAX_NEAR = 64
/** Then words from this length on have neighbours; stop words are never among them. */
const MIN_NEAR_LENGTH = 3

/** A prefix stands for at most so many terms, the most frequent of those that are looked at. */
const MAX_PREFIX_TERMS = 64
const MAX_PREFIX_LOOKUPS = 512
/** So many are looked at for that where documents are gone, or not seen. */
const MAX_PREFIX_READ = 16_384

/**
 * The dictionary holds stems, so a prefix can be longer than the term it begins: `configurati*`.
 * It is completed with the endings it may be in the middle of, and the result is stemmed.
 */
const ENDINGS = [
  'e',
  's',
  'ed',
  'er',
  'al',
  'ly',
  'ing',
  'ity',
  'ive',
  'able',
  'ance',
  'ence',
].concat(['ment', 'ness', 'ation', 'ition', 'ization', 'ational'])

export class TermLookup {
  readonly #segments: readonly RankedSegment[]
  readonly #statistics: Statistics
  readonly #cache: ListCache
  readonly #nearTerms: NearTerms
  readonly #lists = new Map<string, Lists>()
  readonly #words = new Map<QueryWord, ResolvedWord>()
  #maxGuesses = MAX_GUESSES

  constructor(
    segments: readonly RankedSegment[],
    statistics: Statistics,
    cache: ListCache,
    near: NearTerms = new Map(),
  ) {
    this.#nearTerms = near
    this.#segments = segments
    this.#statistics = statistics
    this.#cache = cache
  }

  /** Fetches everything the plan needs: one round trip, and a second when words are misspelt. */
  async resolve(plan: QueryPlan, fuzzy: Fuzziness = 'unknown_words'): Promise<void> {
    this.#maxGuesses = fuzzy === 'every_word' ? MAX_NEAR : MAX_GUESSES
    const words = [...plan.words]
    const wanted = new Set(plan.names)
    for (const condition of [...plan.required, ...plan.excluded]) {
      if (condition.kind === 'word') words.push(condition.word)
      else for (const term of condition.terms) addAll(wanted, this.phraseTerms(term))
    }
    const expansions = new Map<QueryWord, readonly string[]>()
    for (const word of words) {
      const begun = word.kind === 'prefix' ? await this.#prefixTerms(word.spelling) : undefined
      expansions.set(word, begun ?? word.terms)
      addAll(wanted, begun ?? word.terms)
    }
    if (plan.words.length <= SPELT_WORDS) {
      for (const { spelt } of plan.words) if (spelt !== undefined) wanted.add(spelt)
    }
    for (const { term } of plan.mentioned) if (this.#isKnown(term)) wanted.add(term)
    await this.#fetch(wanted)

    const guesses = new Map<QueryWord, readonly string[]>()
    for (const word of words) {
      const isMisspelt = word.kind === 'part' && !word.terms.some((term) => this.#frequency(term))
      if (isMisspelt) guesses.set(word, this.#guesses(word.spelling))
    }
    const near = new Map<QueryWord, readonly string[]>()
    if (fuzzy === 'every_word') {
      for (const word of words) if (word.kind === 'part') near.set(word, this.#near(word))
    }
    if (guesses.size + near.size > 0) {
      await this.#fetch(new Set([...guesses.values(), ...near.values()].flat()))
    }

    const slices = new Slices()
    for (const word of words) {
      if (slices.over) await slices.pause()
      const isGuess = guesses.has(word)
      const terms = isGuess ? (near.get(word) ?? guesses.get(word)) : expansions.get(word)
      const resolved = this.#resolveWord(word, terms ?? [], isGuess)
      const others = isGuess ? [] : (near.get(word) ?? [])
      this.#words.set(word, others.length === 0 ? resolved : this.#withGuesses(resolved, others))
    }
  }

  /** Of these terms, those that stand in the index; their lists are fetched. */
  async fetchKnown(terms: readonly string[]): Promise<ReadonlySet<string>> {
    const known = new Set(terms)
    for (const term of known) if (!this.#isKnown(term)) known.delete(term)
    await this.#fetch(known)
    return known
  }

  /** In how many documents a word stands, in any form. */
  async spreadOf(words: ReadonlySet<string>): Promise<ReadonlyMap<string, number>> {
    const stems = new Map<string, readonly string[]>()
    for (const word of words) {
      const terms = this.#statistics.languages.map((language) => singleTerm(word, language))
      stems.set(word, [...new Set(terms.filter((term) => term !== undefined))])
    }
    await this.#fetch(new Set([...stems.values()].flat()))
    const spread = new Map<string, number>()
    for (const [word, terms] of stems) {
      spread.set(word, Math.max(0, ...terms.map((term) => this.#frequency(term))))
    }
    return spread
  }

  wordOf(word: QueryWord): ResolvedWord {
    return this.#words.get(word) ?? { word, terms: [], match: 'none', weight: 0 }
  }

  listsOf(term: string): Lists | undefined {
    return this.#lists.get(term)
  }

  /** Of these, what stands in the index. */
  knownAmong(terms: readonly string[]): readonly string[] {
    return terms.filter((term) => this.#lists.get(term)?.some(Boolean))
  }

  /** Everything a word of a phrase may stand as, and the other forms of its letters. */
  phraseTerms({ terms, letters }: PhraseTerm): readonly string[] {
    return letters === undefined ? terms : [...terms, ...this.otherForms(letters)]
  }

  /**
   * Longer words with this one as their stem: where `run` is meant letter by letter, `running` is
   * not, and both stand in the index as `run`.
   */
  otherForms(letters: string): readonly string[] {
    const key = speltPrefix(letters)
    return this.#remembered(key, () => {
      const forms = new Set<string>()
      for (const { live } of this.#segments) {
        const table = live.segment.terms
        const [first, last] = table.withPrefix(encodeTerm(key))
        for (let i = first; i < Math.min(last, first + MAX_PREFIX_LOOKUPS); i++) {
          forms.add(table.text(i))
        }
      }
      return [...forms].filter((term) => {
        const spelling = spellingOf(term)
        return this.#statistics.languages.some(
          (language) => singleTerm(spelling, language) === letters,
        )
      })
    })
  }

  #resolveWord(word: QueryWord, candidates: readonly string[], isGuess: boolean): ResolvedWord {
    const living = candidates
      .map((term) => ({ term, df: this.#frequency(term) }))
      .filter(({ df }) => df > 0)
      .toSorted((a, b) => b.df - a.df || (a.term < b.term ? -1 : 1))
      .slice(0, isGuess ? this.#maxGuesses : MAX_PREFIX_TERMS)
    const found = isGuess ? 'fuzzy' : word.kind === 'prefix' ? 'prefix' : 'exact'
    // A document is in one language, so the word's documents in each add up. Guesses are judged by
    // the most frequent of them: a rare one is not a better guess.
    const exact = living.reduce((sum, { df }) => sum + df, 0)
    const df = found === 'exact' ? exact : (living[0]?.df ?? 0)
    const idf = inverseFrequency(Math.max(this.#statistics.population, df), df)
    return {
      word,
      match: living.length === 0 ? 'none' : found,
      weight: word.weight * idf,
      ...(word.spelt !== undefined && { spelt: this.#lists.get(word.spelt) }),
      terms: living.map(({ term }) => ({
        term,
        lists: this.#lists.get(term) ?? [],
        boost: isGuess ? FUZZY_BOOST : 1,
      })),
    }
  }

  /** A word that is found, and what it might be a slip of: the word itself always counts most. */
  #withGuesses(resolved: ResolvedWord, guesses: readonly string[]): ResolvedWord {
    const guessed = this.#resolveWord(resolved.word, guesses, true)
    return { ...resolved, terms: [...resolved.terms, ...guessed.terms] }
  }

  /** Live documents that have the term. */
  #frequency(term: string): number {
    let sum = 0
    for (const [s, list] of (this.#lists.get(term) ?? []).entries()) {
      if (list) sum += this.#segments[s]!.live.liveFrequency(term, list)
    }
    return sum
  }

  #isKnown(term: string): boolean {
    const bytes = encodeTerm(term)
    return this.#segments.some(({ live }) => live.segment.terms.find(bytes) >= 0)
  }

  #guesses(spelling: string): readonly string[] {
    return this.#remembered(`${MEANT}${spelling}`, () => {
      const terms = new Set<string>()
      for (const neighbour of neighbours(spelling)) {
        for (const language of this.#statistics.languages) {
          const term = singleTerm(neighbour, language)
          if (term !== undefined) terms.add(term)
        }
      }
      return [...terms].filter((term) => this.#isKnown(term))
    })
  }

  /**
   * Terms one slip away from the word's stem, and for a word the corpus lacks also the stems of what
   * may have been meant: a slip in an ending hides the stem. A stop word is no neighbour: it stands
   * in nearly every document, so that a short word would find them all.
   */
  #near({ spelling, terms }: QueryWord): string[] {
    const isKnown = terms.some((term) => this.#frequency(term) > 0)
    const near = new Set(isKnown ? [] : this.#guesses(spelling))
    for (const stem of terms) for (const term of this.#nearStem(stem)) near.add(term)
    for (const own of terms) near.delete(own)
    return [...near].filter((term) => !STOP_WORDS.has(term))
  }

  #nearStem(stem: string): readonly string[] {
    return this.#remembered(stem, () =>
      [...neighbours(stem, MIN_NEAR_LENGTH)].filter((term) => this.#isKnown(term)),
    )
  }

  /** Hundreds of look-ups, and queries repeat their words. */
  #remembered(key: string, find: () => readonly string[]): readonly string[] {
    const known = this.#nearTerms.get(key)
    if (known) return known
    const found = find()
    if (this.#nearTerms.size >= MAX_REMEMBERED) this.#nearTerms.clear()
    this.#nearTerms.set(key, found)
    return found
  }

  /** The first terms that living documents have, whichever segments they lie in. */
  async #prefixTerms(prefix: string): Promise<readonly string[]> {
    const terms = new Set<string>()
    for (const word of completions(prefix)) {
      const term = singleTerm(word, 'english')
      if (term !== undefined && this.#isKnown(term)) terms.add(term)
    }
    const begun = new Set<string>()
    const bytes = encodeTerm(prefix)
    for (const [s, { live }] of this.#segments.entries()) {
      const [first, last] = live.segment.terms.withPrefix(bytes)
      for (const term of await this.#livingTerms(s, first, last)) begun.add(term)
    }
    for (const term of [...begun].toSorted().slice(0, MAX_PREFIX_LOOKUPS)) terms.add(term)
    return [...terms]
  }

  /** The first of these terms that somebody has who is not gone: the gone must not take their places. */
  async #livingTerms(s: number, first: number, last: number): Promise<readonly string[]> {
    const { live } = this.#segments[s]!
    const table = live.segment.terms
    const textsOf = (from: number, to: number): string[] =>
      Array.from({ length: to - from }, (_, at) => table.text(from + at))
    if (!live.isDeleted) return textsOf(first, Math.min(last, first + MAX_PREFIX_LOOKUPS))
    const living: string[] = []
    const end = Math.min(last, first + MAX_PREFIX_READ)
    for (let at = first; at < end && living.length < MAX_PREFIX_LOOKUPS;) {
      const next = Math.min(end, at + MAX_PREFIX_LOOKUPS - living.length)
      const terms = textsOf(at, next)
      await this.#fetch(new Set(terms))
      for (const term of terms) {
        const list = this.#lists.get(term)?.[s]
        if (list && live.liveFrequency(term, list) > 0) living.push(term)
      }
      at = next
    }
    return living
  }

  async #fetch(terms: ReadonlySet<string>): Promise<void> {
    const wanted: string[] = []
    for (const term of terms) if (!this.#lists.has(term)) wanted.push(term)
    if (wanted.length === 0) return
    const bySegment = await Promise.all(
      this.#segments.map((segment) => fetchLists(segment, wanted, this.#cache)),
    )
    for (const [i, term] of wanted.entries()) {
      this.#lists.set(
        term,
        bySegment.map((lists) => lists[i]),
      )
    }
  }
}

function addAll(set: Set<string>, terms: readonly string[]): void {
  for (const term of terms) set.add(term)
}

/** The term of a word that is one word: an inserted digit can make it two. */
function singleTerm(word: string, language: Language): string | undefined {
  if (/^[a-z]+$/.test(word)) return stem(word, language)
  const { parts, whole } = analyseSpan(word, language)
  return parts.length === 1 && whole === undefined ? parts[0] : undefined
}

function completions(prefix: string): string[] {
  const words = [prefix]
  for (const ending of ENDINGS) {
    for (let begun = 0; begun < ending.length; begun++) {
      if (prefix.endsWith(ending.slice(0, begun))) words.push(prefix + ending.slice(begun))
    }
  }
  return words
}

async function fetchLists(
  { live }: RankedSegment,
  terms: readonly string[],
  cache: ListCache,
): Promise<Lists> {
  const { segment, source } = live
  const lists: (TermList | undefined)[] = []
  const missing: { readonly at: number; readonly term: string; readonly index: number }[] = []
  for (const [at, term] of terms.entries()) {
    const cached = cache.get(source.id, term)
    lists.push(cached)
    if (cached !== undefined) continue
    const index = segment.terms.find(encodeTerm(term))
    if (index >= 0) missing.push({ at, term, index })
  }
  if (missing.length === 0) return lists
  const { listOffsets } = segment
  const ranges = missing.map(({ index }): ByteRange => ({
    start: listOffsets[index]!,
    end: listOffsets[index + 1]!,
  }))
  const found = await segment.reader.paged('lists', ranges)
  const slices = new Slices()
  for (const [i, { at, term }] of missing.entries()) {
    if (slices.over) await slices.pause()
    const list = new TermList(found[i]!)
    cache.put(source.id, term, list)
    lists[at] = list
  }
  return lists
}
