/**
 * A file that is followed as it changes. When it grew and its beginning is the same, only the end
 * is read as lines; anything else means reading it anew.
 *
 * Size and times tell whether to look. A checksum of all bytes tells whether the beginning is the
 * same: an editor may change an old line and add a new one in one go.
 */
import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs'
import type { Stats } from 'node:fs'
import { crc32 } from 'node:zlib'
import { LineFile } from './line-file.ts'
import type { FileRole } from './parse-line.ts'
import { parseRedacted } from './redact-line.ts'

const CHUNK_BYTES = 1024 * 1024
/** File times advance in steps; two changes within one step look like one. */
const TIME_STEP_MS = 20

const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

export type FileNews =
  | { readonly kind: 'none' }
  /** Lines from these positions on are new. */
  | { readonly kind: 'grown'; readonly entitiesFrom: number; readonly relationsFrom: number }
  /** `lines` was replaced, or warnings changed. */
  | { readonly kind: 'changed' }
  | { readonly kind: 'gone' }

const NONE: FileNews = { kind: 'none' }
const GONE: FileNews = { kind: 'gone' }

export class TrackedFile {
  readonly role: FileRole
  /** Where it really is, links resolved. */
  readonly place: string
  lines: LineFile
  #stats: Stats | undefined
  #size = 0
  #checksum = 0
  /** When to compare the checksum although nothing seems to have changed. */
  #compareAfter: number | undefined
  /** Reading failed in the middle: what was taken in is not to be built upon. */
  #unsure = false

  constructor(role: FileRole, place: string) {
    this.role = role
    this.place = place
    this.lines = new LineFile(role, parseRedacted)
  }

  /** Throws the system's error when the file is there and cannot be read. */
  refresh(): FileNews {
    const stats = statSync(this.place, { throwIfNoEntry: false })
    if (!stats?.isFile()) return GONE
    if (this.#stats && !this.#unsure && isSame(this.#stats, stats)) {
      if (this.#compareAfter === undefined || Date.now() < this.#compareAfter) return NONE
    }
    const file = openSync(this.place, READ_FLAGS)
    try {
      const news = this.#read(file)
      this.#unsure = false
      return news
    } catch (error) {
      this.#unsure = true
      throw error
    } finally {
      closeSync(file)
    }
  }

  /**
   * Takes in what this process has just appended, without reading the file again. Undefined when
   * the file is not what it was just before: then `refresh` finds out.
   */
  appended(file: number, before: number, bytes: Buffer): FileNews | undefined {
    const stats = fstatSync(file)
    const known = before === this.#size && stats.size === before + bytes.length
    if (!known || this.#unsure || (this.#stats && this.#stats.ino !== stats.ino)) return undefined
    if (!this.lines.canFollow(bytes)) return undefined
    const news = this.#grow((add) => add(bytes))
    this.#remember(stats, stats.ctimeMs + TIME_STEP_MS)
    return news
  }

  #read(file: number): FileNews {
    const stats = fstatSync(file)
    if (!stats.isFile()) return GONE
    const known = this.#stats !== undefined || this.#unsure
    const mayGrow = known && !this.#unsure && stats.size >= this.#size
    const sameBeginning = mayGrow && this.#beginsAsKnown(file)
    const first = sameBeginning ? peek(file, this.#size) : undefined
    let news: FileNews
    if (first && this.lines.canFollow(first)) {
      news =
        stats.size === this.#size
          ? NONE
          : this.#grow((add) => eachChunk(file, this.#size, stats.size, add))
    } else {
      this.lines = new LineFile(this.role, parseRedacted)
      this.#size = 0
      this.#checksum = 0
      news = this.#grow((add) => eachChunk(file, 0, stats.size, add))
      if (known) news = { kind: 'changed' }
    }
    this.#remember(stats, Date.now())
    return news
  }

  #grow(feed: (add: (bytes: Buffer) => void) => void): FileNews {
    const { lines } = this
    const entitiesFrom = lines.entities.length
    const relationsFrom = lines.relations.length
    feed((bytes) => {
      lines.add(bytes)
      this.#checksum = crc32(bytes, this.#checksum)
      this.#size += bytes.length
    })
    lines.finish()
    return { kind: 'grown', entitiesFrom, relationsFrom }
  }

  #beginsAsKnown(file: number): boolean {
    let checksum = 0
    eachChunk(file, 0, this.#size, (bytes) => {
      checksum = crc32(bytes, checksum)
    })
    return checksum === this.#checksum
  }

  #remember(stats: Stats, compareAfter: number): void {
    this.#stats = stats
    this.#compareAfter = Date.now() - stats.ctimeMs < TIME_STEP_MS ? compareAfter : undefined
  }
}

function isSame(a: Stats, b: Stats): boolean {
  return (
    a.size === b.size &&
    a.mtimeMs === b.mtimeMs &&
    a.ctimeMs === b.ctimeMs &&
    a.ino === b.ino &&
    a.dev === b.dev
  )
}

/** Reused: nobody keeps what is in it, and everything here is synchronous. */
const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES)

function eachChunk(file: number, start: number, end: number, use: (bytes: Buffer) => void): void {
  for (let at = start; at < end;) {
    const length = readSync(file, chunk, 0, Math.min(CHUNK_BYTES, end - at), at)
    if (length === 0) return
    use(chunk.subarray(0, length))
    at += length
  }
}

function peek(file: number, at: number): Buffer {
  const bytes = Buffer.alloc(2)
  return bytes.subarray(0, readSync(file, bytes, 0, 2, at))
}
