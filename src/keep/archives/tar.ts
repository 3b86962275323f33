/**
 * The tar format, as much of it as an archive of ours has: files and folders, with names of any
 * length and times to the microsecond in `pax` headers. Everybody's `tar` can read what is written.
 */

export interface TarHeader {
  /** With forward slashes, relative. */
  readonly path: string
  readonly kind: 'file' | 'folder' | 'other'
  readonly size: number
  /** Permission bits. */
  readonly mode: number
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number
}

export const BLOCK = 512
/** Two empty blocks. */
export const END = Buffer.alloc(2 * BLOCK)

/** The blocks before the content. The content is filled up to whole blocks with `padding`. */
export function headerBlocks(header: TarHeader): Buffer {
  const records = { path: header.path, mtime: (header.modifiedAt / 1000).toFixed(6) }
  const extended = Buffer.concat(Object.entries(records).map(([key, value]) => record(key, value)))
  return Buffer.concat([
    block({ ...header, size: extended.length }, 'x'),
    extended,
    padding(extended.length),
    block(header, header.kind === 'folder' ? '5' : '0'),
  ])
}

export function padding(size: number): Buffer {
  return Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK)
}

/** `<length> <key>=<value>\n`, where the length counts itself. */
function record(key: string, value: string): Buffer {
  const rest = Buffer.byteLength(` ${key}=${value}\n`)
  let length = rest + String(rest).length
  if (String(length).length > String(rest).length) length = rest + String(length).length
  return Buffer.from(`${length} ${key}=${value}\n`)
}

function block({ path, size, mode, modifiedAt }: TarHeader, type: string): Buffer {
  const bytes = Buffer.alloc(BLOCK)
  // Whoever does not know `pax` sees the end of the name.
  Buffer.from(path).subarray(-100).copy(bytes, 0)
  octal(bytes, 100, 8, mode & 0o7777)
  octal(bytes, 108, 8, 0)
  octal(bytes, 116, 8, 0)
  octal(bytes, 124, 12, size)
  octal(bytes, 136, 12, Math.max(0, Math.floor(modifiedAt / 1000)))
  bytes.write(type, 156, 'latin1')
  bytes.write('ustar\u000000', 257, 'latin1')
  bytes.write(checksum(bytes).toString(8).padStart(6, '0') + '\0 ', 148, 'latin1')
  return bytes
}

function octal(bytes: Buffer, at: number, length: number, value: number): void {
  bytes.write(value.toString(8).padStart(length - 1, '0'), at, 'latin1')
}

/** The field of the sum itself counts as spaces. */
function checksum(bytes: Buffer): number {
  let sum = 0
  for (let at = 0; at < BLOCK; at++) sum += at >= 148 && at < 156 ? 0x20 : bytes[at]!
  return sum
}

export type ReadBlock =
  | { readonly kind: 'end' }
  | { readonly kind: 'extended'; readonly size: number }
  | { readonly kind: 'entry'; readonly header: TarHeader }

/** Undefined for what is no header. `extended` are the records of the block before. */
export function parseBlock(
  bytes: Buffer,
  extended: ReadonlyMap<string, string>,
): ReadBlock | undefined {
  if (bytes.every((byte) => byte === 0)) return { kind: 'end' }
  const size = number(bytes, 124, 12)
  const isOurs = bytes.toString('latin1', 257, 262) === 'ustar'
  if (!isOurs || size === undefined || number(bytes, 148, 8) !== checksum(bytes)) return undefined
  const type = bytes.toString('latin1', 156, 157)
  if (type === 'x') return { kind: 'extended', size }
  const seconds = Number(extended.get('mtime') ?? number(bytes, 136, 12))
  const header: TarHeader = {
    path: extended.get('path') ?? text(bytes, 0, 100),
    kind: type === '0' ? 'file' : type === '5' ? 'folder' : 'other',
    size,
    mode: number(bytes, 100, 8) ?? 0o600,
    modifiedAt: Number.isFinite(seconds) ? seconds * 1000 : 0,
  }
  return { kind: 'entry', header }
}

export function parseRecords(bytes: Buffer): ReadonlyMap<string, string> {
  const records = new Map<string, string>()
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(0x20, at)
    const length = Number(bytes.toString('latin1', at, Math.max(at, space)))
    if (space < 0 || !Number.isInteger(length) || length <= space - at) break
    const [key = '', ...value] = bytes.toString('utf8', space + 1, at + length - 1).split('=')
    records.set(key, value.join('='))
    at += length
  }
  return records
}

function text(bytes: Buffer, at: number, length: number): string {
  const end = bytes.indexOf(0, at)
  return bytes.toString('utf8', at, end < 0 || end > at + length ? at + length : end)
}

function number(bytes: Buffer, at: number, length: number): number | undefined {
  const said = text(bytes, at, length).trim()
  return /^[0-7]+$/.test(said) ? Number.parseInt(said, 8) : undefined
}
