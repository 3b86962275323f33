import type { Stats } from 'node:fs'

/**
 * Tells a file from what stood there before, even when its size and time were put back: nobody can
 * choose when the system last changed what it knows of the file, nor its number.
 */
export function fileStamp({ ino, ctimeMs }: Pick<Stats, 'ino' | 'ctimeMs'>): string {
  return `${ino} ${ctimeMs}`
}
