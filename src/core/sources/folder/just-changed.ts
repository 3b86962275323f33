/**
 * A look ahead of a whole scan, where something has most likely changed: in the root, and in the
 * folders of the files that changed last. What it finds is a hint; whoever is told looks again.
 */
import { lstatSync, readdirSync, type Dirent } from 'node:fs'
import { JUST_NOW_MS } from '../../domain/source.ts'
import { folderOf } from '../../kit/paths.ts'
import type { Tree } from './scan.ts'

/** So many names take a tenth of a second. */
const MOST_LOOKED_AT = 20_000

/**
 * Files there that have just changed, and folders below that have, with theirs. `onFolder` is called
 * before a folder is listed.
 */
export function justChanged(
  tree: Tree,
  recent: readonly string[],
  onFolder: (path: string) => void,
): string[] {
  const since = Date.now() - JUST_NOW_MS
  const changed: string[] = []
  let left = MOST_LOOKED_AT
  // Whoever is added meanwhile is looked at as well.
  const folders = foldersOf(recent)
  for (const folder of folders) {
    onFolder(folder)
    for (const entry of entriesOf(tree, folder)) {
      if (left === 0) return changed
      const { name } = entry
      const path = folder === '' ? name : `${folder}/${name}`
      const isFolder = entry.isDirectory()
      const isOurs = isFolder
        ? tree.rules.entersFolder(path, name)
        : tree.rules.offersFile(path, name)
      if (!isOurs) continue
      left--
      const at = changedAt(`${tree.root}/${path}`)
      // Something came or went in a folder where it was modified; its attributes say nothing.
      if (isFolder && at.modified > since) folders.add(path)
      if (!isFolder && Math.max(at.modified, at.changed) > since) changed.push(path)
    }
  }
  return changed
}

/** The root, and the folder of each file with all that it is in, the nearest first. */
function foldersOf(paths: readonly string[]): Set<string> {
  const folders = new Set([''])
  for (const path of paths) {
    for (let folder = folderOf(path); !folders.has(folder); folder = folderOf(folder)) {
      folders.add(folder)
    }
  }
  return folders
}

function entriesOf({ root }: Tree, folder: string): Dirent[] {
  try {
    return readdirSync(folder === '' ? root : `${root}/${folder}`, { withFileTypes: true })
  } catch {
    // The scan says what is in the way.
    return []
  }
}

function changedAt(place: string): { readonly modified: number; readonly changed: number } {
  try {
    const { mtimeMs, ctimeMs } = lstatSync(place)
    return { modified: mtimeMs, changed: ctimeMs }
  } catch {
    return { modified: 0, changed: 0 }
  }
}
