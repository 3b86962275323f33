/**
 * Writes an archive: files one after the other, the manifest last. It gets its name when everything
 * is on disk. A file that is added twice counts as it was the second time.
 */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  createReadStream,
  createWriteStream,
  linkSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { MANIFEST, MANIFEST_FORMAT } from './manifest.ts'
import type { ArchivedFile, Manifest } from './manifest.ts'
import { END, headerBlocks, padding } from './tar.ts'
import type { TarHeader } from './tar.ts'

export interface AddedFile {
  readonly mode?: number
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number
}

export interface ArchiveWriter {
  addFolder(path: string): Promise<void>
  addBytes(path: string, bytes: Uint8Array, about: AddedFile): Promise<void>
  /** Reads it as it goes. The file must not change meanwhile. */
  addFile(path: string, file: string, about?: Partial<AddedFile>): Promise<void>
  /** It is gone since it was added. */
  forget(path: string): void
  readonly files: ReadonlyMap<string, ArchivedFile>
  /** The manifest, and then everything is on disk. */
  finish(about: Omit<Manifest, 'format' | 'files'>): Promise<{ readonly bytes: number }>
  /** Afterwards, on the same disk. False where something has that name already. */
  giveName(file: string): boolean
  /** Leaves nothing behind. */
  abandon(): Promise<void>
}

const PRIVATE = 0o600
const GZIP_LEVEL = 5

export function openArchiveWriter(partial: string): ArchiveWriter {
  const gzip = createGzip({ level: GZIP_LEVEL })
  const files = new Map<string, ArchivedFile>()
  const output = createWriteStream(partial, { flags: 'wx', mode: PRIVATE, flush: true })
  const written = pipeline(gzip, output)
  // Whoever writes next is told; nobody may be left with an error that nobody heard.
  written.catch(() => {})

  const write = async (bytes: Uint8Array): Promise<void> => {
    if (bytes.length === 0 || gzip.write(bytes)) return
    await Promise.race([once(gzip, 'drain'), written])
  }
  const writeHeader = (header: Omit<TarHeader, 'kind'>): Promise<void> =>
    write(headerBlocks({ ...header, kind: 'file' }))

  const addBytes: ArchiveWriter['addBytes'] = async (
    path,
    bytes,
    { mode = PRIVATE, modifiedAt },
  ) => {
    await writeHeader({ path, size: bytes.length, mode, modifiedAt })
    await write(bytes)
    await write(padding(bytes.length))
    files.set(path, { size: bytes.length, sha256: sha256(bytes) })
  }

  return {
    files,
    addFolder: (path) =>
      write(
        headerBlocks({
          path: `${path}/`,
          kind: 'folder',
          size: 0,
          mode: 0o700,
          modifiedAt: Date.now(),
        }),
      ),
    addBytes,
    async addFile(path, from, { mode = PRIVATE, modifiedAt } = {}) {
      const { size, mtimeMs } = statSync(from)
      await writeHeader({ path, size, mode, modifiedAt: modifiedAt ?? mtimeMs })
      const hash = createHash('sha256')
      let left = size
      for await (const chunk of createReadStream(from) as AsyncIterable<Buffer>) {
        const part = chunk.subarray(0, left)
        left -= part.length
        hash.update(part)
        await write(part)
      }
      if (left > 0) throw new Error(`${from} became shorter while it was read`)
      await write(padding(size))
      files.set(path, { size, sha256: hash.digest('hex') })
    },
    forget: (path) => void files.delete(path),
    async finish(about) {
      const manifest: Manifest = {
        format: MANIFEST_FORMAT,
        ...about,
        files: Object.fromEntries([...files].toSorted(([a], [b]) => (a < b ? -1 : 1))),
      }
      const bytes = Buffer.from(`${JSON.stringify(manifest, undefined, 1)}\n`)
      await addBytes(MANIFEST, bytes, { modifiedAt: Date.now() })
      await write(END)
      gzip.end()
      await written
      return { bytes: statSync(partial).size }
    },
    giveName: (file) => giveName(partial, file),
    async abandon() {
      gzip.destroy()
      output.destroy()
      await written.catch(() => {})
      rmSync(partial, { force: true })
    },
  }
}

/** A link never replaces what is there; where there are no links, names of the same second do. */
function giveName(partial: string, file: string): boolean {
  try {
    linkSync(partial, file)
    rmSync(partial, { force: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    renameSync(partial, file)
  }
  return true
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
