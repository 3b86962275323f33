/** Which documents are seen, of all that there are? */
import type { Place } from '../../domain/document.ts'
import type { DocSet } from '../../search/contract.ts'
import { docSet } from '../../search/doc-set.ts'
import type { Store } from '../../store/store.ts'
import type { DerivedOptions } from './derived.ts'

/** As a set for looking at what the store says, and as numbers for the store to keep to. */
export interface VisibleDocuments extends DocSet {
  readonly numbers: Uint32Array
}

export function seenDocuments(numbers: Uint32Array): VisibleDocuments {
  return { ...docSet(numbers), numbers }
}

/** How the documents that are seen are loaded and kept up to date, for `derived`. */
export function visiblePlaces(
  store: Pick<Store, 'changesSince' | 'pathOrder' | 'paths'>,
  sees: (place: Place) => boolean,
): DerivedOptions<VisibleDocuments> {
  return {
    on: ['graph'],
    load: () => visiblePlacesOf(store, sees),
    follow: (before, { generation }) => followVisiblePlaces(store, sees, before, generation),
  }
}

async function visiblePlacesOf(
  store: Pick<Store, 'pathOrder' | 'paths'>,
  sees: (place: Place) => boolean,
): Promise<VisibleDocuments> {
  const docs = await store.pathOrder()
  const places = await store.paths([...docs])
  return seenDocuments(docs.filter((_, index) => sees(places[index]!)))
}

/** The same after documents came and went. Undefined where nobody knows any more which. */
async function followVisiblePlaces(
  store: Pick<Store, 'changesSince' | 'paths'>,
  sees: (place: Place) => boolean,
  before: VisibleDocuments,
  since: number,
): Promise<VisibleDocuments | undefined> {
  const { unnamed, putDocs, goneDocs } = await store.changesSince(since)
  if (unnamed) return undefined
  const changed = new Set([...putDocs, ...goneDocs])
  const places = await store.paths(putDocs)
  // A document that went again meanwhile has no path.
  const seen = putDocs.filter((_, index) => places[index]!.path !== '' && sees(places[index]!))
  const kept = before.numbers.filter((doc) => !changed.has(doc))
  return seenDocuments(Uint32Array.from([...kept, ...seen]))
}
