/** One document as a page shows it: rendered, with its outline, its links and who links to it. */
import type { DocumentRecord, LinkRecord } from '../../core/domain/document.ts'
import { documentId } from '../../core/domain/document.ts'
import { isEntityPath } from '../../core/domain/entity-document.ts'
import { invalid, KnowledgeError } from '../../core/domain/error.ts'
import { folderOf, joinPath } from '../../core/kit/paths.ts'
import { findSection } from '../../core/parsing/find-section.ts'
import { escapeHtml } from '../rendering/allowed.ts'
import { highlight } from '../rendering/highlight.ts'
import { markQuotes, type Quote } from '../rendering/mark-quotes.ts'
import type { RenderedHeading } from '../rendering/environment.ts'
import { renderMarkdown } from '../rendering/render-markdown.ts'
import { splitParts, type TextPart } from '../rendering/split-parts.ts'
import type { LinkTarget, Surroundings } from '../rendering/targets.ts'
import { isBroken } from '../../core/operations/reading/check-notes.ts'
import {
  getLive,
  parseLive,
  type LiveDocument,
} from '../../core/operations/reading/read-document.ts'
import { resolveDocument } from '../../core/operations/reading/resolve-document.ts'
import type { View } from '../../core/operations/view/view.ts'
import type { ShownNote } from '../wire/wire.ts'

export interface NoteRequest {
  /** Which part of a long note, from 0. Default: the first, or the one that holds a quote. */
  readonly part?: number
  readonly quotes?: readonly Quote[]
  /** What the note held when it was quoted: where it changed since, the page says so. */
  readonly digest?: string
}

const QUOTES_SHOWN = 20

export async function showNote(
  kb: View,
  id: string,
  { part, quotes = [], digest }: NoteRequest,
): Promise<ShownNote> {
  if (quotes.length > QUOTES_SHOWN) {
    throw invalid(`No more than ${QUOTES_SHOWN} quotes can be lit at once.`, 'Ask for fewer.')
  }
  const live = await getLive(kb, await resolveDocument(kb, id))
  const { record, text } = live
  const parsed = await parseLive(kb, live)
  const links = await kb.store.linksFrom(record.no)
  const format = kb.formatOf(record.path).name
  const parts = splitParts(text, parsed.bodyStart)
  const wanted = Math.min(part ?? partOf(parts, quotes[0]), parts.length - 1)
  const chosen = parts[wanted]
  if (!chosen) throw invalid(`The note has ${parts.length} parts.`, 'Ask for one from 0 on.')
  const source = chosen.tableHead + text.slice(chosen.start, chosen.end)
  const line = chosen.line - (chosen.tableHead === '' ? 0 : 2)
  const isProse = format === 'markdown' || format === 'entity'
  const { html, headings } = isProse
    ? renderMarkdown(source, { around: await surroundings(kb, live, links), line })
    : { html: plainHtml(source, record.path, line), headings: [] }
  const here = quotes.filter((quote) => partOf(parts, quote) === wanted)
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
    digest: live.digest,
    updatedAt: record.updatedAt,
    html: marked.html,
    headings: isProse && parts.length > 1 ? outline(parsed.headings) : headings,
    part: wanted,
    parts: parts.length,
    lines: text.split('\n').length,
    quotes: quotes.map((quote) => marked.found[here.indexOf(quote)] ?? 'elsewhere'),
    changed: digest !== undefined && digest !== live.digest,
    links: {
      outgoing: new Set(links.flatMap(({ to }) => (to === undefined ? [] : [to]))).size,
      broken: links.filter(isBroken).length,
    },
  }
}

/** The source of a note with its lines, for whoever wants to see what is really there. */
export async function showSource(
  kb: View,
  id: string,
): Promise<{ readonly text: string; readonly digest: string; readonly cut: boolean }> {
  const { text, digest } = await getLive(kb, await resolveDocument(kb, id))
  return { text: text.slice(0, LONGEST_SOURCE), digest, cut: text.length > LONGEST_SOURCE }
}

const LONGEST_SOURCE = 400_000

function partOf(parts: readonly TextPart[], quote: Quote | undefined): number {
  if (!quote) return 0
  return Math.max(
    0,
    parts.findLastIndex(({ line }) => line < quote.lines[0]),
  )
}

/**
 * In a note that is shown in parts, a heading may not be on the page yet: no anchor, but a line.
 */
function outline(
  headings: readonly { readonly level: number; readonly text: string; readonly line: number }[],
): RenderedHeading[] {
  return headings
    .slice(0, 2_000)
    .map(({ level, text, line }) => ({ level, text, line, anchor: '' }))
}

/** Code and plain text, as they are. */
function plainHtml(text: string, path: string, line: number): string {
  const language = LANGUAGES[/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''] ?? ''
  const code = language === '' ? escapeHtml(text) : highlight(text, language)
  const lines = ` data-line="${line + 1}" data-end="${line + text.split('\n').length}"`
  return language === ''
    ? `<pre class="plain"${lines}>${code}</pre>`
    : `<pre class="code"${lines}><code class="hljs">${code}</code></pre>`
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
  live: LiveDocument,
  links: readonly LinkRecord[],
): Promise<Surroundings> {
  const numbers = [...new Set(links.flatMap(({ to }) => (to === undefined ? [] : [to])))]
  const records = new Map<number, DocumentRecord>()
  for (const record of await kb.store.documents(numbers)) if (record) records.set(record.no, record)
  const targets = new Map<string, LinkTarget>()
  for (const { kind, target, to } of links) {
    const record = to === undefined ? undefined : records.get(to)
    if (!record) continue
    const family = kind === 'wiki' || kind === 'embed' ? 'wiki' : 'markdown'
    targets.set(`${family}:${target}`, { id: documentId(record), title: record.title })
  }
  const parts = await embedded(kb, live, links, records)
  return {
    link: (kind, target) => targets.get(`${kind}:${target}`),
    picture: (target) => pictureUrl(live.record, target),
    embed: (target, fragment) => parts.get(`${target}#${fragment}`),
  }
}

function pictureUrl({ source, path }: DocumentRecord, target: string): string | undefined {
  if (isEntityPath(path) || !/\.(?:png|jpe?g|gif|webp|svg|avif|bmp)$/i.test(target))
    return undefined
  const place = target.startsWith('/') ? target.slice(1) : joinPath(folderOf(path), target)
  if (place === undefined) return undefined
  const encoded = [source, ...place.split('/')].map(encodeURIComponent).join('/')
  return `/web/file/${encoded}?from=${encodeURIComponent(path)}`
}

const EMBEDS = 10
const EMBED_CHARS = 4_000

/** One level deep: a note that shows itself would never end. */
async function embedded(
  kb: View,
  live: LiveDocument,
  links: readonly LinkRecord[],
  records: ReadonlyMap<number, DocumentRecord>,
): Promise<ReadonlyMap<string, { readonly html: string }>> {
  const parts = new Map<string, { html: string }>()
  const wanted = links.filter(({ kind, to }) => kind === 'embed' && to !== undefined)
  for (const { target, fragment = '', to } of wanted) {
    const key = `${target}#${fragment}`
    const record = to === undefined ? undefined : records.get(to)
    if (!record || record.no === live.record.no || parts.has(key) || parts.size === EMBEDS) continue
    try {
      const other = await getLive(kb, record)
      const text = await sectionOf(kb, other, fragment)
      const own = await kb.store.linksFrom(record.no)
      const around = await surroundings(
        kb,
        other,
        own.filter(({ kind }) => kind !== 'embed'),
      )
      const { html } = renderMarkdown(text, { around })
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
  if (fragment === '' || fragment.startsWith('^')) {
    return live.text.slice(bodyStart, bodyStart + EMBED_CHARS)
  }
  const index = findSection(documentId(live.record), headings, fragment)
  const heading = headings[index]!
  const next = headings.slice(index + 1).find(({ level }) => level <= heading.level)
  const end = Math.min(next?.start ?? live.text.length, heading.start + EMBED_CHARS)
  return live.text.slice(heading.start, end)
}
