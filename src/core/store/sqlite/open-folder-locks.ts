/**
 * Lock files, one for each folder, so that two bases with different state folders, or a vault and a
 * folder inside it, never change the same files at once. A folder's lock lies in its `.cairn`.
 *
 * Each holder makes its own lock files first and looks for those of others afterwards, so of two
 * that overlap at least one sees the other. All are taken in the order of their paths.
 */
import { existsSync, lstatSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { orElse } from '../../kit/or-else.ts'
import { KnowledgeError, unavailable } from '../../domain/error.ts'
import type { FolderLocks, WriteLock } from '../../domain/write-lock.ts'
import { makeStateFolder } from '../state-folder.ts'
import { Heartbeats } from './lease.ts'
import { openWriteLock } from './open-write-lock.ts'

const STATE = '.cairn'
const LOCK = 'write.lock'
const LOOKS = 5

export function openFolderLocks(state: string): FolderLocks {
  const locks = new Map<string, WriteLock>()
  const heartbeats = new Heartbeats()
  /** Lost holders whose preparations this process has taken away. */
  const disarmed = new Set<string>()
  /** Folders of other bases inside ours that were seen once: likely to be met again. */
  const nested = new Set<string>()
  let held: ReadonlySet<string> = new Set()

  const lockOf = (file: string): WriteLock => {
    const lock = locks.get(file) ?? openWriteLock(file, { heartbeats })
    locks.set(file, lock)
    return lock
  }

  const filesFor = (folders: readonly string[]): string[] => {
    makeStateFolder(state)
    const own = folders.filter((folder) => keepsLock(folder, state))
    const known = [...nested].filter((each) => folders.some((folder) => isBelow(folder, each)))
    const others = [...known, ...[...folders, ...known].flatMap(foldersAbove)].filter(hasLock)
    return distinctFiles([join(state, LOCK), ...[...own, ...others].map(lockFileOf)])
  }

  /** A folder that is deleted while its lock is looked for is made again. */
  const filesNow = (folders: readonly string[]): string[] => {
    for (let look = 1; ; look++) {
      try {
        return filesFor(folders)
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? error.code : undefined
        if (code !== 'ENOENT') throw error
        if (look === LOOKS) throw cannotMake(state, 'it is deleted again and again')
      }
    }
  }

  return {
    async hold(folders, work) {
      const files = filesNow(folders)
      heartbeats.follow(files)
      const holding = async () => {
        held = new Set(files)
        return work()
      }
      return files.reduceRight<typeof work>(
        (inner, file) => () => lockOf(file).hold(inner),
        holding,
      )()
    },
    fence() {
      for (const file of held) lockOf(file).fence()
    },
    async disarm(work) {
      const lost = [...held].flatMap((file) => lockOf(file).lost())
      if (lost.some((name) => !disarmed.has(name))) await work()
      for (const name of lost) disarmed.add(name)
      return lost.length > 0
    },
    isKept: (folders) => folders.every(hasLock),
    unheldBelow(root, paths) {
      // Many files of a folder ask about the same ones.
      const folders = new Set<string>()
      for (const path of paths) {
        let each = dirname(path)
        for (; isBelow(root, each) && !folders.has(each); each = dirname(each)) folders.add(each)
      }
      const found = [...folders].filter(
        (each) => hasLock(each) && !held.has(realLockFile(join(each, STATE))),
      )
      for (const folder of found) nested.add(folder)
      return found
    },
    async close() {
      for (const lock of locks.values()) await lock.close()
    },
  }
}

/**
 * Makes a folder's lock file if need be. One that cannot have a lock file, such as a folder of
 * another user, is kept by the lock of the base alone.
 */
function keepsLock(folder: string, state: string): boolean {
  try {
    if (isSamePlace(join(folder, STATE), state)) return true
    makeStateFolder(join(folder, STATE))
    // Only ever made here, never opened: closing a file drops the locks this process has on it.
    if (!hasLock(folder)) writeFileSync(lockFileOf(folder), '', { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (error instanceof KnowledgeError) throw error
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === 'EEXIST') return true
    if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return false
    if (code === 'ENOENT') throw error
    throw cannotMake(lockFileOf(folder), code || String(error))
  }
}

function cannotMake(place: string, why: string): KnowledgeError {
  return unavailable(
    `${place}, which the lock needs, cannot be made (${why}).`,
    'Nothing was changed. Make room or give permission there, then try again.',
  )
}

/** A link to the state folder, which the user has named: its lock is the lock of the base. */
function isSamePlace(place: string, state: string): boolean {
  if (!lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink()) return false
  return existsSync(place) && realpathSync.native(place) === realpathSync.native(state)
}

function lockFileOf(folder: string): string {
  return join(folder, STATE, LOCK)
}

function realLockFile(stateFolder: string): string {
  return join(realpathSync.native(stateFolder), LOCK)
}

function hasLock(folder: string): boolean {
  // Not there, or not for us to look at.
  return orElse(() => lstatSync(lockFileOf(folder)).isFile(), false)
}

export function foldersAbove(folder: string): string[] {
  const above = dirname(folder)
  return above === folder ? [] : [above, ...foldersAbove(above)]
}

function isBelow(root: string, place: string): boolean {
  return place !== root && place.startsWith(root.endsWith(sep) ? root : root + sep)
}

/** One folder may be reached by several paths; taking its lock twice would wait for itself. */
function distinctFiles(files: readonly string[]): string[] {
  const byFolder = new Map<string, string>()
  for (const file of files) {
    const folder = dirname(file)
    const stats = statSync(folder, { bigint: true, throwIfNoEntry: false })
    // Deleted a moment ago: whoever needs it makes it again.
    if (!stats) continue
    byFolder.set(`${stats.dev}:${stats.ino}`, realLockFile(folder))
  }
  // One that was deleted and made again between two looks is still one.
  return [...new Set(byFolder.values())].toSorted()
}
