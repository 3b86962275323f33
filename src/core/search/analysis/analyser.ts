/**
 * What does a span of text mean for search? The one analyser of documents and queries: folding,
 * splitting and stemming, so that both sides always speak of the same terms.
 */
import { fold } from './fold.ts'
import { isUnspaced, scanSpans, Spans, unitsOf } from './scan.ts'
import { splitSpan } from './split.ts'
import { stem } from './languages/language.ts'
import type { Language } from './languages/language.ts'

/** The terms of one span. Every part takes a position; the whole shares the first part's. */
export interface SpanTerms {
  readonly parts: readonly string[]
  readonly whole: string | undefined
  /** The parts as spelt: folded, not stemmed. */
  readonly spellings: readonly string[]
}

export function analyseSpan(span: string, language: Language = 'english'): SpanTerms {
  // Nearly every word of English text goes this way.
  if (/^[A-Z]?[a-z]+$/.test(span)) {
    const spelling = span.toLowerCase()
    return { parts: [stem(spelling, language)], whole: undefined, spellings: [spelling] }
  }
  if (isUnspaced(String.fromCodePoint(span.codePointAt(0) ?? 0))) {
    const pair = [fold(span)]
    return { parts: pair, whole: undefined, spellings: pair }
  }
  const { parts, whole } = splitSpan(span.normalize('NFC'))
  const spellings = parts.map(fold).filter((spelling) => spelling !== '')
  return {
    parts: spellings.map((spelling) => stem(spelling, language)),
    whole: whole === undefined ? undefined : stem(fold(whole), language),
    spellings,
  }
}

/** A term of a text with its place. Parts fill all positions; wholes lie above them. */
export interface TextTerm {
  readonly term: string
  readonly kind: 'part' | 'whole'
  /** The word as spelt: folded, not stemmed. */
  readonly spelling: string
  /** Position of the term: parts count 0, 1, 2, … through the text. */
  readonly position: number
  /** The span's place in the text, in UTF-16 units. */
  readonly start: number
  readonly end: number
}

/** Filled and read within one call. */
const spans = new Spans()

/** Analyses a short text (a query, a passage) term by term. */
export function analyseText(text: string, language: Language = 'english'): TextTerm[] {
  const units = unitsOf(text)
  const terms: TextTerm[] = []
  let position = 0
  let from = 0
  while (from < text.length) {
    from = scanSpans(units, from, units.length, spans)
    for (let i = 0; i < spans.count; i++) {
      const start = spans.starts[i]!
      const end = spans.ends[i]!
      const { parts, whole, spellings } = analyseSpan(text.slice(start, end), language)
      if (whole !== undefined) {
        terms.push({ term: whole, kind: 'whole', spelling: whole, position, start, end })
      }
      for (const [k, term] of parts.entries()) {
        const spelling = spellings[k] ?? term
        terms.push({ term, kind: 'part', spelling, position: position++, start, end })
      }
    }
  }
  return terms
}
