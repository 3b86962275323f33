/** Does this text say that, word for word? White space may differ and nothing else. */

export interface Place {
  readonly start: number
  readonly end: number
}

/** Where `[from, to)` of the text has the quote first; undefined when it has it nowhere. */
export function locateQuote(
  text: string,
  quote: string,
  from = 0,
  to = text.length,
): Place | undefined {
  const wanted = quote.trim().split(/\s+/)
  if (wanted[0] === '') return undefined
  // Words are joined by any white space; everything else in them is taken literally.
  const pattern = new RegExp(wanted.map(literally).join('\\s+'))
  const found = pattern.exec(text.slice(from, to))
  return found
    ? { start: from + found.index, end: from + found.index + found[0].length }
    : undefined
}

function literally(word: string): string {
  return word.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}
