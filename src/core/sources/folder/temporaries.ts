/** Files that hold new content until it takes its place, and what killed processes left of them. */
import { randomBytes } from 'node:crypto'
import { statSync, unlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { splitPath } from '../../kit/paths.ts'
import { HOST_MARK, isAlive } from '../../kit/processes.ts'
import { namesIn } from './choose-place.ts'
import { resolveInside } from './paths.ts'
import { removeKept } from './replaced-files.ts'
import { walkFolders } from './scan.ts'
import type { Tree } from './scan.ts'

const TEMPORARY = /^\.cairn-tmp\.(\d+)\.([0-9a-f]{8})\.[0-9a-f]{12}$/

/** Hidden, with no extension that a scan offers, and naming the process that will remove it. */
export function temporaryName(): string {
  return `.cairn-tmp.${process.pid}.${HOST_MARK}.${randomBytes(6).toString('hex')}`
}

/** A process on another machine may be slow, but not this slow. */
const ABANDONED_MS = 24 * 60 * 60 * 1000

export async function sweep(tree: Tree, beside: readonly string[] | undefined): Promise<number> {
  const found = await strays(tree, beside)
  for (const path of found) unlinkSync(join(tree.root, path))
  return found.length
}

export async function disarm(tree: Tree): Promise<void> {
  for (const path of await temporaries(tree, undefined)) {
    const [, pid, host] = TEMPORARY.exec(basename(path))!
    if (host === HOST_MARK && Number(pid) === process.pid) continue
    removeKept(join(tree.root, path))
  }
}

export async function strays(tree: Tree, beside: readonly string[] | undefined): Promise<string[]> {
  const all = await temporaries(tree, beside)
  return all.filter((path) => isStray(basename(path), join(tree.root, path)))
}

async function temporaries(tree: Tree, beside: readonly string[] | undefined): Promise<string[]> {
  const folders = new Set<string>()
  if (beside) {
    for (const path of beside) {
      folders.add(splitPath(path).folder)
      folders.add(realFolderOf(tree, path))
    }
  } else {
    await walkFolders(tree, [''], (folder) => folders.add(folder))
  }
  return [...folders].flatMap((folder) =>
    namesIn(tree, folder === '' ? [] : [folder])
      .filter((name) => TEMPORARY.test(name))
      .map((name) => (folder === '' ? name : `${folder}/${name}`)),
  )
}

/** A file behind a link is written where it really is. */
function realFolderOf(tree: Tree, path: string): string {
  try {
    const { real } = resolveInside(tree.root, path)
    return splitPath(real.slice(tree.root.length + 1).replaceAll('\\', '/')).folder
  } catch {
    return splitPath(path).folder
  }
}

function isStray(name: string, place: string): boolean {
  const match = TEMPORARY.exec(name)
  if (!match) return false
  const writtenAt = statSync(place, { throwIfNoEntry: false })?.mtimeMs
  if (writtenAt === undefined) return false
  if (writtenAt < Date.now() - ABANDONED_MS) return true
  if (match[2] !== HOST_MARK) return false
  const pid = Number(match[1])
  // In a container every process may have the same number: what is older than us is not ours.
  if (pid === process.pid) return writtenAt < Date.now() - process.uptime() * 1000
  return !isAlive(pid)
}
