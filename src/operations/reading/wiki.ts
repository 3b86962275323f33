/**
 * The Markdown files of a base as a wiki: pages with a slug each, and links that name slugs. What a
 * slug is, a surface says; here it is kept up to date, page by page, as the index moves on.
 */
import { isDeepStrictEqual } from 'node:util'
import { foldName } from '../../domain/fold-name.ts'
import { compareIds, documentId } from '../../domain/document.ts'
import type { DocNo, DocumentRecord } from '../../domain/document.ts'
import { isEntityPath } from '../../domain/entity-document.ts'
import type { LinkKind, Properties } from '../../domain/text.ts'
import type { Knowledge } from '../view/knowledge.ts'
import { noteTitle } from './read-notes.ts'

/** What a file would be called if it were alone. */
export interface SlugWish {
  /** `<source>/<path>`. */
  readonly id: string
  readonly path: string
  readonly slug: string
  /** Of several that want the same slug, the smaller number has it. */
  readonly claim: number
}

export interface WikiRules {
  readonly sees: (path: string) => boolean
  readonly wish: (file: {
    readonly id: string
    readonly path: string
    readonly title: string
    readonly properties: Properties
  }) => SlugWish
  /** A slug of its own for every wish, in the order given. */
  readonly assign: (wishes: readonly SlugWish[]) => readonly string[]
  /** Slugs that a written name may mean, likeliest first. */
  readonly spellings: (written: string) => readonly string[]
  /** What a link is called whose page nobody has written yet. */
  readonly unwritten: (written: string) => string
  readonly linkKinds: readonly LinkKind[]
}

/** A page as far as it is always at hand; its text is in the file. */
export interface WikiPage {
  readonly slug: string
  readonly title: string
  /** `<source>/<path>`. */
  readonly id: string
  readonly doc: DocNo
  readonly source: string
  readonly path: string
  readonly digest: string
  readonly createdAt: number
  readonly updatedAt: number
}

export interface WikiPages {
  /** By slug. */
  readonly all: readonly WikiPage[]
  readonly newestFirst: readonly WikiPage[]
  /** Under exactly this slug. */
  find(slug: string): WikiPage | undefined
  /** Under this slug, a spelling of it, or this title. */
  meant(name: string): WikiPage | undefined
  ofDocument(doc: DocNo): WikiPage | undefined
  ofDocumentId(id: string): WikiPage | undefined
}

export interface Wiki {
  readonly kb: Knowledge
  readonly rules: WikiRules
  /** As the index is now. The same object while nothing has changed. */
  pages(): Promise<WikiPages>
}

interface Entry {
  readonly file: Omit<WikiPage, 'slug'>
  readonly wish: SlugWish
}

export function openWiki(kb: Knowledge, rules: WikiRules): Wiki {
  const { store } = kb
  let entries = new Map<string, Entry>()
  let known: { epoch: number; generation: number; pages: WikiPages } | undefined
  let queue: Promise<unknown> = Promise.resolve()

  const refresh = async (): Promise<WikiPages> => {
    const generation = await store.generation()
    const { epoch } = store
    if (known && known.epoch === epoch && known.generation === generation) return known.pages
    const changes =
      known?.epoch === epoch
        ? await store.changesSince(known.generation)
        : { unnamed: true as const }
    if (changes.unnamed) {
      const all = { offset: 0, limit: -1 }
      const { documents } = await store.list({ kind: 'document' }, 'path', all)
      entries = new Map(await describe(kb, rules, documents))
      known = { epoch, generation, pages: named([...entries.values()], rules) }
    } else {
      // What fails half way is done again by the next call: nothing is known until it is complete.
      const found = await Promise.all(changes.put.map((id) => findRecord(kb, id)))
      const put = new Map(await describe(kb, rules, found.filter(isThere)))
      const before = [...put.keys()].map((id) => entries.get(id)?.wish)
      for (const id of changes.removed) entries.delete(id)
      for (const [id, entry] of put) entries.set(id, entry)
      const sameNames =
        changes.removed.length === 0 && isDeepStrictEqual(before, [...put.values()].map(wishOf))
      const pages = sameNames
        ? renewed(known!.pages, put, rules)
        : named([...entries.values()], rules)
      known = { epoch, generation, pages }
    }
    return known.pages
  }

  return {
    kb,
    rules,
    // One after the other: a call that comes after a commit must not share an answer from before.
    pages() {
      const next = queue.then(refresh)
      queue = next.catch(() => {})
      return next
    },
  }
}

function findRecord({ store }: Knowledge, id: string): Promise<DocumentRecord | undefined> {
  const slash = id.indexOf('/')
  return store.findByPath(id.slice(0, slash), id.slice(slash + 1))
}

async function describe(
  kb: Knowledge,
  rules: WikiRules,
  documents: readonly DocumentRecord[],
): Promise<readonly (readonly [string, Entry])[]> {
  const seen = documents.filter(({ path }) => !isEntityPath(path) && rules.sees(path))
  const births = await birthsOf(
    kb,
    seen.filter(({ createdAt }) => createdAt === undefined),
  )
  return seen.map((record) => {
    const { no, source, path, digest, properties, updatedAt, modifiedAt } = record
    const id = documentId(record)
    const title = noteTitle(properties, path)
    const createdAt = record.createdAt ?? births.get(id) ?? modifiedAt
    const file = { id, doc: no, source, path, digest, title, createdAt, updatedAt }
    return [id, { file, wish: rules.wish({ id, path, title, properties }) }] as const
  })
}

async function birthsOf(
  { sources }: Knowledge,
  documents: readonly DocumentRecord[],
): Promise<ReadonlyMap<string, number>> {
  const births = new Map<string, number>()
  for (const [name, group] of Map.groupBy(documents, ({ source }) => source)) {
    const times = (await sources.get(name)?.bornAt(group.map(({ path }) => path))) ?? []
    group.forEach((record, index) => {
      const time = times[index]
      if (time !== undefined) births.set(documentId(record), time)
    })
  }
  return births
}

function isThere<Value>(value: Value | undefined): value is Value {
  return value !== undefined
}

function wishOf({ wish }: Entry): SlugWish {
  return wish
}

function named(entries: readonly Entry[], rules: WikiRules): WikiPages {
  const slugs = rules.assign(entries.map(wishOf))
  const all = entries.map(({ file }, index): WikiPage => ({ ...file, slug: slugs[index]! }))
  return pagesOf(
    all.toSorted((a, b) => compareIds(a.slug, b.slug)),
    rules,
  )
}

/** The same pages under the same names, some with new content: nothing has to be named again. */
function renewed({ all }: WikiPages, put: ReadonlyMap<string, Entry>, rules: WikiRules): WikiPages {
  const next = all.map((page): WikiPage => {
    const entry = put.get(page.id)
    return entry ? { ...entry.file, slug: page.slug } : page
  })
  return pagesOf(next, rules)
}

/** `all` are in the order of their slugs. */
function pagesOf(all: readonly WikiPage[], rules: WikiRules): WikiPages {
  const bySlug = new Map(all.map((page) => [page.slug, page]))
  const byDocument = new Map(all.map((page) => [page.doc, page]))
  const byId = new Map(all.map((page) => [page.id, page]))
  let byTitle: Map<string, WikiPage> | undefined
  const titled = (name: string): WikiPage | undefined => {
    byTitle ??= new Map(all.toReversed().map((page) => [foldTitle(page.title), page]))
    return byTitle.get(foldTitle(name))
  }
  let newestFirst: readonly WikiPage[] | undefined
  return {
    all,
    get newestFirst() {
      // The sort is stable, so equals stay in the order of their slugs.
      return (newestFirst ??= all.toSorted((a, b) => b.createdAt - a.createdAt))
    },
    find: (slug) => bySlug.get(slug),
    meant(name) {
      for (const slug of rules.spellings(name)) {
        const page = bySlug.get(slug)
        if (page) return page
      }
      return titled(name)
    },
    ofDocument: (doc) => byDocument.get(doc),
    ofDocumentId: (id) => byId.get(id),
  }
}

function foldTitle(title: string): string {
  return foldName(title.trim())
}
