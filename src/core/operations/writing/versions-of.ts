/** What did a file hold before and after an operation? */
import { revertSplice } from '../../editing/splice.ts'
import type { ChangeRecord, LoggedOperation } from '../../history/history.ts'
import type { View } from '../view/view.ts'
import { digestOf, writerOf, writingOf } from './carry-out.ts'

export interface Versions {
  readonly before: Uint8Array
  readonly after: Uint8Array
}

const NOTHING = new Uint8Array()

/**
 * Goes back from the file as it is now, taking back one change after the other. Undefined when
 * someone edited it by other means since: then nobody knows what it held.
 */
export async function versionsOf(
  kb: View,
  operation: LoggedOperation,
  change: ChangeRecord,
): Promise<Versions | undefined> {
  const { history } = writingOf(kb)
  const { source } = change
  const wanted = operation.changes.indexOf(change)
  let path = await pathNow(kb, operation, change)
  let bytes: Uint8Array | undefined = (await writerOf(kb, source).load(path))?.bytes
  let found: Versions | undefined
  const later: { readonly operation: LoggedOperation; readonly index: number }[] = []
  await history.each((each) => {
    if (each.state === 'done') {
      for (const [index, { source: at, path: to }] of each.changes.entries()) {
        const own = each.id === operation.id
        if (own ? index === wanted : at === source && to === path) {
          later.push({ operation: each, index })
          path = each.changes[index]!.from ?? path
        }
      }
    }
    return each.id !== operation.id
  })
  for (const { operation: each, index } of later) {
    const { splice, before, after } = (await history.changesOf(each))[index]!
    if ((bytes && digestOf(bytes)) !== after) return undefined
    const earlier = revertSplice(bytes ?? NOTHING, splice)
    if (before !== undefined && digestOf(earlier) !== before) return undefined
    if (each.id === operation.id) found = { before: earlier, after: bytes ?? NOTHING }
    bytes = before === undefined ? undefined : earlier
  }
  return found
}

/** Where the file of a change is by now, when later operations moved it. */
export async function pathNow(
  kb: View,
  operation: LoggedOperation,
  { source, path }: ChangeRecord,
): Promise<string> {
  const moves: ChangeRecord[] = []
  await writingOf(kb).history.each((each) => {
    if (each.id === operation.id) return false
    if (each.state === 'done') {
      moves.push(...each.changes.filter((one) => one.source === source && one.from !== undefined))
    }
    return true
  })
  return moves.reduceRight((at, move) => (move.from === at ? move.path : at), path)
}
