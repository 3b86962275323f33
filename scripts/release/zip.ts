/**
 * A zip archive of a few files, with nothing but Node: names, deflated contents, no times, so that
 * the same files give the same archive.
 */
import { crc32, deflateRawSync } from 'node:zlib'

const UTF8_NAMES = 0x0800
const DEFLATED = 8
/** 1 January 1980, the first day a zip knows. */
const DATE = 0x0021

export interface ZipFile {
  readonly name: string
  readonly content: Buffer
  readonly executable?: boolean
}

export function zip(files: readonly ZipFile[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content, executable = false } of files) {
    const packed = deflateRawSync(content, { level: 9 })
    const nameBytes = Buffer.from(name)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(UTF8_NAMES, 2)
    common.writeUInt16LE(DEFLATED, 4)
    common.writeUInt16LE(DATE, 8)
    common.writeUInt32LE(crc32(content), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(content.length, 18)
    common.writeUInt16LE(nameBytes.length, 22)
    parts.push(signature(0x04034b50), common, nameBytes, packed)
    const rest = Buffer.alloc(14)
    // Unix, a regular file, and who may run it.
    rest.writeUInt32LE(((executable ? 0o100755 : 0o100644) << 16) >>> 0, 6)
    rest.writeUInt32LE(offset, 10)
    const madeBy = Buffer.from([20, 3])
    directory.push(signature(0x02014b50), madeBy, common, rest, nameBytes)
    offset += 30 + nameBytes.length + packed.length
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(files.length, 4)
  end.writeUInt16LE(files.length, 6)
  end.writeUInt32LE(size, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...parts, ...directory, signature(0x06054b50), end])
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
