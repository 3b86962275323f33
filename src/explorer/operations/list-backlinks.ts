/** Who links to a document, with the sentence and the line; and who only mentions it. */
import type { LinkRecord } from '../../core/domain/document.ts'
import { documentId } from '../../core/domain/document.ts'
import { isEntityPath } from '../../core/domain/entity-document.ts'
import { isRelation } from '../../core/domain/text.ts'
import { readableText, type Range } from '../rendering/readable-text.ts'
import { readDocuments } from '../../core/operations/reading/read-document.ts'
import { resolveDocument } from '../../core/operations/reading/resolve-document.ts'
import type { View } from '../../core/operations/view/view.ts'
import type { Backlink, Mention } from '../wire/wire.ts'

export interface BacklinkPage {
  readonly items: readonly Backlink[]
  /** Documents, each counted once. */
  readonly total: number
}

export async function listBacklinks(
  kb: View,
  id: string,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<BacklinkPage> {
  const record = await resolveDocument(kb, id)
  const first = new Map<number, LinkRecord>()
  const said = new Map<number, string | undefined>()
  for (const link of await kb.store.linksTo(record.no)) {
    if (link.from === record.no) continue
    if (!first.has(link.from)) first.set(link.from, link)
    if (isRelation(link.kind) && !said.has(link.from)) said.set(link.from, link.label)
  }
  const page = [...first.values()].slice(offset, offset + limit)
  const lives = await readDocuments(
    kb,
    page.map(({ from }) => from),
  )
  const items: Backlink[] = []
  for (const live of lives) {
    const link = first.get(live.record.no)!
    const context = lineAround(live.text, link.line, link.label ?? link.target)
    items.push({
      id: documentId(live.record),
      title: live.record.title,
      line: link.line,
      relation: said.get(live.record.no),
      ...context,
    })
  }
  return { items, total: first.size }
}

const MENTIONS_SHOWN = 20
const SHORTEST_NAME = 3

/** Documents that hold the title or an alias in plain words, and do not link. */
export async function listMentions(kb: View, id: string): Promise<readonly Mention[]> {
  const record = await resolveDocument(kb, id)
  if (isEntityPath(record.path)) return []
  const names = [record.title, ...record.aliases].filter((name) => name.length >= SHORTEST_NAME)
  const linking = new Set((await kb.store.linksTo(record.no)).map(({ from }) => from))
  const lexical = await (await kb.index.look()).lexical()
  const filter = await kb.documents()
  const mentions: Mention[] = []
  for (const name of names.slice(0, 5)) {
    const { hits } = await lexical.search(`+"${name.replaceAll('"', ' ')}"`, { limit: 60, filter })
    const others = hits.filter(({ doc }) => doc !== record.no && !linking.has(doc))
    const lives = await readDocuments(
      kb,
      others.map(({ doc }) => doc),
    )
    for (const live of lives) {
      if (mentions.length === MENTIONS_SHOWN) break
      if (isEntityPath(live.record.path)) continue
      const place = plainPlace(live.text, name)
      const other = documentId(live.record)
      if (!place || mentions.some((each) => each.id === other)) continue
      const words = live.text.slice(place.start, place.end)
      mentions.push({
        id: other,
        title: live.record.title,
        line: place.line,
        ...linked(live.text, place, record.title),
        digest: live.digest,
        ...lineAround(live.text, place.line, words),
      })
    }
  }
  return mentions
}

/** The first place of a name in prose: not in a link, not in code, not in a heading or front matter. */
function plainPlace(
  text: string,
  name: string,
): { readonly start: number; readonly end: number; readonly line: number } | undefined {
  const body = /^---\n[\s\S]*?\n---\n/.exec(text)?.[0].length ?? 0
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, 'giu')
  pattern.lastIndex = body
  let tried = 0
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    if (tried++ === PLACES_TRIED) return undefined
    const start = match.index
    const lineStart = text.lastIndexOf('\n', start - 1) + 1
    const lineEnd = text.indexOf('\n', start)
    const line = text.slice(lineStart, lineEnd < 0 ? undefined : lineEnd)
    const before = text.slice(lineStart, start)
    const fences = text.slice(0, lineStart).match(/^ {0,3}(?:```|~~~)/gm)?.length ?? 0
    const inCode = fences % 2 === 1 || (before.match(/`/g)?.length ?? 0) % 2 === 1
    if (!inCode && !endsInLink(before) && !/^\s{0,3}#/.test(line) && !/^ {4}/.test(line)) {
      const number = text.slice(0, start).split('\n').length
      return { start, end: start + match[0].length, line: number }
    }
  }
  return undefined
}

/** Whoever mentions something a thousand times in code does not link it. */
const PLACES_TRIED = 200

/** Without patterns that end in `$`: on a line of a megabyte those are tried from every letter. */
function endsInLink(text: string): boolean {
  const isOpen = (from: string, to: string): boolean =>
    text.lastIndexOf(from) > text.lastIndexOf(to)
  const blank = Math.max(text.lastIndexOf(' '), text.lastIndexOf('\t'))
  return isOpen('[', ']') || isOpen('](', ')') || /https?:/.test(text.slice(blank + 1))
}

/** The line with a wiki link in place of the words. */
function linked(
  text: string,
  { start, end }: Range,
  title: string,
): { readonly find: string; readonly replace: string } {
  const from = text.lastIndexOf('\n', start - 1) + 1
  const newline = text.indexOf('\n', end)
  const find = text.slice(from, newline < 0 ? undefined : newline).replace(/\r$/, '')
  const words = text.slice(start, end)
  const link = words === title ? `[[${title}]]` : `[[${title}|${words}]]`
  return { find, replace: find.slice(0, start - from) + link + find.slice(end - from) }
}

const AROUND = 160

/** The line of a link as one reads it, cut to what stands around the words. */
function lineAround(
  text: string,
  line: number,
  words: string,
): { readonly text: string; readonly marks: readonly Range[] } {
  const written = text.split('\n', line)[line - 1] ?? ''
  const at = Math.max(0, written.indexOf(words))
  const from = Math.max(0, at - AROUND)
  const to = Math.min(written.length, at + words.length + AROUND)
  const { text: shown } = readableText(written.slice(from, to), [])
  const seen = readableText(words.replace(/#.*$/, ''), []).text
  const place = seen === '' ? -1 : shown.toLowerCase().indexOf(seen.toLowerCase())
  return {
    text: `${from > 0 ? '…' : ''}${shown}${to < written.length ? '…' : ''}`,
    marks:
      place < 0
        ? []
        : [{ start: place + (from > 0 ? 1 : 0), end: place + seen.length + (from > 0 ? 1 : 0) }],
  }
}
