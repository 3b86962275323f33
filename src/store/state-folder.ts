/** The folder beside the files where Cairn keeps what is its own. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** What it ignores in a repository: all of itself. Nobody wants an index there. */
const IGNORE = '*\n'

/** Makes it if need be, so that nobody else looks into it and no repository takes it in. */
export function makeStateFolder(folder: string): void {
  // One by one where that is enough: made recursively, a read-only disk looks like a missing folder.
  if (!existsSync(folder)) {
    mkdirSync(folder, { recursive: !existsSync(dirname(folder)), mode: 0o700 })
  }
  // A folder that someone named and that has other things in it stays as it is.
  if (!isOurs(folder)) return
  keepPrivate(folder)
  const ignore = join(folder, '.gitignore')
  if (!existsSync(ignore)) writeFileSync(ignore, IGNORE)
}

/** It holds what notes say: nobody else needs to read it, whatever the folder was before. */
function keepPrivate(folder: string): void {
  if (process.platform === 'win32' || (statSync(folder).mode & 0o077) === 0) return
  try {
    chmodSync(folder, 0o700)
  } catch {
    // Another user's folder is that user's to close.
  }
}

function isOurs(folder: string): boolean {
  if (basename(folder) === '.cairn' || readdirSync(folder).length === 0) return true
  const ignore = join(folder, '.gitignore')
  return existsSync(ignore) && readFileSync(ignore, 'utf8') === IGNORE
}
