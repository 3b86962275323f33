/** Documents as lists and links name them: by the id and the title they have in this view. */
import type { DocNo } from '../../domain/document.ts'
import type { View } from '../view/view.ts'

export interface LinkedDocument {
  readonly id: string
  readonly title: string
}

/** One that is gone since its number was read has none. */
export async function labelDocuments(
  kb: View,
  docs: Iterable<DocNo>,
): Promise<ReadonlyMap<DocNo, LinkedDocument>> {
  const labels = new Map<DocNo, LinkedDocument>()
  for (const record of await kb.store.documents([...new Set(docs)])) {
    if (record) labels.set(record.no, { id: await kb.nameOf(record), title: kb.titleOf(record) })
  }
  return labels
}
