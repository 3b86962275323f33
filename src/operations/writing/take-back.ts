/**
 * Roll back: puts the files of a change that failed in the middle back. Disks that fail now and then
 * fail here as well, so each file is tried for several rounds.
 */
import type { FileEdit } from '../../domain/file-edit.ts'
import { Slices } from '../../domain/slices.ts'
import { LockLost } from '../../domain/write-lock.ts'
import type { Change, Operation } from '../../history/history.ts'
import type { View } from '../view/view.ts'
import { bringBackNameless } from './bring-back-nameless.ts'
import { inRounds, isMade, stateOf } from './file-states.ts'
import { digestOf, writerOf } from './written-files.ts'

/** Gives what could not be put back. `edits` are those that the operation has changes for. */
export async function takeBack(
  kb: View,
  { id, changes }: Operation,
  edits: readonly FileEdit[],
): Promise<FileEdit[]> {
  let left = edits.map((edit, index) => ({ edit, change: changes[index]! }))
  const slices = new Slices()
  await inRounds(async () => {
    const still: typeof left = []
    for (const each of left) {
      if (slices.over) await slices.pause()
      try {
        await putBack(kb, id, each.edit, each.change)
      } catch (error) {
        if (error instanceof LockLost) throw error
        still.push(each)
      }
    }
    left = still
    return left.length === 0
  })
  return left.map(({ edit }) => edit)
}

async function putBack(kb: View, id: string, edit: FileEdit, change: Change): Promise<void> {
  const { source, path, from = path, before, after, folders } = edit
  // A file may have been moved aside, and nothing have taken its place.
  bringBackNameless(kb, [edit])
  if (!isMade(await stateOf(kb, change))) return
  const writer = writerOf(kb, source)
  if (before && !(await writer.load(from))) {
    const { bytes, mode, uid, gid, link } = before
    const attributes = { mode, uid, gid }
    await writer.apply([{ path: from, expect: undefined, bytes, like: path, attributes, link }], id)
  }
  const now = await writer.load(path)
  if (now && after && now.digest === digestOf(after)) {
    const bytes = from === path ? before?.bytes : undefined
    await writer.apply([{ path, expect: now.digest, bytes, folders }], id)
  }
}
