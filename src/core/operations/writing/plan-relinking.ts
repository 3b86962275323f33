/**
 * When a document gets another path or title, or a heading of it another name, links that led to it
 * are looked at, and rewritten where they would lead elsewhere or nowhere. Links that still work
 * stay as they are.
 */
import { foldName } from '../../kit/fold-name.ts'
import { compareIds, documentId } from '../../domain/document.ts'
import type { DocNo, DocumentRecord } from '../../domain/document.ts'
import { isEntityPath } from '../../domain/entity-document.ts'
import { parseInSlices } from '../../domain/format.ts'
import { withoutSecrets } from '../../domain/secrets.ts'
import { Slices, inSlices } from '../../kit/slices.ts'
import { folderOf, joinPath, lastSegment, withoutNoteExtension } from '../../kit/paths.ts'
import { isFoundLink } from '../../domain/text.ts'
import type { Link, ParsedDocument } from '../../domain/text.ts'
import {
  decodeTarget,
  encodeTarget,
  frontMatterLinks,
  frontMatterPaths,
  placeOfFragment,
  placeOfTarget,
} from '../../editing/link-places.ts'
import type { TargetPlace } from '../../editing/link-places.ts'
import type { HeadingChange } from '../../editing/follow-headings.ts'
import { decodeEditable, encodeEditable } from '../../editing/text-file.ts'
import { documentNames, isAttachment, linkKey, pathPart } from '../../indexing/link-names.ts'
import { isRelativeWay, resolveLink } from '../../indexing/resolve-link.ts'
import { relativePath, retargetLink } from '../../indexing/retarget-link.ts'
import { slugOf, titleFromPath } from '../../parsing/names.ts'
import type { NamedDocument } from '../../store/store.ts'
import type { FileEdit } from './carry-out.ts'
import type { BrokenLink } from './change-files.ts'
import type { View } from '../view/view.ts'

export interface Renaming {
  readonly record: DocumentRecord
  /** The path afterwards; the same for a mere change of title. */
  readonly path: string
  /** The text afterwards, before links in it are rewritten. */
  readonly text: string
  /** What became of its headings, where one is not as it was. */
  readonly headings?: HeadingChange
  /** Says which links would have to change, and changes none. */
  readonly reportOnly?: boolean
  /** Its text is made from a file: its own links stay as they are. */
  readonly isMade?: boolean
  /** It goes, and this one, which is renamed with it and has its path by now, takes its place. */
  readonly into?: DocumentRecord
}

export interface Relinking {
  /** The text of the renamed document with its own links rewritten. */
  readonly text: string
  /** Other documents whose links change. */
  readonly edits: readonly FileEdit[]
  readonly linksRewritten: number
  readonly brokenLinks: readonly BrokenLink[]
}

export async function planRelinking(kb: View, renaming: Renaming): Promise<Relinking> {
  const { texts, ...others } = await planRelinkingTogether(kb, [renaming])
  return { ...others, text: texts[0]! }
}

/** Several at once: what leads from one of them to another follows both. */
export async function planRelinkingTogether(
  kb: View,
  renamings: readonly Renaming[],
): Promise<Omit<Relinking, 'text'> & { readonly texts: readonly string[] }> {
  const relinker = await openRelinker(kb, renamings)
  const texts: string[] = []
  const edits: FileEdit[] = []
  const brokenLinks: BrokenLink[] = []
  let linksRewritten = 0
  const slices = new Slices()
  for (const { record, text, isMade = false } of renamings) {
    if (slices.over) await slices.pause()
    const own = await relinker.rewrite(record, text)
    texts.push(own.text)
    brokenLinks.push(...own.broken)
    if (!isMade) linksRewritten += own.rewritten
  }
  for (const record of await concerned(kb, renamings, relinker)) {
    if (slices.over) await slices.pause()
    const id = documentId(record)
    const isMade =
      !record.path.endsWith('.md') && kb.sources.get(record.source)?.converts?.(record.path)
    const readOnly = isEntityPath(record.path) || isMade || kb.writes?.(record) === false
    const writer = readOnly ? undefined : kb.sources.get(record.source)?.writer
    if (!writer) {
      // Relations are never rewritten, nor what can only be read; the author hears what they lose.
      for (const target of await relinker.lost(record)) brokenLinks.push({ id, target })
      continue
    }
    const file = await writer.load(record.path)
    if (!file) continue
    let old
    try {
      old = decodeEditable(file.bytes, id)
    } catch {
      brokenLinks.push({ id, target: renamings[0]!.record.path })
      continue
    }
    const { text, rewritten, broken } = await relinker.rewrite(record, old.text)
    linksRewritten += rewritten
    brokenLinks.push(...broken)
    if (text === old.text) continue
    const { source, path } = record
    edits.push({ source, path, before: file, after: encodeEditable(text, old) })
  }
  return { texts, edits, linksRewritten, brokenLinks }
}

/** So many are in memory as a whole: all of a large base at once would be work for the collector. */
const READ_AT_ONCE = 2_000

/** Documents that may hold a link whose meaning changes, without the renamed ones themselves. */
async function concerned(
  kb: View,
  renamings: readonly Renaming[],
  { rivals, isRenamed }: Relinker,
): Promise<DocumentRecord[]> {
  const found = new Map<DocNo, DocumentRecord>()
  const own = renamings.map(({ record }) => record.no)
  for (const no of [...own, ...rivals]) {
    const all = await kb.store.linksTo(no)
    const links = isRenamed ? all : all.filter(({ fragment = '' }) => fragment !== '')
    const missing = [...new Set(links.map(({ from }) => from))].filter((from) => !found.has(from))
    for (const each of await kb.store.documents(missing)) if (each) found.set(each.no, each)
  }
  const moved = renamings.filter(({ record, path }) => path !== record.path)
  if (moved.length > 0) {
    // The index keeps links of front matter by their keys; a path there is a link for us alone.
    const order = await kb.store.pathOrder()
    const paths = moved.map(({ record }) => JSON.stringify(record.path))
    for (let from = 0; from < order.length; from += READ_AT_ONCE) {
      const some = await kb.store.documents([...order.subarray(from, from + READ_AT_ONCE)])
      await inSlices(some, (each) => {
        if (!each || isEntityPath(each.path)) return
        const text = JSON.stringify(each.properties)
        if (text.includes('[[') || paths.some((path) => text.includes(path))) {
          found.set(each.no, each)
        }
      })
    }
  }
  for (const no of own) found.delete(no)
  return [...found.values()].toSorted((a, b) => compareIds(documentId(a), documentId(b)))
}

interface Rewritten {
  readonly text: string
  readonly rewritten: number
  readonly broken: readonly BrokenLink[]
}

interface Relinker {
  /** A document itself is called otherwise; else a heading of it is. */
  readonly isRenamed: boolean
  /** Documents that share a name with a renamed one afterwards: their links may be taken over. */
  readonly rivals: readonly DocNo[]
  rewrite(holder: DocumentRecord, text: string): Promise<Rewritten>
  /** What a document that cannot be rewritten leads to now and will not find afterwards. */
  lost(holder: DocumentRecord): Promise<readonly string[]>
}

async function openRelinker(kb: View, renamings: readonly Renaming[]): Promise<Relinker> {
  const reportOnly = renamings.some((each) => each.reportOnly)
  const parse = async (path: string, text: string): Promise<ParsedDocument> =>
    // As it is indexed: titles and names are compared with what the index says.
    (await parseInSlices(kb.formatOf(path), withoutSecrets(text), path)).document
  const known = new Map<string, readonly NamedDocument[]>()
  const before = async (key: string): Promise<readonly NamedDocument[]> => {
    const found = known.get(key) ?? (await kb.store.named([key]))
    known.set(key, found)
    return found
  }
  const own = new Map<DocNo, Renamed>()
  let isRenamed = false
  for (const renaming of renamings) {
    const { record, path, text } = renaming
    const names = documentNames(record)
    const old = (await kb.store.named(names)).find(({ no }) => no === record.no)
    const one = renamed(renaming, old?.pageName, await parse(path, text))
    const { after, namesAfter } = own.get(renaming.into?.no ?? record.no) ?? one
    own.set(record.no, { ...one, after, namesAfter })
    isRenamed ||= path !== record.path || !isSameSet(namesAfter, new Set(names))
  }
  const rivals: DocNo[] = []
  const byName = new Map<string, NamedDocument[]>()
  for (const { namesAfter, after, renaming } of own.values()) {
    for (const key of renaming.into ? [] : namesAfter) {
      byName.set(key, [...(byName.get(key) ?? []), after])
      for (const each of await before(key)) if (!own.has(each.no)) rivals.push(each.no)
    }
  }
  const afterwards = (key: string): readonly NamedDocument[] => {
    const others = (known.get(key) ?? []).filter(({ no }) => !own.has(no))
    const all = [...others, ...(byName.get(key) ?? [])]
    return all.toSorted((a, b) => compareIds(a.source, b.source) || compareIds(a.path, b.path))
  }

  return {
    isRenamed,
    rivals: [...new Set(rivals)],
    async lost(holder) {
      const lost: string[] = []
      for (const link of await kb.store.linksFrom(holder.no)) {
        const to = link.to === undefined ? undefined : own.get(link.to)
        const key = to && !isFoundLink(link.kind) ? linkKey(link) : undefined
        if (key === undefined) continue
        await before(key)
        if (resolveLink(link, holder, afterwards(key)) === undefined) lost.push(link.target)
        else if (followed(to?.renaming.headings, link) !== link.fragment) lost.push(written(link))
      }
      return [...new Set(lost)]
    },
    async rewrite(holder, text) {
      const self = own.get(holder.no)
      const from = {
        source: holder.source,
        before: holder.path,
        after: self ? self.renaming.path : holder.path,
      }
      const parsed = self ? self.document : await parse(holder.path, text)
      // What front matter relates to is among its links already, where it is written.
      const inBody = parsed.links.filter(({ kind }) => kind !== 'relation')
      const links = [...frontMatterLinks(text, parsed.bodyStart), ...inBody]
      const edits = new Map<number, { end: number; text: string }>()
      const broken: BrokenLink[] = []
      let rewritten = 0
      const change = (place: TargetPlace | undefined, wanted: string | undefined, old: string) => {
        if (!place || wanted === undefined || reportOnly) {
          broken.push({ id: documentId({ ...holder, path: from.after }), target: old })
          return
        }
        const raw = text.slice(place.start, place.end)
        edits.set(place.start, { end: place.end, text: encodeTarget(wanted, place.form, raw) })
        rewritten++
      }
      const put = (link: Link, target: string | undefined): void =>
        change(placeOfTarget(text, link), target, link.target)
      const follow = (link: Link, { renaming: { headings } }: Renamed): void => {
        const fragment = followed(headings, link)
        if (fragment === link.fragment) return
        const spelled = link.start < parsed.bodyStart ? safeInYaml(fragment) : fragment
        change(placeOfFragment(text, link), spelled, written(link))
      }
      const slices = new Slices()
      for (const link of links) {
        if (slices.over) await slices.pause()
        if (link.kind === 'url' || isFoundLink(link.kind)) continue
        const key = linkKey(link)
        if (key === undefined) {
          if (self) follow(link, self)
          continue
        }
        const candidates = await before(key)
        const meant = resolveLink(link, { source: from.source, path: from.before }, candidates)
        if (meant === undefined) {
          if (self && isAttachment(link)) {
            const moved = movedAttachment(link, from)
            if (moved !== undefined) put(link, moved)
          }
          continue
        }
        const to = own.get(meant)
        if (to) follow(link, to)
        const next = resolveLink(link, { source: from.source, path: from.after }, afterwards(key))
        const renamedFile =
          to !== undefined &&
          namesFile(link, to.renaming.record.path) &&
          !namesFile(link, to.renaming.path)
        const target = candidates.find(({ no }) => no === meant)!
        // Whoever takes the name of an entity is meant by it from then on, and describes it.
        if (isEntityPath(target.path)) continue
        const targetAfter = to?.after ?? target
        const strayed =
          isRelativeWay(link, from.before, target) && !isRelativeWay(link, from.after, targetAfter)
        // A link may still work here by title or from the root; other programs follow files only.
        if (next === (to?.after.no ?? meant) && !renamedFile && !strayed) continue
        const { path, title } = targetAfter
        for (const spelling of [path, title, target.path, target.title]) {
          const wanted = linkKey({ kind: link.kind, target: spelling })
          if (wanted !== undefined) await before(wanted)
        }
        const spelled = retargetLink({
          link,
          from,
          to: { before: target, after: targetAfter },
          candidates: (each) => {
            const wanted = linkKey({ kind: link.kind, target: each })
            return wanted === undefined ? [] : afterwards(wanted)
          },
        })
        put(link, spelled)
      }
      for (const { record, path } of renamings) {
        if (path === record.path || holder.no === record.no || holder.source !== record.source) {
          continue
        }
        for (const { start, end } of frontMatterPaths(text, record.path)) {
          edits.set(start, { end, text: path })
          rewritten++
        }
      }
      return { text: applied(text, edits), rewritten, broken }
    },
  }
}

function isSameSet(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((each) => b.has(each))
}

type Anchored = Pick<Link, 'kind' | 'target' | 'fragment'>

function followed(headings: HeadingChange | undefined, link: Anchored): string | undefined {
  if (!headings || link.fragment === undefined) return link.fragment
  const path = link.kind === 'markdown' || link.kind === 'image'
  return headings.follow(link.fragment, path ? 'path' : 'wiki')
}

function written({ target, fragment }: Anchored): string {
  return fragment === undefined ? target : `${target}#${fragment}`
}

/** Signs that mean something in front matter fall away; the heading is found without them. */
function safeInYaml(fragment: string | undefined): string | undefined {
  return fragment !== undefined && /["'\\]|: /.test(fragment) ? slugOf(fragment) : fragment
}

function namesFile(link: Link, path: string): boolean {
  const bare = (text: string) => foldName(withoutNoteExtension(lastSegment(text)))
  return bare(pathPart(link)) === bare(path)
}

/** A document, and what it is called afterwards. */
interface Renamed {
  readonly renaming: Renaming
  readonly document: ParsedDocument
  readonly after: NamedDocument
  readonly namesAfter: ReadonlySet<string>
}

function renamed(
  renaming: Renaming,
  pageName: string | undefined,
  document: ParsedDocument,
): Renamed {
  const { record, path } = renaming
  const title = document.title ?? titleFromPath(path)
  const { aliases, properties } = document
  const after: NamedDocument = {
    no: record.no,
    source: record.source,
    path,
    foldedPath: foldName(path),
    title,
    aliases,
    pageName,
  }
  return {
    renaming,
    document,
    after,
    namesAfter: new Set(documentNames({ path, title, aliases, properties })),
  }
}

/** A picture beside the old place is still there, and the way to it is another one. */
function movedAttachment(
  { kind, target }: Link,
  from: { readonly before: string; readonly after: string },
): string | undefined {
  if (kind === 'wiki' || kind === 'embed' || target.startsWith('/') || target === '')
    return undefined
  const path = joinPath(folderOf(from.before), decodeTarget(target))
  if (path === undefined) return undefined
  const moved = relativePath(from.after, path, target.startsWith('./'))
  return moved === target ? undefined : moved
}

function applied(
  text: string,
  edits: ReadonlyMap<number, { readonly end: number; readonly text: string }>,
): string {
  let result = ''
  let at = 0
  for (const [start, edit] of [...edits].toSorted(([a], [b]) => a - b)) {
    result += text.slice(at, start) + edit.text
    at = edit.end
  }
  return result + text.slice(at)
}
