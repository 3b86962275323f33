/**
 * Reads an archive from beginning to end and proves that it is whole: every file of the manifest is
 * in it, with the size and the digest that the manifest says. Throws `invalid` with the reason.
 */
import { createHash } from 'node:crypto'
import { createReadStream, statSync } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { KnowledgeError, invalid, quoted } from '../domain/error.ts'
import { MANIFEST, MANIFEST_FORMAT, parseManifest } from './manifest.ts'
import type { ArchivedFile, Manifest } from './manifest.ts'
import { BLOCK, parseBlock, parseRecords } from './tar.ts'
import type { TarHeader } from './tar.ts'

/** Takes the content of one file as it comes. */
export interface Sink {
  write(bytes: Uint8Array): void
  end(): void
}

export interface ReadOptions {
  /** Where the content of a file goes; nowhere unless said. The last of the same path counts. */
  readonly open?: (header: TarHeader) => Sink | undefined
}

export interface ReadArchive {
  readonly manifest: Manifest
  /** Of all files that count. */
  readonly bytes: number
}

const MOST_ENTRIES = 5_000_000
const LONGEST_PATH = 4_096
const LARGEST_RECORDS = 64 * 1024
const LARGEST_MANIFEST = 512 * 1024 * 1024

export async function readArchive(
  file: string,
  { open = () => undefined }: ReadOptions = {},
): Promise<ReadArchive> {
  requireFile(file)
  const found = new Map<string, ArchivedFile>()
  let manifest: Manifest | undefined
  try {
    for await (const { header, chunks } of entriesOf(file)) {
      checkPath(file, header)
      // Nothing may follow it: it would be what nobody vouches for.
      if (manifest) throw damaged(file, 'something follows its manifest')
      if (header.kind === 'folder') continue
      if (header.path === MANIFEST) {
        if (header.size > LARGEST_MANIFEST) throw damaged(file, 'its manifest is too long')
        const parts: Buffer[] = []
        for await (const chunk of chunks) parts.push(chunk)
        manifest = readManifest(file, Buffer.concat(parts))
        continue
      }
      const sink = open(header)
      const hash = createHash('sha256')
      for await (const chunk of chunks) {
        hash.update(chunk)
        sink?.write(chunk)
      }
      sink?.end()
      found.set(header.path, { size: header.size, sha256: hash.digest('hex') })
    }
  } catch (error) {
    throw explained(file, error)
  }
  if (!manifest) throw foreign(file)
  return { manifest, bytes: compare(file, manifest, found) }
}

function readManifest(file: string, bytes: Buffer): Manifest {
  const manifest = parseManifest(bytes.toString('utf8'))
  if (!manifest) throw damaged(file, 'its manifest cannot be read')
  if (manifest.format === MANIFEST_FORMAT) return manifest
  throw new KnowledgeError(
    'unsupported',
    `${quoted(file)} was written by version ${manifest.version}, in a form that this one does not know.`,
    'Restore it with that version or a newer one.',
  )
}

/** The sum of the sizes. */
function compare(
  file: string,
  { files }: Manifest,
  found: ReadonlyMap<string, ArchivedFile>,
): number {
  let bytes = 0
  for (const [path, { size, sha256 }] of Object.entries(files)) {
    const own = found.get(path)
    if (!own) throw damaged(file, `${quoted(path)} is missing`)
    if (own.size !== size || own.sha256 !== sha256) {
      throw damaged(file, `${quoted(path)} is not what it was when the backup was made`)
    }
    bytes += size
  }
  return bytes
}

interface Entry {
  readonly header: TarHeader
  /** Must be taken before the next entry is. */
  readonly chunks: AsyncIterable<Buffer>
}

async function* entriesOf(file: string): AsyncIterable<Entry> {
  const input = createReadStream(file)
  const gunzip = createGunzip()
  input.on('error', (error) => gunzip.destroy(error))
  input.pipe(gunzip)
  try {
    const reader = openReader(gunzip)
    let extended: ReadonlyMap<string, string> = new Map()
    for (let count = 0; count < MOST_ENTRIES; count++) {
      const block = await reader.exactly(BLOCK)
      const read = block && parseBlock(block, extended)
      if (!read) throw damaged(file, block ? 'it is no tar file' : 'it is cut off')
      if (read.kind === 'end') return await requireEnd(file, reader)
      if (read.kind === 'extended') {
        if (read.size > LARGEST_RECORDS) throw damaged(file, 'a name in it is too long')
        const bytes = await reader.exactly(paddedSize(read.size))
        extended = parseRecords((bytes ?? Buffer.alloc(0)).subarray(0, read.size))
        continue
      }
      extended = new Map()
      yield { header: read.header, chunks: contentOf(file, reader, read.header.size) }
    }
    throw damaged(file, 'it has too many files')
  } finally {
    input.destroy()
    gunzip.destroy()
  }
}

/** Zeros may follow, and the end of the compressed stream must, with its checksum. */
async function requireEnd(file: string, reader: Reader): Promise<void> {
  for (;;) {
    const chunk = await reader.some(BLOCK)
    if (!chunk) return
    if (chunk.some((byte) => byte !== 0)) throw damaged(file, 'something follows its end')
  }
}

async function* contentOf(file: string, reader: Reader, size: number): AsyncIterable<Buffer> {
  for (let left = size; left > 0;) {
    const chunk = await reader.some(left)
    if (!chunk) throw damaged(file, 'it is cut off')
    left -= chunk.length
    yield chunk
  }
  await reader.exactly(paddedSize(size) - size)
}

function paddedSize(size: number): number {
  return Math.ceil(size / BLOCK) * BLOCK
}

interface Reader {
  /** Undefined when there is less. */
  exactly(size: number): Promise<Buffer | undefined>
  /** At most so much, and something; undefined at the end. */
  some(most: number): Promise<Buffer | undefined>
}

function openReader(stream: AsyncIterable<Buffer>): Reader {
  const chunks = stream[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)
  const some: Reader['some'] = async (most) => {
    while (rest.length === 0) {
      const next = await chunks.next()
      if (next.done) return undefined
      rest = next.value
    }
    const part = rest.subarray(0, most)
    rest = rest.subarray(part.length)
    return part
  }
  return {
    some,
    async exactly(size) {
      const parts: Buffer[] = []
      for (let left = size; left > 0;) {
        const part = await some(left)
        if (!part) return undefined
        parts.push(part)
        left -= part.length
      }
      return Buffer.concat(parts)
    },
  }
}

/** Nothing is ever written to a place that the archive chooses. */
function checkPath(file: string, { path, kind }: TarHeader): void {
  const names = path.replace(/\/$/, '').split('/')
  const odd = names.some((name) => name === '' || name === '.' || name === '..')
  if (kind === 'other') throw damaged(file, `${quoted(path)} is neither a file nor a folder`)
  if (odd || Buffer.byteLength(path) > LONGEST_PATH || /[\\\0]/.test(path)) {
    throw damaged(file, `${quoted(path)} is no path of ours`)
  }
}

function requireFile(file: string): void {
  const stats = statSync(file, { throwIfNoEntry: false })
  if (!stats) {
    throw new KnowledgeError('not_found', `There is no file ${quoted(file)}.`, 'Name an archive.')
  }
  if (!stats.isFile()) throw invalid(`${quoted(file)} is no file.`, 'Name an archive.')
}

function explained(file: string, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'Z_BUF_ERROR') return damaged(file, 'it is cut off')
  if (code.startsWith('Z_')) {
    const whole = error instanceof Error && /header/.test(error.message)
    return whole ? foreign(file) : damaged(file, 'its content was changed')
  }
  return error
}

function damaged(file: string, why: string): KnowledgeError {
  return invalid(
    `${quoted(file)} cannot be restored: ${why}.`,
    'Nothing was changed. Take another backup.',
  )
}

function foreign(file: string): KnowledgeError {
  return invalid(
    `${quoted(file)} is no backup of Cairn.`,
    'Nothing was changed. Name an archive that "cairn backup" has made.',
  )
}
