/** From clauses to what the index looks up: words with weights, and conditions on documents. */
import type { Field } from './contract.ts'
import { analyseText } from './analysis/analyser.ts'
import type { TextTerm } from './analysis/analyser.ts'
import { fold } from './analysis/fold.ts'
import { detectLanguage, isStopWord, stem } from './analysis/languages/language.ts'
import type { Language } from './analysis/languages/language.ts'
import { withoutQuestionPhrases } from './analysis/question-phrases.ts'
import { isUnspaced, unitsOf } from './analysis/scan.ts'
import { askedNames, mentionedNames, speltTerm } from './names.ts'
import type { MentionedName } from './names.ts'
import type { ParsedQuery, QueryClause } from './query.ts'

/** A word of the query. The index decides which of its terms stand for it. */
export interface QueryWord {
  readonly kind: 'part' | 'whole' | 'prefix'
  /** What it is in the index: its stem, in each language of the corpus. */
  readonly terms: readonly string[]
  /** As typed, folded but not stemmed: what a misspelling is corrected from. */
  readonly spelling: string
  /** Its term as it is spelt, where that is more than its stem. */
  readonly spelt?: string
  readonly field: Field | undefined
  /** How often the query says it. */
  readonly weight: number
  /** Where it stands in the query, for closeness; stop words count. */
  readonly position: number
}

export interface PhraseTerm {
  /** Alternatives, one of which stands there. */
  readonly terms: readonly string[]
  /** The word in quotes, which stands there letter by letter: its other forms do not count. */
  readonly letters: string | undefined
  readonly offset: number
}

export type Condition =
  | { readonly kind: 'word'; readonly word: QueryWord }
  | {
      readonly kind: 'phrase'
      readonly terms: readonly PhraseTerm[]
      readonly field: Field | undefined
    }

export interface QueryPlan {
  readonly words: readonly QueryWord[]
  /** Binds every kind of evidence, words, meaning and links. */
  readonly required: readonly Condition[]
  readonly excluded: readonly Condition[]
  /** Names the whole query may be. */
  readonly names: readonly string[]
  /** Names that may stand inside of it. */
  readonly mentioned: readonly MentionedName[]
  readonly truncated: boolean
}

/** When stop words are dropped from a query. */
export type StopWordRule = 'unless_alone' | 'always'

/** More words than any question or phrase has; bounds the work of a pasted page. */
const MAX_WORDS = 64
const MAX_TERMS = 1_000

/**
 * `"dear brother" lyrics` asks for the phrase. `who sings on the album "Dear Brother"` is a question
 * that names something, and a note without the phrase may answer it.
 */
const QUESTION_WORDS = 4

/** The whole of an identifier counts on top of its parts. */
const WHOLE_WEIGHT = 1

export function planQuery(
  query: ParsedQuery,
  languages: readonly Language[] = ['english'],
  stopWords: StopWordRule = 'unless_alone',
): QueryPlan {
  const ranked: QueryWord[] = []
  const required: Condition[] = []
  const excluded: Condition[] = []
  const isQuestion = query.clauses.filter(({ occur }) => occur === 'any').length >= QUESTION_WORDS
  let position = 0
  let isCut = false
  for (const clause of query.clauses) {
    const words = clauseWords(clause, position, languages)
    position = (words.at(-1)?.position ?? position - 1) + 1
    if (clause.occur !== 'not') ranked.push(...words)
    if (clause.occur === 'any' || (clause.occur === 'quoted' && isQuestion)) continue
    isCut ||= words.length > MAX_WORDS
    const meant = conditions(clause, words.slice(0, MAX_WORDS))
    if (clause.occur === 'not') excluded.push(...meant)
    else required.push(...meant)
  }
  const spoken = queryLanguage(query, languages)
  const telling = dropStopWords(ranked.slice(0, MAX_TERMS), spoken, stopWords)
  const distinct = mergeRepeats(telling)
  return {
    words: distinct.slice(0, MAX_WORDS),
    required: eachOnce(required).slice(0, MAX_WORDS),
    excluded: eachOnce(excluded).slice(0, MAX_WORDS),
    names: askedNames(query.typed),
    mentioned: mentionedNames(query.typed, (word) => isStopWord(word, spoken)),
    truncated: query.truncated || isCut || ranked.length > MAX_TERMS || distinct.length > MAX_WORDS,
  }
}

/** A phrase that is asked for again asks for nothing more. */
function eachOnce(conditions: readonly Condition[]): Condition[] {
  const seen = new Set<string>()
  return conditions.filter((condition) => {
    if (condition.kind === 'word') return true
    const phrase = JSON.stringify(condition)
    return !seen.has(phrase) && seen.add(phrase)
  })
}

/** The language a question is asked in, as far as its small words tell. */
function queryLanguage(query: ParsedQuery, languages: readonly Language[]): Language {
  const text = query.clauses.map((clause) => clause.text.toLowerCase()).join(' ')
  const language = detectLanguage(unitsOf(text), 0, text.length, 1)
  return languages.includes(language) ? language : 'english'
}

/** Scripts in which what only asks is not a word by itself. */
const EASTERN = /[\u3040-\ud7af]/

function clauseWords(
  clause: QueryClause,
  start: number,
  languages: readonly Language[],
): QueryWord[] {
  const { field } = clause
  if (clause.kind === 'prefix') {
    const spelling = fold(clause.text)
    const terms = [spelling]
    return [{ kind: 'prefix', terms, spelling, field, weight: 1, position: start }]
  }
  const mayAsk = clause.occur === 'any' && EASTERN.test(clause.text)
  const text = mayAsk ? withoutQuestionPhrases(clause.text) : clause.text
  // Where a text is cut does not depend on the language, so the lists run side by side.
  const readings = languages.map((language) => queryTerms(text, language))
  const [first] = readings
  return first!.map((term, i) => ({
    // A single character of an unspaced script stands for every pair it begins.
    kind: isLoneCharacter(term.term) ? 'prefix' : term.kind,
    terms: [...new Set([...readings.map((reading) => reading[i]!.term), ...otherNumber(term)])],
    spelling: term.spelling,
    ...(term.kind === 'part' && speltAs(term.spelling, readings, i)),
    field,
    weight: term.kind === 'whole' ? WHOLE_WEIGHT : 1,
    position: start + term.position,
  }))
}

/** The plural of a word in -ing, or the singular of one in -ings, where it has a stem of its own. */
function otherNumber({ spelling, term }: TextTerm): string[] {
  if (spelling.endsWith('ing')) return [stem(`${spelling}s`, 'english')]
  const singular = spelling.slice(0, -1)
  return singular === term ? [speltTerm(singular, stem(singular, 'english')) ?? term] : []
}

/** A word that is its own stem in one language of the corpus may be another's longer form. */
function speltAs(
  spelling: string,
  readings: readonly (readonly TextTerm[])[],
  place: number,
): { spelt: string } | undefined {
  const spelt = readings.map((reading) => speltTerm(spelling, reading[place]!.term))
  const [first] = spelt.filter((term) => term !== undefined)
  return first === undefined ? undefined : { spelt: first }
}

/** The terms of a text, without the last lone character of an unspaced run: its pair says more. */
function queryTerms(text: string, language: Language): TextTerm[] {
  const terms = analyseText(text, language)
  return terms.filter((term, i) => {
    const before = terms[i - 1]
    return !(before !== undefined && before.end > term.start && isLoneCharacter(term.term))
  })
}

function isLoneCharacter(term: string): boolean {
  return isUnspaced(term) && [...term].length === 1
}

function conditions(clause: QueryClause, words: readonly QueryWord[]): Condition[] {
  const parts = words.filter((word) => word.kind !== 'whole')
  const [first] = parts
  if (first === undefined) return []
  const quoted = clause.kind === 'phrase'
  // `+well-known` and `-getUserById` mean the words in this order, as a phrase does.
  if (first.kind === 'prefix' || (parts.length === 1 && !quoted)) {
    return [{ kind: 'word', word: first }]
  }
  const terms = parts.map((word) => ({
    ...(quoted && word.kind === 'part'
      ? { terms: lettersOf(word), letters: word.spelling }
      : { terms: word.terms, letters: undefined }),
    offset: word.position - first.position,
  }))
  return [{ kind: 'phrase', terms, field: clause.field }]
}

/** The terms a word has where it stands letter by letter: as it is spelt, or as its own stem. */
function lettersOf({ spelling, spelt, terms }: QueryWord): readonly string[] {
  const own = terms.filter((term) => term === spelling)
  return spelt === undefined ? own : [spelt, ...own]
}

/** Stop words are left out, by default only when anything else is left. */
function dropStopWords(
  words: readonly QueryWord[],
  language: Language,
  rule: StopWordRule,
): readonly QueryWord[] {
  const telling = words.filter(
    (word) => word.kind !== 'part' || !isStopWord(word.spelling, language),
  )
  return telling.length > 0 || rule === 'always' ? telling : words
}

/** A word that is said twice weighs twice. */
function mergeRepeats(words: readonly QueryWord[]): QueryWord[] {
  const merged = new Map<string, QueryWord>()
  for (const word of words) {
    const key = `${word.kind} ${word.field ?? ''} ${word.terms[0]}`
    const known = merged.get(key)
    merged.set(key, known ? { ...known, weight: known.weight + word.weight } : word)
  }
  return [...merged.values()]
}
