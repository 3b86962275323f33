/** Reads single files of a zip archive, within limits. Nothing is ever unpacked to a place. */
import { inflateRawSync } from 'node:zlib'
import { Unreadable } from '../../domain/conversion.ts'

export const LOCKED = 'protected by a password'

const MOST_ENTRIES = 20_000
const MOST_OF_ONE = 64 * 1024 * 1024
const MOST_OF_ALL = 160 * 1024 * 1024

interface Entry {
  readonly method: number
  readonly packed: number
  readonly at: number
  readonly isLocked: boolean
}

export class ZipFile {
  readonly #bytes: Buffer
  readonly #entries: ReadonlyMap<string, Entry>
  #left = MOST_OF_ALL

  /** Throws `Unreadable` for what is no archive. */
  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#entries = entriesIn(this.#bytes)
  }

  get names(): Iterable<string> {
    return this.#entries.keys()
  }

  text(name: string): string | undefined {
    const bytes = this.read(name)
    if (!bytes) return undefined
    const isUtf16 =
      (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
    return new TextDecoder(
      isUtf16 ? (bytes[0] === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8',
    ).decode(bytes)
  }

  read(name: string): Buffer | undefined {
    const entry = this.#entries.get(name)
    if (!entry) return undefined
    if (entry.isLocked) throw new Unreadable(LOCKED)
    const { at, packed, method } = entry
    if (at + 30 > this.#bytes.length || this.#bytes.readUInt32LE(at) !== LOCAL) throw damaged()
    const start = at + 30 + this.#bytes.readUInt16LE(at + 26) + this.#bytes.readUInt16LE(at + 28)
    if (start + packed > this.#bytes.length) throw damaged()
    const content = this.#bytes.subarray(start, start + packed)
    const limit = Math.min(MOST_OF_ONE, this.#left)
    const whole = method === 0 ? content : method === 8 ? inflate(content, limit) : undefined
    if (!whole) throw new Unreadable('packed in a way that nobody reads')
    if (whole.length > limit) throw tooMuch()
    this.#left -= whole.length
    return whole
  }
}

const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const END = 0x06054b50
const LONGEST_COMMENT = 65_535

/** How Office files began before they were archives, and begin when they are encrypted. */
const COMPOUND = Buffer.from('d0cf11e0a1b11ae1', 'hex')

function entriesIn(bytes: Buffer): ReadonlyMap<string, Entry> {
  if (bytes.subarray(0, COMPOUND.length).equals(COMPOUND)) {
    const isLocked = bytes.includes('EncryptedPackage', 0, 'utf16le')
    throw new Unreadable(isLocked ? LOCKED : 'an old Office file under a new name')
  }
  const entries = new Map<string, Entry>()
  let end = bytes.length - 22
  const first = Math.max(0, end - LONGEST_COMMENT)
  while (end >= first && bytes.readUInt32LE(end) !== END) end--
  if (end < first || bytes.length < 22) throw damaged()
  const count = bytes.readUInt16LE(end + 10)
  let at = bytes.readUInt32LE(end + 16)
  for (let index = 0; index < count && index < MOST_ENTRIES; index++) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== CENTRAL) throw damaged()
    const nameLength = bytes.readUInt16LE(at + 28)
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength)
    const isLocked = (bytes.readUInt16LE(at + 8) & 1) === 1
    // The first of a name counts, as with those who unpack.
    if (!entries.has(name)) {
      entries.set(name, {
        method: bytes.readUInt16LE(at + 10),
        packed: bytes.readUInt32LE(at + 20),
        at: bytes.readUInt32LE(at + 42),
        isLocked,
      })
    }
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  return entries
}

function inflate(content: Buffer, limit: number): Buffer {
  try {
    return inflateRawSync(content, { maxOutputLength: Math.max(1, limit) })
  } catch (error) {
    const isLarge =
      error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    throw isLarge ? tooMuch() : damaged()
  }
}

function tooMuch(): Unreadable {
  return new Unreadable(`it unpacks to more than ${MOST_OF_ONE / 2 ** 20} MiB`)
}

function damaged(): Unreadable {
  return new Unreadable('damaged, or not what its name says')
}
