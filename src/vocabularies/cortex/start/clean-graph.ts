/**
 * Removes what Cairn derived beside a graph, and nothing that anybody wrote: the index and the
 * lock. What can be made again goes; the history, by which changes are undone, stays.
 */
import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openWriteLock } from '../../../core/store/sqlite/open-write-lock.ts'

const STATE = '.cairn'
const LOCK = 'graph.lock'

/** The index with what its database keeps beside it, and one that was set aside as damaged. */
const DERIVED = /^index(?:-[0-9a-f]{8})?\.db(?:$|[-.])/

/** Returns what is gone, as paths below the root. Waits for a write that is under way. */
export async function cleanGraph(root: string): Promise<readonly string[]> {
  const folder = join(root, STATE)
  if (!existsSync(folder)) return []
  const lock = openWriteLock(join(folder, LOCK))
  const removed: string[] = []
  try {
    await lock.hold(async () => {
      for (const name of readdirSync(folder).toSorted()) {
        if (name !== LOCK && !DERIVED.test(name)) continue
        rmSync(join(folder, name))
        removed.push(`${STATE}/${name}`)
      }
    })
  } finally {
    await lock.close()
  }
  // Only what keeps the folder out of repositories is left: then it has no reason to be here.
  if (readdirSync(folder).every((name) => name === '.gitignore')) {
    rmSync(join(folder, '.gitignore'), { force: true })
    rmdirSync(folder)
  }
  return removed
}
