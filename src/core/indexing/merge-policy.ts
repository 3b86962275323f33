/** Which segments should become one? Few segments keep queries fast; rare merges keep writes cheap. */
import type { SegmentRecord } from '../store/store.ts'

/** Segments of about the same size are merged when there are this many. */
const TIER_WIDTH = 8
/** A segment whose documents are mostly gone is rewritten. */
const DELETED_SHARE = 0.25
/** Exact statistics look deleted documents up one by one, so there may not be too many of them. */
const DELETED_MOST = 2_000
/** Merging larger ones costs more than it saves. */
const LARGEST_BYTES = 512 * 1024 * 1024

export function pickMerge(segments: readonly SegmentRecord[]): readonly number[] | undefined {
  const stale = segments.find(
    ({ docs, deleted }) =>
      deleted.length > 0 &&
      (deleted.length > docs * DELETED_SHARE || deleted.length > DELETED_MOST),
  )
  const tiers = new Map<number, SegmentRecord[]>()
  for (const segment of segments) {
    if (segment.bytes > LARGEST_BYTES) continue
    const tier = tierOf(segment)
    tiers.set(tier, [...(tiers.get(tier) ?? []), segment])
  }
  for (const [tier, members] of [...tiers].toSorted(([a], [b]) => a - b)) {
    if (members.length < TIER_WIDTH) continue
    // Smaller ones go along for free.
    const smaller = segments.filter((each) => tierOf(each) < tier)
    return [...smaller, ...members].map(({ id }) => id)
  }
  return stale && [stale.id]
}

function tierOf({ docs, deleted }: SegmentRecord): number {
  return Math.floor(Math.log(Math.max(1, docs - deleted.length)) / Math.log(TIER_WIDTH))
}
