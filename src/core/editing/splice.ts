/** Edits as splices: the bytes that went and the bytes that came. */
import type { Splice } from '../domain/history.ts'

export type { Splice } from '../domain/history.ts'

/** The shortest single splice between two versions, cut at whole UTF-8 characters. */
export function spliceBetween(before: Uint8Array, after: Uint8Array): Splice {
  const most = Math.min(before.length, after.length)
  let head = commonLength(most, (from, to) => isSame(before, after, from, to))
  while (head > 0 && (isInsideCharacter(before, head) || isInsideCharacter(after, head))) head--
  let tail = commonLength(most - head, (from, to) =>
    isSame(before.subarray(before.length - to), after.subarray(after.length - to), 0, to - from),
  )
  while (
    tail > 0 &&
    (isInsideCharacter(before, before.length - tail) ||
      isInsideCharacter(after, after.length - tail))
  ) {
    tail--
  }
  return {
    at: head,
    removed: before.subarray(head, before.length - tail),
    added: after.subarray(head, after.length - tail),
  }
}

function isSame(a: Uint8Array, b: Uint8Array, from: number, to: number): boolean {
  return Buffer.compare(a.subarray(from, to), b.subarray(from, to)) === 0
}

/** Whether the byte at `index` is inside a UTF-8 character. */
export function isInsideCharacter(bytes: Uint8Array, index: number): boolean {
  return index < bytes.length && (bytes[index]! & 0xc0) === 0x80
}

export function applySplice(bytes: Uint8Array, { at, removed, added }: Splice): Uint8Array {
  return Buffer.concat([bytes.subarray(0, at), added, bytes.subarray(at + removed.length)])
}

export function revertSplice(bytes: Uint8Array, { at, removed, added }: Splice): Uint8Array {
  return applySplice(bytes, { at, removed: added, added: removed })
}

/** So much is compared at once: the engine compares ranges many times as fast as single characters. */
const AT_ONCE = 64 * 1024

/**
 * How far two sequences are the same: binary search within the first range that differs. `isSame` compares what stands in both from
 * one place to another, counted from the end that one likes.
 */
export function commonLength(most: number, isSame: (from: number, to: number) => boolean): number {
  let same = 0
  for (let step = AT_ONCE; step >= 1 && same < most;) {
    const to = Math.min(most, same + step)
    if (isSame(same, to)) same = to
    else step >>= 1
  }
  return same
}
