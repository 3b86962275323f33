/**
 * Lease: a lock whose holder shows that it is there by touching the file. Whoever waits judges by its
 * own steady clock, whatever the clocks of others say; one that was itself kept from looking does not
 * count that time. A holder that stands still loses the lease: its file is put aside, where it lies
 * for as long as the holder lives and may wake up.
 */
import { randomBytes } from 'node:crypto'
import { linkSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { orElse } from '../../kit/or-else.ts'
import { identityOf, tryFileLock } from './file-lock.ts'

/** Whoever does not beat for so long stands still. */
const SILENCE_MS = 5_000
/** A look that comes later than this was held up, perhaps with the holder. */
const LONGEST_GAP_MS = 250
/** Whoever takes a lock shows it within this time, however long nobody had it. */
const FIRST_BEAT_MS = 500

interface Heard {
  stamp: string
  at: number
  silentMs: number
  /** How long the lock was seen to be held with the same beat. */
  heldMs: number
}

export class Heartbeats {
  readonly #heard = new Map<string, Heard>()

  /** Has these files listened to whenever one of them is waited for. */
  follow(files: readonly string[]): void {
    for (const file of this.#heard.keys()) if (!files.includes(file)) this.#heard.delete(file)
    for (const file of files) this.#listen(file)
  }

  /** Asked by whoever has just found the lock of this file held by somebody else. */
  haveStopped(file: string): boolean {
    for (const other of this.#heard.keys()) if (other !== file) this.#listen(other)
    const heard = this.#listen(file, true)
    return heard.silentMs >= SILENCE_MS && heard.heldMs >= FIRST_BEAT_MS
  }

  #listen(file: string, isHeld = false): Heard {
    const stats = statSync(file, { bigint: true, throwIfNoEntry: false })
    const stamp = `${stats?.dev}:${stats?.ino}:${stats?.mtimeNs}`
    const at = performance.now()
    let heard = this.#heard.get(file)
    if (heard?.stamp !== stamp) {
      heard = { stamp, at, silentMs: 0, heldMs: 0 }
      this.#heard.set(file, heard)
    }
    const passed = Math.min(at - heard.at, LONGEST_GAP_MS)
    heard.at = at
    heard.silentMs += passed
    if (isHeld) heard.heldMs += passed
    return heard
  }
}

const LOST = /^\.lost\.[0-9a-f]{16}$/

/**
 * Ends a lease: from now on the path means another file, and whoever looks makes it. Where it turns
 * out that somebody else was quicker, what was taken from the new holder is given back.
 */
export function putAside(file: string, stopped: string | undefined): void {
  const aside = `${file}.lost.${randomBytes(8).toString('hex')}`
  try {
    if (stopped === undefined || identityOf(file) !== stopped) return
    renameSync(file, aside)
    if (identityOf(aside) === stopped) return
    linkSync(aside, file)
  } catch {
    // Gone, or made anew by others: looked at again in a moment.
  }
  rmSync(aside, { force: true })
}

/** Files of those who have lost this lock and may wake up. Those of others are removed. */
export function lostHolders(lock: string): readonly string[] {
  const [folder, name] = [dirname(lock), basename(lock)]
  return namesIn(folder)
    .filter((each) => each.startsWith(name) && LOST.test(each.slice(name.length)))
    .map((each) => join(folder, each))
    .filter((place) => isThere(place))
}

/** A file that can be locked is nobody's. */
function isThere(place: string): boolean {
  try {
    const release = tryFileLock(place, 'alone')
    if (!release) return true
    release()
    rmSync(place, { force: true })
    return false
  } catch {
    return true
  }
}

function namesIn(folder: string): string[] {
  return orElse(() => readdirSync(folder), [])
}
