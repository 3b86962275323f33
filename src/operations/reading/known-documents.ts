/**
 * What search reads of the documents it finds, remembered up to a bound: some documents are found
 * again and again, and most files have not been touched since. Who is looked up again is the same
 * object, so that what is worked out about a document or a passage can be kept with it. What was
 * found once is not remembered: most is never found again, and keeping it costs more than reading.
 */
import { BoundedMap } from '../../domain/bounded-map.ts'
import type { DocNo } from '../../domain/document.ts'
import { onePer } from '../../domain/one-per.ts'
import type { ReadFile } from '../../domain/source.ts'
import type { Chunk } from '../../domain/text.ts'
import type { Stamps, Store } from '../../store/store.ts'
import { derived } from '../view/derived.ts'
import type { View } from '../view/view.ts'
import { chunksOf, readDocuments } from './read-document.ts'
import type { LiveDocument } from './read-document.ts'

export interface KnownDocument {
  readonly live: LiveDocument
  readonly chunks: readonly Chunk[]
  /** Whether it is remembered, and worth keeping something with it. */
  readonly kept: boolean
}

/** Letters of all texts together; what is worked out about them takes several times as much. */
const MAX_CHARACTERS = 4 * 1024 * 1024
/** What a document takes besides its text. */
const RECORD = 1_000
/** Documents that were found once, of which only the numbers are known. */
const MAX_ONCE = 10_000

interface Remembered extends KnownDocument {
  readonly read: ReadFile
}

/** What was indexed again is forgotten; who read it before that has nothing to add any more. */
interface Memory {
  readonly documents: BoundedMap<DocNo, Remembered>
  readonly once: BoundedMap<DocNo, true>
  isCurrent: boolean
}

/**
 * Several at once, in the order asked for; see `readDocuments`. `stamps` is a look at the index that
 * was taken already.
 */
export async function recallDocuments(
  kb: View,
  docs: readonly DocNo[],
  stamps?: Stamps,
): Promise<readonly KnownDocument[]> {
  if (kb.showsSecrets) return readFresh(kb, docs)
  const known = memoryOf(kb.base.store)
  const memory = await (stamps ? known.at(stamps) : known.now())
  const seen = await kb.documents()
  const visible = seen ? docs.filter((doc) => seen.has(doc)) : docs
  const recalled = await stillAsRead(kb, memory, visible)
  const missing = visible.filter((doc) => !recalled.has(doc))
  const readAt = Date.now()
  const lives = missing.length > 0 ? await readDocuments(kb, missing) : []
  const chunks = lives.length > 0 ? await chunksOf(kb, lives) : new Map()
  for (const live of lives) {
    const { no } = live.record
    const again = memory.once.has(no) || memory.documents.has(no)
    const kept = again && memory.isCurrent && !live.changed && live.file.stamp !== undefined
    const document = { live, chunks: chunks.get(live) ?? [], kept }
    recalled.set(no, document)
    if (kept) memory.documents.set(no, { ...document, read: { ...live.file, readAt } })
    else memory.once.set(no, true)
  }
  return docs.flatMap((doc) => recalled.get(doc) ?? [])
}

/** Nothing that only some may see is remembered beside what everybody may. */
async function readFresh(kb: View, docs: readonly DocNo[]): Promise<readonly KnownDocument[]> {
  const seen = await kb.documents()
  const lives = await readDocuments(kb, seen ? docs.filter((doc) => seen.has(doc)) : docs)
  const chunks = await chunksOf(kb, lives)
  return lives.map((live) => ({ live, chunks: chunks.get(live) ?? [], kept: false }))
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
      once: new BoundedMap(MAX_ONCE),
      isCurrent: true,
    }),
    follow: async (before, { generation }) => {
      const { unnamed, putDocs, goneDocs } = await store.changesSince(generation)
      before.isCurrent = false
      if (unnamed) return undefined
      for (const doc of [...putDocs, ...goneDocs]) before.documents.delete(doc)
      return { ...before, isCurrent: true }
    },
  }),
)
