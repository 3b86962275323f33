/** Does this text say that, word for word? White space may differ and nothing else. */
import { wholeWords } from './whole-words.ts'

export interface Place {
  readonly start: number
  readonly end: number
}

/**
 * Where `[from, to)` of the text has the quote first; undefined when it has it nowhere. A quote that
 * ends in the middle of a word or number says something else: `a limit of 10` of `a limit of 100`.
 */
export function locateQuote(
  text: string,
  quote: string,
  from = 0,
  to = text.length,
): Place | undefined {
  const wanted = quote.trim().split(/\s+/)
  if (wanted[0] === '') return undefined
  // Words are joined by any white space; everything else in them is taken literally.
  const found = wholeWords(wanted).exec(text.slice(from, to))
  return found
    ? { start: from + found.index, end: from + found.index + found[0].length }
    : undefined
}
