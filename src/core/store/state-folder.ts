/** The folder beside the files where Cairn keeps what is its own. */
import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import type { Dirent } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { orElse } from '../kit/or-else.ts'
import { type KnowledgeError, forbidden } from '../domain/error.ts'

/** The name of one that nobody has named: it lies in the folder that is served. */
const USUAL = '.cairn'

/** What it ignores in a repository: all of itself. Nobody wants an index there. */
const IGNORE = '*\n'

/** Makes it if need be, so that nobody else looks into it and no repository takes it in. */
export function makeStateFolder(folder: string): void {
  requireNoLink(folder)
  if (!existsSync(folder)) makeFolder(folder)
  requireOwnEntries(folder)
  // A folder that someone named and that has other things in it stays as it is.
  if (!isOurs(folder)) return
  keepPrivate(folder)
  const ignore = join(folder, '.gitignore')
  if (!existsSync(ignore)) writeFileSync(ignore, IGNORE)
}

function makeFolder(folder: string): void {
  try {
    // One by one where that is enough: made recursively, a read-only disk looks like a missing folder.
    mkdirSync(folder, { recursive: !existsSync(dirname(folder)), mode: 0o700 })
  } catch (error) {
    // Another process may have made it in this moment.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}

/** It holds what notes say: nobody else needs to read it, whatever the folder was before. */
function keepPrivate(folder: string): void {
  if (process.platform === 'win32') return
  const follow = basename(folder) === USUAL ? constants.O_NOFOLLOW : 0
  try {
    const opened = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | follow)
    try {
      const { mode, uid } = fstatSync(opened)
      // Another user's folder is that user's to close, even where we are allowed to.
      if ((mode & 0o077) !== 0 && uid === process.getuid?.()) fchmodSync(opened, 0o700)
    } finally {
      closeSync(opened)
    }
  } catch {
    // What cannot be closed, such as a folder on a drive without modes, is used as it is.
  }
}

function isOurs(folder: string): boolean {
  if (basename(folder) === USUAL || readdirSync(folder).length === 0) return true
  const ignore = join(folder, '.gitignore')
  return existsSync(ignore) && readFileSync(ignore, 'utf8') === IGNORE
}

/**
 * A repository or an archive may bring a link along: what it leads to is not ours to write to or to
 * close. Whoever names a state folder may name one that is reached through a link; it then comes
 * here by its real path, or by another name than the usual one.
 */
export function requireNoLink(folder: string): void {
  if (basename(folder) !== USUAL) return
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) return
  throw forbidden(
    `${folder} is a symbolic link, and Cairn keeps nothing where a link in a served folder leads.`,
    'Nothing was changed. Remove the link, or name the folder that it leads to with --state DIR.',
  )
}

/** What Cairn makes in a state folder. */
const MADE =
  /^(?:index(?:-[0-9a-f]{8})?\.db.*|base\.json.*|.+\.lock.*|history.*|contents|replaced|removed|aside|segments|scheduler|audit|feedback|reports|backups|bases|live|tokens|tokens\.json|sign-in\..+|recall\.json|map\.bin|graph\.html)$/

/** Recipes are the user's own: they are read, and never written. */
const BROUGHT = new Set(['recipes'])

/** What notes were is kept in these as it was, and taken out with care. The others are bases. */
const LOOKED_AT_ELSEWHERE = new Set(['replaced', 'removed', 'aside', 'bases'])

/** Down to the folders in which the contents of the history lie. */
const LEVELS = 3

/**
 * Refuses links and pipes where Cairn's own files and folders should be: one would lead its writes
 * to somewhere else, the other would hold up whoever opens it.
 */
export function requireOwnEntries(folder: string, levels = 1): void {
  const all = basename(folder) === USUAL || isOurs(folder)
  for (const entry of entriesIn(folder)) {
    if (all ? !BROUGHT.has(entry.name) : MADE.test(entry.name)) look(folder, entry, levels)
  }
}

/** The same for all that lies below, once at the start. */
export function requireOwnTree(folder: string): void {
  requireOwnEntries(folder, LEVELS)
}

function look(folder: string, entry: Dirent, levels: number): void {
  const place = join(folder, entry.name)
  if (entry.isSymbolicLink() || entry.isFIFO()) throw notOurs(place, entry)
  if (levels === 1 || !entry.isDirectory() || LOOKED_AT_ELSEWHERE.has(entry.name)) return
  for (const below of entriesIn(place)) look(place, below, levels - 1)
}

export function entriesIn(folder: string): Dirent[] {
  // Gone, or closed to us: whoever needs it says so.
  return orElse(() => readdirSync(folder, { withFileTypes: true }), [])
}

function notOurs(place: string, entry: Dirent): KnowledgeError {
  const kind = entry.isSymbolicLink() ? 'a symbolic link' : 'a pipe'
  return forbidden(
    `${place} is ${kind}, where Cairn keeps a file or a folder of its own.`,
    'Nothing was changed. Remove it, and Cairn makes what it needs; or name another state folder with --state DIR.',
  )
}
