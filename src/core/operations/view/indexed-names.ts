/**
 * The names of all documents in the index. They are loaded once, and then follow what came and
 * went: one change among a hundred thousand documents costs as much as among ten.
 */
import { documentId, parsePlace } from '../../domain/document.ts'
import type { Store } from '../../store/store.ts'
import { derived } from './derived.ts'
import type { Derived } from './derived.ts'

type Named = Pick<Store, 'stamps' | 'pathOrder' | 'paths' | 'changesSince'>

/** The set stays the same one: who holds it sees what came since. */
export function indexedNames(store: Named): Derived<ReadonlySet<string>> {
  return derived<Set<string>>(store, {
    on: ['graph'],
    load: async () => new Set((await store.paths([...(await store.pathOrder())])).map(documentId)),
    async follow(names, { generation }) {
      const { unnamed, put, removed } = await store.changesSince(generation)
      if (unnamed) return undefined
      for (const id of removed) names.delete(documentId(parsePlace(id)))
      for (const id of put) names.add(documentId(parsePlace(id)))
      return names
    },
  })
}
