/** Removes a folder although a process that has just been killed may still leave a last file in it. */
import { rmSync } from 'node:fs'

const ATTEMPTS = 100
const PAUSE_MS = 50

/** From the start each time: the retries of `rmSync` may not see what came in between. */
export function removeFolder(path: string): void {
  for (let attempt = 1; ; attempt++) {
    try {
      return rmSync(path, { recursive: true, force: true })
    } catch (error) {
      if (attempt === ATTEMPTS) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS)
    }
  }
}
