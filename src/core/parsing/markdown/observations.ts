/**
 * Observations (semantic list items) as Basic Memory writes them:
 * `- [decision] Use X #storage (because Y)`. Whoever asks for them is given them from the text as
 * it is; nothing of them is kept, so notes without any cost nothing.
 */
import type { Steps } from '../../kit/slices.ts'
import { cutText } from '../../kit/cut-text.ts'
import { lineIndexAt } from '../lines.ts'
import { findFrontMatter } from './front-matter.ts'
import { scanningMarkdown } from './scan.ts'
import type { MarkdownScan } from './scan.ts'

export interface Observation {
  /** What stands in the brackets; an entity of a graph has none. */
  readonly category?: string
  /** With its tags where they stand, without its context. */
  readonly text: string
  /** Without their `#`. */
  readonly tags?: readonly string[]
  /** What stands in round brackets at the end. */
  readonly context?: string
  readonly line?: number
}

/** More than this is a table of something. */
export const MOST_OBSERVATIONS = 1_000
/** A longer one is cut, and has no context: its end is not looked for. */
export const LONGEST_OBSERVATION = 1_000

const MAYBE = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[/m
/**
 * A category is one to three words, the first of which begins with a letter: no date, no footnote,
 * no callout. One character alone is the box of a task, whatever it is.
 */
const BEGINS =
  /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[(?!.\])(\p{L}[\p{L}\p{M}\p{N}_/-]{0,39}(?: [\p{L}\p{M}\p{N}_/-]{1,40}){0,2})\][ \t]+(?=\S)/u
/** How far into a line its text may begin. */
const GLANCE = 300

/** Indented text that begins nothing of its own: the item goes on. `key:: value` is a property. */
const GOES_ON =
  /^[ \t]+(?!(?:[-*+]|\d{1,9}[.)])(?:\s|$)|#{1,6}\s|[>|<]|`{3}|~{3}|(?:-+|=+)\s*$|[^\s:]{1,40}::)\S/
/** Lines of one item. */
const MOST_LINES = 20

/** Obsidian's mark of a block, at the end. */
const BLOCK_ID = /[ \t]\^[A-Za-z\d-]{1,100}$/

/** In the order of the text. */
export function* observing(text: string): Steps<readonly Observation[]> {
  if (!MAYBE.test(text)) return []
  const frontMatter = findFrontMatter(text)
  const from = typeof frontMatter === 'string' ? 0 : frontMatter.bodyStart
  const scan = yield* scanningMarkdown(text, { from })
  const { lineStarts, tags } = scan
  const shown = withoutComments(text, from, scan)
  const isCode = within(scan.codeBlocks)
  const links = new Set(scan.links.map(({ start }) => start))
  const lineAt = (line: number) => shown.slice(lineStarts[line], lineStarts[line + 1])
  const found: Observation[] = []
  let tag = 0
  for (let line = lineIndexAt(lineStarts, from); line < lineStarts.length; line++) {
    if (line % LINES_AT_ONCE === LINES_AT_ONCE - 1) yield
    const start = lineStarts[line]!
    const head = start < from ? null : BEGINS.exec(shown.slice(start, start + GLANCE))
    if (!head) continue
    const [begins, category] = head
    const at = start + begins.lastIndexOf('[')
    // `[a]: url` makes a link of `[a]` wherever it stands.
    if (isCode(at) !== undefined || links.has(at)) continue
    const parts = [lineAt(line).slice(begins.length)]
    let length = parts[0]!.length
    let next = line + 1
    for (; next < Math.min(line + MOST_LINES, lineStarts.length); next++) {
      const more = lineAt(next)
      if (length > LONGEST_OBSERVATION || !GOES_ON.test(more)) break
      parts.push(more)
      length += more.length
    }
    const end = lineStarts[next] ?? text.length
    const own = new Set<string>()
    while (tag < tags.length && tags[tag]!.start < start) tag++
    for (; tag < tags.length && tags[tag]!.start < end; tag++) own.add(tags[tag]!.name)
    const said = parts.join(' ').replaceAll(/\s+/g, ' ').trim().replace(BLOCK_ID, '')
    found.push({
      category: category!,
      ...parted(said),
      ...(own.size > 0 && { tags: [...own] }),
      line: line + 1,
    })
    if (found.length === MOST_OBSERVATIONS) break
  }
  return found
}

/** Lines between two stops. */
const LINES_AT_ONCE = 4_096

/** The text and its context: the round brackets that end it, with what is nested in them. */
function parted(said: string): Pick<Observation, 'text' | 'context'> {
  if (said.length > LONGEST_OBSERVATION) return { text: cutText(said, LONGEST_OBSERVATION) }
  if (!said.endsWith(')')) return { text: said }
  let at = said.length
  let depth = 0
  do {
    at--
    if (said[at] === ')') depth++
    else if (said[at] === '(') depth--
  } while (depth > 0 && at > 0)
  const text = said.slice(0, at).trimEnd()
  const context = said.slice(at + 1, -1).trim()
  // Right behind a word or a bracket it is a call or a link.
  const isApart = depth === 0 && text.length < at
  return isApart && text !== '' && context !== '' ? { text, context } : { text: said }
}

/** Comments, and what HTML shows as it is written. */
const HIDES =
  /^[ \t]*(?:<!--|%%|<(?:pre|script|style)(?=[\s>]))|<!--|%%(?=[^%\n]*%%)|<(?:pre|script|style)(?=[\s>])/gim

function endOf(opening: string): RegExp {
  if (opening.endsWith('<!--')) return /-->/g
  return opening.endsWith('%%') ? /%%/g : /<\/(?:pre|script|style)\s*>/gi
}

/** The text with blanks for its comments: every place and every line stays where it is. */
function withoutComments(text: string, from: number, scan: MarkdownScan): string {
  const isCode = within(scan.codeBlocks)
  const isSpan = within(scan.codeSpans)
  const parts: string[] = []
  const unclosed = new Set<string>()
  let kept = 0
  HIDES.lastIndex = from
  for (let found = HIDES.exec(text); found; found = HIDES.exec(text)) {
    const start = HIDES.lastIndex - 1
    const code = isCode(start) ?? isSpan(start)
    if (code !== undefined) {
      HIDES.lastIndex = code
      continue
    }
    const closing = endOf(found[0])
    closing.lastIndex = HIDES.lastIndex
    const isClosed = !unclosed.has(closing.source) && closing.test(text)
    if (!isClosed) {
      // HTML that begins a line goes on to the end. What else nobody closes hides nothing, and is
      // not looked for again.
      unclosed.add(closing.source)
      const beginsLine = found.index === 0 || /[\r\n]/.test(text[found.index - 1]!)
      if (!beginsLine || found[0].endsWith('%%')) continue
    }
    const end = isClosed ? closing.lastIndex : text.length
    parts.push(text.slice(kept, found.index))
    parts.push(text.slice(found.index, end).replaceAll(/[^\r\n]/g, ' '))
    kept = end
    HIDES.lastIndex = end
  }
  return kept === 0 ? text : parts.join('') + text.slice(kept)
}

/** Where the span ends that holds a place; undefined where none does. They are in order. */
function within(
  spans: readonly { readonly start: number; readonly end: number }[],
): (at: number) => number | undefined {
  const starts = spans.map(({ start }) => start)
  return (at) => {
    const span = spans[lineIndexAt(starts, at)]
    return span && span.start <= at && at < span.end ? span.end : undefined
  }
}
