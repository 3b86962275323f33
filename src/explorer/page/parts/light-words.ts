/** Lights words in a text without touching it: ranges that the browser paints, where it can. */

const NAME = 'asked'
/** More marks than that help nobody to find the place. */
const MOST = 2_000
/** These scripts put nothing between words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/u

/** Returns how they are put out again. */
export function lightWords(within: Element, words: ReadonlySet<string>): () => void {
  const pattern = patternOf(words)
  if (!pattern || !('highlights' in CSS)) return () => {}
  const ranges: Range[] = []
  for (const prose of within.querySelectorAll('.prose')) {
    const texts = document.createTreeWalker(prose, NodeFilter.SHOW_TEXT)
    while (texts.nextNode() && ranges.length < MOST) {
      const { currentNode } = texts
      for (const { index, 0: found } of (currentNode.nodeValue ?? '').matchAll(pattern)) {
        const range = new Range()
        range.setStart(currentNode, index)
        range.setEnd(currentNode, index + found.length)
        ranges.push(range)
      }
    }
  }
  const lit = new Highlight(...ranges)
  CSS.highlights.set(NAME, lit)
  return () => {
    if (CSS.highlights.get(NAME) === lit) CSS.highlights.delete(NAME)
  }
}

function patternOf(words: ReadonlySet<string>): RegExp | undefined {
  if (words.size === 0) return undefined
  const forms = [...words]
    .toSorted((a, b) => b.length - a.length)
    .map((word) => {
      const letters = word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
      return UNSPACED.test(word) ? letters : `(?<![\\p{L}\\p{N}])${letters}(?![\\p{L}\\p{N}])`
    })
  return new RegExp(forms.join('|'), 'giu')
}
