/** Where a text has the words of a question, in any of the languages of the base. */
import { analyseSpan } from './analysis/analyser.ts'
import type { Language } from './analysis/languages/language.ts'
import { BEGINNINGS, letterOf, scanSpans, Spans, unitsOf } from './analysis/scan.ts'
import type { MatchedWord } from './lexical-index.ts'
import { SpanTable, TermNumbers } from './segment/span-table.ts'

/** The scan stops here; a passage is far shorter. */
const MAX_SCAN = 20_000

export interface Match {
  readonly start: number
  readonly end: number
  /** Index of the query word. */
  readonly word: number
}

export function findMatches(
  passage: string,
  words: readonly MatchedWord[],
  languages: readonly Language[],
): Match[] {
  if (!words.some(({ terms }) => terms.length > 0)) return []
  const tables = tablesOf(languages)
  mark(words)
  return scanFor(passage, tables)
}

/** Filled and read within one call. */
const spans = new Spans()

function scanFor(passage: string, tables: readonly SpanTable[]): Match[] {
  const units = unitsOf(passage)
  const to = Math.min(passage.length, MAX_SCAN)
  const matches: Match[] = []
  for (let from = 0; from < to;) {
    from = scanSpans(units, from, to, spans, beginnings)
    for (let i = 0; i < spans.count; i++) {
      const start = spans.starts[i]!
      const end = spans.ends[i]!
      let found = 0
      for (let t = 0; t < tables.length && found === 0; t++) {
        found = tables[t]!.markOf(tables[t]!.entryOf(units, spans, i), marks)
      }
      if (found === 0) continue
      matches.push({ start, end, word: found - 1 })
    }
  }
  return matches
}

/**
 * A filter before the table: by their first three letters, the words that may be one of the
 * question. No stemmer changes these in a word of plain letters, but for a `y` that may become `i`
 * and an umlaut spelt out: `aendern`.
 */
const beginnings = new Uint8Array(BEGINNINGS)

const [A, E, O, U] = [1, 5, 15, 21]

/** Words in which an `e` may stand for two dots are all looked at. */
function markSpeltOut(): void {
  for (const vowel of [A, O, U]) {
    const pair = (vowel << 5) | E
    beginnings.fill(1, pair << 5, (pair << 5) + 32)
    for (let first = 0; first < 32; first++) beginnings[(first << 10) | pair] = 1
  }
}

function markBeginnings(words: readonly MatchedWord[]): void {
  beginnings.fill(0)
  markSpeltOut()
  for (const { terms } of words) {
    for (const term of terms) {
      const first = term.charCodeAt(0)
      if (first < 97 || first > 122) continue
      const [second, third, fourth] = [1, 2, 3].map((at) => letterOf(term.charCodeAt(at)))
      // Of a short stem it is not certain how its word went on.
      const at = ((first & 31) << 10) | (second! << 5)
      if (second === 0) beginnings.fill(1, at, at + 1024)
      else if (third === 0 || fourth === 0) beginnings.fill(1, at, at + 32)
      else beginnings[at | third!] = 1
    }
  }
}

/** Passages repeat their words: what a span means is worked out once, up to so many terms. */
const REMEMBERED = 40_000
let termNumbers = new TermNumbers()
let tableOf = new Map<Language, SpanTable>()

function tablesOf(languages: readonly Language[]): readonly SpanTable[] {
  if (termNumbers.size > REMEMBERED) {
    termNumbers = new TermNumbers()
    tableOf = new Map()
    unmark()
  }
  const numbers = termNumbers
  return languages.map((language) => {
    const table =
      tableOf.get(language) ?? new SpanTable((span) => analyseSpan(span, language), numbers)
    tableOf.set(language, table)
    return table
  })
}

/** By the number of a term, the place of its query word and one; a search marks its words once. */
let marks = new Int16Array(REMEMBERED * 2)
let marked: number[] = []
let markedFor: readonly MatchedWord[] | undefined

function mark(words: readonly MatchedWord[]): void {
  if (markedFor === words) return
  unmark()
  markBeginnings(words)
  for (const [place, { terms }] of words.entries()) {
    for (const term of terms) {
      const number = termNumbers.numberOf(term)
      if (number >= marks.length) growMarks(number)
      if (marks[number] !== 0) continue
      marks[number] = place + 1
      marked.push(number)
    }
  }
  markedFor = words
}

function unmark(): void {
  for (const number of marked) marks[number] = 0
  marked = []
  markedFor = undefined
}

function growMarks(number: number): void {
  const grown = new Int16Array(number * 2)
  grown.set(marks)
  marks = grown
}
