/** Where a text has the words of a question, in any of the languages of the base. */
import { analyseSpan } from './analysis/analyser.ts'
import type { Language } from './analysis/languages/language.ts'
import { scanSpans, Spans, unitsOf } from './analysis/scan.ts'
import type { MatchedWord } from './lexical-index.ts'

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

export function findMatches(
  passage: string,
  words: readonly MatchedWord[],
  languages: readonly Language[],
): Match[] {
  const wanted = new Map<string, number>()
  for (const [i, word] of words.entries()) {
    for (const term of word.terms) if (!wanted.has(term)) wanted.set(term, i)
  }
  const matches: Match[] = []
  const units = unitsOf(passage)
  const to = Math.min(passage.length, MAX_SCAN)
  let from = 0
  while (from < to && wanted.size > 0) {
    from = scanSpans(units, from, to, spans)
    for (let i = 0; i < spans.count; i++) {
      const start = spans.starts[i]
      const end = spans.ends[i]
      const word = wordOf(passage.slice(start, end), wanted, languages)
      if (word !== undefined) matches.push({ start, end, word, weight: words[word].weight })
    }
  }
  return matches
}

/** The query word that a span stands for, in any of the languages. */
function wordOf(
  span: string,
  wanted: ReadonlyMap<string, number>,
  languages: readonly Language[],
): number | undefined {
  for (const language of languages) {
    const term = termsOf(span, language).find((candidate) => wanted.has(candidate))
    if (term !== undefined) return wanted.get(term)
  }
  return undefined
}

/** Passages repeat their words: most spans of a passage were seen in another one. */
const REMEMBERED = 20_000
const remembered = new Map<Language, Map<string, readonly string[]>>()

function termsOf(span: string, language: Language): readonly string[] {
  let known = remembered.get(language)
  if (!known) remembered.set(language, (known = new Map()))
  let terms = known.get(span)
  if (!terms) {
    const { parts, whole } = analyseSpan(span, language)
    terms = whole === undefined ? parts : [whole, ...parts]
    if (known.size >= REMEMBERED) known.clear()
    // A slice would keep the whole passage alive.
    known.set(Buffer.from(span).toString(), terms)
  }
  return terms
}
