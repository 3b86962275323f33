/** Where a file or a text goes, by what a call says of its destination. */
import { homedir } from 'node:os'
import { basename, isAbsolute, join, relative, sep } from 'node:path'
import { invalid, quoted } from '../../core/domain/error.ts'
import { extensionOf, joinPath } from '../../core/kit/paths.ts'
import type { UploadSettings } from './settings.ts'

/**
 * Below the content root: a destination with an extension is the file itself, any other a folder.
 * Throws `invalid` for what leads out of the root.
 */
export function contentPath(
  destination: string | undefined,
  name: string,
  { docsFolder }: Pick<UploadSettings, 'docsFolder'>,
  root: string,
): string {
  const given = destination?.trim() ?? ''
  const said = given === '' ? docsFolder : belowRoot(given, root)
  const isFile = given !== '' && !/[\\/]$/.test(given) && extensionOf(said) !== ''
  const path = joinPath('', isFile ? said : `${said}/${name}`)
  if (path === undefined || path === '' || said.includes('\\')) throw leavesRoot(given)
  return path
}

/** An absolute path is as good, as long as it is inside. */
function belowRoot(destination: string, root: string): string {
  if (!isAbsolute(destination)) return destination
  const below = relative(root, destination)
  if (below.split(sep)[0] === '..' || isAbsolute(below)) throw leavesRoot(destination)
  return below.split(sep).join('/')
}

function leavesRoot(destination: string): Error {
  return invalid(
    `The destination ${quoted(destination)} is not below the content root.`,
    'Name a file or a folder inside it, such as docs/uploads/.',
  )
}

/** `~` is the home of whoever runs the server. */
export function expandHome(path: string): string {
  return path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path
}

/** `Release Notes` → `release-notes.md`; without a title the time names it. */
export function textFileName(title: string | undefined, now: Date): string {
  if (title === undefined || title.trim() === '') {
    const stamp = now
      .toISOString()
      .replace(/\.\d+Z$/, '')
      .replaceAll(/[-:]/g, '')
    return `note-${stamp.replace('T', '-')}.md`
  }
  const latin = slugOf(title.normalize('NFKD').replaceAll(/[^\x00-\x7f]/g, ''))
  // A title in another script is called by its own letters; all of them would be one file else.
  const slug = /[a-z]/.test(latin) ? latin : slugOf(title.normalize('NFC'))
  return `${slug || 'note'}.md`
}

/** Runs of anything but letters and digits become a dash; as much as a file system keeps. */
function slugOf(text: string): string {
  const slug = text
    .slice(0, LONGEST_TITLE)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
  const letters = [...slug]
  while (Buffer.byteLength(letters.join('')) > MOST_BYTES) letters.pop()
  return letters.join('').replace(/-$/, '')
}

/** What stands behind that many letters is in no name. */
const LONGEST_TITLE = 1_000
/** File systems keep names of 255 bytes. */
const MOST_BYTES = 120

export function fileName(path: string): string {
  return basename(path)
}
