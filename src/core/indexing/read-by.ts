/**
 * With what was a file read? Grammars are a package that may come, go or change while the files
 * stay as they are; what tells a file from its earlier self tells that too.
 */
import type { Format } from '../domain/format.ts'

const MARK = ' read by '

interface Stamped {
  readonly path: string
  readonly stamp?: string
}

/** The same file, with who would read it now in its stamp; most formats have one reader for ever. */
export function withReader<File extends Stamped>(
  file: File,
  formatOf: (path: string) => Pick<Format, 'reader'>,
): File {
  const reader = formatOf(file.path).reader?.(file.path)
  return reader === undefined ? file : { ...file, stamp: `${file.stamp ?? ''}${MARK}${reader}` }
}

/** Undefined for what needs no telling. */
export function readBy(stamp: string | undefined): string | undefined {
  const at = stamp?.lastIndexOf(MARK) ?? -1
  return at < 0 ? undefined : stamp!.slice(at + MARK.length)
}
