/**
 * What is asked of every document at every key while one types: its names, and what it could be
 * narrowed by. Kept in memory, and followed document by document: reading all of them again after
 * every edit would take a second.
 */
import type { DocNo, DocumentRecord } from '../../core/domain/document.ts'
import { documentId } from '../../core/domain/document.ts'
import { isEntityPath } from '../../core/domain/entity-document.ts'
import { onePer } from '../../core/kit/one-per.ts'
import { letterMask } from '../../core/search/fuzzy-match.ts'
import { derived } from '../../core/operations/view/derived.ts'
import type { View } from '../../core/operations/view/view.ts'

export interface Name {
  readonly id: string
  readonly title: string
  readonly text: string
  readonly folded: string
  readonly what: 'title' | 'alias'
  readonly kind: 'note' | 'entity'
}

export interface Listed {
  readonly names: readonly Name[]
  readonly source: readonly string[]
  readonly folder: readonly string[]
  readonly tag: readonly string[]
  readonly type: readonly string[]
}

/** By number, in the order of paths but for what was added since it was loaded. */
export interface ListForTyping extends ReadonlyMap<DocNo, Listed> {
  /** All names, those of one document side by side. */
  readonly names: readonly Name[]
  /** The letters of each: most names lack one that was typed, and are not looked at for it. */
  readonly masks: Int32Array
}

export const listForTyping = onePer((kb: View) =>
  derived<ListForTyping>(kb.base.store, {
    on: ['generation'],
    async load() {
      const { documents } = await kb.store.list({}, 'path', { offset: 0, limit: -1 })
      return inColumns(new Map(documents.map((record) => [record.no, listed(record)])))
    },
    async follow(before, { generation }) {
      const changes = await kb.store.changesSince(generation)
      if (changes.unnamed) return undefined
      const list = new Map<DocNo, Listed>(before)
      for (const no of changes.goneDocs) list.delete(no)
      for (const [index, record] of (await kb.store.documents(changes.putDocs)).entries()) {
        if (record) list.set(record.no, listed(record))
        else list.delete(changes.putDocs[index]!)
      }
      return inColumns(list)
    },
  }),
)

function inColumns(list: ReadonlyMap<DocNo, Listed>): ListForTyping {
  const names = [...list.values()].flatMap((each) => each.names)
  const masks = Int32Array.from(names, ({ folded }) => letterMask(folded))
  return Object.assign(list, { names, masks })
}

function listed(record: DocumentRecord): Listed {
  return {
    names: namesOf(record),
    source: [record.source],
    folder: foldersOf(record),
    tag: [...new Set([...record.tags, ...record.inlineTags])],
    type: [record.type],
  }
}

function namesOf(record: DocumentRecord): readonly Name[] {
  const { title, aliases, path } = record
  const id = documentId(record)
  const kind = isEntityPath(path) ? 'entity' : 'note'
  const name = (text: string, what: Name['what']): Name => ({
    id,
    title,
    text,
    folded: text.toLowerCase(),
    what,
    kind,
  })
  return [name(title, 'title'), ...aliases.map((alias) => name(alias, 'alias'))]
}

/** The first two levels: deeper ones have few members. */
function foldersOf({ source, path }: DocumentRecord): readonly string[] {
  if (isEntityPath(path)) return []
  const names = path.split('/').slice(0, -1)
  return names.slice(0, 2).map((_, depth) => `${source}/${names.slice(0, depth + 1).join('/')}/`)
}
