/** Which documents are seen, of all that there are? */
import type { Place } from '../../domain/document.ts'
import type { DocSet } from '../../search/contract.ts'
import { docSet } from '../../search/doc-set.ts'
import type { Store } from '../../store/store.ts'

/** As a set for looking at what the store says, and as numbers for the store to keep to. */
export interface SeenDocuments extends DocSet {
  readonly numbers: Uint32Array
}

export function seenDocuments(numbers: Uint32Array): SeenDocuments {
  return { ...docSet(numbers), numbers }
}

export async function seenPlaces(
  store: Pick<Store, 'pathOrder' | 'paths'>,
  sees: (place: Place) => boolean,
): Promise<SeenDocuments> {
  const docs = await store.pathOrder()
  const places = await store.paths([...docs])
  return seenDocuments(docs.filter((_, index) => sees(places[index]!)))
}
