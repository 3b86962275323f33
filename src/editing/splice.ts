/** Edits as splices: the bytes that went and the bytes that came. */
import type { Splice } from '../domain/history.ts'

export type { Splice } from '../domain/history.ts'

/** The shortest single splice between two versions, cut at whole UTF-8 characters. */
export function spliceBetween(before: Uint8Array, after: Uint8Array): Splice {
  const most = Math.min(before.length, after.length)
  let head = 0
  while (head < most && before[head] === after[head]) head++
  while (head > 0 && (isInsideCharacter(before, head) || isInsideCharacter(after, head))) head--
  let tail = 0
  while (
    tail < most - head &&
    before[before.length - 1 - tail] === after[after.length - 1 - tail]
  ) {
    tail++
  }
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
