import { closeSync, fsyncSync, openSync } from 'node:fs'

/** A new name is on disk when its folder is. Windows does not let folders be opened. */
export function flushFolder(folder: string): void {
  if (process.platform === 'win32') return
  let handle: number
  try {
    handle = openSync(folder, 'r')
  } catch {
    return
  }
  try {
    fsyncSync(handle)
  } catch (error) {
    // Some network drives cannot flush a folder; they have no more to promise.
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== 'EINVAL' && code !== 'ENOTSUP' && code !== 'EBADF') throw error
  } finally {
    closeSync(handle)
  }
}
