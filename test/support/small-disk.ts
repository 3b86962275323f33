/** A small disk, to see what happens when it is full or may not be written. */
import { execFileSync } from 'node:child_process'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from './temporary-folder.ts'

/** Mounts a small disk, or says why that is not possible here. */
export function mountSmallDisk(size = '256k'): string | undefined {
  const place = temporaryFolder()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', place], {
      stdio: 'ignore',
    })
  } catch {
    return undefined
  }
  onTestFinished(() => {
    // Whoever still has a file of it open keeps nobody from going on.
    execFileSync('umount', ['-l', place])
  })
  return place
}

export const NO_MOUNT = 'needs the right to mount a small disk'
