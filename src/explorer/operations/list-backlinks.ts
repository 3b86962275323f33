/** Who links to a document, with the sentence and the line; and who only mentions it. */
import type { LinkRecord } from '../../core/domain/document.ts'
import { documentId } from '../../core/domain/document.ts'
import { isEntityPath } from '../../core/domain/entity-document.ts'
import { isRelation } from '../../core/domain/text.ts'
import { readableText, type Range } from '../rendering/readable-text.ts'
import { readDocuments } from '../../core/operations/reading/read-document.ts'
import { resolveDocument } from '../../core/operations/reading/resolve-document.ts'
import { asLink, linkNameOf, mentionsOf } from '../../core/operations/walking/find-mentions.ts'
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

/** Notes whose prose says a name of the document and that do not link to it, with the edit that would. */
export async function listMentions(kb: View, id: string): Promise<readonly Mention[]> {
  const record = await resolveDocument(kb, id)
  if (isEntityPath(record.path)) return []
  const found = (await mentionsOf(kb, record)).slice(0, MENTIONS_SHOWN)
  const name = await linkNameOf(kb, record)
  const byNumber = new Map(found.map((mention) => [mention.from.no, mention]))
  const mentions: Mention[] = []
  for (const live of await readDocuments(kb, [...byNumber.keys()])) {
    const mention = byNumber.get(live.record.no)!
    const { start, end, line, sentence } = mention
    const words = live.text.slice(start, end).replaceAll(/\s+/g, ' ')
    const at = sentence.indexOf(words)
    // It was changed between two reads.
    if (at < 0) continue
    mentions.push({
      id: documentId(live.record),
      title: live.record.title,
      line,
      ...readableText(sentence, [{ start: at, end: at + words.length }]),
      ...asLink(live.text, mention, name),
      digest: live.digest,
    })
  }
  return mentions
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
  // No word is cut in two.
  const from = at <= AROUND ? 0 : Math.min(at, written.indexOf(' ', at - AROUND) + 1 || at - AROUND)
  const to = Math.min(written.length, at + words.length + AROUND)
  const { text: shown } = readableText(written.slice(from, to), [])
  const seen = readableText(words.replace(/#.*$/, ''), []).text
  const place = seen === '' ? -1 : shown.toLowerCase().indexOf(seen.toLowerCase())
  return {
    text: `${from > 0 ? '… ' : ''}${shown}${to < written.length ? '…' : ''}`,
    marks:
      place < 0
        ? []
        : [{ start: place + (from > 0 ? 2 : 0), end: place + seen.length + (from > 0 ? 2 : 0) }],
  }
}
