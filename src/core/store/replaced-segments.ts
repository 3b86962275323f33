/** How long is a segment kept that a merge has replaced? Shared by all stores. */

export interface ReplacedSegment {
  readonly id: number
  readonly bytes: number
  readonly replacedAt: number
}

/** A query that began before the merge is over by then. */
export const REPLACED_MS = 60_000

/**
 * For a store whose room is not given back: while a large base is indexed, merge follows merge, and
 * keeping them all would leave a file twice as large.
 */
export const FILE_BYTES = 4 * 1024 * 1024

/**
 * Those whose time is over. Where only so many bytes are kept, also the oldest beyond them; of these
 * the last merge is spared: its room was taken when it was made.
 */
export function outlived(
  replaced: readonly ReplacedSegment[],
  now: number,
  { mostBytes = Infinity, sparesLast = false } = {},
): number[] {
  let bytes = 0
  const last = Math.max(...replaced.map(({ replacedAt }) => replacedAt))
  return replaced
    .toSorted((a, b) => b.replacedAt - a.replacedAt || b.id - a.id)
    .filter((segment) => {
      bytes += segment.bytes
      const isSpared = sparesLast && segment.replacedAt === last
      return segment.replacedAt <= now - REPLACED_MS || (bytes > mostBytes && !isSpared)
    })
    .map(({ id }) => id)
}
