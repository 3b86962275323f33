/** One document as a page shows it: rendered, with its outline, its links and who links to it. */
import { inlineQuery } from '../../core/domain/inline-query.ts'
import type { DocumentRecord, LinkRecord } from '../../core/domain/document.ts'
import { documentId } from '../../core/domain/document.ts'
import { anchorsIn } from '../../core/domain/conversion.ts'
import { isEntityPath } from '../../core/domain/entity-document.ts'
import { invalid, KnowledgeError } from '../../core/domain/error.ts'
import { folderOf, isNotePath, joinPath } from '../../core/kit/paths.ts'
import type { Heading } from '../../core/domain/text.ts'
import { lineAt, lineStartsOf } from '../../core/parsing/lines.ts'
import { findAnchor } from '../../core/parsing/find-anchor.ts'
import { findBlock } from '../../core/parsing/find-block.ts'
import { findSection } from '../../core/parsing/find-section.ts'
import { parseFrontMatter } from '../../core/parsing/markdown/front-matter.ts'
import { isBaseFile } from '../../core/domain/base-file.ts'
import { escapeHtml } from '../rendering/allowed.ts'
import { highlight } from '../rendering/highlight.ts'
import { markQuotes, type Quote } from '../rendering/mark-quotes.ts'
import { renderMarkdown } from '../rendering/render-markdown.ts'
import { splitParts, type TextPart } from '../rendering/split-parts.ts'
import { anchorOf, shownAs, type LinkTarget, type Surroundings } from '../rendering/targets.ts'
import { editsOf, movesOf } from './read-for-edit.ts'
import { fileUrl } from './read-file.ts'
import { isBroken } from '../../core/operations/reading/check-notes.ts'
import {
  getLive,
  parseLive,
  type LiveDocument,
} from '../../core/operations/reading/read-document.ts'
import { resolveDocument } from '../../core/operations/reading/resolve-document.ts'
import { noteSettings } from '../../core/operations/writing/note-settings.ts'
import type { View } from '../../core/operations/view/view.ts'
import type { ShownNote } from '../wire/wire.ts'

export interface NoteRequest {
  /**
   * One more part of a long note, from 0, for whoever has another one: it comes without what is
   * known of the note as a whole. Default: the part that holds the place or the quote, or the first.
   */
  readonly part?: number
  /** Where to begin: a line, or what stands behind the `#` of a link. */
  readonly at?: { readonly line?: number; readonly fragment?: string }
  readonly quotes?: readonly Quote[]
  /** What the note held when it was quoted: where it changed since, the page says so. */
  readonly digest?: string
  /** Whether line ends within paragraphs are seen; as the editor of these notes has it by default. */
  readonly breaks?: boolean
}

const QUOTES_SHOWN = 20

export async function showNote(
  kb: View,
  id: string,
  { part, at = {}, quotes = [], digest, breaks }: NoteRequest,
): Promise<ShownNote> {
  if (quotes.length > QUOTES_SHOWN) {
    throw invalid(`No more than ${QUOTES_SHOWN} quotes can be lit at once.`, 'Ask for fewer.')
  }
  const live = await getLive(kb, await resolveDocument(kb, id))
  const { record, text } = live
  const format = kb.formatOf(record.path).name
  const isMade = kb.sources.get(record.source)?.converts?.(record.path) ?? false
  const isProse = isMade || format === 'markdown' || format === 'entity'
  // A further part is asked for while one scrolls: what is known of the whole is not read again.
  const parsed = part === undefined || format === 'entity' ? await parseLive(kb, live) : undefined
  const headings = parsed?.headings ?? []
  const place = at.line ?? lineOf(text, headings, at.fragment)
  // The same for every part, whether the whole was read or not.
  const start = format === 'markdown' || isMade ? parseFrontMatter(text, record.path).bodyStart : 0
  const parts = splitParts(text, format === 'entity' ? parsed!.bodyStart : start)
  const wanted = Math.min(
    part ?? partOf(parts, place ?? quotes[0]?.lines[0] ?? 1),
    parts.length - 1,
  )
  const chosen = parts[wanted]
  if (!chosen) throw invalid(`The note has ${parts.length} parts.`, 'Ask for one from 0 on.')
  const source = chosen.tableHead + text.slice(chosen.start, chosen.end)
  const line = chosen.line - (chosen.tableHead === '' ? 0 : 2)
  const first = chosen.line + 1
  const last = parts[wanted + 1]?.line ?? text.split('\n').length
  const links = await kb.store.linksFrom(record.no)
  const shownLinks =
    parts.length === 1 ? links : links.filter((link) => link.line >= first && link.line <= last)
  const file = isMade ? fileUrl(kb, record) : undefined
  const rendered = isProse
    ? renderMarkdown(source, { around: await surroundings(kb, record, shownLinks, breaks), line })
        .html
    : plainHtml(source, record.path, line)
  const html = file === undefined ? rendered : withPages(rendered, source, line, file)
  const here = quotes.filter(({ lines }) => partOf(parts, lines[0]) === wanted)
  const marked = here.length > 0 ? markQuotes(html, here) : { html, found: [] }
  return {
    id: documentId(record),
    title: record.title,
    kind: isEntityPath(record.path) ? 'entity' : 'note',
    source: record.source,
    path: record.path,
    type: record.type,
    tags: [...new Set([...record.tags, ...record.inlineTags])].slice(0, 100),
    properties: record.properties,
    named:
      part === undefined
        ? await namedIn(
            kb,
            links.filter((link) => link.line < parts[0]!.line + 1),
          )
        : {},
    digest: live.digest,
    edits: part === undefined ? editsOf(kb, record, text) : undefined,
    moves: part === undefined ? movesOf(kb, record) : undefined,
    ...(file !== undefined && { file }),
    updatedAt: record.updatedAt,
    html: marked.html,
    headings: isProse
      ? headings.slice(0, HEADINGS_LISTED).map(({ level, text, line }) => ({ level, text, line }))
      : [],
    part: wanted,
    parts: parts.length,
    first,
    last,
    ...(place !== undefined && { place }),
    quotes: quotes.map((quote) => marked.found[here.indexOf(quote)] ?? 'elsewhere'),
    changed: digest !== undefined && digest !== live.digest,
    links: {
      outgoing: new Set(links.flatMap(({ to }) => (to === undefined ? [] : [to]))).size,
      broken: links.filter(isBroken).length,
    },
  }
}

/** A text in the place of a document's own, from its `line` on. */
export async function renderText(
  kb: View,
  record: DocumentRecord,
  text: string,
  line: number,
  links: readonly LinkRecord[],
  breaks?: boolean,
): Promise<string> {
  if (kb.formatOf(record.path).name !== 'markdown') return plainHtml(text, record.path, line - 1)
  const start = line === 1 ? parseFrontMatter(text, record.path).bodyStart : 0
  const above = line - 1 + text.slice(0, start).split('\n').length - 1
  const around = await surroundings(kb, record, links, breaks)
  return renderMarkdown(text.slice(start), { around, line: above }).html
}

/** At every page of a PDF, the way to it in the file. `line` is what stands above the source. */
function withPages(html: string, source: string, line: number, file: string): string {
  if (!file.endsWith('.pdf')) return html
  const starts = lineStartsOf(source)
  const pages = new Map(
    anchorsIn(source).map(({ at, name }) => [
      line + lineAt(starts, at),
      /^page=(\d+)$/.exec(name)?.[1],
    ]),
  )
  // A named place is drawn as a paragraph with nothing in it.
  return html.replaceAll(/<p( data-line="(\d+)" data-end="\d+")><\/p>/g, (whole, lines, at) => {
    const page = pages.get(Number(at))
    if (page === undefined) return whole
    const address = `${escapeHtml(file)}#page=${page}`
    return `<p class="place"${lines}><a href="${address}" target="_blank" rel="noopener">page ${page}</a></p>`
  })
}

/** Where the links of the front matter lead. */
async function namedIn(
  kb: View,
  links: readonly LinkRecord[],
): Promise<Readonly<Record<string, string>>> {
  const some = links.slice(0, 200).filter(({ to }) => to !== undefined)
  const records = await kb.store.documents(some.map(({ to }) => to!))
  return Object.fromEntries(
    some.flatMap(({ target }, at) => (records[at] ? [[target, documentId(records[at])]] : [])),
  )
}

/** The source of a note with its lines, for whoever wants to see what is really there. */
export async function showSource(
  kb: View,
  id: string,
  wanted = 1,
): Promise<{
  readonly text: string
  readonly digest: string
  /** Of the lines shown, from 1; and how many there are. */
  readonly first: number
  readonly lines: number
}> {
  const { text, digest } = await getLive(kb, await resolveDocument(kb, id))
  const all = text.split('\n')
  const from = all.length <= SOURCE_LINES ? 0 : Math.max(0, wanted - 1 - SOURCE_LINES / 4)
  const shown: string[] = []
  let length = 0
  for (const line of all.slice(from, from + SOURCE_LINES)) {
    shown.push(line.slice(0, LONGEST_LINE))
    length += Math.min(line.length, LONGEST_LINE)
    // The line that was asked for is among them, however long those before it are.
    if (length > LONGEST_SOURCE && from + shown.length >= wanted) break
  }
  return { text: shown.join('\n'), digest, first: from + 1, lines: all.length }
}

const SOURCE_LINES = 2_000
const LONGEST_LINE = 5_000
const LONGEST_SOURCE = 400_000

/** More sections than anybody reads the names of. */
const HEADINGS_LISTED = 20_000

function partOf(parts: readonly TextPart[], wanted: number): number {
  return Math.max(
    0,
    parts.findLastIndex(({ line }) => line < wanted),
  )
}

/** The line that a fragment means: a block by its mark, a section by its name or by its anchor. */
function lineOf(
  text: string,
  headings: readonly Heading[],
  fragment: string | undefined,
): number | undefined {
  if (fragment === undefined || fragment === '') return undefined
  if (fragment.startsWith('^')) {
    const block = findBlock(text.split('\n'), fragment.slice(1))
    return block && block.from + 1
  }
  const place = anchorsIn(text).find(({ name }) => name === fragment)
  if (place) return lineAt(lineStartsOf(text), place.at)
  const times = new Map<string, number>()
  for (const heading of headings) {
    const anchor = anchorOf(heading.text)
    const before = times.get(anchor) ?? 0
    times.set(anchor, before + 1)
    if (fragment === (before === 0 ? anchor : `${anchor}-${before}`)) return heading.line
  }
  const index = findAnchor(headings, fragment) ?? findAnchor(headings, fragment.replace(/^h-/, ''))
  return index === undefined ? undefined : headings[index]?.line
}

/** Code and plain text, as they are. */
function plainHtml(text: string, path: string, line: number): string {
  const language = LANGUAGES[/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''] ?? ''
  const code = language === '' ? escapeHtml(text) : highlight(text, language)
  const lines = ` data-line="${line + 1}" data-end="${line + text.split('\n').length}"`
  return language === ''
    ? `<pre class="plain"${lines}>${code}</pre>`
    : `<pre class="code"${lines}><code class="hljs${isBaseFile(path) ? ' language-base' : ''}">${code}</code></pre>`
}

const LANGUAGES: Readonly<Record<string, string>> = {
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'javascript',
  ts: 'typescript',
  tsx: 'typescript',
  py: 'python',
  rs: 'rust',
  go: 'go',
  java: 'java',
  c: 'c',
  h: 'c',
  cpp: 'cpp',
  cc: 'cpp',
  hpp: 'cpp',
  css: 'css',
  json: 'json',
  yaml: 'yaml',
  yml: 'yaml',
  base: 'yaml',
  toml: 'ini',
  ini: 'ini',
  sh: 'bash',
  bash: 'bash',
  sql: 'sql',
  html: 'xml',
  xml: 'xml',
  diff: 'diff',
}

/** Where the links of a note lead, and the parts of other notes it shows. */
async function surroundings(
  kb: View,
  holder: DocumentRecord,
  links: readonly LinkRecord[],
  breaks = showsBreaks(kb, holder),
): Promise<Surroundings> {
  const numbers = [...new Set(links.flatMap(({ to }) => (to === undefined ? [] : [to])))]
  const records = new Map<number, DocumentRecord>()
  for (const record of await kb.store.documents(numbers)) if (record) records.set(record.no, record)
  const targets = new Map<string, LinkTarget>()
  for (const { kind, target, to } of links) {
    const record = to === undefined ? undefined : records.get(to)
    if (!record || kind === 'typed') continue
    const family = kind === 'wiki' || kind === 'embed' ? 'wiki' : 'markdown'
    targets.set(`${family}:${target}`, { id: documentId(record), title: record.title })
  }
  const parts = await embedded(kb, holder, links, { records, breaks })
  return {
    breaks,
    link: (kind, target) => targets.get(`${kind}:${target}`),
    picture: (target) => pictureUrl(holder, target),
    isQuery: (code) => inlineQuery(code) !== undefined,
    embed: (target, fragment) => parts.get(`${target}#${fragment}`),
  }
}

/** What is made of a file has lines of our own. */
function showsBreaks(kb: View, { source, path }: DocumentRecord): boolean {
  const from = kb.sources.get(source)
  return isNotePath(path) && from !== undefined && noteSettings(from).lineBreaks
}

function pictureUrl({ source, path }: DocumentRecord, target: string): string | undefined {
  if (isEntityPath(path) || shownAs(target) === undefined) return undefined
  const place = target.startsWith('/') ? target.slice(1) : joinPath(folderOf(path), target)
  if (place === undefined) return undefined
  const encoded = [source, ...place.split('/')].map(encodeURIComponent).join('/')
  return `/web/file/${encoded}?from=${encodeURIComponent(path)}`
}

const EMBEDS = 10
const EMBED_CHARS = 4_000

interface Embedding {
  readonly records: ReadonlyMap<number, DocumentRecord>
  readonly breaks: boolean
}

/** One level deep: a note that shows itself would never end. */
async function embedded(
  kb: View,
  holder: DocumentRecord,
  links: readonly LinkRecord[],
  { records, breaks }: Embedding,
): Promise<ReadonlyMap<string, { readonly html: string }>> {
  const parts = new Map<string, { html: string }>()
  const wanted = links.filter(({ kind, to }) => kind === 'embed' && to !== undefined)
  for (const { target, fragment = '', to } of wanted) {
    const key = `${target}#${fragment}`
    const record = to === undefined ? undefined : records.get(to)
    if (!record || record.no === holder.no || parts.has(key) || parts.size === EMBEDS) continue
    try {
      const other = await getLive(kb, record)
      if (isBaseFile(record.path)) {
        // The page puts what it finds in its place.
        const code = highlight(other.text.slice(0, EMBED_CHARS), 'yaml')
        parts.set(key, {
          html: `<pre class="code"><code class="hljs language-base">${code}</code></pre>`,
        })
        continue
      }
      const text = await sectionOf(kb, other, fragment)
      const own = await kb.store.linksFrom(record.no)
      const around = await surroundings(
        kb,
        record,
        own.filter(({ kind }) => kind !== 'embed'),
        breaks,
      )
      const rendered = renderMarkdown(text, { around }).html
      // The text of a page, and above it the way to the page itself in the viewer of the browser.
      const file = fileUrl(kb, record)
      const html = file === undefined ? rendered : withPages(rendered, text, 0, file)
      // Its lines are lines of another note.
      parts.set(key, { html: html.replaceAll(/ (?:data-(?:line|end)|id)="[^"]*"/g, '') })
    } catch (error) {
      if (!(error instanceof KnowledgeError)) throw error
    }
  }
  return parts
}

async function sectionOf(kb: View, live: LiveDocument, fragment: string): Promise<string> {
  const { headings, bodyStart } = await parseLive(kb, live)
  const lines = live.text.split('\n')
  const block = fragment.startsWith('^') ? findBlock(lines, fragment.slice(1)) : undefined
  if (block) {
    return lines
      .slice(block.from, block.to + 1)
      .join('\n')
      .slice(0, EMBED_CHARS)
  }
  const places = anchorsIn(live.text)
  const at = places.findIndex(({ name }) => name === fragment)
  if (at >= 0) {
    const start = places[at]!.at
    return live.text.slice(start, Math.min(places[at + 1]?.at ?? Infinity, start + EMBED_CHARS))
  }
  if (fragment === '' || fragment.startsWith('^')) {
    return live.text.slice(bodyStart, bodyStart + EMBED_CHARS)
  }
  const index = findSection(documentId(live.record), headings, fragment)
  const heading = headings[index]!
  const next = headings.slice(index + 1).find(({ level }) => level <= heading.level)
  const end = Math.min(next?.start ?? live.text.length, heading.start + EMBED_CHARS)
  return live.text.slice(heading.start, end)
}
