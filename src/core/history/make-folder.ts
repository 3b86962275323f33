/** A folder of the history, whatever stands in its place: that is set aside, never deleted. */
import { randomBytes } from 'node:crypto'
import { lstatSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { orElse } from '../kit/or-else.ts'
import { flushFolder } from './flush-folder.ts'

/** Where what was in the way is now. */
export function makeFolder(folder: string): string | undefined {
  if (isFolder(folder)) return undefined
  const aside = isBlocked(folder)
    ? `${folder}.damaged-${randomBytes(4).toString('hex')}`
    : undefined
  if (aside !== undefined) renameSync(folder, aside)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  flushFolder(dirname(folder))
  return aside
}

export function isFolder(place: string): boolean {
  return orElse(() => statSync(place).isDirectory(), false)
}

/** Something is there, and it is no folder. */
export function isBlocked(place: string): boolean {
  try {
    lstatSync(place)
  } catch {
    return false
  }
  return !isFolder(place)
}
