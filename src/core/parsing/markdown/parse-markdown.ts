/** A Markdown note as a document: metadata, outline, links and passages. */
import { orElse } from '../../kit/or-else.ts'
import type {
  Heading,
  Link,
  Parsed,
  ParsedDocument,
  Parser,
  Properties,
  PropertyValue,
} from '../../domain/text.ts'
import { atOnce } from '../../kit/slices.ts'
import type { Steps } from '../../kit/slices.ts'
import { chunking } from '../chunk.ts'
import { parseFrontMatter } from './front-matter.ts'
import { blockIds, blockReferences, pageProperties } from './logseq.ts'
import { predicatesOf } from './predicates.ts'
import { propertyLinks } from './property-links.ts'
import { scanningMarkdown, type ScannedHeading, type ScannedLink } from './scan.ts'

export const parseMarkdown: Parser = (text, path) => atOnce(parsingMarkdown(text, path))

/** The same with a stop every few milliseconds: notes of megabytes are read too. */
export function* parsingMarkdown(text: string, path: string): Steps<Parsed> {
  const { properties: yaml, bodyStart, warnings } = parseFrontMatter(text, path)
  const properties = { ...pageProperties(text, bodyStart), ...yaml }
  const scanned = yield* scanningMarkdown(text, { from: bodyStart })
  const { codeBlocks, links, tags, lineStarts } = scanned
  const headings = scanned.headings.map(withoutAttributes)
  const codeStarts = codeBlocks.map(({ start }) => start)
  const isCode = ({ start }: Link) => (codeBlocks[lineOf(codeStarts, start) - 1]?.end ?? 0) > start
  // Logseq writes a tag of several words as #[[like this]].
  const isTag = ({ form, start }: ScannedLink) => form === 'wiki' && text[start - 1] === '#'
  const references = blockReferences(text, (offset) => lineOf(lineStarts, offset))
  const outline = headings.filter(({ nested }) => !nested)
  const chunks = yield* chunking({ text, bodyStart, headings: outline, codeBlocks, lineStarts })
  const predicates = predicatesOf(text, links, lineStarts)
  const written: Link[] = []
  for (let place = 0; place < links.length; place++) {
    if (place % LINKS_AT_ONCE === LINKS_AT_ONCE - 1) yield
    const link = links[place]!
    if (!isTag(link)) written.push(linkOf(link, predicates.get(place)))
  }
  const metadata = metadataOf(properties, titleHeading(text, bodyStart, outline))
  const document: ParsedDocument = {
    ...metadata,
    aliases: unique([...metadata.aliases, ...blockIds(text)]),
    inlineTags: unique([...tags.map(({ name }) => name), ...links.filter(isTag).map(tagOf)]),
    bodyStart,
    headings: headings.map(headingOf),
    links: [
      ...propertyLinks(text.slice(0, bodyStart), yaml),
      ...written,
      ...references.filter((link) => !isCode(link)),
    ],
    codeBlocks,
    chunks,
  }
  return { document, warnings }
}

/** Links between two stops. */
const LINKS_AT_ONCE = 4_096

function tagOf({ destination }: ScannedLink): string {
  return destination.trim()
}

/** `## Linux {#linux .tip}`: what stands in braces is for a site, not part of the name. */
function withoutAttributes(heading: ScannedHeading): ScannedHeading {
  if (!heading.text.endsWith('}')) return heading
  const open = heading.text.lastIndexOf('{')
  if (open < 0 || !/^\{:?[ \t]*[#.][^{}]*\}$/.test(heading.text.slice(open))) return heading
  const text = heading.text.slice(0, open).trimEnd()
  return text === heading.text || text === '' ? heading : { ...heading, text }
}

/** How many of the sorted starts are at or before an offset: its line, counted from 1. */
function lineOf(starts: readonly number[], offset: number): number {
  let low = 0
  let high = starts.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (starts[middle]! <= offset) low = middle + 1
    else high = middle
  }
  return low
}

function headingOf({ level, text, start, end, line }: ScannedHeading): Heading {
  return { level, text, start, end, line }
}

/** A heading this far down names a part of the text, not the whole. */
const TITLE_WITHIN = 1_500
const TITLE_LINES = 12

/** The first top heading, where little more than a banner stands above it. */
function titleHeading(
  text: string,
  bodyStart: number,
  outline: readonly Heading[],
): string | undefined {
  const first = outline.find(({ level, text: name }) => level === 1 && name !== '')
  if (!first || first.start - bodyStart > TITLE_WITHIN) return undefined
  const above = text.slice(bodyStart, first.start).split('\n')
  return above.filter((line) => line.trim() !== '').length > TITLE_LINES ? undefined : first.text
}

function metadataOf(properties: Properties, heading: string | undefined) {
  const frontMatterTitle = textOf(properties.title)
  // A number prints back to what was written, so `title: 1984` is a title too.
  const numberTitle = typeof properties.title === 'number' ? String(properties.title) : undefined
  return {
    title: frontMatterTitle ?? numberTitle ?? heading,
    frontMatterTitle,
    aliases: unique([...namesIn(properties.aliases), ...namesIn(properties.alias)]),
    tags: unique(tagsIn(properties.tags ?? properties.tag)),
    description: textOf(properties.description) ?? textOf(properties.summary),
    properties,
  }
}

function textOf(value: PropertyValue | undefined): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

/** One name or a list of names; a single string is one name, commas and all. */
function namesIn(value: PropertyValue | undefined): string[] {
  return scalarsIn(value).filter((name) => name !== '')
}

/** Tags as a list or in one string, with or without `#`. A tag has no spaces, so they separate. */
function tagsIn(value: PropertyValue | undefined): string[] {
  const parts = typeof value === 'string' ? value.split(/[,\s]+/) : scalarsIn(value)
  return parts.map((tag) => tag.replace(/^#+/, '').trim()).filter((tag) => tag !== '')
}

function scalarsIn(value: PropertyValue | undefined): string[] {
  const values = Array.isArray(value) ? (value as readonly PropertyValue[]) : [value]
  return values
    .filter((item) => typeof item === 'string' || typeof item === 'number')
    .map((item) => String(item).trim())
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)]
}

/** A scheme of two letters or more, so that `C:\notes` is no address; or a host. */
const EXTERNAL = /^(?:[a-z][a-z\d+.-]+:|\/\/)/i

function linkOf(
  { form, destination, label, start, end, line }: ScannedLink,
  predicate: string | undefined,
): Link {
  const wiki = form === 'wiki' || form === 'embed'
  const external = !wiki && EXTERNAL.test(destination)
  const hash = destination.indexOf('#')
  const read = wiki || external ? (text: string) => text.trim() : decoded
  const target = read(hash < 0 ? destination : destination.slice(0, hash))
  const fragment = hash < 0 ? '' : read(destination.slice(hash + 1))
  const shown = form === 'autolink' ? '' : label.trim()
  return {
    kind: wiki ? form : external ? 'url' : form === 'image' ? 'image' : 'markdown',
    target,
    ...(fragment !== '' && { fragment }),
    ...(shown !== '' && { label: shown }),
    ...(predicate !== undefined && { predicate }),
    start,
    end,
    line,
  }
}

/** Percent-decoded, unless it is not proper percent-encoding: then as written. */
function decoded(text: string): string {
  if (!text.includes('%')) return text.trim()
  return orElse(() => decodeURIComponent(text).trim(), text.trim())
}
