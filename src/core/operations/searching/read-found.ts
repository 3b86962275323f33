/**
 * LRU cache of documents that searches find again and again: in a small base every question finds
 * some of the same. Most documents of a large one are found once, so one is kept when it is found a
 * second time (a doorkeeper, as caches with admission have one). What is kept holds for one state of
 * the index and as long as its file is as it was read, which takes one look at it
 * (docs/decisions/0122-documents-found-again.md).
 */
import type { DocNo } from '../../domain/document.ts'
import type { Chunk } from '../../domain/text.ts'
import { BoundedMap } from '../../kit/bounded-map.ts'
import { onePer } from '../../kit/one-per.ts'
import { areAsRead, chunksOf, filesOf, readDocuments } from '../reading/read-document.ts'
import type { LiveDocument } from '../reading/read-document.ts'
import { stampsOf } from '../view/snapshot.ts'
import type { View } from '../view/view.ts'

/** A document as its file is now, and all its passages. */
export interface ReadFound {
  readonly live: LiveDocument
  readonly chunks: readonly Chunk[]
}

/**
 * So many documents are remembered as found. With a thousand, a large base kept hundreds that hardly
 * ever came again, and took 18 MB more and a twelfth more work.
 */
const FOUND = 100
/** Of all that are kept for a view, about; a passage is a few numbers and strings besides. */
const LETTERS = 1_000_000
const CHUNK_LETTERS = 100

interface Memory {
  epoch: string
  generation: number
  readonly found: BoundedMap<DocNo, true>
  /** Another one for every state: who is still reading for the one before keeps nothing in it. */
  kept: BoundedMap<DocNo, ReadFound>
}

/** Of each view: no caller is shown what another one may see. */
const memoryOf = onePer<View['store'], Memory>(() => ({
  epoch: '',
  generation: -1,
  found: new BoundedMap(FOUND),
  kept: nothingKept(),
}))

function nothingKept(): Memory['kept'] {
  return new BoundedMap(
    LETTERS,
    ({ live, chunks }) => live.text.length + CHUNK_LETTERS * chunks.length,
  )
}

/** In the order asked for; one that has vanished, from the index or from the disk, is left out. */
export async function readFound(kb: View, docs: readonly DocNo[]): Promise<readonly ReadFound[]> {
  const memory = memoryOf(kb.store)
  const { epoch, generation } = await stampsOf(kb.store)
  if (memory.epoch !== epoch || memory.generation !== generation) {
    Object.assign(memory, { epoch, generation, kept: nothingKept() })
  }
  const { found, kept } = memory
  const readAt = Date.now()
  const known = docs.flatMap((doc) => kept.get(doc) ?? [])
  const same = areAsRead(kb, filesOf(known.map(({ live }) => live)), readAt) ? known : []
  const read = new Map(same.map((each) => [each.live.record.no, each]))
  const lives = await readDocuments(
    kb,
    docs.filter((doc) => !read.has(doc)),
  )
  const chunks = await chunksOf(kb, lives)
  for (const live of lives) {
    const doc = live.record.no
    const each = { live, chunks: chunks.get(live) ?? [] }
    read.set(doc, each)
    if (!found.has(doc)) found.set(doc, true)
    else if (mayBeKept(kb, live, readAt)) kept.set(doc, each)
    // One whose file is another would have all that are found with it read again.
    else kept.delete(doc)
  }
  return docs.flatMap((doc) => read.get(doc) ?? [])
}

/** What was written a moment before it was read proves nothing yet; secrets are taken out anew. */
function mayBeKept(kb: View, live: LiveDocument, readAt: number): boolean {
  return !live.changed && !live.record.secrets && areAsRead(kb, filesOf([live]), readAt)
}
