/** A state folder that lives as long as this process, for an index that is built at every start. */
import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive } from '../../core/kit/processes.ts'

export interface TemporaryState {
  readonly path: string
  remove(): void
}

/** Says whose it is, so that the folder of a process that was killed can be told from one in use. */
const HOST = hostname().replaceAll(/[^\w.]/g, '_')
const NAME = /^cairn-(\d+)-([\w.]+)-\w{6}$/

/** Makes a folder, and removes those that processes of this user left behind when they were killed. */
export function openTemporaryState(parent = tmpdir()): TemporaryState {
  for (const path of abandoned(parent)) removeFolder(path)
  const path = mkdtempSync(join(parent, `cairn-${process.pid}-${HOST}-`))
  return { path, remove: () => removeFolder(path) }
}

function abandoned(parent: string): readonly string[] {
  try {
    return readdirSync(parent).flatMap((name) => {
      const path = join(parent, name)
      return isAbandoned(name, path) ? [path] : []
    })
  } catch {
    return []
  }
}

function isAbandoned(name: string, path: string): boolean {
  const match = NAME.exec(name)
  if (!match || match[2] !== HOST) return false
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (!stats?.isDirectory() || stats.uid !== (process.getuid?.() ?? stats.uid)) return false
  const pid = Number(match[1])
  // In a container every process may have the same number: what is older than us is not ours.
  if (pid === process.pid) return stats.birthtimeMs < Date.now() - process.uptime() * 1000
  return !isAlive(pid)
}

function removeFolder(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 3 })
  } catch {
    // Somebody still has it open; the next start tries again.
  }
}
