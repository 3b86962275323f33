/**
 * Who is at work in which folder: presence as a shared lock in its state folder, for as long as the
 * process lives. Whoever puts another folder in the place of one has these locks alone meanwhile.
 */
import { lstatSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { orElse } from '../../core/kit/or-else.ts'
import { type KnowledgeError, conflict, quoted, unavailable } from '../../core/domain/error.ts'
import { entriesIn } from '../../core/store/state-folder.ts'
import { tryFileLock } from '../../core/store/sqlite/file-lock.ts'
import { foldersAbove } from '../../core/store/sqlite/open-folder-locks.ts'

const STATE = '.cairn'
const MARK = 'serving.lock'

export interface ServingMarks {
  /**
   * In the state folder of a base and in those of the folders that it serves. Where nothing was ever
   * written there is none, and none is made. Throws `unavailable` while a folder is being replaced.
   */
  put(folders: readonly string[]): void
  close(): void
}

export function openServingMarks(state: string): ServingMarks {
  const held = new Map<string, () => void>()
  return {
    put(folders) {
      for (const folder of [state, ...folders.map((each) => join(each, STATE))]) {
        if (held.has(folder)) continue
        const release = mark(folder)
        if (release) held.set(folder, release)
      }
    },
    close() {
      for (const release of held.values()) release()
      held.clear()
    },
  }
}

function mark(folder: string): (() => void) | undefined {
  // A link there may lead anywhere.
  if (!isFolder(folder)) return undefined
  let release: (() => void) | undefined
  try {
    release = tryFileLock(join(folder, MARK), 'shared')
  } catch {
    // Somebody else's folder, or a file system without locks: nobody is kept from it.
    return () => {}
  }
  if (!release) throw beingReplaced(folder)
  return release
}

/**
 * Does something to a folder while nobody is at work in it, above it or below. Throws `conflict`
 * where somebody is, before anything was done.
 */
export function withoutServers<Result>(folder: string, work: () => Result): Result {
  const held: (() => void)[] = []
  try {
    for (const file of marksAround(realpathSync.native(folder))) {
      const release = lockAlone(file)
      if (release === undefined) throw atWork(file)
      held.push(release)
    }
    return work()
  } finally {
    for (const release of held) release()
  }
}

function lockAlone(file: string): (() => void) | undefined {
  // It cannot be locked, so nobody has.
  return orElse(
    () => tryFileLock(file, 'alone'),
    () => {},
  )
}

function marksAround(folder: string): string[] {
  // Made here if need be, so that nobody comes in between.
  const own = isFolder(join(folder, STATE)) ? [join(folder, STATE, MARK)] : []
  const above = [folder, ...foldersAbove(folder)].map((each) => join(each, STATE, MARK))
  return [...new Set([...own, ...above.filter(isOwn), ...marksBelow(folder)])]
}

/** What another user has put into a shared folder above, such as `/tmp`, is that user's business. */
function isOwn(file: string): boolean {
  const stats = lstatSync(file, { throwIfNoEntry: false })
  return stats !== undefined && stats.uid === (process.getuid?.() ?? stats.uid)
}

/** State folders may have any name, and be those of bases elsewhere. */
function marksBelow(folder: string): string[] {
  const found: string[] = []
  const open = [folder]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const entry of entriesIn(next)) {
      if (entry.isDirectory()) open.push(join(next, entry.name))
      else if (entry.name === MARK) found.push(join(next, entry.name))
    }
  }
  return found
}

function isFolder(place: string): boolean {
  // A source may be a file, which has nothing below it.
  return orElse(() => lstatSync(place).isDirectory(), false)
}

function beingReplaced(folder: string): KnowledgeError {
  return unavailable(
    `${quoted(folder)} is being replaced by what is restored.`,
    'Nothing was changed. Try again in a moment.',
  )
}

function atWork(file: string): KnowledgeError {
  return conflict(
    `A server is at work on ${quoted(dirname(file).replace(/[\\/]\.cairn$/, ''))}.`,
    'Nothing was changed. Stop it first, or restore into another place.',
  )
}
