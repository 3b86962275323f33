/**
 * Whether files are still what was read of them, by one look at each and no reading: for whoever has
 * kept what was made of them.
 */
import { lstatSync, realpathSync } from 'node:fs'
import type { FileEntry } from '../../domain/source.ts'
import { madeBy } from '../../domain/document.ts'
import { folderOf } from '../../kit/paths.ts'
import { fileStamp, wasAtRest } from './file-version.ts'

const NO_ERROR = { throwIfNoEntry: false } as const

/** False where that is not certain, as of a file that was written shortly before it was read. */
export function areAsRead(root: string, files: readonly FileEntry[], readAt: number): boolean {
  try {
    if (files.length > 0 && realpathSync.native(root) !== root) return false
    const straight = new Set([''])
    return files.every((file) => {
      if (!isStraight(root, folderOf(file.path), straight)) return false
      const stats = lstatSync(`${root}/${file.path}`, NO_ERROR)
      return (
        stats?.isFile() === true &&
        stats.size === file.size &&
        stats.mtimeMs === file.modifiedAt &&
        fileStamp(stats, madeBy(file)) === file.stamp &&
        wasAtRest(stats, readAt)
      )
    })
  } catch {
    // What cannot be looked at is found out about by who reads it.
    return false
  }
}

/** A folder that was moved away, and a link to it in its place, leave the files in it as they were. */
function isStraight(root: string, folder: string, straight: Set<string>): boolean {
  if (straight.has(folder)) return true
  if (!isStraight(root, folderOf(folder), straight)) return false
  if (lstatSync(`${root}/${folder}`, NO_ERROR)?.isDirectory() !== true) return false
  straight.add(folder)
  return true
}
