/** Where a text has the words of a question, in any of the languages of the base. */
import { analyseSpan } from './analysis/analyser.ts'
import type { Language } from './analysis/languages/language.ts'
import { scanSpans, Spans, unitsOf } from './analysis/scan.ts'
import type { MatchedWord } from './lexical-index.ts'
import { NumberList } from './segment/bytes.ts'
import { SHARES_POSITION } from './segment/format.ts'
import { SpanTable } from './segment/span-table.ts'

/** The scan stops here; a passage is far shorter. */
const MAX_SCAN = 20_000

export interface Match {
  readonly start: number
  readonly end: number
  /** Index of the query word, and what it weighs. */
  readonly word: number
  readonly weight: number
}

/** Filled and read within one call. */
const spans = new Spans()
const tokens = new NumberList(64)

export function findMatches(
  passage: string,
  words: readonly MatchedWord[],
  languages: readonly Language[],
): Match[] {
  const { tables, numberOf } = rememberedSpans(languages)
  const wanted = new Map<number, number>()
  for (const [i, word] of words.entries()) {
    for (const term of word.terms) {
      const number = numberOf(term)
      if (!wanted.has(number)) wanted.set(number, i)
    }
  }
  const matches: Match[] = []
  const units = unitsOf(passage)
  const to = Math.min(passage.length, MAX_SCAN)
  let from = 0
  while (from < to && wanted.size > 0) {
    from = scanSpans(units, from, to, spans)
    for (let i = 0; i < spans.count; i++) {
      const word = wordOf(units, i, wanted, tables)
      if (word === undefined) continue
      const { weight } = words[word]!
      matches.push({ start: spans.starts[i]!, end: spans.ends[i]!, word, weight })
    }
  }
  return matches
}

/** The query word that a span stands for, in any of the languages. */
function wordOf(
  units: Uint16Array,
  span: number,
  wanted: ReadonlyMap<number, number>,
  tables: readonly SpanTable[],
): number | undefined {
  tokens.length = 0
  for (const table of tables) table.appendOne(units, spans, span, tokens)
  for (let i = 0; i < tokens.length; i++) {
    const word = wanted.get(tokens.values[i]! & ~SHARES_POSITION)
    if (word !== undefined) return word
  }
  return undefined
}

/** Passages repeat their words: what a span means is worked out once, up to so many terms. */
const REMEMBERED = 40_000
let termNumbers = new Map<string, number>()
let tableOf = new Map<Language, SpanTable>()

function rememberedSpans(languages: readonly Language[]): {
  readonly tables: readonly SpanTable[]
  readonly numberOf: (term: string) => number
} {
  if (termNumbers.size > REMEMBERED) {
    termNumbers = new Map()
    tableOf = new Map()
  }
  const numbers = termNumbers
  const tables = languages.map((language) => {
    const table =
      tableOf.get(language) ?? new SpanTable((span) => analyseSpan(span, language), numbers)
    tableOf.set(language, table)
    return table
  })
  const numberOf = (term: string): number => {
    const number = numbers.get(term) ?? numbers.size
    numbers.set(term, number)
    return number
  }
  return { tables, numberOf }
}
