/** Why something was left out or not written, in words a person understands. */
import { quoted } from '../../domain/error.ts'
import { WriteError } from '../../domain/source.ts'

const BY_CODE: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOENT: 'it does not exist',
  ENOTDIR: 'a part of its path is not a folder',
  EISDIR: 'it is a folder',
  ELOOP: 'symbolic links that lead in a circle',
  ENAMETOOLONG: 'its path is too long for this system',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  EIO: 'the disk reported an error',
  EBUSY: 'it is in use by another program',
  ESTALE: 'the network drive lost it',
  // Node has no name for it on Linux.
  'Unknown system error -116': 'the network drive lost it',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the disk is read-only',
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** A file system error as a short phrase. */
export function reasonOf(error: unknown): string {
  const code = codeOf(error)
  return BY_CODE[code] ?? (code ? `the system reported ${code}` : String(error))
}

/** True when the thing simply is not there (any more). */
export function isGone(error: unknown): boolean {
  const code = codeOf(error)
  return code === 'ENOENT' || code === 'ENOTDIR'
}

export const NOT_TEXT = 'not UTF-8 text'
export const NOT_REGULAR = 'not a regular file'

export function unread(extension: string): string {
  return extension === '' ? 'a file that no format reads' : `no format reads .${extension} files`
}

export function tooLarge(size: number, limit: number): string {
  return `larger than the limit of ${bytes(limit)} (${bytes(size)})`
}

function bytes(count: number): string {
  if (count < 1024) return `${count} bytes`
  const inKiB = count / 1024
  if (inKiB < 1024) return `${round(inKiB)} KiB`
  const inMiB = inKiB / 1024
  return inMiB < 1024 ? `${round(inMiB)} MiB` : `${round(inMiB / 1024)} GiB`
}

function round(value: number): string {
  return value.toFixed(1).replace(/\.0$/, '')
}

export function changedMeanwhile(path: string, found: string | undefined): WriteError {
  const now = found === undefined ? 'it is gone' : `its digest is now ${found}`
  return new WriteError(
    'conflict',
    `${quoted(path)} was changed by someone else: ${now}.`,
    'Nothing was overwritten. Read the document again and repeat the change.',
    [],
  )
}

export function unavailable(
  message: string,
  changed: readonly string[],
  cause?: unknown,
): WriteError {
  return new WriteError(
    'unavailable',
    `${message}.`,
    'Nothing was changed. Make room or give permission, then try again.',
    changed,
    cause,
  )
}
