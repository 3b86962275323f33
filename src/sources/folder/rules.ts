/** Which names and paths of a folder are offered: extensions, globs, hidden and ignored files. */
import { lstatSync, readFileSync } from 'node:fs'
import ignore, { type Ignore } from 'ignore'
import picomatch from 'picomatch'
import { invalid, quoted } from '../../domain/error.ts'
import { TOOL_FOLDERS } from './paths.ts'

/** The formats offered when nobody says otherwise. */
export const DEFAULT_EXTENSIONS: readonly string[] = ['md', 'markdown', 'mdx', 'txt']

/** In the order they are applied: what `.cairnignore` says wins over `.gitignore` beside it. */
export const IGNORE_FILES: readonly string[] = ['.gitignore', '.cairnignore']

export interface RuleOptions {
  /** Globs below the root; a plain folder name stands for everything in it. Default: everything. */
  readonly include?: readonly string[]
  /** Globs of files and folders that are left out. Wins over `include`. */
  readonly exclude?: readonly string[]
  /** File extensions that are offered, without the dot. */
  readonly extensions?: readonly string[]
  /** Offer files and folders whose name starts with a dot. The folders of tools stay out. */
  readonly hidden?: boolean
}

/**
 * The rules that hold for the whole tree. Globs and extensions compare without case: leaving out
 * `Private` when asked to leave out `private` is the safer mistake, and `README.MD` is a document.
 */
export interface Rules {
  /** A file with this path is one we can offer (ignore files are asked separately). */
  offersFile(path: string, name: string): boolean
  /** A folder with this path may contain something to offer. */
  entersFolder(path: string, name: string): boolean
  /** A link may lead to this real path: no part of it is hidden, a tool's or excluded. */
  admitsTarget(path: string, kind: 'file' | 'folder'): boolean
}

export function compileRules(options: RuleOptions): Rules {
  const extensions = new Set(
    (options.extensions ?? DEFAULT_EXTENSIONS).map((text) => text.replace(/^\./, '').toLowerCase()),
  )
  const include = compileGlobs('include', options.include ?? [])
  const exclude = compileGlobs('exclude', options.exclude ?? [])
  const bases = options.include?.length ? options.include.map(globBase) : ['']
  const hidden = options.hidden ?? false

  const shown = (name: string) => hidden || name.charCodeAt(0) !== DOT
  const readable = (name: string) => {
    const dot = name.lastIndexOf('.')
    return dot >= 0 && extensions.has(name.slice(dot + 1).toLowerCase())
  }
  return {
    offersFile: (path, name) =>
      readable(name) && shown(name) && (include?.(path) ?? true) && !exclude?.(path),
    entersFolder: (path, name) =>
      shown(name) &&
      !TOOL_FOLDERS.has(name) &&
      bases.some((base) => meets(base, path.toLowerCase())) &&
      !exclude?.(path),
    admitsTarget: (path, kind) => {
      const names = path.split('/')
      const prefixes = names.map((_, depth) => names.slice(0, depth + 1).join('/'))
      return (
        names.every((name) => shown(name) && !TOOL_FOLDERS.has(name)) &&
        !prefixes.some((prefix) => exclude?.(prefix)) &&
        (kind === 'folder' || readable(names.at(-1) ?? ''))
      )
    },
  }
}

const DOT = 46

/** `docs/*.md` can only match below `docs`, so the rest of the tree is neither walked nor watched. */
function globBase(glob: string): string {
  return picomatch.scan(tidyGlob(glob)).base.toLowerCase()
}

/** Whether one of two paths contains the other. */
function meets(base: string, path: string): boolean {
  return base === '' || base === path || path.startsWith(`${base}/`) || base.startsWith(`${path}/`)
}

function compileGlobs(
  option: string,
  globs: readonly string[],
): ((path: string) => boolean) | undefined {
  if (globs.length === 0) return undefined
  const patterns = globs.flatMap((glob) => {
    const tidy = tidyGlob(glob)
    if (tidy === '') throw badGlob(option, glob, 'is empty')
    if (tidy.startsWith('!')) throw badGlob(option, glob, 'starts with "!"')
    if (tidy.split('/').includes('..')) throw badGlob(option, glob, 'leads out of the folder')
    return [tidy, `${tidy}/**`]
  })
  try {
    return picomatch(patterns, { dot: true, nocase: true })
  } catch (error) {
    throw badGlob(option, globs.join(', '), `cannot be understood (${String(error)})`)
  }
}

/** `./docs/` and `/docs` mean `docs`. On Windows people write `docs\**`. */
function tidyGlob(glob: string): string {
  const slashed = process.platform === 'win32' ? glob.replaceAll('\\', '/') : glob
  return slashed
    .trim()
    .replace(/^(?:\.?\/)+/, '')
    .replace(/\/+$/, '')
}

function badGlob(option: string, glob: string, problem: string) {
  return invalid(
    `The ${option} pattern ${quoted(glob)} ${problem}.`,
    'Write globs below the folder, such as "guides/**" or "**/*.draft.md"; put what should be left out under "exclude".',
  )
}

/** git compares without case where file systems do. */
const IGNORE_CASE = process.platform === 'darwin' || process.platform === 'win32'

/** An ignore file is a page of text; a gigabyte by that name is something else. */
const MAX_IGNORE_BYTES = 1024 * 1024

/**
 * What the ignore files from the root down to one folder say together.
 *
 * git asks the deepest file first and lets the last matching line win. Rewriting every line to be
 * relative to the root (`/drafts` in `a/b` becomes `/a/b/drafts`) turns that into one list in
 * which the last match wins, and a folder that a deeper file brought back stays back for
 * everything in it.
 */
export class IgnoreRules {
  readonly #rules: Ignore

  constructor(outer: IgnoreRules | undefined, folder: string, texts: readonly string[]) {
    this.#rules = ignore({ ignorecase: IGNORE_CASE })
    if (outer) this.#rules.add(outer.#rules)
    for (const line of texts.flatMap((text) => text.replace(/^\uFEFF/, '').split(/\r?\n/))) {
      const pattern = rebase(line, folder)
      if (pattern !== undefined) this.#rules.add({ pattern })
    }
  }

  ignoresFile(path: string): boolean {
    return this.#rules.ignores(path)
  }

  ignoresFolder(path: string): boolean {
    return this.#rules.ignores(`${path}/`)
  }
}

/** A line of the ignore file in `folder` (`''` or `a/b/`) as the root's ignore file would say it. */
function rebase(line: string, folder: string): string | undefined {
  if (line.startsWith('#') || line.trim() === '') return undefined
  if (folder === '') return line
  const negated = line.startsWith('!')
  const pattern = negated ? line.slice(1) : line
  const body = pattern.replace(/[\s]+$/, '')
  // A slash anywhere but at the end ties a pattern to its folder.
  const tied = body.slice(0, -1).includes('/')
  const place = `/${folder.replace(/[\\*?[\]]/g, '\\$&')}`
  return `${negated ? '!' : ''}${place}${tied ? pattern.replace(/^\//, '') : `**/${pattern}`}`
}

/** The text of an ignore file, or undefined when there is none to read. Links are not followed, as in git. */
export function readIgnoreFile(place: string): string | undefined {
  try {
    const stats = lstatSync(place, { throwIfNoEntry: false })
    if (!stats?.isFile() || stats.size > MAX_IGNORE_BYTES) return undefined
    return readFileSync(place, 'utf8')
  } catch {
    return undefined
  }
}
