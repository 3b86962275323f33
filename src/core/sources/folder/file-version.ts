/** Which file has a name, and which version of it. */
import { hash } from 'node:crypto'
import { lstatSync } from 'node:fs'
import type { BigIntStats, Stats } from 'node:fs'
import { withMaker } from '../../domain/document.ts'
import { readRegular } from './replaced-files.ts'

export function statsOf(place: string): BigIntStats | undefined {
  return lstatSync(place, { bigint: true, throwIfNoEntry: false })
}

export function isThere(place: string): boolean {
  return statsOf(place) !== undefined
}

export function isSymbolicLink(place: string): boolean {
  return statsOf(place)?.isSymbolicLink() ?? false
}

export function isSameFile(a: BigIntStats | undefined, b: BigIntStats | undefined): boolean {
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino
}

/** A name changes neither of these; a write does, unless it comes within a tick of the clock. */
export function isSameVersion(a: BigIntStats, b: BigIntStats | undefined): boolean {
  return isSameFile(a, b) && a.size === b?.size && a.mtimeNs === b.mtimeNs
}

/** Written to or renamed within this time. A clock may run ahead of the disk's, or behind. */
export function isYounger({ mtimeNs, ctimeNs }: BigIntStats, ms: number): boolean {
  const touchedAt = Number(mtimeNs > ctimeNs ? mtimeNs : ctimeNs) / 1e6
  return Math.abs(Date.now() - touchedAt) < ms
}

export function identityOf({ dev, ino, mtimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${mtimeNs}`
}

/** Changes with whatever is done to the file, its attributes included. */
export function stampOf(stats: BigIntStats): string {
  return `${identityOf(stats)}:${stats.ctimeNs}`
}

/**
 * Tells a file from what stood there before, even when its size and time were put back: nobody can
 * choose when the system last changed what it knows of the file, nor its number.
 */
export function fileStamp(
  { ino, ctimeMs }: Pick<Stats, 'ino' | 'ctimeMs'>,
  maker?: string,
): string {
  // Of every file, so in as few letters as it takes: to the microsecond, which is as fine as it comes.
  const stamp = `${ino.toString(36)} ${Math.round(ctimeMs * 1000).toString(36)}`
  return maker === undefined ? stamp : withMaker(stamp, maker)
}

/**
 * A file that was written a moment before it was read may have been written again in the same tick
 * of the clock that its file system has: two seconds on some. A time with a part below ten
 * milliseconds comes from a clock whose ticks are not longer; a moment then makes up for clocks of
 * other machines. Nobody but the system sets when it last changed what it knows of a file.
 */
const COARSE_REST_MS = 3_000
const FINE_REST_MS = 500
const FINE_TICK_MS = 10

/** Whether a file with these times, read then, would have other times if it had been changed since. */
export function wasAtRest({ mtimeMs, ctimeMs }: Pick<Stats, 'mtimeMs' | 'ctimeMs'>, at: number) {
  const rest = ctimeMs % FINE_TICK_MS === 0 ? COARSE_REST_MS : FINE_REST_MS
  return Math.max(mtimeMs, ctimeMs) < at - rest
}

/** A file's stats, and the digest of what was in it then or a moment later. */
export function lookInto(place: string): { stats: BigIntStats; digest: string } | undefined {
  const found = readRegular(place)
  return found && { stats: found.stats, digest: digestOf(found.bytes) }
}

export function digestOf(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex')
}
