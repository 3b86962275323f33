/**
 * What of a Markdown text is said in sentences: without front matter, code, headings, links and
 * whatever is not seen. Every letter stays in its place; what is taken out is a bar, over which no
 * sentence reads.
 */
import { blankMarkup } from './unseen-markup.ts'

const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n(?:[^]*?\r?\n)??---[ \t]*(?:\r?\n|$)/
const FENCE = /^(?:[ \t>]|[-*+] )*(`{3,}|~{3,})/
const HEADING = /^ {0,3}#{1,6}(?:\s|$)/
const SETEXT = /^ {0,3}(?:=+|-+)[ \t]*\r?$/
const INDENTED = /^(?: {4,}|\t)(?!\s*(?:[-*+]|\d+[.)])\s)/
/** Bounded, so that a line of a megabyte is passed once. */
const NO_PROSE = new RegExp(
  [
    /`[^`\n]{1,1000}`/,
    /!?\[\[[^[\]\n]{1,1000}\]\]/,
    /!?\[[^[\]\n]{0,1000}\](?:\([^()\n]{0,2000}\)|\[[^[\]\n]{0,300}\])/,
    /\bhttps?:\/\/[^\s<>]{1,2000}/,
    /\$\$[^$]{1,5000}\$\$|\$[^$\s][^$\n]{0,300}\$/,
    /(?<=^|\s)#[\p{L}\p{N}_/-]{1,200}/u,
    /\{\{[^{}]{1,1000}\}\}/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gu',
)

/** Where the text of a note begins, behind its front matter. */
export function bodyStartOf(text: string): number {
  return FRONT_MATTER.exec(text)?.[0].length ?? 0
}

export function proseOf(text: string): string {
  const front = bodyStartOf(text)
  const body = barred(text.slice(0, front)) + blankMarkup(text.slice(front))
  const lines = body.split('\n')
  let fence: string | undefined
  for (const [at, line] of lines.entries()) {
    const mark = FENCE.exec(line)?.[1]
    const isCode = fence !== undefined || mark !== undefined
    if (fence === undefined) fence = mark
    else if (mark !== undefined && mark[0] === fence[0] && mark.length >= fence.length) {
      fence = undefined
    }
    const heads = at + 1 < lines.length && line.trim() !== '' && SETEXT.test(lines[at + 1]!)
    if (isCode || heads || HEADING.test(line) || INDENTED.test(line)) lines[at] = barred(line)
  }
  return lines.join('\n').replaceAll(NO_PROSE, barred)
}

function barred(text: string): string {
  return text.replaceAll(/[^\r\n]/g, '|')
}
