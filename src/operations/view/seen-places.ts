/** Which documents are seen, of all that there are? */
import type { Place } from '../../domain/document.ts'
import type { DocSet } from '../../search/contract.ts'
import { docSet } from '../../search/doc-set.ts'
import type { Store } from '../../store/store.ts'

export async function seenPlaces(
  store: Pick<Store, 'pathOrder' | 'paths'>,
  sees: (place: Place) => boolean,
): Promise<DocSet> {
  const docs = await store.pathOrder()
  const places = await store.paths([...docs])
  return docSet(docs.filter((_, index) => sees(places[index]!)))
}
