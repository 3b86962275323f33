/**
 * What an answer rests on: the stamps of the index, and files as they were read. Whoever keeps the
 * answer asks here whether it would be the same now.
 */
import type { Stamps } from '../../store/store.ts'
import { areAsRead, filesOf } from '../reading/read-document.ts'
import type { FilesRead, LiveDocument } from '../reading/read-document.ts'
import { stampsOf } from '../view/snapshot.ts'
import type { View } from '../view/view.ts'

export interface AnswerBasis {
  readonly stamps: Stamps
  readonly files: FilesRead
  readonly readAt: number
  /** When what it says of now may be another. */
  readonly turnsAt: number
}

/** Begun before anything is looked up: what becomes newer meanwhile makes it out of date at once. */
export async function beginBasis(
  kb: View,
): Promise<(read: readonly LiveDocument[], turnsAt: number) => AnswerBasis | undefined> {
  const readAt = Date.now()
  const stamps = await stampsOf(kb.store)
  return (read, turnsAt) => {
    const changes = read.some(({ changed, file }) => changed || file.stamp === undefined)
    // Votes and a store that is silent have no stamp.
    if (changes || stamps.remembered || kb.keeping?.learned()?.active) return undefined
    const files = filesOf(read)
    // What was written a moment ago proves nothing yet.
    return areAsRead(kb, files, readAt) ? { stamps, files, readAt, turnsAt } : undefined
  }
}

export async function basisHolds(
  kb: View,
  { stamps, files, readAt, turnsAt }: AnswerBasis,
): Promise<boolean> {
  const time = Date.now()
  // A clock that was set back may be before anything.
  if (time < readAt || time >= turnsAt) return false
  const now = await kb.store.stamps()
  return (
    now.epoch === stamps.epoch &&
    now.generation === stamps.generation &&
    now.graph === stamps.graph &&
    now.vectors === stamps.vectors &&
    !now.remembered &&
    !kb.keeping?.learned()?.active &&
    areAsRead(kb, files, readAt)
  )
}
