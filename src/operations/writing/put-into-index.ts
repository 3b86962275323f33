/** Puts what was just written into the index, so that the next call of this process sees it. */
import type { Warning } from '../../domain/warning.ts'
import { indexWritten } from '../../indexing/index-written.ts'
import { hasEntities } from '../../indexing/indexer.ts'
import { mergeStoredSegments } from '../../indexing/merge-stored-segments.ts'
import { trunkOf } from '../view/narrow-base.ts'
import type { View } from '../view/view.ts'

export interface WrittenPlace {
  readonly source: string
  readonly path: string
  /** Where the document was before, when it moved. */
  readonly from?: string
}

/** The index follows the files; if it cannot right now, the process that watches will see to it. */
export async function putIntoIndex(kb: View, places: readonly WrittenPlace[]): Promise<Warning[]> {
  try {
    await indexPlaces(kb, places)
    await keepSegmentsFew(kb)
    return []
  } catch (error) {
    for (const { source, path } of places) kb.noticeChange(source, path)
    const why = error instanceof Error ? error.message : String(error)
    const message = `The change is saved; the index will show it a little later (${why}).`
    return [{ kind: 'index', message }]
  }
}

async function indexPlaces(kb: View, places: readonly WrittenPlace[]): Promise<void> {
  const put: Parameters<typeof indexWritten>[2]['put'][number][] = []
  const removed: { source: string; path: string }[] = []
  for (const { source, path, from } of places) {
    if (from !== undefined && from !== path) removed.push({ source, path: from })
    const place = kb.sources.get(source)
    const [content] = (await place?.read([path])) ?? []
    const holdsCode = place?.holdsCode ?? false
    if (content?.kind === 'text') put.push({ source, file: content, holdsCode })
    else removed.push({ source, path })
  }
  const joined = hasEntities(trunkOf(kb.base).sources.values())
  await indexWritten(kb.base.store, kb.formatOf, { put, removed, joined })
}

/** Whoever watches merges small segments; where nobody does, writers must not pile them up. */
const MANY_SEGMENTS = 64
const MERGE_MS = 15_000

async function keepSegmentsFew({ base: { store }, writing }: View): Promise<void> {
  if (!writing || (await store.segments()).length < MANY_SEGMENTS) return
  const { owner } = writing
  const lease = await store.acquireLease(owner, MERGE_MS)
  if (!lease) return
  try {
    await mergeStoredSegments(store, lease)
  } finally {
    await store.releaseLease(owner)
  }
}
