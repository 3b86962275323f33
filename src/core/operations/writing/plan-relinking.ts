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
  const relinker = await openRelinker(kb, renaming)
  const own = await relinker.rewrite(renaming.record, renaming.text)
  const edits: FileEdit[] = []
  const brokenLinks = [...own.broken]
  let linksRewritten = renaming.isMade ? 0 : own.rewritten
  const slices = new Slices()
  for (const record of await concerned(kb, renaming, relinker)) {
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
      brokenLinks.push({ id, target: renaming.record.path })
      continue
    }
    const { text, rewritten, broken } = await relinker.rewrite(record, old.text)
    linksRewritten += rewritten
    brokenLinks.push(...broken)
    if (text === old.text) continue
    const { source, path } = record
    edits.push({ source, path, before: file, after: encodeEditable(text, old) })
  }
  return { text: own.text, edits, linksRewritten, brokenLinks }
}

/** So many are in memory as a whole: all of a large base at once would be work for the collector. */
const READ_AT_ONCE = 2_000

/** Documents that may hold a link whose meaning changes, without the renamed one itself. */
async function concerned(
  kb: View,
  { record, path }: Renaming,
  { rivals, isRenamed }: Relinker,
): Promise<DocumentRecord[]> {
  const found = new Map<DocNo, DocumentRecord>()
  for (const no of [record.no, ...rivals]) {
    const all = await kb.store.linksTo(no)
    const links = isRenamed ? all : all.filter(({ fragment = '' }) => fragment !== '')
    const missing = [...new Set(links.map(({ from }) => from))].filter((from) => !found.has(from))
    for (const each of await kb.store.documents(missing)) if (each) found.set(each.no, each)
  }
  if (path !== record.path) {
    // The index keeps links of front matter by their keys; a path there is a link for us alone.
    const order = await kb.store.pathOrder()
    const written = JSON.stringify(record.path)
    for (let from = 0; from < order.length; from += READ_AT_ONCE) {
      const some = await kb.store.documents([...order.subarray(from, from + READ_AT_ONCE)])
      await inSlices(some, (each) => {
        if (!each || isEntityPath(each.path)) return
        const text = JSON.stringify(each.properties)
        if (text.includes('[[') || text.includes(written)) found.set(each.no, each)
      })
    }
  }
  found.delete(record.no)
  return [...found.values()].toSorted((a, b) => compareIds(documentId(a), documentId(b)))
}

interface Rewritten {
  readonly text: string
  readonly rewritten: number
  readonly broken: readonly BrokenLink[]
}

interface Relinker {
  /** The document itself is called otherwise; else a heading of it is. */
  readonly isRenamed: boolean
  /** Documents that share a name with the renamed one afterwards: their links may be taken over. */
  readonly rivals: readonly DocNo[]
  rewrite(holder: DocumentRecord, text: string): Promise<Rewritten>
  /** What a document that cannot be rewritten leads to now and will not find afterwards. */
  lost(holder: DocumentRecord): Promise<readonly string[]>
}

async function openRelinker(kb: View, renaming: Renaming): Promise<Relinker> {
  const { record, headings, reportOnly = false } = renaming
  const parse = async (path: string, text: string): Promise<ParsedDocument> =>
    // As it is indexed: titles and names are compared with what the index says.
    (await parseInSlices(kb.formatOf(path), withoutSecrets(text), path)).document
  const known = new Map<string, readonly NamedDocument[]>()
  const before = async (key: string): Promise<readonly NamedDocument[]> => {
    const found = known.get(key) ?? (await kb.store.named([key]))
    known.set(key, found)
    return found
  }
  const names = documentNames(record)
  const old = (await kb.store.named(names)).find(({ no }) => no === record.no)
  const { after, namesAfter, document } = renamed(
    renaming,
    old?.pageName,
    await parse(renaming.path, renaming.text),
  )
  const rivals: DocNo[] = []
  for (const key of namesAfter) {
    for (const each of await before(key)) if (each.no !== record.no) rivals.push(each.no)
  }
  const afterwards = (key: string): readonly NamedDocument[] => {
    const others = (known.get(key) ?? []).filter(({ no }) => no !== record.no)
    const all = namesAfter.has(key) ? [...others, after] : others
    return all.toSorted((a, b) => compareIds(a.source, b.source) || compareIds(a.path, b.path))
  }

  return {
    isRenamed: renaming.path !== record.path || !isSameSet(namesAfter, new Set(names)),
    rivals: [...new Set(rivals)],
    async lost(holder) {
      const lost: string[] = []
      for (const link of await kb.store.linksFrom(holder.no)) {
        const key = link.to === record.no && !isFoundLink(link.kind) ? linkKey(link) : undefined
        if (key === undefined) continue
        await before(key)
        if (resolveLink(link, holder, afterwards(key)) === undefined) lost.push(link.target)
        else if (followed(headings, link) !== link.fragment) lost.push(written(link))
      }
      return [...new Set(lost)]
    },
    async rewrite(holder, text) {
      const self = holder.no === record.no
      const from = {
        source: holder.source,
        before: holder.path,
        after: self ? renaming.path : holder.path,
      }
      const parsed = self ? document : await parse(holder.path, text)
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
      const follow = (link: Link): void => {
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
          if (self) follow(link)
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
        if (meant === record.no) follow(link)
        const next = resolveLink(link, { source: from.source, path: from.after }, afterwards(key))
        const renamedFile =
          meant === record.no && namesFile(link, record.path) && !namesFile(link, renaming.path)
        const target = candidates.find(({ no }) => no === meant)!
        // Whoever takes the name of an entity is meant by it from then on, and describes it.
        if (isEntityPath(target.path)) continue
        const targetAfter = meant === record.no ? after : target
        const strayed =
          isRelativeWay(link, from.before, target) && !isRelativeWay(link, from.after, targetAfter)
        // A link may still work here by title or from the root; other programs follow files only.
        if (next === meant && !renamedFile && !strayed) continue
        for (const spelling of [after.path, after.title, target.path, target.title]) {
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
      if (from.before === from.after && renaming.path !== record.path) {
        for (const { start, end } of frontMatterPaths(text, record.path)) {
          if (holder.source !== record.source) continue
          edits.set(start, { end, text: renaming.path })
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

function renamed(
  { record, path }: Renaming,
  pageName: string | undefined,
  document: ParsedDocument,
) {
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
