/**
 * What a wiki link says besides where it leads, as Basic Memory and Dataview write it:
 * `- works_on [[X]]`, `key:: [[Y]], [[Z]]`, `[key:: [[Y]]]`. Only what stands right before a link is
 * read, and never more of its line than a glance, so a line of a megabyte costs nothing.
 */
import type { ScannedLink } from './scan.ts'

/** The predicates of links in the order of the text, by their place among them. */
export function predicatesOf(
  text: string,
  links: readonly ScannedLink[],
  lineStarts: readonly number[],
): ReadonlyMap<number, string> {
  const found = new Map<number, string>()
  let last: { readonly end: number; readonly predicate: string } | undefined
  for (const [place, { form, start, end, line }] of links.entries()) {
    if (form !== 'wiki' || found.size === MOST) continue
    const predicate =
      last && CARRIES_ON.test(text.slice(last.end, Math.min(start, last.end + 8)))
        ? last.predicate
        : predicateAt(text, start, end, lineStarts[line - 1] ?? 0)
    last = predicate === undefined ? undefined : { end, predicate }
    if (predicate !== undefined) found.set(place, predicate)
  }
  return found
}

/** More than this is a table of something; the links are there all the same. */
const MOST = 1_000

/** How much of a line is looked at on either side of a link. */
const GLANCE = 300

/** `[[A]], [[B]]`: what was said of the first is said of the second. */
const CARRIES_ON = /^[ \t]{0,3},[ \t]{0,3}$/

/** Quotes, the mark of a list item, the box of a task. */
const ITEM = /^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+/
const TASK = /^\[[^\]]\][ \t]+/

/** A key of Dataview, which may be set in bold: one to three words. */
const KEY = /^(?:\*\*)?(\p{L}[\p{L}\p{N}_/-]{0,39}(?: [\p{L}\p{N}_/-]{1,40}){0,2})(?:\*\*)?$/u

/** One to three words without a capital: what begins with one, or has more, is a sentence. */
const WORDS = /^(?!\p{Lu})\p{L}[\p{L}\p{N}_/-]{0,39}(?: [\p{L}\p{N}_/-]{1,40}){0,2}$/u

function predicateAt(
  text: string,
  start: number,
  end: number,
  lineStart: number,
): string | undefined {
  if (start - lineStart > GLANCE) return undefined
  const before = text.slice(lineStart, start).trimEnd()
  if (before.endsWith('::')) return keyIn(before.slice(0, -2))
  const item = ITEM.exec(before)
  const words = item && /[ \t]/.test(text[start - 1]!) ? before.slice(item[0].length) : ''
  return WORDS.test(words) && endsItem(text, end) ? words : undefined
}

/** `key`, `- [ ] key`, `… [key` or `… (key`: what stands before the two colons. */
function keyIn(before: string): string | undefined {
  const open = Math.max(before.lastIndexOf('['), before.lastIndexOf('('))
  const inner = KEY.exec(before.slice(open + 1).trim())?.[1]
  if (open >= 0 && inner !== undefined) return inner
  const item = ITEM.exec(before)?.[0] ?? /^[ \t>]*/.exec(before)![0]
  return KEY.exec(before.slice(item.length).replace(TASK, '').trim())?.[1]
}

/** Whether nothing follows but more links and a remark in brackets. Prose goes on. */
function endsItem(text: string, end: number): boolean {
  const glance = text.slice(end, end + GLANCE + 1)
  const newline = glance.search(/[\r\n]/)
  if (newline < 0 && glance.length > GLANCE) return false
  const rest = newline < 0 ? glance : glance.slice(0, newline)
  const left = rest.replaceAll(/\[\[[^[\]]*\]\]/g, '').replace(/\([^()]*\)[ \t]*$/, '')
  return /^[ \t,]*$/.test(left)
}
