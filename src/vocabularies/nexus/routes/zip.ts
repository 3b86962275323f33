/**
 * An archive of files, written while it is made. Names are UTF-8; every entry is deflated unless
 * that would make it longer. Without the 64-bit form an archive ends at 4 GiB, which text does not
 * reach; a count beyond 65,535 is told in that form.
 */
import { promisify } from 'node:util'
import { crc32, deflateRaw } from 'node:zlib'

export interface ZipFile {
  /** With forward slashes, below the place where it is unpacked. */
  readonly name: string
  readonly text: string
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number
}

const deflate = promisify<Uint8Array, Buffer>(deflateRaw)

const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const END = 0x06054b50
const END_64 = 0x06064b50
const LOCATOR_64 = 0x07064b50
/** Names are UTF-8. */
const FLAGS = 0x0800
const STORED = 0
const DEFLATED = 8
const VERSION = 20
const VERSION_64 = 45
const MOST_16 = 0xffff
const MOST_32 = 0xffff_ffff

export async function* zip(files: AsyncIterable<ZipFile>): AsyncIterable<Uint8Array> {
  const directory: Buffer[] = []
  let offset = 0
  for await (const file of files) {
    requireSafe(file.name)
    const name = Buffer.from(file.name)
    const content = Buffer.from(file.text)
    // Nothing becomes no shorter, and has not to wait for its turn.
    const packed = content.length > 0 ? await deflate(content) : content
    const stored = packed.length >= content.length
    const body = stored ? content : packed
    const described = description(file, content, body.length, name, stored)
    const local = Buffer.concat([numbers([LOCAL, 4]), described, numbers([0, 2]), name])
    directory.push(
      Buffer.concat([
        numbers([CENTRAL, 4], [VERSION, 2]),
        described,
        // No extra field, no comment, one disk, no attributes; then where the entry begins.
        numbers([0, 2], [0, 2], [0, 2], [0, 2], [0, 4], [offset, 4]),
        name,
      ]),
    )
    yield local
    yield body
    offset += local.length + body.length
    if (offset > MOST_32) throw new RangeError('the archive is longer than 4 GiB')
  }
  const central = Buffer.concat(directory)
  yield central
  yield ending(directory.length, central.length, offset)
}

/** What both headers of an entry say, from the version to the length of the name. */
function description(
  { modifiedAt }: ZipFile,
  content: Buffer,
  packedBytes: number,
  name: Buffer,
  stored: boolean,
): Buffer {
  const { date, time } = dosTime(modifiedAt)
  return numbers(
    [VERSION, 2],
    [FLAGS, 2],
    [stored ? STORED : DEFLATED, 2],
    [time, 2],
    [date, 2],
    [crc32(content), 4],
    [packedBytes, 4],
    [content.length, 4],
    [name.length, 2],
  )
}

function ending(entries: number, size: number, offset: number): Buffer {
  const many = entries >= MOST_16
  const count = many ? MOST_16 : entries
  const end = numbers(
    [END, 4],
    [0, 2],
    [0, 2],
    [count, 2],
    [count, 2],
    [size, 4],
    [offset, 4],
    [0, 2],
  )
  if (!many) return end
  const wide = numbers([END_64, 4], [44, 8], [VERSION_64, 2], [VERSION_64, 2], [0, 4], [0, 4])
  const counts = numbers([entries, 8], [entries, 8], [size, 8], [offset, 8])
  const locator = numbers([LOCATOR_64, 4], [0, 4], [offset + size, 8], [1, 4])
  return Buffer.concat([wide, counts, locator, end])
}

/** Little-endian numbers of two, four or eight bytes. */
function numbers(...parts: readonly (readonly [value: number, bytes: 2 | 4 | 8])[]): Buffer {
  const buffer = Buffer.alloc(parts.reduce((sum, [, bytes]) => sum + bytes, 0))
  let at = 0
  for (const [value, bytes] of parts) {
    if (bytes === 8) buffer.writeBigUInt64LE(BigInt(value), at)
    else buffer.writeUIntLE(value, at, bytes)
    at += bytes
  }
  return buffer
}

/** Two seconds are the finest it knows, and 1980 the earliest year. */
function dosTime(modifiedAt: number): { readonly date: number; readonly time: number } {
  const at = new Date(modifiedAt)
  const year = Math.min(Math.max(at.getUTCFullYear(), 1980), 2107) - 1980
  return {
    date: (year << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
  }
}

/** A name that leads out of where an archive is unpacked would be a trap. */
function requireSafe(name: string): void {
  const parts = name.split('/')
  const bad = parts.some((part) => part === '' || part === '.' || part === '..')
  if (bad || /[\\:\u0000-\u001f]/.test(name)) throw new RangeError(`unsafe name in archive`)
}
