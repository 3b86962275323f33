/** How long is a segment kept that a merge has replaced? Shared by all stores. */

export interface ReplacedSegment {
  readonly id: number
  readonly bytes: number
  readonly replacedAt: number
}

/** A query that began before the merge is over by then. */
export const REPLACED_MS = 60_000
/** While a large base is indexed, merge follows merge: keeping them all would double the index. */
const REPLACED_BYTES = 4 * 1024 * 1024

/** Those whose time is over, and the oldest where together they are too large. */
export function outlived(replaced: readonly ReplacedSegment[], now: number): number[] {
  let bytes = 0
  return replaced
    .toSorted((a, b) => b.replacedAt - a.replacedAt || b.id - a.id)
    .filter((segment) => {
      bytes += segment.bytes
      return segment.replacedAt <= now - REPLACED_MS || bytes > REPLACED_BYTES
    })
    .map(({ id }) => id)
}
