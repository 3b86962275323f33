/** What a store tells of the generations that someone has missed. Pure, shared by all stores. */
import type { DocNo } from '../domain/document.ts'
import { CHANGES_KEPT } from './plan-commit.ts'
import type { Change } from './plan-commit.ts'
import type { Changes } from './store.ts'

/** `rows` are the changes after `since`, in the order in which they happened. */
export function summarizeChanges(
  rows: readonly Change[],
  { since, generation }: { readonly since: number; readonly generation: number },
): Changes {
  const put = new Set<string>()
  const removed = new Set<string>()
  const putDocs = new Set<DocNo>()
  const goneDocs = new Set<DocNo>()
  const relinked = new Set<DocNo>()
  let unnamed = since < generation - CHANGES_KEPT || since > generation
  let listChanged = false
  let allLinks = false
  // The last word on each document counts.
  for (const { kind, no, source, path } of rows) {
    const id = `${source}/${path}`
    switch (kind) {
      case 'new':
      case 'put':
        listChanged ||= kind === 'new'
        removed.delete(id)
        put.add(id)
        goneDocs.delete(no)
        putDocs.add(no)
        break
      case 'gone':
        listChanged = true
        put.delete(id)
        removed.add(id)
        putDocs.delete(no)
        goneDocs.add(no)
        break
      case 'renumbered':
        putDocs.delete(no)
        goneDocs.add(no)
        break
      case 'relinked':
        relinked.add(no)
        break
      case 'links':
        allLinks = true
        break
      case 'many':
        unnamed = true
        break
      default:
        kind satisfies never
    }
  }
  const relinkedDocs = [...relinked].filter((no) => !putDocs.has(no) && !goneDocs.has(no))
  return {
    generation,
    put: [...put],
    removed: [...removed],
    listChanged: listChanged || unnamed,
    unnamed,
    putDocs: [...putDocs],
    goneDocs: [...goneDocs],
    relinkedDocs: allLinks || unnamed ? undefined : relinkedDocs,
  }
}
