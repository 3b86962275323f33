/** Paths below a source's root, with forward slashes. */

/** `a/b/c` is `c` in the folder `a/b`. */
export function splitPath(path: string): { readonly folder: string; readonly name: string } {
  const slash = path.lastIndexOf('/')
  return { folder: slash < 0 ? '' : path.slice(0, slash), name: path.slice(slash + 1) }
}

export function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

/** Without the slashes at its end. A pattern would look at every run of slashes again and again. */
export function withoutEndSlashes(path: string): string {
  let end = path.length
  while (end > 0 && path.charCodeAt(end - 1) === SLASH) end--
  return path.slice(0, end)
}

const SLASH = 0x2f

/** A part that is nothing, or says where to go. */
const STEP = /(?:^|\/)\.{0,2}(?:\/|$)/

/** Joins and normalises; undefined when the path leaves the source. */
export function joinPath(folder: string, target: string): string | undefined {
  // Most say each folder by its name: asked for every link, taking them apart is most of the work.
  if (!STEP.test(target)) return folder === '' ? target : `${folder}/${target}`
  const parts = folder === '' ? [] : folder.split('/')
  for (const part of target.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.pop() === undefined) return undefined
  }
  return parts.join('/')
}

/** What stands behind the last dot of a file's name, in lower case; `''` where there is none. */
export function extensionOf(path: string): string {
  const name = lastSegment(path)
  const dot = name.lastIndexOf('.')
  return dot < 0 ? '' : name.slice(dot + 1).toLowerCase()
}

/** Its ending, or its name behind a slash where it has none: `md`, `/makefile`. */
export function kindOf(path: string): string {
  return extensionOf(path) || `/${lastSegment(path).toLowerCase()}`
}

/** Endings of notes, which a link may leave off. */
export const NOTE_EXTENSIONS: readonly string[] = ['md', 'markdown', 'mdx']

const NOTE_EXTENSION = new RegExp(`\\.(?:${NOTE_EXTENSIONS.join('|')})$`, 'i')

export function isNotePath(path: string): boolean {
  return NOTE_EXTENSION.test(path)
}

export function withoutNoteExtension(path: string): string {
  return path.replace(NOTE_EXTENSION, '')
}
