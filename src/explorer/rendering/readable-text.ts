/** A piece of Markdown as one reads it, on one line, with marks kept at their words. */

export interface Range {
  readonly start: number
  readonly end: number
}

/**
 * What is left out, and what of it is kept: the label of a link, the words inside of emphasis. Cheap
 * rather than exact: it is a line in a list of results, and the note itself is one click away.
 */
const MARKUP =
  /%%[\s\S]*?%%|[ \t]\^[A-Za-z\d-]{1,100}[ \t]*$|(?<=\[\[)#\^?|(?<=\[\[[^[\]|#\n]{1,200})#\^?(?=[^[\]|\n]{1,200}\]\])|(?<![\p{L}\p{N}=])==(?=[^\s=])|(?<=[^\s=])==(?![\p{L}\p{N}=])|^[ \t]*(?:`{3,}|~{3,}).*$|^[ \t]*(?:\|[ \t]*)?:?-{3,}[ \t|:-]*$|(!?\[\[)([^[\]|]*\|)?|\]\]|!?\[(?=[^\]]{0,300}\]\()|\]\([^)\s]{0,500}(?:\s+"[^"]{0,300}")?\)|\*\*|__|~~|`+|(?<![\p{L}\p{N}])[*_]|[*_](?![\p{L}\p{N}])|<\/?[a-zA-Z][^<>]{0,100}>|<!--[\s\S]{0,1000}?-->|^[ \t]*(?:#{1,6} |[-*+] (?:\[[ xX]\] )?|\d+[.)] |>[ \t]?(?:\[!\w+\][+-]?)?|\|)|(?<![ \t])[ \t]+\|[ \t]*|\|[ \t]*|\{\{[^{}]{0,200}\}\}/gmu

export function readableText(
  markdown: string,
  marks: readonly Range[],
): { readonly text: string; readonly marks: readonly Range[] } {
  // For every kept character, where it stood.
  const places: number[] = []
  let text = ''
  /** Another blank would be one too many. */
  let isBlank = true
  const keep = (from: number, to: number): void => {
    for (let at = from; at < to; at++) {
      const space = isSpace(markdown, at)
      if (space && isBlank) continue
      text += space ? ' ' : markdown[at]!
      isBlank = space
      places.push(at)
    }
  }
  let at = 0
  for (const match of markdown.matchAll(MARKUP)) {
    keep(at, match.index)
    const call = /^\{\{\s*\w+\(\s*["']([^"']*)["']/.exec(match[0])
    if (call)
      keep(match.index + call[0].length - call[1]!.length - 1, match.index + call[0].length - 1)
    else if (/^#\^?$/.test(match[0]) && markdown[match.index - 1] !== '[') say(' › ')
    else if (match[0].includes('|') && !match[0].startsWith('[[') && text !== '') keepBar()
    at = match.index + match[0].length
  }
  keep(at, markdown.length)
  return { text: text.trimEnd(), marks: movedMarks(places, marks, text.trimEnd().length) }

  /** Cells of a table stay apart. */
  function keepBar(): void {
    if (text.endsWith('· ')) return
    say(text.endsWith(' ') ? '· ' : ' · ')
  }

  /** What is not written there. */
  function say(words: string): void {
    for (const character of words) {
      text += character
      places.push(-1)
    }
    isBlank = true
  }
}

/** A line as one reads it; undefined where it is written so, or where nothing would be left. */
export function shownLine(markdown: string): string | undefined {
  const { text } = readableText(markdown, [])
  return text === markdown || text === '' ? undefined : text
}

function isSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  // Nearly all of them; the expression is for the rest of the world.
  return code < 128 ? code === 32 || (code >= 9 && code <= 13) : /\s/.test(text[at]!)
}

function movedMarks(places: readonly number[], marks: readonly Range[], length: number): Range[] {
  return marks.flatMap(({ start, end }) => {
    const first = places.findIndex((place) => place >= start && place < end)
    const last = places.findLastIndex((place) => place >= start && place < end)
    return first < 0 || first >= length ? [] : [{ start: first, end: Math.min(last + 1, length) }]
  })
}
