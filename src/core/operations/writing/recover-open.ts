/**
 * Recovery: ends what a process left open that was killed, or that could not put back what it had
 * begun. Only the holder of the lock may do this.
 */
import { documentId } from '../../domain/document.ts'
import { LockLost } from '../../domain/write-lock.ts'
import { applySplice } from '../../editing/splice.ts'
import type { Change, ChangeRecord, LoggedOperation } from '../../history/history.ts'
import type { Writing } from '../view/knowledge.ts'
import type { View } from '../view/view.ts'
import { inRounds, isMade, recordPart, stateOf } from './file-states.ts'
import type { ChangeState } from './file-states.ts'
import { fileChanges, NOTHING, writerOf } from './written-files.ts'

/**
 * Operations that nobody said the end of. A single file holds the old or the new content, which says
 * it all. A group that was begun is finished, as its last files were as good as promised; one that
 * was not begun never happened. What can be neither is written down as it is.
 *
 * True where a process that has lost the lock stands still: it may hold up the index as well.
 */
export async function recoverOpen(
  kb: View,
  writing: Writing,
  made: MadeBefore = new Map(),
): Promise<boolean> {
  const isBeside = await writing.lock.disarm(() => disarm(kb, writing))
  bringBackNameless(kb)
  const open = await writing.history.unsettled()
  for (const [index, operation] of open.entries()) {
    const known = { later: open.slice(index + 1), made: made.get(operation.id) }
    await settle(kb, writing, operation, known)
  }
  return isBeside
}

/** Of operations that this process has lost the lock in: the documents it had changed until then. */
export type MadeBefore = ReadonlyMap<string, ReadonlySet<string>>

interface Known {
  /** Operations that were begun after this one, and are open as well. */
  readonly later: readonly LoggedOperation[]
  readonly made: ReadonlySet<string> | undefined
}

/** One who has lost the lock and wakes up finds nothing to put in place. */
async function disarm({ sources }: View, { history }: Writing): Promise<void> {
  for (const { writer } of sources.values()) await writer?.disarm()
  await history.disarm?.()
}

async function settle(
  kb: View,
  writing: Writing,
  operation: LoggedOperation,
  known: Known,
): Promise<void> {
  const { history } = writing
  const { id, changes } = operation
  const contents = await history.changesOf(operation).catch((): readonly Change[] => [])
  let states: ChangeState[] = []
  let trouble: unknown
  const isSettled = await inRounds(async () => {
    try {
      bringBackNameless(kb, changes)
      await putBackMissing(kb, operation)
      for (const change of changes) {
        await kb.sources.get(change.source)?.writer?.sweep(pathsOf(change))
      }
      states = await statesOf(kb, operation, known)
      if (!states.some(isMade)) return true
      for (const [index, change] of contents.entries()) {
        const state = states[index]
        if (state === 'before' || state === 'between') await finish(kb, writing, id, change)
      }
      states = await statesOf(kb, operation, known)
      trouble = undefined
      return states.every((state) => state === 'after' || state === 'other')
    } catch (error) {
      if (error instanceof LockLost) throw error
      trouble = error
      return false
    }
  })
  // The disk does not even say what is there: the next to come looks again.
  if (!isSettled && states.length === 0) throw trouble
  // A group whose contents history has lost cannot be finished: its files stay as they are.
  const isOver = isSettled || contents.length === 0
  if (isOver) await history.settle(id, states.some(isMade) ? 'done' : 'failed')
  else await recordPart(kb, writing, operation, contents)
  for (const [index, change] of changes.entries()) {
    if (!isMade(states[index]!)) continue
    for (const path of pathsOf(change)) kb.noticeChange(change.source, path)
  }
}

function pathsOf({ path, from = path }: { path: string; from?: string }): string[] {
  return from === path ? [path] : [path, from]
}

async function statesOf(
  kb: View,
  { changes }: LoggedOperation,
  { later, made }: Known,
): Promise<ChangeState[]> {
  const states: ChangeState[] = []
  for (const change of changes) {
    const state = await stateOf(kb, change)
    if (state !== 'other') states.push(state)
    else if (made?.has(documentId(change))) states.push(await stateOfMade(kb, change))
    else states.push((await isWrittenOver(kb, change, later)) ? 'after' : 'other')
  }
  return states
}

/** Others have gone on from what was made. Of a move, the old file may still be there. */
async function stateOfMade(kb: View, change: ChangeRecord): Promise<ChangeState> {
  const { source, path, from = path, before } = change
  const old = from === path ? undefined : await kb.sources.get(source)?.writer?.load(from)
  return old && old.digest === before ? 'between' : 'after'
}

/** Operations that were written together are in the file together: it shows the last alone. */
async function isWrittenOver(
  kb: View,
  { source, path, after }: ChangeRecord,
  later: readonly LoggedOperation[],
): Promise<boolean> {
  let reached = after
  for (const change of later.flatMap(({ changes }) => changes)) {
    if (change.source !== source || change.path !== path || change.before !== reached) continue
    if ((await stateOf(kb, change)) === 'after') return true
    reached = change.after
  }
  return false
}

/** A file without a name where nothing but the operation that is open says what it was called. */
async function putBackMissing(kb: View, { id, changes }: LoggedOperation): Promise<void> {
  for (const { source, path, from, after } of changes) {
    const writer = kb.sources.get(source)?.writer
    const place = from ?? path
    // What was to go, or to move, is gone because that was done.
    if (!writer || after === undefined || place !== path) continue
    try {
      if (await writer.load(path)) continue
      for (const file of writer.replaced()) {
        if (file.operation === id && file.isOf(path)) file.putBack(path)
      }
    } catch {
      // What cannot be looked at now is looked at in the next round.
    }
  }
}

/** Does what is left of a change. */
async function finish(
  kb: View,
  { lock }: Writing,
  operation: string,
  change: Change,
): Promise<void> {
  const { source, path, from, before, after, splice, attributes, link } = change
  const writer = writerOf(kb, source)
  const file = await writer.load(from ?? path)
  if (file?.digest !== before) return
  const bytes = after === undefined ? undefined : applySplice(file?.bytes ?? NOTHING, splice)
  const edit = { source, path, from, before: file, after: bytes, attributes, link }
  const left = []
  for (const each of fileChanges(edit)) {
    if ((await writer.load(each.path))?.digest === each.expect) left.push(each)
  }
  await writer.apply(left, operation, { fence: () => lock.fence() })
}

/**
 * Files that a process had moved aside and that nothing took the place of get their names back,
 * whichever base they were written for. True when there were any. Throws for one of the places
 * given: a note that outlives a change of its file would bring back what the change removed.
 */
export function bringBackNameless(
  { sources, noticeChange }: View,
  beside: readonly Pick<ChangeRecord, 'source' | 'path' | 'from'>[] = [],
): boolean {
  let found = false
  for (const { name: source, writer } of sources.values()) {
    const paths = beside.filter((each) => each.source === source).flatMap(pathsOf)
    const wanted = new Set(paths)
    for (const file of writer?.nameless(paths) ?? []) {
      try {
        if (!file.bringBack() || file.path === undefined) continue
      } catch (error) {
        if (file.path !== undefined && wanted.has(file.path)) throw error
        // What cannot be given its name now is kept, and the next to come tries again.
        continue
      }
      found = true
      noticeChange(source, file.path)
    }
  }
  return found
}
