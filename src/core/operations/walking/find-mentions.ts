/**
 * Edges that nobody drew: a note whose prose says the name of another one, and does not link to it.
 * They are read from the texts when somebody asks, and change no file.
 */
import type { DocNo, DocumentRecord } from '../../domain/document.ts'
import { documentId } from '../../domain/document.ts'
import { isEntityPath } from '../../domain/entity-document.ts'
import { nameKey } from '../../indexing/link-names.ts'
import { lastSegment, withoutNoteExtension } from '../../kit/paths.ts'
import { Slices } from '../../kit/slices.ts'
import { countLineAt } from '../../parsing/lines.ts'
import { proseOf } from '../../parsing/prose.ts'
import { readDocuments } from '../reading/read-document.ts'
import type { LiveDocument } from '../reading/read-document.ts'
import { findNamedIn } from '../searching/find-named-in.ts'
import { personNamesOf } from '../view/person-names.ts'
import type { View } from '../view/view.ts'

export interface FoundMention {
  readonly from: DocumentRecord
  readonly to: DocNo
  /** Where the name stands in the text of `from`, for the first time. */
  readonly start: number
  readonly end: number
  readonly line: number
  /** The sentence, or what stands around the name where that is long. */
  readonly sentence: string
}

/** Texts that are longer are lists and dumps. */
const MOST_LETTERS = 200_000
/** Notes that may say a name: with more of them it says nothing. */
const MOST_SAYING = 60
const MOST_NAMES = 8

/** Whom a document mentions: each once, where a name has one bearer, and only who is not linked. */
export async function mentionsIn(kb: View, live: LiveDocument): Promise<readonly FoundMention[]> {
  const { record, text } = live
  if (isEntityPath(record.path) || record.type === 'code' || text.length > MOST_LETTERS) return []
  const linked = new Set((await kb.store.linksFrom(record.no)).map(({ to }) => to))
  const found = new Map<DocNo, FoundMention>()
  for (const { start, end, docs } of await findNamedIn(kb, proseOf(text), { long: true })) {
    const [to] = docs
    if (docs.length !== 1 || to === undefined || to === record.no) continue
    if (linked.has(to) || found.has(to)) continue
    const line = countLineAt(text, start)
    found.set(to, { from: record, to, start, end, line, sentence: sentenceAt(text, start, end) })
  }
  return [...found.values()]
}

/** Who mentions a document: the notes that have one of its names are read as they are now. */
export async function mentionsOf(
  kb: View,
  record: DocumentRecord,
): Promise<readonly FoundMention[]> {
  const found: FoundMention[] = []
  const slices = new Slices()
  for (const live of await readDocuments(kb, [...(await docsSaying(kb, record))])) {
    if (slices.over) await slices.pause()
    const mention = (await mentionsIn(kb, live)).find(({ to }) => to === record.no)
    if (mention) found.push(mention)
  }
  return found
}

/** Notes that have a name of the document somewhere, as the index knows them. */
export async function docsSaying(kb: View, record: DocumentRecord): Promise<ReadonlySet<DocNo>> {
  const lexical = await (await kb.index.look()).lexical()
  const filter = await kb.documents()
  const people = [...(await personNamesOf(kb).now())].filter(([, doc]) => doc === record.no)
  const file = record.path
    .split('/')
    .at(-1)!
    .replace(/\.[^.]+$/u, '')
  const names = [record.title, ...record.aliases, file, ...people.map(([word]) => word)]
  const saying = new Set<DocNo>()
  for (const name of [...new Set(names)].slice(0, MOST_NAMES)) {
    const phrase = name.replaceAll(/["\s_-]+/gu, ' ').trim()
    if (phrase === '') continue
    const { hits, relaxed } = await lexical.search(`+"${phrase}"`, { limit: MOST_SAYING, filter })
    if (!relaxed) for (const { doc } of hits) saying.add(doc)
  }
  saying.delete(record.no)
  return saying
}

/**
 * What a wiki link calls a document: the name of its file, which every program that knows such links
 * follows, with its folders where another document bears that name; titles only Cairn knows.
 */
export async function linkNameOf(kb: View, record: DocumentRecord): Promise<string> {
  // `a.md` of a file `a.md.md` would be the name of another one.
  const isSafe = (name: string): boolean =>
    !/[[\]|#^]/.test(name) && withoutNoteExtension(name) === name
  const title = isSafe(record.title) ? record.title : documentId(record)
  if (isEntityPath(record.path)) return title
  const path = withoutNoteExtension(record.path)
  const file = lastSegment(path)
  const namesakes = await kb.store.named([nameKey(file)])
  const name = namesakes.length === 1 ? file : path
  return isSafe(name) ? name : title
}

/**
 * The name with a link in its place, and so much of its line around both that it stands in the text
 * once: several names of a line can be linked one after the other.
 */
export function asLink(
  text: string,
  { start, end }: Pick<FoundMention, 'start' | 'end'>,
  name: string,
): { readonly find: string; readonly replace: string } {
  const newline = text.indexOf('\n', end)
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  const lineEnd = (newline < 0 ? text : text.slice(0, newline)).trimEnd().length
  const [from, to] = onceAround(text, [start, end], [lineStart, Math.max(lineEnd, end)])
  const words = text.slice(start, end)
  const bar = ROW.test(text.slice(lineStart, start)) ? '\\|' : '|'
  // Nobody who follows such links minds the case.
  const isName = words.toLowerCase() === name.toLowerCase()
  const link = isName ? `[[${words}]]` : `[[${name}${bar}${words}]]`
  return {
    find: text.slice(from, to),
    replace: text.slice(from, start) + link + text.slice(end, to),
  }
}

/** A bar within a row of a table would begin its next cell. */
const ROW = /^[\s>]*\|/

type Range = readonly [start: number, end: number]

/**
 * What stands behind a name tells it apart, or what stands before, or as much of its line as anybody
 * looks at: in a line that says the same again and again, an edit finds several and says so.
 */
function onceAround(text: string, [start, end]: Range, line: Range): Range {
  for (const more of AROUND_NAME) {
    const behind: Range = [start, Math.min(line[1], end + more)]
    const before: Range = [Math.max(line[0], start - more), end]
    const found = [behind, before].find((range) => isOnce(text, text.slice(...range)))
    if (found) return found
  }
  const most = AROUND_NAME.at(-1)!
  return [Math.max(line[0], start - most), Math.min(line[1], end + most)]
}

const AROUND_NAME = [...Array.from({ length: 41 }, (_, letters) => letters), 80, 160]

function isOnce(text: string, part: string): boolean {
  return text.indexOf(part) === text.lastIndexOf(part)
}

const AROUND = 160
const ENDS = /[.!?。！？](?=\s|$)|\n/gu

function sentenceAt(text: string, start: number, end: number): string {
  const from = Math.max(0, start - AROUND)
  const before = [...text.slice(from, start).matchAll(ENDS)].at(-1)
  const behind = [...text.slice(end, end + AROUND).matchAll(ENDS)].at(0)
  const first = before ? from + before.index + before[0].length : from
  const last = behind ? end + behind.index + behind[0].trim().length : end + AROUND
  return text.slice(first, last).replaceAll(/\s+/gu, ' ').trim()
}
