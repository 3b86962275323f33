/** What is left of a change that can neither be finished nor taken back, as an operation of its own. */
import { spliceBetween } from '../../editing/splice.ts'
import type { Change, LoggedOperation, Operation } from '../../history/history.ts'
import { newOperationId } from '../../history/open-history.ts'
import type { Writing } from '../view/knowledge.ts'
import type { View } from '../view/view.ts'
import { stateOf } from './file-states.ts'
import { NOTHING, writerOf } from './written-files.ts'

/**
 * The history then says what the files say. Gives the id of the operation that was made; undefined
 * where nothing is left, and the operation has failed. Throws where that cannot be told or written.
 */
export async function recordPart(
  kb: View,
  { history }: Writing,
  { id, by }: Operation | LoggedOperation,
  changes: readonly Change[],
): Promise<string | undefined> {
  const made: Change[] = []
  for (const change of changes) {
    const state = await stateOf(kb, change)
    if (state === 'after') made.push(change)
    if (state === 'between') made.push(await copyOf(kb, change))
  }
  if (made.length === 0) {
    await history.settle(id, 'failed')
    return undefined
  }
  const at = Date.now()
  const part: Operation = { id: newOperationId(at), at, kind: 'update', by, changes: made }
  await history.amend(id, part)
  return part.id
}

/** Of a move whose old file is still there: the new one came to be. */
async function copyOf(kb: View, { source, path, after, diff }: Change): Promise<Change> {
  const now = await writerOf(kb, source).load(path)
  const splice = spliceBetween(NOTHING, now?.bytes ?? NOTHING)
  return { source, path, before: undefined, after, diff, splice }
}
