/**
 * Roll back: puts the files of a change that failed in the middle back. Disks that fail now and then
 * fail here as well, so each file is tried for several rounds.
 */
import type { FileEdit } from '../../domain/file-edit.ts'
import { Slices } from '../../kit/slices.ts'
import { LockLost } from '../../domain/write-lock.ts'
import type { Writing } from '../view/knowledge.ts'
import type { View } from '../view/view.ts'
import { inRounds, isMade, stateOf } from './file-states.ts'
import { bringBackNameless } from './recover-open.ts'
import { digestOf, writerOf } from './written-files.ts'

/** Gives what could not be put back. */
export async function takeBack(
  kb: View,
  { lock }: Writing,
  operation: string,
  edits: readonly FileEdit[],
): Promise<FileEdit[]> {
  let left = edits
  const slices = new Slices()
  await inRounds(async () => {
    const still: FileEdit[] = []
    for (const edit of left) {
      if (slices.over) await slices.pause()
      try {
        await putBack(kb, operation, edit, () => lock.fence())
      } catch (error) {
        if (error instanceof LockLost) throw error
        still.push(edit)
      }
    }
    left = still
    return left.length === 0
  })
  return [...left]
}

async function putBack(
  kb: View,
  operation: string,
  edit: FileEdit,
  fence: () => void,
): Promise<void> {
  const { source, path, from = path, before, after } = edit
  // A file may have been moved aside, and nothing have taken its place.
  bringBackNameless(kb, [edit])
  const [digest, next] = [before?.digest, after && digestOf(after)]
  const change = { source, path, from, before: digest, after: next, diff: '' }
  if (!isMade(await stateOf(kb, change))) return
  const writer = writerOf(kb, source)
  if (before && !(await writer.load(from))) {
    const { bytes, mode, uid, gid, link } = before
    const attributes = { mode, uid, gid }
    const again = { path: from, expect: undefined, bytes, like: path, attributes, link }
    await writer.apply([again], operation, { fence })
  }
  const now = await writer.load(path)
  if (now && now.digest === next) {
    const bytes = from === path ? before?.bytes : undefined
    const { folders } = edit
    await writer.apply([{ path, expect: now.digest, bytes, folders }], operation, { fence })
  }
}
