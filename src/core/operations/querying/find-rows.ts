/** Which notes a query is about, found with as little as possible: the index first, then records. */
import type { DocNo, DocumentRecord } from '../../domain/document.ts'
import { inSlices } from '../../kit/slices.ts'
import { lastSegment } from '../../kit/paths.ts'
import { nameKey } from '../../indexing/link-names.ts'
import type { DocumentFilter } from '../../store/store.ts'
import type { View } from '../view/view.ts'
import { isInFolder } from './functions.ts'
import type { From } from './query.ts'
import { isFoundLink } from '../../domain/text.ts'

/** Only notes have tasks and front matter; files of other kinds are rows where a language says so. */
const NOTE = /\.(?:md|markdown|mdx)$/i

export interface Wanted {
  readonly from: From
  readonly notesOnly: boolean
  /** The note of the query. */
  readonly here?: DocumentRecord | undefined
  readonly among?: Uint32Array | undefined
}

export async function findRecords(kb: View, wanted: Wanted): Promise<readonly DocumentRecord[]> {
  if (wanted.from.kind === 'here') return wanted.here ? [wanted.here] : []
  const filter: DocumentFilter = {
    kind: 'document',
    ...narrowing(kb, wanted.from),
    ...(wanted.among && { among: wanted.among }),
  }
  const { documents } = await kb.store.list(filter, 'path', { offset: 0, limit: -1 })
  const linked = new Map<From, ReadonlySet<DocNo>>()
  await findLinked(kb, wanted.from, wanted.here, linked)
  const kept = await inSlices(
    documents,
    (record) =>
      (!wanted.notesOnly || NOTE.test(record.path)) && isFrom(wanted.from, record, linked),
  )
  return documents.filter((_, at) => kept[at])
}

/** What the store can check: tags that all must have, and the beginning of a path. */
function narrowing(kb: View, from: From): DocumentFilter {
  const parts = from.kind === 'and' ? from.parts : [from]
  const tags = parts.flatMap((part) => (part.kind === 'tag' ? [part.tag] : []))
  const folders = parts.flatMap((part) => (part.kind === 'folder' ? [part.path] : []))
  const paths = folders.map((path) => path.replace(/^\/+|\/+$/g, ''))
  // What begins like an id may be meant as one.
  const sources = new Set([...kb.sources.keys()].map((name) => name.toLowerCase()))
  const pathPrefix = paths.find(
    (path) => path !== '' && !sources.has(path.split('/', 1)[0]!.toLowerCase()),
  )
  return {
    ...(tags.length > 0 && { tags, tagMode: 'all' }),
    ...(pathPrefix !== undefined && { pathPrefix }),
  }
}

async function findLinked(
  kb: View,
  from: From,
  here: DocumentRecord | undefined,
  found: Map<From, ReadonlySet<DocNo>>,
): Promise<void> {
  if (from.kind === 'and' || from.kind === 'or') {
    for (const part of from.parts) await findLinked(kb, part, here, found)
  } else if (from.kind === 'not') await findLinked(kb, from.of, here, found)
  else if (from.kind === 'links') {
    const note = from.note === '' ? here : await findByLink(kb, from.note)
    const links = note && (await kb.store[from.way === 'to' ? 'linksTo' : 'linksFrom'](note.no))
    const numbers = (links ?? []).flatMap((link) =>
      isFoundLink(link.kind)
        ? []
        : from.way === 'to'
          ? [link.from]
          : link.to === undefined
            ? []
            : [link.to],
    )
    found.set(from, new Set(numbers))
  }
}

function isFrom(
  from: From,
  record: DocumentRecord,
  linked: ReadonlyMap<From, ReadonlySet<DocNo>>,
): boolean {
  switch (from.kind) {
    case 'all':
    case 'here':
      return true
    case 'tag': {
      const tag = from.tag.toLowerCase()
      return [...record.tags, ...record.inlineTags].some((each) => {
        const own = each.toLowerCase()
        return own === tag || own.startsWith(`${tag}/`)
      })
    }
    case 'folder':
      return from.path === '' || isInFolder(record, from.path) || isFile(record, from.path)
    case 'links':
      return linked.get(from)?.has(record.no) ?? false
    case 'not':
      return !isFrom(from.of, record, linked)
    case 'and':
      return from.parts.every((part) => isFrom(part, record, linked))
    case 'or':
      return from.parts.some((part) => isFrom(part, record, linked))
  }
}

function isFile({ source, path }: DocumentRecord, written: string): boolean {
  const wanted = written.replace(/^\/+/, '').toLowerCase()
  return [path, `${source}/${path}`].some((own) => {
    const folded = own.toLowerCase()
    return folded === wanted || folded === `${wanted}.md`
  })
}

/** The note that a link means, by its path or by its name; of several the first. */
export async function findByLink(kb: View, target: string): Promise<DocumentRecord | undefined> {
  const name = target.trim().replace(/^\/+/, '').slice(0, 1_000)
  if (name === '') return undefined
  const slash = name.indexOf('/')
  if (slash > 0) {
    const exact = await kb.store.findByPath(name.slice(0, slash), name.slice(slash + 1))
    if (exact) return exact
  }
  for (const path of [name, `${name}.md`]) {
    const [found] = await kb.store.findByPathFolded(path)
    if (found) return found
  }
  const wanted = name.toLowerCase().replace(/\.md$/, '')
  const named = await kb.store.named([nameKey(lastSegment(wanted))])
  const [best] = named
    .filter(({ foldedPath, title, aliases }) => {
      const own = foldedPath.replace(/\.md$/, '')
      if (own === wanted || own.endsWith(`/${wanted}`)) return true
      return (
        !wanted.includes('/') && [title, ...aliases].some((each) => each.toLowerCase() === wanted)
      )
    })
    .toSorted((a, b) => rankOf(a, wanted) - rankOf(b, wanted) || (a.path < b.path ? -1 : 1))
  const [record] = best ? await kb.store.documents([best.no]) : []
  return record
}

function rankOf({ foldedPath }: { readonly foldedPath: string }, wanted: string): number {
  return lastSegment(foldedPath).replace(/\.md$/, '') === lastSegment(wanted) ? 0 : 1
}
