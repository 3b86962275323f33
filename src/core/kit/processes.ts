/** Whether somebody whose mark was found still runs: a number means a process on one machine only. */
import { hash } from 'node:crypto'
import { hostname } from 'node:os'

/** Of this machine, in names of files. */
export const HOST_MARK = hash('sha256', hostname(), 'hex').slice(0, 8)

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Another user's process is there, and not ours to signal.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
