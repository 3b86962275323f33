/** Which paths below a root may be touched. Every access by path, reading or writing, passes here. */
import { lstatSync, realpathSync, type Stats } from 'node:fs'
import { isAbsolute, join, relative, sep } from 'node:path'
import { invalid, KnowledgeError, quoted } from '../../domain/error.ts'
import { reasonOf } from './reasons.ts'

/** Folders that belong to tools. They are never offered, never followed into and never written. */
export const TOOL_FOLDERS: ReadonlySet<string> = new Set([
  '.git',
  '.cairn',
  '.roux',
  '.obsidian',
  '.trash',
  'node_modules',
])

/** File systems allow 255 bytes per name and Linux 4,096 per path; longer ones only cost time. */
const MAX_NAME_BYTES = 255
const MAX_PATH_BYTES = 4096

export interface PathOptions {
  /** Writing asks for more: nothing goes into the folders of tools. */
  readonly forWriting?: boolean
  /** What does not exist yet gets a name that every system can keep. */
  readonly portable?: boolean
  /** Unless it is one of these, which this file system has. */
  readonly names?: readonly string[]
}

export interface ResolvedPath {
  /** As given: below the root, with forward slashes. */
  readonly path: string
  /** The name itself in the folder where it really is: a link is not followed here. */
  readonly entry: string
  /** Where it really is, links resolved. Below the root, always. */
  readonly real: string
  /** Undefined when nothing is there yet. */
  readonly stats: Stats | undefined
}

/**
 * Resolves a path below `root` (a real path, from `realpath`) or throws a `KnowledgeError`.
 * Components are looked at one by one, so that a link in the middle cannot lead out, and a path
 * whose end does not exist yet is judged by the folders that do.
 */
export function resolveInside(root: string, path: string, options: PathOptions = {}): ResolvedPath {
  const guard = options.forWriting ? belongsToTool : undefined
  const problem = problemOf(path, guard)
  if (problem) throw badPath(path, problem)
  const names = path.split('/')
  let real = root
  let entry = root
  let stats: Stats | undefined
  for (const [depth, name] of names.entries()) {
    const next = join(real, name)
    const found = lookAt(next, path)
    if (!found) {
      const missing = names.slice(depth)
      const made = missing.filter((each) => !options.names?.includes(each))
      const odd = options.portable ? made.map(unportable).find(Boolean) : undefined
      if (odd) throw badPath(path, odd)
      real = join(real, ...missing)
      entry = real
      stats = undefined
      break
    }
    entry = next
    real = found.isSymbolicLink() ? followInside(root, next, path) : next
    stats = found.isSymbolicLink() ? lookAt(real, path) : found
    if (depth < names.length - 1 && stats && !stats.isDirectory()) {
      throw badPath(path, `goes through ${quoted(name)}, which is not a folder`)
    }
  }
  // A link may lead from an innocent name to a protected one: judge where it really goes.
  const landing = relative(root, real).split(sep).join('/')
  const trap = guard && landing !== path ? problemOf(landing, guard) : undefined
  if (trap) throw badPath(path, `leads to ${quoted(landing)}, which ${trap}`)
  return { path, entry, real, stats }
}

/** Whether `place` is `root` or below it; both absolute and real. By component: `/a/bc` is not in `/a/b`. */
export function isInside(root: string, place: string): boolean {
  const way = relative(root, place)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** What is wrong with the spelling of a path below a root, or undefined. Touches no disk. */
export function pathProblem(path: string, options: PathOptions = {}): string | undefined {
  const guard = (name: string) => belongsToTool(name) ?? unportable(name)
  return problemOf(path, options.forWriting ? guard : undefined)
}

type NameGuard = (name: string) => string | undefined

function problemOf(path: string, guard: NameGuard | undefined): string | undefined {
  if (path === '') return 'is empty'
  // Length first: everything below then works on something small.
  if (path.length > MAX_PATH_BYTES || Buffer.byteLength(path) > MAX_PATH_BYTES) return 'is too long'
  if (path.includes('\0')) return 'contains a NUL character'
  if (!path.isWellFormed()) return 'is not valid Unicode'
  if (path.includes('\\')) return 'contains a backslash; folders are separated by "/"'
  if (path.startsWith('/')) return 'is absolute'
  for (const name of path.split('/')) {
    const problem = nameProblem(name) ?? guard?.(name)
    if (problem) return problem
  }
  return undefined
}

function nameProblem(name: string): string | undefined {
  if (name === '') return 'has an empty component'
  if (name === '.' || name === '..') return `contains "${name}"`
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) return 'has a name longer than 255 bytes'
  // On Windows `C:` is a drive and `note.md:hidden` a second stream of note.md; elsewhere a name.
  if (process.platform === 'win32' && name.includes(':')) return 'contains a colon'
  return undefined
}

/** Device names of Windows, with any extension; the superscript digits count there too. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])\s*(?:\.|$)/i

/** Characters that Windows refuses, and control characters, which confuse people everywhere. */
const UNPORTABLE = /[<>:"|?*\u0000-\u001f\u007f-\u009f\u2028\u2029]/

/** Invisible characters that some file systems drop when they compare names (`.g\u200cit`). */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu

/** Why a new file or folder should not be called that. What exists may be called anything. */
function unportable(name: string): string | undefined {
  if (UNPORTABLE.test(name)) return 'contains a character that not every system allows in names'
  if (/[. ]$/.test(name)) return 'has a name that ends in a dot or a space'
  return DEVICE.test(name) ? deviceName(name) : undefined
}

function deviceName(name: string): string {
  return `contains ${quoted(name)}, a name reserved on Windows`
}

/** The first of these names that is a tool's folder, however it is spelled. */
export function toolFolderIn(names: readonly string[]): string | undefined {
  return names.find((name) => belongsToTool(name) !== undefined)
}

function belongsToTool(name: string): string | undefined {
  // There a device is found in every folder.
  if (process.platform === 'win32' && DEVICE.test(name)) return deviceName(name)
  const bare = name.normalize('NFKC').replace(INVISIBLE, '').toLowerCase()
  if (TOOL_FOLDERS.has(bare)) return `goes into ${quoted(bare)}, which belongs to a tool`
  // Windows gives .git the short name GIT~1, and other dot-folders alike.
  if (/^(?:git|cairn|roux|obsid\w*|trash|node_m\w*)~\d+$/.test(bare)) {
    return `contains ${quoted(name)}, a short name of a tool's folder`
  }
  return undefined
}

function lookAt(place: string, path: string): Stats | undefined {
  try {
    return lstatSync(place, { throwIfNoEntry: false })
  } catch (error) {
    throw badPath(path, `cannot be looked at: ${reasonOf(error)}`)
  }
}

function followInside(root: string, link: string, path: string): string {
  let real: string
  try {
    real = realpathSync.native(link)
  } catch (error) {
    throw badPath(path, `goes through a symbolic link that leads nowhere (${reasonOf(error)})`)
  }
  if (isInside(root, real)) return real
  throw new KnowledgeError(
    'forbidden',
    `The path ${quoted(path)} leads out of its folder through a symbolic link.`,
    'Use a path that stays inside the folder, or add the other folder as a source of its own.',
  )
}

export function badPath(path: string, problem: string): KnowledgeError {
  return invalid(
    `The path ${quoted(path)} ${problem}.`,
    'Give a path below the source\'s root with forward slashes, such as "guides/setup.md".',
  )
}
