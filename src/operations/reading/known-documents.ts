/**
 * What search reads of the documents it finds, remembered up to a bound: the same documents are found
 * again and again, and most files have not been touched since. Who is looked up twice is the same
 * object, so that what is worked out about a document or a passage can be kept with it.
 */
import { BoundedMap } from '../../domain/bounded-map.ts'
import type { DocNo } from '../../domain/document.ts'
import { onePer } from '../../domain/one-per.ts'
import type { ReadFile } from '../../domain/source.ts'
import type { Chunk } from '../../domain/text.ts'
import type { Store } from '../../store/store.ts'
import { derived } from '../view/derived.ts'
import type { View } from '../view/view.ts'
import { chunksOf, readDocuments } from './read-document.ts'
import type { LiveDocument } from './read-document.ts'

export interface KnownDocument {
  readonly live: LiveDocument
  readonly chunks: readonly Chunk[]
}

/** Letters of all texts together; what is worked out about them takes several times as much. */
const MAX_CHARACTERS = 4 * 1024 * 1024
/** What a document takes besides its text. */
const RECORD = 1_000

interface Remembered extends KnownDocument {
  readonly read: ReadFile
}

/** What was indexed again is forgotten; who read it before that has nothing to add any more. */
interface Memory {
  readonly documents: BoundedMap<DocNo, Remembered>
  isCurrent: boolean
}

/** Several at once, in the order asked for; see `readDocuments`. */
export async function recallDocuments(
  kb: View,
  docs: readonly DocNo[],
): Promise<readonly KnownDocument[]> {
  const memory = await memoryOf(kb.base.store).now()
  const seen = await kb.documents()
  const visible = seen ? docs.filter((doc) => seen.has(doc)) : docs
  const known = await stillAsRead(kb, memory, visible)
  const readAt = Date.now()
  const lives = await readDocuments(
    kb,
    visible.filter((doc) => !known.has(doc)),
  )
  const chunks = await chunksOf(kb, lives)
  for (const live of lives) {
    const document = { live, chunks: chunks.get(live) ?? [] }
    known.set(live.record.no, document)
    if (live.changed || live.file.stamp === undefined || !memory.isCurrent) continue
    memory.documents.set(live.record.no, { ...document, read: { ...live.file, readAt } })
  }
  return docs.flatMap((doc) => known.get(doc) ?? [])
}

/** Those that are remembered and whose files were not touched since. */
async function stillAsRead(
  kb: View,
  { documents }: Memory,
  docs: readonly DocNo[],
): Promise<Map<DocNo, KnownDocument>> {
  const remembered = docs.flatMap((doc) => documents.get(doc) ?? [])
  const groups = Map.groupBy(remembered, ({ live }) => live.record.source)
  const same = new Map<DocNo, KnownDocument>()
  for (const [name, group] of groups) {
    const answers = await kb.sources.get(name)?.areAsRead?.(group.map(({ read }) => read))
    for (const [index, document] of group.entries()) {
      if (answers?.[index]) same.set(document.live.record.no, document)
    }
  }
  return same
}

const memoryOf = onePer((store: Store) =>
  derived<Memory>(store, {
    on: ['generation'],
    load: async () => ({
      documents: new BoundedMap(MAX_CHARACTERS, ({ live }) => live.text.length + RECORD),
      isCurrent: true,
    }),
    follow: async (before, { generation }) => {
      const { unnamed, putDocs, goneDocs } = await store.changesSince(generation)
      before.isCurrent = false
      if (unnamed) return undefined
      for (const doc of [...putDocs, ...goneDocs]) before.documents.delete(doc)
      return { documents: before.documents, isCurrent: true }
    },
  }),
)
