/** What may a link that leads nowhere have meant, and how would its line read then? */
import { documentId } from '../../domain/document.ts'
import type { DocNo, DocumentRecord } from '../../domain/document.ts'
import { isEntityPath } from '../../domain/entity-document.ts'
import { KnowledgeError, notFound, quoted } from '../../domain/error.ts'
import type { Link, ParsedDocument } from '../../domain/text.ts'
import {
  encodeTarget,
  frontMatterLinks,
  placeOfFragment,
  placeOfTarget,
} from '../../editing/link-places.ts'
import type { TargetPlace } from '../../editing/link-places.ts'
import { linkKey, nameKey, pathPart } from '../../indexing/link-names.ts'
import { resolveLink } from '../../indexing/resolve-link.ts'
import { retargetLink } from '../../indexing/retarget-link.ts'
import { editsBetween } from '../../kit/within-edits.ts'
import { foldName } from '../../kit/fold-name.ts'
import { lastSegment, withoutNoteExtension } from '../../kit/paths.ts'
import type { NamedDocument } from '../../store/store.ts'
import { getLive, parseLive } from '../reading/read-document.ts'
import { resolveDocument } from '../reading/resolve-document.ts'
import type { View } from '../view/view.ts'

export interface BrokenAt {
  readonly line: number
  /** Where it is not known which of these lines it is in, the last of them. */
  readonly end?: number | undefined
  /** As the report has it: `note`, `note#Heading`. */
  readonly target: string
}

export interface Mends {
  /** Of the text that the lines are of. */
  readonly digest: string
  readonly mends: readonly Mend[]
}

export interface Mend {
  /** What would be meant: a note, or a heading of the one that is. */
  readonly id: string
  readonly title: string
  /** The edit, as `write` with `replace` takes it. */
  readonly lines: string
  readonly content: string
}

const MOST = 5

/** The nearest first; none where nothing is called like it. */
export async function suggestMends(kb: View, id: string, broken: BrokenAt): Promise<Mends> {
  const live = await getLive(kb, await resolveDocument(kb, id))
  const { record, text, digest } = live
  const parsed = await parseLive(kb, live)
  const link = brokenLink(text, parsed, broken)
  if (!link) {
    throw notFound(
      `There is no link to ${quoted(broken.target)} in line ${broken.line} any more.`,
      'The note has changed since; look at the report again.',
    )
  }
  const named = (target: string) => candidatesOf(kb, link.kind, target)
  const meant = resolveLink(link, record, await named(link.target))
  const mends =
    meant === undefined
      ? await otherNotes(kb, { record, text, link })
      : await otherHeadings(kb, { text, link }, (await kb.store.documents([meant]))[0])
  return { digest, mends }
}

function brokenLink(
  text: string,
  { links, bodyStart }: ParsedDocument,
  { line, end = line, target }: BrokenAt,
): Link | undefined {
  return [...frontMatterLinks(text, bodyStart), ...links].find(
    (link) =>
      link.line >= line &&
      link.line <= end &&
      (link.target === target || `${link.target}#${link.fragment ?? ''}` === target),
  )
}

interface Broken {
  readonly record: DocumentRecord
  readonly text: string
  readonly link: Link
}

async function otherNotes(kb: View, { record, text, link }: Broken): Promise<readonly Mend[]> {
  const mends: Mend[] = []
  for (const other of await alike(kb, link)) {
    if (other.no === record.no || isEntityPath(other.path)) continue
    const to = namedAs(other)
    const known = new Map<string, readonly NamedDocument[]>()
    for (const spelling of [to.path, to.title, `/${to.path}`]) {
      const key = linkKey({ kind: link.kind, target: spelling })
      if (key !== undefined) known.set(key, await kb.store.named([key]))
    }
    const wanted = retargetLink({
      link,
      from: { source: record.source, before: record.path, after: record.path },
      to: { before: to, after: to },
      candidates: (target) => known.get(linkKey({ kind: link.kind, target }) ?? '') ?? [],
    })
    const edit = wanted && lineWith(text, placeOfTarget(text, link), wanted)
    if (edit) mends.push({ id: documentId(other), title: other.title, ...edit })
    if (mends.length === MOST) break
  }
  return mends
}

/** Notes of the same name elsewhere, then those that are called alike. */
async function alike(kb: View, link: Link): Promise<readonly DocumentRecord[]> {
  const name = withoutNoteExtension(lastSegment(pathPart(link)))
  const same = (await kb.store.named([nameKey(name)])).map(({ no }) => no)
  const numbers = [...same, ...(await misspelt(kb, nameKey(name)))]
  const records = (await kb.store.documents(numbers)).filter((each) => each !== undefined)
  for (const id of await similar(kb, name)) records.push(await resolveDocument(kb, id))
  return [...new Map(records.map((each) => [each.no, each])).values()]
}

/** A slip in a name of a few letters is one that no search guesses at: it would find everything. */
async function misspelt(kb: View, key: string): Promise<readonly DocNo[]> {
  const [first] = key
  if (first === undefined || key.length < SHORTEST_NAME) return []
  const most = Math.max(1, Math.floor(key.length / 4))
  const begun = await kb.store.namesLike(first, NAMES_COMPARED)
  return begun
    .map(({ key: other, no }) => ({ no, edits: editsBetween(key, other, most) }))
    .filter(({ edits }) => edits <= most)
    .toSorted((a, b) => a.edits - b.edits)
    .slice(0, MOST)
    .map(({ no }) => no)
}

const SHORTEST_NAME = 3
const NAMES_COMPARED = 5_000

async function similar(kb: View, name: string): Promise<readonly string[]> {
  try {
    return [documentId(await resolveDocument(kb, name))]
  } catch (error) {
    if (error instanceof KnowledgeError) return error.candidates
    throw error
  }
}

async function otherHeadings(
  kb: View,
  { text, link }: Pick<Broken, 'text' | 'link'>,
  record: DocumentRecord | undefined,
): Promise<readonly Mend[]> {
  if (!record || isEntityPath(record.path)) return []
  const { headings } = await parseLive(kb, await getLive(kb, record))
  const asked = foldName(link.fragment ?? '')
  const near = headings
    .map((heading) => ({ heading, distance: distanceOf(asked, foldName(heading.text)) }))
    .filter(({ distance }) => distance <= 1)
    .toSorted((a, b) => a.distance - b.distance)
  const place = placeOfFragment(text, link)
  return near.slice(0, MOST).flatMap(({ heading }) => {
    const edit = /[\]|^#]/.test(heading.text) ? undefined : lineWith(text, place, heading.text)
    return edit
      ? [{ id: documentId(record), title: `${record.title} › ${heading.text}`, ...edit }]
      : []
  })
}

/** 0: the same letters; 1: half of them, or one is the beginning of the other; more: none of that. */
function distanceOf(asked: string, heading: string): number {
  const [short, long] = asked.length < heading.length ? [asked, heading] : [heading, asked]
  if (short.length > 2 && long.includes(short)) return 0.2
  const most = Math.floor(long.length / 2)
  return editsBetween(asked.slice(0, 100), heading.slice(0, 100), most) / Math.max(1, most)
}

/** The line of a link with another target in it; undefined where it is better left alone. */
function lineWith(
  text: string,
  place: TargetPlace | undefined,
  target: string,
): Pick<Mend, 'lines' | 'content'> | undefined {
  if (!place) return undefined
  const start = text.lastIndexOf('\n', place.start - 1) + 1
  const end = text.indexOf('\n', place.end)
  const raw = text.slice(place.start, place.end)
  const line =
    text.slice(start, place.start) +
    encodeTarget(target, place.form, raw) +
    text.slice(place.end, end < 0 ? text.length : end)
  return {
    lines: String(text.slice(0, start).split('\n').length),
    content: line.replace(/\r$/, ''),
  }
}

async function candidatesOf(kb: View, kind: Link['kind'], target: string) {
  const key = linkKey({ kind, target })
  return key === undefined ? [] : kb.store.named([key])
}

function namedAs({ no, source, path, title, aliases }: DocumentRecord): NamedDocument {
  return { no, source, path, foldedPath: foldName(path), title, aliases, pageName: undefined }
}
