/** A file of this machine that somebody wants in the base: a plain one, of a bounded size. */
import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs'
import { isAbsolute, relative, sep } from 'node:path'
import { orElse } from '../../core/kit/or-else.ts'
import { type KnowledgeError, invalid, quoted } from '../../core/domain/error.ts'

export interface HostFileLimits {
  /** Only below these; anywhere where there are none. */
  readonly allowedRoots: readonly string[]
  readonly maxBytes: number
}

export function readHostFile(path: string, { allowedRoots, maxBytes }: HostFileLimits): Buffer {
  const real = realPath(path)
  const inside = (root: string): boolean => isInside(realPathOr(root), real)
  if (allowedRoots.length > 0 && !allowedRoots.some(inside)) {
    throw invalid(
      `${quoted(path)} is not below a folder that files may be taken from.`,
      'Send the bytes as content_base64. Whoever runs this server says which folders with KM_UPLOAD_ALLOWED_ROOTS; over HTTP those of the sources without it.',
    )
  }
  // Not to wait for whoever writes into a pipe.
  const file = open(path, real)
  try {
    const stats = fstatSync(file)
    if (!stats.isFile()) throw invalid(`${quoted(path)} is no file.`, 'Name a file.')
    if (stats.size > maxBytes) {
      throw invalid(
        `${quoted(path)} has ${stats.size} bytes, and ${maxBytes} are allowed.`,
        'Split it, or raise KM_UPLOAD_MAX_BYTES.',
      )
    }
    const bytes = readFileSync(file)
    if (bytes.length <= maxBytes) return bytes
    throw invalid(`${quoted(path)} grows while it is read.`, 'Try again when it is finished.')
  } finally {
    closeSync(file)
  }
}

function open(path: string, real: string): number {
  try {
    return openSync(real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  } catch {
    throw unreadable(path)
  }
}

function unreadable(path: string): KnowledgeError {
  return invalid(`${quoted(path)} cannot be read.`, 'Name a file that this server may read.')
}

function realPath(path: string): string {
  if (path.includes('\0')) throw invalid(`${quoted(path)} is no path.`, 'Name a file.')
  try {
    return realpathSync.native(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw unreadable(path)
    throw invalid(`There is no file ${quoted(path)}.`, 'Name a file on the machine of this server.')
  }
}

/** A root that does not exist has nothing below it. */
function realPathOr(path: string): string {
  return orElse(() => realpathSync.native(path), path)
}

function isInside(root: string, place: string): boolean {
  const below = relative(root, place)
  return below !== '' && below.split(sep)[0] !== '..' && !isAbsolute(below)
}
