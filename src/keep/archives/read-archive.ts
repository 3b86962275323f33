/**
 * Reads an archive from beginning to end and proves that it is whole: every file of the manifest is
 * in it, with the size and the digest that the manifest says. Throws `invalid` with the reason.
 *
 * The manifest comes last, so an archive is gone through twice. The first time nothing is kept but
 * the manifest; the second time only what it counts is looked at, so that neither memory nor disk
 * is taken by what else a stranger has put in.
 */
import { createHash } from 'node:crypto'
import { createReadStream, statSync } from 'node:fs'
import { createGunzip } from 'node:zlib'
import {
  type KnowledgeError,
  invalid,
  notFound,
  quoted,
  unsupported,
} from '../../core/domain/error.ts'
import { MANIFEST, MANIFEST_FORMAT, parseManifest } from './manifest.ts'
import type { Manifest } from './manifest.ts'
import { BLOCK, parseBlock, parseRecords } from './tar.ts'
import type { TarHeader } from './tar.ts'

/** Takes the content of one file as it comes. */
export interface Sink {
  write(bytes: Uint8Array): void
  end(): void
}

export interface ReadOptions {
  /** What was read of the same archive before. */
  readonly manifest?: Manifest
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
/** Digests cannot be compressed: a manifest is never so many times as large as its archive. */
const MANIFEST_SHARE = 100
const SMALL_MANIFEST = 1024 * 1024
/** Nor is what is in an archive, where it is much: text and indexes are not that much alike. */
const CONTENT_SHARE = 200
const SMALL_CONTENT = 1024 * 1024 * 1024
/** Few and large pieces take less time than many small ones. */
const CHUNK_BYTES = 256 * 1024
/** Other programs fill an archive up with zeros. */
const MOST_ZEROS = 1024 * 1024

export async function readArchive(file: string, options: ReadOptions = {}): Promise<ReadArchive> {
  const archive = { file, size: requireFile(file) }
  try {
    const manifest = options.manifest ?? (await findManifest(archive))
    return { manifest, bytes: await readCounted(archive, manifest, options.open) }
  } catch (error) {
    throw explained(file, error)
  }
}

interface ArchiveFile {
  readonly file: string
  readonly size: number
}

async function findManifest({ file, size }: ArchiveFile): Promise<Manifest> {
  const most = Math.min(LARGEST_MANIFEST, Math.max(SMALL_MANIFEST, MANIFEST_SHARE * size))
  let manifest: Manifest | undefined
  for await (const { header, chunks } of entriesOf({ file, size })) {
    checkPath(file, header)
    // Nothing may follow it: it would be what nobody vouches for.
    if (manifest) throw damaged(file, 'something follows its manifest')
    if (header.path !== MANIFEST || header.kind === 'folder') {
      await pass(chunks)
      continue
    }
    if (header.size > most) throw damaged(file, 'its manifest is too long')
    const parts: Buffer[] = []
    for await (const chunk of chunks) parts.push(chunk)
    manifest = readManifest(file, Buffer.concat(parts))
  }
  if (!manifest) throw foreign(file)
  return manifest
}

async function pass(chunks: AsyncIterable<Buffer>): Promise<void> {
  for await (const chunk of chunks) void chunk
}

/** The sum of the sizes. An earlier version of a file is in it too, where that changed meanwhile. */
async function readCounted(
  archive: ArchiveFile,
  { files }: Manifest,
  open: ReadOptions['open'] = () => undefined,
): Promise<number> {
  const found = new Map<string, string>()
  for await (const { header, chunks } of entriesOf(archive)) {
    checkPath(archive.file, header)
    const { path, size, kind } = header
    const isOurs = kind === 'file' && Object.hasOwn(files, path)
    const counts = isOurs && files[path]!.size === size
    const sink = counts ? open(header) : undefined
    const hash = createHash('sha256')
    for await (const chunk of chunks) {
      if (!counts) continue
      hash.update(chunk)
      sink?.write(chunk)
    }
    sink?.end()
    if (isOurs) found.set(path, counts ? hash.digest('hex') : OTHER)
  }
  return compare(archive.file, files, found)
}

/** The digest of something that is not as large as it should be. */
const OTHER = ''

function readManifest(file: string, bytes: Buffer): Manifest {
  const manifest = parseManifest(bytes.toString('utf8'))
  if (!manifest) throw damaged(file, 'its manifest is none that a backup has')
  if (manifest.format === MANIFEST_FORMAT) return manifest
  throw unsupported(
    `${quoted(file)} was written by version ${manifest.version}, in a form that this one does not know.`,
    'Restore it with that version or a newer one.',
  )
}

function compare(
  file: string,
  files: Manifest['files'],
  found: ReadonlyMap<string, string>,
): number {
  let bytes = 0
  for (const [path, { size, sha256 }] of Object.entries(files)) {
    const own = found.get(path)
    if (own === undefined) throw damaged(file, `${quoted(path)} is missing`)
    if (own !== sha256) {
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

async function* entriesOf({ file, size }: ArchiveFile): AsyncIterable<Entry> {
  let room = Math.max(SMALL_CONTENT, CONTENT_SHARE * size)
  const input = createReadStream(file)
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES })
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
      room -= BLOCK + read.header.size
      if (room < 0) throw damaged(file, 'it would unpack to far more than an archive of its size')
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
  for (let left = MOST_ZEROS; ;) {
    const chunk = await reader.some(MOST_ZEROS)
    if (!chunk) return
    left -= chunk.length
    if (left < 0 || chunk.some((byte) => byte !== 0)) {
      throw damaged(file, 'something follows its end')
    }
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

/** Its size. */
function requireFile(file: string): number {
  const stats = statSync(file, { throwIfNoEntry: false })
  if (!stats) {
    throw notFound(`There is no file ${quoted(file)}.`, 'Name an archive.')
  }
  if (!stats.isFile()) throw invalid(`${quoted(file)} is no file.`, 'Name an archive.')
  return stats.size
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
