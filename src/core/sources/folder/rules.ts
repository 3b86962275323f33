/** Which names and paths of a folder are offered: extensions, globs, hidden and ignored files. */
import { existsSync, lstatSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import ignore, { type Ignore } from 'ignore'
import picomatch from 'picomatch'
import { compileGlob } from '../../kit/compile-glob.ts'
import { invalid, quoted } from '../../domain/error.ts'
import { kindOf, lastSegment } from '../../kit/paths.ts'
import { isCostly, isPlain, quickIgnoreLine } from './glob-cost.ts'
import { TOOL_FOLDERS } from './paths.ts'

/** In the order they are applied: what `.cairnignore` says wins over `.gitignore` beside it. */
export const IGNORE_FILES: readonly string[] = ['.gitignore', '.cairnignore']

export interface RuleOptions {
  /** Globs below the root; a plain folder name stands for everything in it. Default: everything. */
  readonly include?: readonly string[]
  /** Globs of files and folders that are left out. Wins over `include`. */
  readonly exclude?: readonly string[]
  /** The endings of files that somebody reads, without the dot; `/makefile` where it has none. */
  readonly extensions: readonly string[]
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
  /** The same with the reason. */
  judgeFile(path: string, name: string): Verdict
  excludes(path: string): boolean
  /** Whether it is left out wherever it came from; of what nobody reads only what is excluded is. */
  leavesOut(path: string): boolean
  /** A folder with this path may contain something to offer. */
  entersFolder(path: string, name: string): boolean
  /** A link may lead to this real path: no part of it is hidden, a tool's or excluded. */
  admitsTarget(path: string, kind: 'file' | 'folder'): boolean
}

/** `asked`: no format reads the file, and yet a pattern of `include` names its kind. */
export type Verdict = 'offered' | 'hidden' | 'not included' | 'excluded' | 'unread' | 'asked'

export function compileRules(options: RuleOptions): Rules {
  const extensions = new Set(
    options.extensions.map((text) => text.replace(/^\./, '').toLowerCase()),
  )
  const include = compileGlobs('include', options.include ?? [])
  const asked = compileAsked(options.include ?? [])
  const exclude = compileGlobs('exclude', options.exclude ?? [])
  const bases = (options.include ?? []).map(globBase)
  const hidden = options.hidden ?? false

  const shown = (name: string) => hidden || name.charCodeAt(0) !== DOT
  const readable = (name: string) => extensions.has(kindOf(name))
  return {
    offersFile: (path, name) =>
      readable(name) && shown(name) && (include?.(path) ?? true) && !exclude?.(path),
    judgeFile: (path, name) => {
      if (!shown(name)) return 'hidden'
      if (include && !include(path)) return 'not included'
      if (exclude?.(path)) return 'excluded'
      if (readable(name)) return 'offered'
      return asked?.(path) ? 'asked' : 'unread'
    },
    excludes: (path) => exclude?.(path) ?? false,
    leavesOut: (path) => {
      const names = path.split('/')
      if (prefixesOf(names).some((prefix) => exclude?.(prefix))) return true
      return readable(names.at(-1)!) && !(names.every(shown) && (include?.(path) ?? true))
    },
    entersFolder: (path, name) =>
      shown(name) &&
      !TOOL_FOLDERS.has(name) &&
      (bases.length === 0 || bases.some((base) => meets(base, path.toLowerCase()))) &&
      !exclude?.(path),
    admitsTarget: (path, kind) => {
      const names = path.split('/')
      return (
        names.every((name) => shown(name) && !TOOL_FOLDERS.has(name)) &&
        !prefixesOf(names).some((prefix) => exclude?.(prefix)) &&
        (kind === 'folder' || readable(names.at(-1) ?? ''))
      )
    },
  }
}

const DOT = 46

function prefixesOf(names: readonly string[]): string[] {
  return names.map((_, depth) => names.slice(0, depth + 1).join('/'))
}

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
    if (tidy.length > LONGEST_GLOB) throw badGlob(option, glob, 'is too long')
    if (isCostly(tidy) && !isPlain(tidy)) {
      throw badGlob(option, glob, 'repeats too much to be tried in time')
    }
    return [tidy, `${tidy}/**`]
  })
  try {
    return matcherOf(patterns)
  } catch (error) {
    throw badGlob(option, globs.join(', '), `cannot be understood (${String(error)})`)
  }
}

const LONGEST_GLOB = 1_000

/** Those that a regular expression could take for ever over are matched in linear time. */
function matcherOf(patterns: readonly string[]): (path: string) => boolean {
  const { costly = [], usual = [] } = Object.groupBy(patterns, (glob) =>
    isCostly(glob) ? 'costly' : 'usual',
  )
  const quick = costly.map(compileGlob)
  const matches = picomatch(usual, { dot: true, nocase: true })
  return (path) => matches(path) || quick.some((matchesToo) => matchesToo(path))
}

/** `*.pdf` asks for a kind of file, `docs/**` for whatever is there. */
function compileAsked(globs: readonly string[]): ((path: string) => boolean) | undefined {
  const naming = globs.map(tidyGlob).filter((glob) => /\p{L}/u.test(lastSegment(glob)))
  return naming.length === 0 ? undefined : matcherOf(naming)
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

interface IgnoreLine {
  readonly pattern: string
  /** The line as it was written, and where. */
  readonly mark: string
}

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
  /** Where the source's root is in the repository the rules belong to: `''` or `docs/`. */
  readonly #base: string

  readonly #lines: readonly IgnoreLine[]
  readonly #files: Sieve
  readonly #folders: Sieve

  private constructor(lines: readonly IgnoreLine[], base: string) {
    this.#lines = lines
    this.#base = base
    this.#rules = ignore({ ignorecase: IGNORE_CASE })
    for (const line of lines) this.#rules.add(line)
    const patterns = lines.map(({ pattern }) => pattern)
    this.#files = new Sieve(patterns.filter((pattern) => !/\/\s*$/.test(pattern)))
    this.#folders = new Sieve(patterns)
  }

  static at(base: string): IgnoreRules {
    return new IgnoreRules([], base)
  }

  /** These rules and those of an ignore file in `folder` (`''` or `a/b/`, below the source's root). */
  withFile(folder: string, file: string, text: string): IgnoreRules {
    return this.withOuterFile(this.#base + folder, file, text)
  }

  /** The same for a folder below the repository's top. */
  withOuterFile(folder: string, file: string, text: string): IgnoreRules {
    const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
    const added = lines.flatMap((line) => {
      const based = rebase(line, folder)
      const pattern = based === undefined ? undefined : quickIgnoreLine(based)
      return pattern === undefined ? [] : [{ pattern, mark: `${line.trim()} (${folder}${file})` }]
    })
    return new IgnoreRules([...this.#lines, ...added], this.#base)
  }

  ignoresRoot(): boolean {
    return this.#base !== '' && this.#rules.ignores(this.#base)
  }

  /** For a path whose folder is not ignored: a walk asks from the top down. */
  ignoresFile(path: string): boolean {
    const place = this.#base + path
    return this.#files.catches(place) && this.#rules.ignores(place)
  }

  /** The line that has a path ignored, for people. */
  lineFor(path: string): string {
    return this.#rules.test(this.#base + path).rule?.mark ?? 'an ignore file'
  }

  ignoresFolder(path: string): boolean {
    const place = this.#base + path
    return this.#folders.catches(place) && this.#rules.ignores(`${place}/`)
  }
}

/**
 * Tells at once that no pattern can match a path, by its last name. A repository's eighty patterns
 * are tried one after the other for every path otherwise, which takes longer than the walk itself.
 * May let through too much, never too little.
 */
class Sieve {
  /** Names that a pattern ends in literally: `dist`, `/docs/build`. */
  readonly #names = new Set<string>()
  /** What must follow the last dot: `*.log`. */
  readonly #endings = new Set<string>()
  /** Where a pattern that says nothing about the name holds: `/docs/old/**`; `''` is everywhere. */
  readonly #places: string[] = []

  constructor(patterns: readonly string[]) {
    for (const pattern of patterns) this.#add(pattern.replace(/^!/, '').toLowerCase())
  }

  catches(path: string): boolean {
    const lower = path.toLowerCase()
    const name = lastSegment(lower)
    return (
      this.#names.has(name) ||
      this.#endings.has(name.slice(name.lastIndexOf('.') + 1)) ||
      this.#places.some((place) => lower.startsWith(place))
    )
  }

  #add(pattern: string): void {
    // Escapes and blanks have rules of their own; such patterns are rare enough to always try.
    if (/[\\\s]/.test(pattern)) {
      this.#places.push('')
      return
    }
    const body = pattern.replace(/\/+$/, '')
    const name = lastSegment(body)
    const tail = name.replace(/^.*[*?[\]]/, '')
    if (tail === name) this.#names.add(name)
    else if (tail.includes('.')) this.#endings.add(tail.slice(tail.lastIndexOf('.') + 1))
    else this.#places.push(literalFolder(body))
  }
}

/** The folder a pattern is tied to, as far as it is spelled out: `docs/old/` for `/docs/old/**`. */
function literalFolder(pattern: string): string {
  if (!pattern.includes('/')) return ''
  const spelled = pattern.replace(/^\//, '').replace(/[*?[\]].*$/, '')
  return spelled.slice(0, spelled.lastIndexOf('/') + 1)
}

/**
 * What git ignores at the root of a source before any file in it is asked: the private list of the
 * repository it is in, and the ignore files above it. Someone who serves a folder that the
 * repository ignores wants it nevertheless, so then nothing is said.
 */
export function outerIgnoreRules(root: string): IgnoreRules | undefined {
  const top = repositoryTop(root)
  if (top === undefined) return undefined
  const names = relative(top, root).split(sep).filter(Boolean)
  const folders = names.map((_, depth) =>
    names
      .slice(0, depth)
      .map((name) => `${name}/`)
      .join(''),
  )
  const exclude = readIgnoreFile(join(top, '.git/info/exclude'))
  const base = names.map((name) => `${name}/`).join('')
  let rules = IgnoreRules.at(base)
  let found = exclude !== undefined
  if (exclude !== undefined) rules = rules.withOuterFile('', '.git/info/exclude', exclude)
  for (const folder of folders) {
    const text = readIgnoreFile(join(top, folder, '.gitignore'))
    if (text === undefined) continue
    rules = rules.withOuterFile(folder, '.gitignore', text)
    found = true
  }
  return found && !rules.ignoresRoot() ? rules : undefined
}

/** The nearest folder at or above the root that holds a repository. */
function repositoryTop(root: string): string | undefined {
  for (let folder = root; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder
    if (folder === dirname(folder)) return undefined
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
