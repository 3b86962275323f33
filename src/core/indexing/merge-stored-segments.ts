/**
 * Keeps the number of segments small: merges what the policy picks, a transaction at a time. One
 * process of all that serve a base merges, and it need not be the one that indexes.
 */
import { KnowledgeError } from '../domain/error.ts'
import { docSet } from '../search/doc-set.ts'
import { mergeSegments } from '../search/segment/merge-segments.ts'
import type { Lease, SegmentRecord, Store } from '../store/store.ts'
import { holdingRole } from './hold-role.ts'
import { pickMerge } from './merge-policy.ts'
import { resolveLink } from './resolve-link.ts'

/** Enough for any backlog; the rest waits for the next change. */
const MERGES_AT_ONCE = 8

export async function mergeStoredSegments(
  store: Store,
  owner: string,
  signal?: AbortSignal,
): Promise<void> {
  if (!pickMerge(await store.segments())) return
  try {
    await holdingRole(store, { owner, role: 'merging' }, (lease) => merge(store, lease, signal))
  } catch (error) {
    // Whoever has taken over merges.
    if (!(error instanceof KnowledgeError && error.code === 'conflict')) throw error
  }
}

async function merge(store: Store, lease: Lease, signal?: AbortSignal): Promise<void> {
  for (let round = 0; round < MERGES_AT_ONCE; round++) {
    signal?.throwIfAborted()
    const segments = await store.segments()
    const picked = pickMerge(segments)
    if (!picked) return
    const from = segments.filter(({ id }) => picked.includes(id))
    const merged = await mergeSegments(from.map(inputOf(store)))
    const to = merged.docs.length > 0 ? merged : undefined
    await store.commit({ lease, merge: { from: picked, to } }, resolveLink)
  }
}

function inputOf(store: Store) {
  return ({ id, deleted }: SegmentRecord) => {
    return {
      deleted: docSet(deleted),
      reader: {
        resident: (name: string) => store.segmentStream(id, name),
        paged: (name: string, ranges: readonly { start: number; end: number }[]) =>
          store.segmentRanges(id, name, ranges),
      },
    }
  }
}
