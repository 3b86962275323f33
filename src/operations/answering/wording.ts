/**
 * Does a sentence stay with what a text says? By its wording: words in common, no fact of its own,
 * no negation of its own. Whether it follows from the text only a reader can tell.
 */
import { contentTerms } from '../../search/analysis/content-terms.ts'

/** Share of a sentence's words that the text must have. */
const SHARED_WORDS = 1 / 3

export function sharesWords(sentence: string, text: string): boolean {
  const terms = new Set(contentTerms(sentence))
  if (terms.size === 0) return false
  const known = new Set(contentTerms(text))
  return [...terms].filter((term) => known.has(term)).length >= terms.size * SHARED_WORDS
}

/** Numbers, addresses, paths and identifiers cannot be said in other words. */
export function addsNoFact(sentence: string, text: string): boolean {
  const known = bare(text)
  return sentence
    .split(/\s+/)
    .map((word) => word.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}%]+$/gu, ''))
    .filter((word) => /\d|@|:\/\/|\p{L}[._/\\]\p{L}/u.test(word))
    .every((word) => known.includes(bare(word)))
}

/** `1,000` and `1000` are the same number. */
function bare(text: string): string {
  return text.toLowerCase().replaceAll(/(?<=\d)[,'’\u00a0\u202f](?=\d)/g, '')
}

const NEGATIONS =
  /(?<![\p{L}])(?:not|never|no|none|nobody|nothing|neither|nor|cannot|without|nicht|kein\p{L}*|nie|niemals|ohne|pas|jamais|sans|nunca|sin|не|нет|никогда|без)(?![\p{L}])|n['’]t(?![\p{L}])|不|没|沒|無|未|ない|ません/iu

export function negates(text: string): boolean {
  return NEGATIONS.test(text)
}
