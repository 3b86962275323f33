/** The words of a text that say what it is about, as search knows them: for learning from text. */
import { analyseSpan } from './analyser.ts'
import { scanSpans, Spans, unitsOf } from './scan.ts'
import { STOP_WORDS } from './stop-words.ts'

/** Changes when the same text would give other terms. */
export const CONTENT_TERMS_ID = 'words-1'

/** Texts repeat their words: most are known after the first pages. */
const REMEMBERED = 200_000
const remembered = new Map<string, readonly string[]>()
const NOTHING: readonly string[] = []

/** Filled and read within one call. */
const spans = new Spans()

/** Terms in order, repeated as often as they occur, without stop words. */
export function contentTerms(text: string): string[] {
  const units = unitsOf(text)
  const terms: string[] = []
  for (let from = 0; from < text.length;) {
    from = scanSpans(units, from, units.length, spans)
    for (let i = 0; i < spans.count; i++) {
      for (const term of termsOf(text.slice(spans.starts[i], spans.ends[i]))) terms.push(term)
    }
  }
  return terms
}

function termsOf(span: string): readonly string[] {
  const known = remembered.get(span)
  if (known) return known
  if (remembered.size >= REMEMBERED) remembered.clear()
  const { parts, spellings } = analyseSpan(span)
  const kept = parts.filter((_, place) => !STOP_WORDS.has(spellings[place] ?? ''))
  const terms = kept.length > 0 ? kept : NOTHING
  // A slice would keep the whole text alive.
  remembered.set(Buffer.from(span).toString(), terms)
  return terms
}
