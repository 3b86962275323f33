/** Takes an edit back in a text that has changed since, by what stood around it. */
import type { Splice } from './splice.ts'

/** With less of its surroundings, shorter texts could stand there by chance. */
const TELLING_AROUND = 3
const TELLING_ALONE = 24

/**
 * The text without the edit; undefined when the place is not there any more, or could be several.
 * Most of what stood around it is asked for first, then less and less.
 */
export function takeBackNear(
  text: Uint8Array,
  { removed, added }: Pick<Splice, 'removed' | 'added'>,
  { before, behind }: { readonly before: Uint8Array; readonly behind: Uint8Array },
): Uint8Array | undefined {
  const whole = Buffer.from(text)
  const [ahead, line] = [Buffer.from(before), Buffer.from(lastLine(before))]
  const [after, next] = [Buffer.from(behind), Buffer.from(firstLine(behind))]
  const tries: readonly (readonly [Buffer, Buffer])[] = [
    [ahead, after],
    [ahead, next],
    [line, after],
    [line, next],
    [ahead, NOTHING],
    [NOTHING, after],
    [line, NOTHING],
    [NOTHING, next],
    [NOTHING, NOTHING],
  ]
  for (const [head, tail] of tries) {
    const sample = Buffer.concat([head, added, tail])
    const complete = head === ahead && tail === after
    if (sample.length === 0 || (!complete && !isTelling(head, tail, added))) continue
    const at = whole.indexOf(sample)
    if (at < 0 || whole.indexOf(sample, at + 1) >= 0) continue
    const start = at + head.length
    return Buffer.concat([whole.subarray(0, start), removed, whole.subarray(start + added.length)])
  }
  return undefined
}

function isTelling(head: Buffer, tail: Buffer, added: Uint8Array): boolean {
  const said = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1').trim().length
  return said(head) + said(tail) >= TELLING_AROUND || said(added) >= TELLING_ALONE
}

const NOTHING = Buffer.alloc(0)
const NEWLINE = 0x0a

/** The last line with something in it, and what stands behind it. */
function lastLine(bytes: Uint8Array): Uint8Array {
  const end = bytes.at(-1) === NEWLINE ? bytes.length - 1 : bytes.length
  return bytes.subarray(bytes.subarray(0, end).lastIndexOf(NEWLINE) + 1)
}

function firstLine(bytes: Uint8Array): Uint8Array {
  const from = bytes[0] === NEWLINE ? 1 : 0
  const end = bytes.indexOf(NEWLINE, from)
  return end < 0 ? bytes : bytes.subarray(0, end + 1)
}
