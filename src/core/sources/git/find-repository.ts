/**
 * Repository discovery, as git does it and stricter: the `.git` beside or above a folder, and never
 * a folder that merely looks like a repository. Of what is found only objects and references are
 * read, never its configuration.
 */
import { lstatSync, readFileSync, realpathSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'

export interface FoundRepository {
  /** Where the folder asked for is in the work tree: `''` or `docs/old/`. */
  readonly below: string
  /** Holds HEAD; a linked work tree has one of its own. */
  readonly folder: string
  /** Holds objects and branches; the same folder but in a linked work tree. */
  readonly common: string
}

/** Undefined where there is none, or none that can be trusted to be this folder's. */
export function findRepository(root: string): FoundRepository | undefined {
  try {
    const real = realpathSync(root)
    const { uid } = lstatSync(real)
    for (let top = real; ; top = dirname(top)) {
      const found = lstatSync(join(top, '.git'), { throwIfNoEntry: false })
      if (found) {
        // Somebody else may have put one above, as into a folder for temporary files.
        const ours = found.uid === uid || found.uid === process.getuid?.()
        const folders = ours ? foldersOf(top, found.isDirectory()) : undefined
        const below = relative(top, real).split(sep).join('/')
        return folders && { ...folders, below: below === '' ? '' : `${below}/` }
      }
      if (top === dirname(top)) return undefined
    }
  } catch {
    return undefined
  }
}

/** The text of a regular file that is not large; undefined for anything else. */
export function readSmall(place: string, mostBytes = 4096): string | undefined {
  try {
    // Looked at before it is opened: opening a FIFO waits.
    const stats = lstatSync(place)
    return stats.isFile() && stats.size <= mostBytes ? readFileSync(place, 'utf8') : undefined
  } catch {
    return undefined
  }
}

type Folders = Omit<FoundRepository, 'below'>

function foldersOf(top: string, isFolder: boolean): Folders | undefined {
  const place = join(top, '.git')
  const found = isFolder ? { folder: place, common: place } : linkedFolders(top)
  return found && !borrowsFromAfar(join(found.common, 'objects')) ? found : undefined
}

/** Where a `.git` that is a file leads: to a linked work tree's folder, or to a submodule's. */
function linkedFolders(top: string): Folders | undefined {
  const named = /^gitdir: ([^\0\n]+)\n?$/.exec(readSmall(join(top, '.git')) ?? '')?.[1]
  if (named === undefined || isShare(named)) return undefined
  const folder = realpathSync(resolve(top, named))
  const back = readSmall(join(folder, 'gitdir'))?.trim()
  if (back === undefined) {
    return isModule(top, folder) ? { folder, common: folder } : undefined
  }
  // A work tree and its folder name each other, and the folder stands where such folders do.
  if (isShare(back) || realpathSync(resolve(folder, back)) !== realpathSync(join(top, '.git'))) {
    return undefined
  }
  const common = dirname(dirname(folder))
  return basename(dirname(folder)) === 'worktrees' ? { folder, common } : undefined
}

/** A submodule's folder stands in the repository that it is a part of. */
function isModule(top: string, folder: string): boolean {
  for (let above = dirname(top); ; above = dirname(above)) {
    const modules = join(above, '.git', 'modules')
    if (lstatSync(join(above, '.git'), { throwIfNoEntry: false })?.isDirectory()) {
      return folder.startsWith(`${realpathSync(modules)}${sep}`)
    }
    if (above === dirname(above)) return false
  }
}

/** On another machine: to look there is to reach the network, with the user's name on Windows. */
function isShare(path: string): boolean {
  return /^[\\/]{2}/.test(path)
}

/** Objects of a clone with `--reference` are elsewhere: on this machine, and one step away. */
function borrowsFromAfar(objects: string): boolean {
  const text = alternatesOf(objects) ?? ''
  const places = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return places.some(
    (place) =>
      isShare(place) ||
      place.startsWith('"') ||
      alternatesOf(resolve(objects, place)) !== undefined,
  )
}

/** One that cannot be read is a share: it is not known what it names. */
function alternatesOf(objects: string): string | undefined {
  const place = join(objects, 'info', 'alternates')
  if (!lstatSync(place, { throwIfNoEntry: false })) return undefined
  return readSmall(place) ?? '//'
}
