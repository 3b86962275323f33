/**
 * Scratch folder under a lock, for what is made beside its place and moved there when it is done. A
 * process that is killed leaves one behind, and the next one removes it: its lock is free.
 */
import { randomBytes } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { tryFileLock } from '../../core/store/sqlite/file-lock.ts'

export interface WorkFolder {
  readonly path: string
  /** Removes it with all that is in it. */
  close(): void
}

const NAME = /^\.cairn-(?:packing|restoring)-[0-9a-f]+(?:\.gone)?$/
const LOCK = 'work.lock'
const ATTEMPTS = 5
/** Where there are no locks, one that nobody has touched for so long is nobody's. */
const STALE_MS = 24 * 3_600_000

/** `parent` is where the finished thing goes, so that moving it there takes one step. */
export function openWorkFolder(parent: string, kind: 'packing' | 'restoring'): WorkFolder {
  removeLeftOvers(parent)
  for (let attempt = 1; ; attempt++) {
    const path = join(parent, `.cairn-${kind}-${randomBytes(8).toString('hex')}`)
    mkdirSync(path, { mode: 0o700 })
    const release = lockOf(path)
    if (release) return { path, close: () => remove(path, release) }
    // Taken for left behind before it had its lock.
    if (attempt === ATTEMPTS) throw new Error(`${parent}: folders are removed again and again`)
  }
}

function lockOf(folder: string): (() => void) | undefined {
  try {
    return tryFileLock(join(folder, LOCK), 'alone')
  } catch {
    if (!lstatSync(folder, { throwIfNoEntry: false })) return undefined
    // A file system without locks.
    return () => {}
  }
}

/** Under another name first: whoever has just made it has no lock yet, and finds it gone. */
function remove(folder: string, release: () => void): void {
  const gone = folder.endsWith('.gone') ? folder : `${folder}.gone`
  try {
    if (gone !== folder) renameSync(folder, gone)
    rmSync(gone, { recursive: true, force: true })
  } finally {
    release()
  }
}

function removeLeftOvers(parent: string): void {
  for (const name of readdirSync(parent)) {
    if (NAME.test(name)) removeIfLeft(join(parent, name))
  }
}

function removeIfLeft(folder: string): void {
  const stats = lstatSync(folder, { throwIfNoEntry: false })
  // What another user has put into a shared folder is that user's business.
  if (!stats?.isDirectory() || stats.uid !== (process.getuid?.() ?? stats.uid)) return
  try {
    const release = tryFileLock(join(folder, LOCK), 'alone')
    if (release) remove(folder, release)
  } catch {
    if (stats.mtimeMs < Date.now() - STALE_MS) rmSync(folder, { recursive: true, force: true })
  }
}
