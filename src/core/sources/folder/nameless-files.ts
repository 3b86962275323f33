/**
 * Journal of renames: files that have no name at this moment. One that is in use is moved aside
 * before its successor takes the name, and a process that is killed in between leaves neither
 * there. For that moment a note in the `.cairn` of the folder says what the file was called, so
 * that whoever comes next can give it its name back, whichever base it serves.
 */
import { existsSync, mkdirSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import type { NamelessFile } from '../../domain/source.ts'
import { isInside } from './paths.ts'
import { codeOf, isGone } from './reasons.ts'
import { hasSuccessor, isNameFor, putBack, readRegular, removeKept } from './replaced-files.ts'

const STATE = '.cairn'
const NOTES = 'aside'
const KEPT = 'replaced'

/** Before a file is moved to `kept`, from where it had this path below the root. */
export function noteAside(root: string, kept: string, path: string): void {
  const note = noteOf(root, kept)
  const write = (): void => writeFileSync(note, path, { flag: 'wx', mode: 0o600 })
  try {
    write()
  } catch (error) {
    if (!isGone(error)) throw error
    makeFolder(dirname(note))
    write()
  }
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Where `.cairn` was deleted, two may come here that do not know of each other.
    if (codeOf(error) !== 'EEXIST') throw error
  }
}

/** When there is a file of that name again, or when there is to be none. */
export function forgetAside(root: string, kept: string): void {
  forget(root, basename(kept))
}

/**
 * A note that outlives its moment would bring a file back that was deleted later. One that cannot
 * be removed is made to say nothing.
 */
function forget(folder: string, name: string): void {
  const note = join(folder, STATE, NOTES, name)
  try {
    removeKept(note)
  } catch (error) {
    try {
      truncateSync(note)
    } catch (again) {
      if (!isGone(again)) throw error
    }
  }
}

/** Whether the only name of a file may be the one it is kept under. */
export function isNotedAside(root: string, kept: string): boolean {
  return existsSync(noteOf(root, kept))
}

function noteOf(root: string, kept: string): string {
  return join(root, STATE, NOTES, basename(kept))
}

/**
 * Those below a root that were noted there, in a folder above it, or in one between it and the
 * given paths: each may be a base of its own. Whoever is at work on one holds the folder's lock.
 */
export function namelessFiles(root: string, beside: readonly string[]): NamelessFile[] {
  return [...foldersAround(root, beside)].flatMap((folder) =>
    notesIn(folder).flatMap((name) => namelessFile(root, folder, name) ?? []),
  )
}

function namelessFile(root: string, folder: string, name: string): NamelessFile | undefined {
  const path = pathIn(folder, name)
  if (path === undefined) return undefined
  if (!isNameFor(name, path)) {
    // A note that was cut off: its file had not been moved yet.
    return folder === root ? { path: undefined, bringBack: () => cutOff(folder, name) } : undefined
  }
  const place = join(folder, ...path.split('/'))
  // What is no business of this base is left to those whose it is.
  if (!isInside(root, place)) return undefined
  return {
    path: relative(root, place).split(sep).join('/'),
    bringBack: () => bringBack(folder, name, path),
  }
}

function cutOff(folder: string, name: string): boolean {
  forget(folder, name)
  return false
}

function bringBack(folder: string, name: string, path: string): boolean {
  const kept = join(folder, STATE, KEPT, name)
  const isBack = existsSync(kept) && putBack(folder, kept, path)
  // Where someone has made another file of that name, this one stays as it is.
  if (isBack || !existsSync(kept) || hasSuccessor(folder, kept, path)) forget(folder, name)
  return isBack
}

function foldersAround(root: string, beside: readonly string[]): Set<string> {
  const folders = new Set([root])
  for (let each = root; each !== dirname(each); each = dirname(each)) {
    if (isOwn(dirname(each))) folders.add(dirname(each))
  }
  for (const path of beside) {
    const names = path.split('/').slice(0, -1)
    for (let depth = 1; depth <= names.length; depth++) {
      folders.add(join(root, ...names.slice(0, depth)))
    }
  }
  return folders
}

/**
 * What another user has put into a shared folder above, such as `/tmp`, is that user's business.
 */
function isOwn(folder: string): boolean {
  try {
    const { uid } = statSync(join(folder, STATE))
    return uid === (process.getuid?.() ?? uid)
  } catch {
    return false
  }
}

function notesIn(folder: string): string[] {
  try {
    return readdirSync(join(folder, STATE, NOTES))
  } catch {
    return []
  }
}

function pathIn(folder: string, name: string): string | undefined {
  try {
    const note = readRegular(join(folder, STATE, NOTES, name))
    return note && Buffer.from(note.bytes).toString('utf8')
  } catch (error) {
    // A link or a socket: nothing that Cairn has noted.
    if (codeOf(error) === 'ELOOP' || codeOf(error) === 'ENXIO') return undefined
    throw error
  }
}
