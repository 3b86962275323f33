/** Where the target of a link stands in the text, so that it alone can be changed. */
import { orElse } from '../kit/or-else.ts'
import type { Link } from '../domain/text.ts'
import { unescapeMarkdown } from '../parsing/markdown/entities.ts'
import { placeFrontMatter } from '../parsing/markdown/front-matter-places.ts'

export interface TargetPlace {
  /** The target without fragment, query and label, as written. */
  readonly start: number
  readonly end: number
  readonly form: 'wiki' | 'bare' | 'angle'
}

/** Undefined where the target is written in a way that is better left alone. */
export function placeOfTarget(text: string, link: Link): TargetPlace | undefined {
  const place =
    link.kind === 'wiki' || link.kind === 'embed'
      ? wikiPlace(text, link)
      : text[link.end - 1] === ')'
        ? inlinePlace(text, link)
        : definitionPlace(text, link)
  if (!place) return undefined
  const raw = text.slice(place.start, place.end)
  const means = place.form === 'wiki' ? raw : decodeTarget(raw)
  return means.trim() === link.target ? place : undefined
}

/** Where a link names a heading: what stands behind its `#`. */
export function placeOfFragment(text: string, link: Link): TargetPlace | undefined {
  const place =
    link.kind === 'wiki' || link.kind === 'embed'
      ? wikiFragment(text, link)
      : text[link.end - 1] === ')'
        ? inlineFragment(text, link)
        : definitionFragment(text, link)
  if (!place) return undefined
  const raw = text.slice(place.start, place.end)
  const means = place.form === 'wiki' ? raw : decodeTarget(raw)
  return means.trim() === link.fragment ? place : undefined
}

function wikiFragment(text: string, { start, end }: Link): TargetPlace | undefined {
  const hash = text.indexOf('#', start)
  if (hash < 0 || hash >= end) return undefined
  const inside = text.slice(hash + 1, end - 2)
  const raw = (/^[^|]*/.exec(inside)?.[0] ?? '').replace(/\\$/, '')
  const lead = raw.length - raw.trimStart().length
  const from = hash + 1 + lead
  return { start: from, end: from + raw.trim().length, form: 'wiki' }
}

function inlineFragment(text: string, link: Link): TargetPlace | undefined {
  const from = inlineStart(text, link)
  return from === undefined ? undefined : fragmentPlace(text, from, link.end - 1)
}

function definitionFragment(text: string, link: Link): TargetPlace | undefined {
  const range = definitionRange(text, link)
  return range && fragmentPlace(text, range.start, range.end)
}

function fragmentPlace(text: string, from: number, to: number): TargetPlace | undefined {
  const { start, whole, form } = destinationAt(text, from, to)
  const hash = whole.indexOf('#')
  return hash < 0 ? undefined : { start: start + hash + 1, end: start + whole.length, form }
}

function wikiPlace(text: string, { start, end, kind }: Link): TargetPlace | undefined {
  const from = start + (kind === 'embed' ? 3 : 2)
  const inside = text.slice(from, end - 2)
  const stop = inside.search(/[#|]/)
  // In a table the bar before the label is escaped.
  const raw = (stop < 0 ? inside : inside.slice(0, stop)).replace(/\\$/, '')
  const lead = raw.length - raw.trimStart().length
  return { start: from + lead, end: from + lead + raw.trim().length, form: 'wiki' }
}

function inlinePlace(text: string, link: Link): TargetPlace | undefined {
  const from = inlineStart(text, link)
  return from === undefined ? undefined : destinationPlace(text, from, link.end - 1)
}

/** Where the destination of `[label](destination)` begins. */
function inlineStart(text: string, { start, end }: Link): number | undefined {
  const opening = text.lastIndexOf('](', end)
  if (opening < start) return undefined
  let from = opening + 2
  while (/\s/.test(text[from] ?? '')) from++
  return from
}

function definitionPlace(text: string, link: Link): TargetPlace | undefined {
  const range = definitionRange(text, link)
  return range && destinationPlace(text, range.start, range.end)
}

/** `[label]: target` somewhere else in the document: from its target to the end of the line. */
function definitionRange(
  text: string,
  { start, end }: Link,
): { readonly start: number; readonly end: number } | undefined {
  const parts = /^!?\[([^]*?)\](?:\[([^[\]]*)\])?$/.exec(text.slice(start, end))
  const label = labelKey(parts?.[2] || parts?.[1] || '')
  if (label === '') return undefined
  for (const match of text.matchAll(/^ {0,3}\[([^[\]\n]+)\]:[ \t]*\r?\n?[ \t]*/gm)) {
    if (labelKey(match[1] ?? '') !== label) continue
    const from = match.index + match[0].length
    const lineEnd = text.indexOf('\n', from)
    return { start: from, end: lineEnd < 0 ? text.length : lineEnd }
  }
  return undefined
}

function labelKey(label: string): string {
  return label.trim().replaceAll(/\s+/g, ' ').toLowerCase()
}

function destinationPlace(text: string, from: number, to: number): TargetPlace | undefined {
  const { start, whole, form } = destinationAt(text, from, to)
  const path = /^[^#?]*/.exec(whole)?.[0] ?? ''
  return path === '' ? undefined : { start, end: start + path.length, form }
}

function destinationAt(text: string, from: number, to: number) {
  const angle = text[from] === '<'
  const start = angle ? from + 1 : from
  const written = text.slice(start, to)
  const whole = (angle ? /^[^<>\n]*/ : /^\S*/).exec(written)?.[0] ?? ''
  return { start, whole, form: angle ? ('angle' as const) : ('bare' as const) }
}

/** A written destination as the path it means. */
export function decodeTarget(raw: string): string {
  const plain = unescapeMarkdown(raw)
  return orElse(() => decodeURIComponent(plain), plain)
}

/** A path as a destination, encoded as far as the form needs and in the manner of what stood there. */
export function encodeTarget(path: string, form: TargetPlace['form'], raw: string): string {
  if (form === 'wiki') return path
  const foreign = /%[89a-f][0-9a-f]/i.test(raw)
  const unsafe = form === 'angle' ? /[<>%#?\\\n]/g : /[\s<>()%#?\\"]/g
  const encoded = path.replaceAll(unsafe, (character) =>
    encodeURIComponent(character).replace('(', '%28').replace(')', '%29'),
  )
  return foreign ? encoded.replaceAll(/[^\u0000-\u007f]+/g, encodeURIComponent) : encoded
}

/** Wiki links in the front matter, which is no Markdown: as if they were links of the text. */
export function frontMatterLinks(text: string, bodyStart: number): Link[] {
  const front = text.slice(0, bodyStart)
  return [...front.matchAll(/(!?)\[\[([^[\]\n|#]*)(#[^[\]\n|]*)?([^[\]\n]*)\]\]/g)].map(
    (match) => ({
      kind: match[1] ? 'embed' : 'wiki',
      target: (match[2] ?? '').trim(),
      ...(match[3] && { fragment: match[3].slice(1).trim() }),
      start: match.index,
      end: match.index + match[0].length,
      line: front.slice(0, match.index).split('\n').length,
    }),
  )
}

/** Values of the front matter that are exactly this path: where the path stands. */
export function frontMatterPaths(text: string, path: string): { start: number; end: number }[] {
  const places = placeFrontMatter(text)
  if (places === undefined || typeof places === 'string') return []
  return places.entries
    .flatMap((entry) => [
      { start: entry.valueStart, end: entry.valueEnd },
      ...entry.items.map(({ start, end }) => ({ start, end })),
    ])
    .flatMap(({ start, end }) => {
      const written = text.slice(start, end)
      const quote = /^(["'])[^]*\1$/.test(written) ? 1 : 0
      const inside = { start: start + quote, end: end - quote }
      return text.slice(inside.start, inside.end) === path ? [inside] : []
    })
}
