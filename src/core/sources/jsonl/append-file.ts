/**
 * Adds whole lines at the end of one file. Bytes that were there are never changed: a last line
 * without a newline gets one, whether it is complete or was torn by a dying process, and readers
 * tell the two apart. Only the holder of the write lock may do this.
 */
import {
  closeSync,
  constants,
  fstatSync,
  fsync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  rmdirSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { basename, dirname } from 'node:path'
import { promisify } from 'node:util'
import { invalid, KnowledgeError, quoted } from '../../domain/error.ts'
import { HeldFolder } from '../folder/held-folder.ts'
import { resolveInside } from '../folder/paths.ts'
import { codeOf, reasonOf } from '../folder/reasons.ts'

const flush = promisify(fsync)

const APPEND_FLAGS =
  constants.O_RDWR | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

export class AppendFile {
  readonly file: string
  /** Where it really is. */
  readonly place: string
  readonly descriptor: number
  /** Undefined: the file was here before. */
  readonly #made: { readonly folders: readonly string[] } | undefined
  readonly #sizeAtFirst: number
  #written = 0

  /** `file` is below the root, and made of names this program chose. */
  constructor(root: string, file: string) {
    const { real, stats } = resolveInside(root, file, { forWriting: true })
    if (stats && !stats.isFile()) throw notAFile(file)
    this.file = file
    this.place = real
    const folders: string[] = []
    try {
      if (!stats) makeFolders(dirname(real), folders)
      const create = stats ? 0 : constants.O_CREAT | constants.O_EXCL
      const folder = new HeldFolder(dirname(real))
      try {
        this.descriptor = openSync(folder.at(basename(real)), APPEND_FLAGS | create, 0o666)
      } finally {
        folder.close()
      }
    } catch (error) {
      removeFolders(folders)
      throw unavailable(file, error)
    }
    this.#made = stats ? undefined : { folders }
    this.#sizeAtFirst = fstatSync(this.descriptor).size
  }

  /** One write call. Not on disk before `flush`. Returns what was written, and where. */
  append(line: string): { before: number; bytes: Buffer } {
    const before = fstatSync(this.descriptor).size
    const bytes = Buffer.from(this.#endsOpen(before) ? `\n${line}` : line)
    let written = 0
    try {
      // A disk that is nearly full takes less than all; asking for the rest gets the reason.
      while (written < bytes.length) written += writeSync(this.descriptor, bytes, written)
    } catch (error) {
      this.#cutBack(before, written)
      throw unavailable(this.file, error)
    }
    this.#written += bytes.length
    return { before, bytes }
  }

  /** What was appended survives a loss of power when this resolves. */
  async flush(): Promise<void> {
    try {
      await flush(this.descriptor)
      if (this.#made) await flushFolders([dirname(this.place), ...this.#made.folders.map(dirname)])
    } catch (error) {
      this.#cutBack(this.#sizeAtFirst, this.#written)
      throw unavailable(this.file, error)
    }
  }

  /** Leaves no empty file behind when nothing could be written to a new one. */
  close(): void {
    const empty = this.#made && fstatSync(this.descriptor).size === 0
    closeSync(this.descriptor)
    if (!empty) return
    try {
      unlinkSync(this.place)
    } catch {
      // An empty file does no harm.
    }
    removeFolders(this.#made?.folders ?? [])
  }

  #endsOpen(size: number): boolean {
    if (size === 0) return false
    const last = Buffer.alloc(1)
    readSync(this.descriptor, last, 0, 1, size - 1)
    return last[0] !== 0x0a
  }

  /** Takes back what nobody was told about, unless another program has written behind it. */
  #cutBack(before: number, written: number): void {
    try {
      const { size } = fstatSync(this.descriptor)
      if (size === before + written) ftruncateSync(this.descriptor, before)
    } catch {
      // The next writer ends the line, and readers leave it out.
    }
  }
}

function makeFolders(folder: string, made: string[]): void {
  const missing: string[] = []
  for (let each = folder; !lstatSync(each, { throwIfNoEntry: false }); each = dirname(each)) {
    missing.unshift(each)
  }
  for (const each of missing) {
    mkdirSync(each)
    made.push(each)
  }
}

function removeFolders(folders: readonly string[]): void {
  for (const folder of folders.toReversed()) {
    try {
      rmdirSync(folder)
    } catch {
      // Someone else put something into it.
    }
  }
}

/** A new name is on disk when its folder is. Windows does not let folders be opened. */
async function flushFolders(folders: readonly string[]): Promise<void> {
  if (process.platform === 'win32') return
  for (const folder of new Set(folders)) {
    const descriptor = openSync(folder, 'r')
    try {
      await flush(descriptor)
    } catch (error) {
      // Some network drives cannot flush a folder; they have no more to promise.
      if (!CANNOT_FLUSH.has(codeOf(error))) throw error
    } finally {
      closeSync(descriptor)
    }
  }
}

const CANNOT_FLUSH: ReadonlySet<string> = new Set(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'EBADF'])

function notAFile(file: string): KnowledgeError {
  return invalid(
    `${quoted(file)} is not a regular file.`,
    'Nothing was added. Move it away, so that a file can be made there.',
  )
}

function unavailable(file: string, error: unknown): unknown {
  if (error instanceof KnowledgeError || codeOf(error) === '') return error
  return new KnowledgeError(
    'unavailable',
    `${quoted(file)} cannot be written: ${reasonOf(error)}.`,
    'Nothing was added. Make room or give permission, then try again.',
  )
}
