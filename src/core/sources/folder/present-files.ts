/** Which of very many paths may be files? A folder is looked at once, not for each path in it. */
import { readdir } from 'node:fs/promises'
import { foldName } from '../../kit/fold-name.ts'
import { folderOf, lastSegment } from '../../kit/paths.ts'
import { Slices } from '../../kit/slices.ts'
import { resolveInside } from './paths.ts'

/** So few of one folder are quicker looked at than the whole of it. */
const FEW = 100

/**
 * Those that may be there, in no order. A name that is spelled otherwise counts, because some disks
 * take it for the same, and so does what cannot be looked at.
 */
export async function presentFiles(root: string, paths: readonly string[]): Promise<string[]> {
  const slices = new Slices()
  const folders = new Map<string, string[]>()
  for (const path of paths) {
    if (slices.over) await slices.pause()
    const beside = folders.get(folderOf(path))
    if (beside) beside.push(path)
    else folders.set(folderOf(path), [path])
  }
  const present: string[] = []
  for (const [folder, beside] of folders) {
    const names = beside.length > FEW ? await namesIn(root, folder) : undefined
    for (const path of beside) {
      if (slices.over) await slices.pause()
      if (!names || names.has(foldName(lastSegment(path)))) present.push(path)
    }
  }
  return present
}

/** None where there is no such folder; undefined where nobody can tell. */
async function namesIn(root: string, folder: string): Promise<ReadonlySet<string> | undefined> {
  const names = new Set<string>()
  try {
    const { real, stats } =
      folder === '' ? { real: root, stats: true } : resolveInside(root, folder)
    if (!stats) return names
    const slices = new Slices()
    for (const name of await readdir(real)) {
      if (slices.over) await slices.pause()
      names.add(foldName(name))
    }
    return names
  } catch {
    return undefined
  }
}
