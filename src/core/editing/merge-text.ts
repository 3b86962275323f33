/** Three-way merge: puts two changes of one text together, line by line. */
import { mergeLines } from './merge-lines.ts'

/**
 * What `base` becomes when it changes into `ours` and into `theirs`; undefined when both changed
 * the same lines in different ways. Works on bytes of any encoding in which a line ends with 0x0A.
 */
export function mergeText(
  base: Uint8Array,
  ours: Uint8Array,
  theirs: Uint8Array,
): Uint8Array | undefined {
  const merged: string[] = []
  for (const part of mergeLines(linesOf(base), linesOf(ours), linesOf(theirs))) {
    if (part.kind === 'conflict') return undefined
    for (const line of part.lines) merged.push(line)
  }
  return Buffer.from(merged.join('\n'), 'latin1')
}

/** One character per byte, so that every byte comes back as it was. */
function linesOf(bytes: Uint8Array): string[] {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1').split('\n')
}
