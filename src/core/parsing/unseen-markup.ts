/**
 * Markup that whoever reads a note never sees: link definitions, comments, badges and the tags of
 * HTML. It is no text: nothing is quoted, shown or answered from it. What stands in code is code.
 */

/** Without any of these there is nothing to look for, as in most passages. */
const MAYBE = /<|%%|\]:|!\[/

const CODE = /(```[^]*?(?:```|$(?![^]))|~~~[^]*?(?:~~~|$(?![^]))|`[^`\n]+`)/
const COMMENT = /<!--[^]*?(?:-->|$(?![^]))|^[ \t]*%%[^]*?%%|%%[^%\n]+%%/
/** `[name]: path 'Title'`. A footnote, `[^1]:`, says something. */
const DEFINITION =
  /^ {0,3}\[(?!\^)[^\]\n]{1,300}\]:[ \t]*(?:<[^<>\n]*>|\S+)(?:[ \t]+(?:"[^"\n]*"|'[^'\n]*'|\([^()\n]*\)))?[ \t]*\r?$/
/** A picture that is a link, or one from a maker of badges. */
const BADGE =
  /\[!\[[^\]\n]{0,300}\]\([^()\n]{0,1000}\)\]\([^()\n]{0,1000}\)|!\[[^\]\n]{0,300}\]\([^()\n]{0,1000}(?:shields\.io|badge)[^()\n]{0,1000}\)/
/** Elements by name: people write `<name>` for what is to be filled in, and `List<Note>`. */
const TAG =
  /<\/?(?:a|abbr|b|big|blockquote|body|br|button|center|cite|code|col|colgroup|dd|del|details|div|dl|dt|em|figcaption|figure|font|footer|h[1-6]|header|hr|html|i|iframe|img|input|ins|kbd|label|li|main|mark|nav|ol|p|picture|pre|q|s|samp|script|section|small|source|span|strike|strong|style|sub|summary|sup|svg|table|tbody|td|tfoot|th|thead|tr|tt|u|ul|var|video)(?=[\s/>])[^<>]{0,1000}>/

const UNSEEN = new RegExp(
  [CODE, COMMENT, DEFINITION, BADGE, TAG].map(({ source }) => source).join('|'),
  'gim',
)

/** Pairs of start and end, in order. */
function unseenIn(text: string): number[] {
  const pairs: number[] = []
  if (!MAYBE.test(text)) return pairs
  for (const { 0: found, 1: code, index } of text.matchAll(UNSEEN)) {
    if (code === undefined) pairs.push(index, index + found.length)
  }
  return pairs
}

/** The text with blanks for what is not seen: every place and every line stays where it is. */
export function blankMarkup(text: string): string {
  const pairs = unseenIn(text)
  if (pairs.length === 0) return text
  let blanked = ''
  let at = 0
  for (let i = 0; i < pairs.length; i += 2) {
    const hidden = text.slice(pairs[i], pairs[i + 1])
    blanked += text.slice(at, pairs[i]) + hidden.replaceAll(/[^\r\n]/g, ' ')
    at = pairs[i + 1]!
  }
  return blanked + text.slice(at)
}

/** A text without its unseen markup, and where its places went. */
export interface SeenText {
  readonly text: string
  /** From a place in the whole to the same in what is left, and back. */
  readonly to: (place: number) => number
  readonly from: (place: number) => number
}

export function withoutMarkup(text: string): SeenText {
  const pairs = unseenIn(text)
  if (pairs.length === 0) return { text, to: same, from: same }
  let kept = ''
  let at = 0
  for (let i = 0; i < pairs.length; i += 2) {
    kept += text.slice(at, pairs[i])
    at = pairs[i + 1]!
  }
  return {
    text: kept + text.slice(at),
    to: (place) => {
      let gone = 0
      for (let i = 0; i < pairs.length && pairs[i]! < place; i += 2) {
        gone += Math.min(place, pairs[i + 1]!) - pairs[i]!
      }
      return place - gone
    },
    from: (place) => {
      let whole = place
      for (let i = 0; i < pairs.length && pairs[i]! <= whole; i += 2) {
        whole += pairs[i + 1]! - pairs[i]!
      }
      return whole
    },
  }
}

function same(place: number): number {
  return place
}
