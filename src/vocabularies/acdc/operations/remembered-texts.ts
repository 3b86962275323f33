/**
 * Passages of documents as they were indexed, remembered up to a bound: ten results mean ten files
 * to read, and the same documents are found again and again.
 */
import { BoundedMap } from '../../../core/kit/bounded-map.ts'
import type { DocNo, DocumentRecord } from '../../../core/domain/document.ts'
import type { Chunk } from '../../../core/domain/text.ts'
import type { View } from '../../../core/operations/view/view.ts'
import { chunksOf, findLive } from '../../../core/operations/reading/read-document.ts'

export interface RememberedTexts {
  /** Undefined where the file has vanished or has no such passage. */
  passage(record: DocumentRecord, ordinal: number): Promise<Passage | undefined>
}

export interface Passage {
  readonly text: string
  /** Where it begins in the file's text. */
  readonly start: number
}

interface Remembered {
  readonly digest: string
  readonly text: string
  readonly chunks: readonly Chunk[]
}

const MAX_CHARACTERS = 16 * 1024 * 1024

export function openRememberedTexts(kb: View, bound = MAX_CHARACTERS): RememberedTexts {
  const texts = new BoundedMap<DocNo, Remembered>(bound, ({ text }) => text.length)
  const load = async (record: DocumentRecord): Promise<Remembered | undefined> => {
    const live = await findLive(kb, record)
    if (!live) return undefined
    const { text, digest } = live
    return { digest, text, chunks: (await chunksOf(kb, [live])).get(live) ?? [] }
  }
  return {
    async passage(record, ordinal) {
      const known = texts.get(record.no)
      const each = known?.digest === record.digest ? known : await load(record)
      if (!each) return undefined
      if (each !== known) texts.set(record.no, each)
      const chunk = each.chunks[Math.min(ordinal, each.chunks.length - 1)]
      return chunk && { text: each.text.slice(chunk.start, chunk.end), start: chunk.start }
    },
  }
}
