/** How far a change has come, told by the files: a call may fail and have taken effect all the same. */
import { setTimeout as sleep } from 'node:timers/promises'
import { WriteError } from '../../domain/source.ts'
import { spliceBetween } from '../../editing/splice.ts'
import type { Change, ChangeRecord, LoggedOperation, Operation } from '../../history/history.ts'
import { newOperationId } from '../../history/open-history.ts'
import type { Writing } from '../view/knowledge.ts'
import type { View } from '../view/view.ts'
import { NOTHING, writerOf } from './written-files.ts'

export type ChangeState =
  | 'before'
  | 'after'
  /** A move whose new file is there and whose old one is too. */
  | 'between'
  /** Someone else changed it since. */
  | 'other'

/** Throws `unavailable` where the disk does not say. */
export async function stateOf(
  kb: View,
  { source, path, from, before, after }: ChangeRecord,
): Promise<ChangeState> {
  const digestAt = (each: string) => digestOf(kb, source, each)
  const now = await digestAt(path)
  if (from === undefined || from === path) {
    return now === after ? 'after' : now === before ? 'before' : 'other'
  }
  const old = await digestAt(from)
  if (now === after) return old === undefined ? 'after' : old === before ? 'between' : 'other'
  return now === undefined && old === before ? 'before' : 'other'
}

/** Whether something of the change is in the files. */
export function isMade(state: ChangeState): boolean {
  return state === 'after' || state === 'between'
}

const UNKNOWN = 'unknown'

async function digestOf(kb: View, source: string, path: string): Promise<string | undefined> {
  const writer = kb.sources.get(source)?.writer
  if (!writer) return UNKNOWN
  try {
    return (await writer.load(path))?.digest
  } catch (error) {
    // A folder, a file that nobody may read, or one that has grown too large: not ours any more.
    if (isTrouble(error)) throw error
    return UNKNOWN
  }
}

const DENIED: readonly unknown[] = ['EACCES', 'EPERM']

/** The disk fails, and may not the next time. */
function isTrouble(error: unknown): boolean {
  if (!(error instanceof WriteError) || error.code !== 'unavailable') return false
  const { cause } = error
  return !(cause instanceof Error && 'code' in cause && DENIED.includes(cause.code))
}

/** Retries with a growing pause: 0.4 s in all. */
const ROUNDS = 12
const LONGEST_PAUSE_MS = 50

/** Works until it says that it is done, a bounded number of times. False where it never was. */
export async function inRounds(work: () => Promise<boolean>): Promise<boolean> {
  for (let round = 0; round < ROUNDS; round++) {
    if (round > 0) await sleep(Math.min(2 ** round, LONGEST_PAUSE_MS))
    if (await work()) return true
  }
  return false
}

/**
 * What is left of a change that can neither be finished nor taken back, as an operation of its own:
 * the history then says what the files say. Gives the id of the operation that was made; undefined
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
