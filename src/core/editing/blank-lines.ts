/**
 * Where do the blank lines at the ends of a text end and begin? Counted character by character: a
 * pattern would try again from every line of a text that is nothing but lines.
 */

/** The place behind the blank lines that a text begins with. */
export function afterBlankStart(text: string, from = 0): number {
  let behind = from
  for (let at = from; at < text.length; at++) {
    const character = text[at]
    if (character === '\n') behind = at + 1
    else if (character === '\r' && text[at + 1] === '\n') continue
    else if (character !== ' ' && character !== '\t') break
  }
  return behind
}

/** The place before the line ends, and spaces behind them, that a text ends with. */
export function beforeBlankEnd(text: string): number {
  let before = text.length
  for (let at = text.length - 1; at >= 0; at--) {
    const character = text[at]
    if (character === '\n') {
      if (text[at - 1] === '\r') at--
      before = at
    } else if (character !== ' ' && character !== '\t') break
  }
  return before
}
