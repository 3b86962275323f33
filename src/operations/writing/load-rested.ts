/** A file as it is when nobody is in the middle of saving it. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { FileBytes } from '../../domain/source.ts'
import type { View } from '../view/view.ts'
import { writerOf } from './carry-out.ts'

const LOOK_MS = 20
/** A file that is written to all the time, such as a log, is taken as it is after this long. */
const WAIT_MS = 2_000

/**
 * Editors empty a file before they write it, or write it in pieces. One that was touched a moment
 * ago by someone else is looked at until it rests. Undefined where there is none.
 */
export async function loadRested(
  kb: View,
  source: string,
  path: string,
): Promise<FileBytes | undefined> {
  const writer = writerOf(kb, source)
  const deadline = performance.now() + WAIT_MS
  for (;;) {
    const file = await writer.load(path)
    if (!file?.unrested || performance.now() > deadline) return file
    await sleep(LOOK_MS)
  }
}

/**
 * How often what is missing is looked for where somebody is at work. Looks are counted, not time: a
 * machine that is too busy to let us look may have been too busy for the other one as well.
 */
const APPEAR_LOOKS = 15

/**
 * The same for a file that should be there: in a folder where something came or went a moment ago,
 * it may be in the middle of being replaced.
 */
export async function loadExpected(
  kb: View,
  source: string,
  path: string,
): Promise<FileBytes | undefined> {
  for (let look = 0; ; look++) {
    const file = await loadRested(kb, source, path)
    if (file || look === APPEAR_LOOKS) return file
    if (!(await writerOf(kb, source).stirred(path))) return file
    await sleep(LOOK_MS)
  }
}
