/** What a folder offers: a walk over the tree, or over the parts of it that may have changed. */
import { lstatSync, readdirSync, realpathSync, statSync, type Dirent, type Stats } from 'node:fs'
import { relative, sep } from 'node:path'
import type { Conversion } from '../../domain/conversion.ts'
import { KnowledgeError, quoted } from '../../domain/error.ts'
import type { FileEntry, OnFound, Scan, SkippedFile } from '../../domain/source.ts'
import { extensionOf, splitPath } from '../../kit/paths.ts'
import { fileStamp } from './file-version.ts'
import { isInside, pathProblem } from './paths.ts'
import { largestFile } from './read.ts'
import { OBSIDIAN_EXCLUDES, OBSIDIAN_FOLDER, obsidianExcludes } from './obsidian-excludes.ts'
import { codeOf, isGone, NOT_REGULAR, reasonOf, tooLarge, unread } from './reasons.ts'
import { IGNORE_FILES, IgnoreRules, outerIgnoreRules, readIgnoreFile, type Rules } from './rules.ts'
import { LeftOutCounter } from './left-out.ts'
import { Slices } from '../../kit/slices.ts'

/** A folder with its rules: all that walking and reading need to know. */
export interface Tree {
  /** The name people gave the source, for messages. */
  readonly name: string
  /** Absolute, links resolved. */
  readonly root: string
  readonly rules: Rules
  readonly maxFileBytes: number
  /** The text of a file's bytes, as its format has it. */
  readonly decode: (path: string, bytes: Buffer) => string | undefined
  /** What makes text of files that are none. */
  readonly conversion?: Conversion | undefined
  /**
   * The file system finds `a.md` when asked for `A.md`. Names from outside are then compared with
   * the folder's own list, so that one file never goes by two names.
   */
  readonly ignoresCase: boolean
  /** Whether `.gitignore`, `.cairnignore` and a vault's own settings say what is offered; `own` heeds the second alone. */
  readonly heedsIgnoreFiles: boolean | 'own'
}

/**
 * Everything the tree offers. Throws when the root itself is gone: an empty answer would empty the
 * index. `onFolder` is called before a folder is listed: a watch set there sees all that follows.
 */
export async function scanTree(
  tree: Tree,
  onFound?: OnFound,
  onFolder?: (path: string) => void,
): Promise<Scan> {
  requireRoot(tree)
  const walk = new Walk(tree, onFolder)
  walk.start('')
  return walk.finish(onFound)
}

/** What is offered at or below the given paths. A path that is missing in the answer is gone. */
export async function scanPaths(tree: Tree, paths: readonly string[]): Promise<Scan> {
  requireRoot(tree)
  const walk = new Walk(tree)
  for (const path of outermost(paths)) walk.start(path)
  return walk.finish()
}

/**
 * Visits the folders at or below the paths that can contain something to offer, without looking at
 * files. `onFolder` is called before a folder is listed.
 */
export async function walkFolders(
  tree: Tree,
  paths: readonly string[],
  onFolder: (path: string) => void,
): Promise<void> {
  const walk = new Walk(tree, onFolder, 'folders')
  for (const path of outermost(paths)) walk.start(path)
  await walk.finish()
}

/** Whether a file at this path would be offered: a write must not go where no scan looks. */
export function wouldOffer(tree: Tree, path: string): boolean {
  const { rules, root } = tree
  let ignores = tree.heedsIgnoreFiles === true ? outerIgnoreRules(root) : undefined
  let prefix = ''
  const { folder, name } = splitPath(path)
  for (const each of folder === '' ? [''] : ['', ...folder.split('/')]) {
    if (each !== '') {
      const place = prefix + each
      if (!rules.entersFolder(place, each) || ignores?.ignoresFolder(place)) return false
      // A second way to a folder is not taken: what is in it goes by its real name.
      if (isLink(`${root}/${place}`) && !new Walk(tree).enters(place)) return false
      prefix = `${place}/`
    }
    for (const { file, text } of ignoreTexts(tree, prefix)) {
      ignores = (ignores ?? IgnoreRules.at('')).withFile(prefix, file, text)
    }
  }
  return rules.offersFile(path, name) && !ignores?.ignoresFile(path)
}

/** What the ignore files of a folder say, the one that wins last. */
function* ignoreTexts(
  { root, heedsIgnoreFiles }: Tree,
  prefix: string,
): Generator<{ readonly file: string; readonly text: string }> {
  const folder = `${root}/${prefix}`
  const excluded = heedsIgnoreFiles === true ? obsidianExcludes(folder) : undefined
  if (excluded !== undefined) yield { file: OBSIDIAN_EXCLUDES, text: excluded }
  const files = heedsIgnoreFiles === 'own' ? IGNORE_FILES.slice(-1) : IGNORE_FILES
  for (const file of heedsIgnoreFiles ? files : []) {
    const text = readIgnoreFile(folder + file)
    if (text !== undefined) yield { file, text }
  }
}

function requireRoot(tree: Tree): void {
  if (!isFolder(tree.root)) throw rootUnavailable(tree, 'it is gone')
}

function isLink(place: string): boolean {
  return lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
}

export function isFolder(place: string): boolean {
  try {
    return statSync(place).isDirectory()
  } catch {
    return false
  }
}

function rootUnavailable({ name, root }: Tree, reason: string): KnowledgeError {
  return new KnowledgeError(
    'unavailable',
    `The folder of the source ${quoted(name)} cannot be read, ${reason}: ${root}`,
    'Put the folder back (or mount its drive); what is known about it is kept until then.',
  )
}

/** Paths below another one of the list are covered by it. */
function outermost(paths: readonly string[]): string[] {
  const kept: string[] = []
  // A folder sorts before what is below it only when "/" counts as the smallest character.
  const sorted = paths.map((path) => path.replaceAll('/', '\0')).toSorted(byCodeUnits)
  for (const path of sorted) {
    const last = kept.at(-1)
    if (last === '' || path === last || (last !== undefined && path.startsWith(`${last}\0`)))
      continue
    kept.push(path)
  }
  return kept.map((path) => path.replaceAll('\0', '/'))
}

function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function byPath(a: FileEntry, b: FileEntry): number {
  return byCodeUnits(a.path, b.path)
}

/** A folder on the way: where it is, and which ignore files hold there. */
interface Visit {
  /** `''` for the root, else with a slash at the end: `guides/`. */
  readonly prefix: string
  readonly ignores: IgnoreRules | undefined
  /** Where the folder really is below the root, when a link led to it; spelled like `prefix`. */
  readonly linkedTo: string | undefined
}

interface Link {
  readonly path: string
  readonly name: string
  readonly visit: Visit
}

type Target =
  | { readonly kind: 'file'; readonly stats: Stats }
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'refused'; readonly reason: string }

class Walk {
  readonly #tree: Tree
  readonly #onFolder: ((path: string) => void) | undefined
  readonly #seesFiles: boolean
  readonly #files: FileEntry[] = []
  readonly #skipped: SkippedFile[] = []
  readonly #leftOut = new LeftOutCounter()
  readonly #open: Visit[] = []
  /** Links wait until all real folders were seen, so that a real path is preferred to a linked one. */
  #links: Link[] = []
  /** Real places reached through links. Two links to one place, or a circle, meet here. */
  readonly #reached = new Set<string>()
  /** Folders that single paths were looked up in. Small: a full scan never asks. */
  readonly #entered = new Map<string, Visit | undefined>()
  readonly #listings = new Map<string, ReadonlySet<string>>()

  constructor(tree: Tree, onFolder?: (path: string) => void, only?: 'folders') {
    this.#tree = tree
    this.#onFolder = onFolder
    this.#seesFiles = only === undefined
  }

  /** Puts a file or folder on the list of things to look at. Refused and vanished ones are not. */
  start(path: string): void {
    if (path === '') {
      this.#open.push(this.#root())
      return
    }
    if (pathProblem(path)) return
    const { folder, name } = splitPath(path)
    const visit = this.#enter(folder)
    if (!visit) return
    const stats = this.#look(path, folder, name)
    if (!stats) return
    if (stats.isSymbolicLink()) this.#links.push({ path, name, visit })
    else if (!stats.isDirectory()) this.#file(visit, path, name, stats)
    else if (this.#enters(visit, path, name)) this.#open.push(below(visit, name))
  }

  async finish(onFound?: OnFound): Promise<Scan> {
    const slices = new Slices()
    for (;;) {
      const visit = this.#open.pop()
      if (visit) this.#visit(visit)
      else if (this.#links.length > 0) this.#followLinks()
      else break
      const looking = onFound?.(this.#files)
      if (looking) await looking
      if (slices.over) await slices.pause()
    }
    return {
      files: this.#files.toSorted(byPath),
      skipped: this.#skipped.toSorted(byPath),
      leftOut: this.#leftOut.counts(),
    }
  }

  #visit(outer: Visit): void {
    const path = outer.prefix.slice(0, -1)
    this.#onFolder?.(path)
    let entries: Dirent[]
    try {
      entries = readdirSync(this.#absolute(path), { withFileTypes: true })
    } catch (error) {
      // Without its root a tree is not empty but out of reach.
      if (path === '') throw rootUnavailable(this.#tree, reasonOf(error))
      if (!isGone(error)) this.#skip(path, `this folder cannot be read: ${reasonOf(error)}`)
      return
    }
    const visit = this.#withIgnoreFiles(outer, entries)
    for (const entry of entries) {
      const { name } = entry
      const path = visit.prefix + name
      if (entry.isDirectory()) {
        if (this.#enters(visit, path, name)) this.#open.push(below(visit, name))
      } else if (entry.isSymbolicLink()) {
        this.#links.push({ path, name, visit })
      } else if (this.#seesFiles) {
        this.#file(visit, path, name, entry.isFile() ? undefined : NOT_REGULAR)
      }
    }
  }

  #withIgnoreFiles(visit: Visit, entries: readonly Dirent[]): Visit {
    const says = (name: string): boolean => IGNORE_FILES.includes(name) || name === OBSIDIAN_FOLDER
    if (!entries.some(({ name }) => says(name))) return visit
    return this.#readIgnoreFiles(visit)
  }

  #readIgnoreFiles(visit: Visit): Visit {
    let { ignores } = visit
    for (const { file, text } of ignoreTexts(this.#tree, visit.prefix)) {
      ignores = (ignores ?? IgnoreRules.at('')).withFile(visit.prefix, file, text)
    }
    return ignores === visit.ignores ? visit : { ...visit, ignores }
  }

  #enters(visit: Visit, path: string, name: string): boolean {
    const { rules } = this.#tree
    if (!rules.entersFolder(path, name)) {
      if (rules.excludes(path)) this.#leftOut.byRule('exclude')
      return false
    }
    if (visit.ignores?.ignoresFolder(path)) {
      this.#leftOut.byRule(visit.ignores.lineFor(`${path}/`))
      return false
    }
    if (visit.linkedTo !== undefined) {
      const real = `${visit.linkedTo}${name}/`
      if (this.#reached.has(real)) {
        this.#skip(path, 'a folder that is already included under another name')
        return false
      }
      this.#reached.add(real)
    }
    if (!name.includes('\\')) return true
    this.#skip(path, BACKSLASH)
    return false
  }

  /** Offers a file, or says why not. `known` is what is known about it without another look. */
  #file(visit: Visit, path: string, name: string, known: Stats | string | undefined): void {
    const { rules } = this.#tree
    const verdict = rules.judgeFile(path, name)
    if (verdict === 'not included') return
    if (verdict === 'hidden') return this.#leftOut.byRule('hidden')
    if (verdict === 'excluded') return this.#leftOut.byRule('exclude')
    if (visit.ignores?.ignoresFile(path)) {
      return this.#leftOut.byRule(visit.ignores.lineFor(path))
    }
    if (verdict === 'unread') return this.#leftOut.byType(extensionOf(name), path)
    if (verdict === 'asked') return this.#skip(path, unread(extensionOf(name)))
    if (typeof known === 'string') return this.#skip(path, known)
    if (name.includes('\\')) return this.#skip(path, BACKSLASH)
    let stats: Stats | undefined
    try {
      stats = known ?? statSync(this.#absolute(path), { throwIfNoEntry: false })
    } catch (error) {
      return this.#skip(path, reasonOf(error))
    }
    if (!stats) {
      // The system cannot find it by the name it just told us: that name was not UTF-8.
      if (name.includes('\uFFFD')) this.#skip(path, 'its name is not valid Unicode')
      return
    }
    if (!stats.isFile()) return this.#skip(path, NOT_REGULAR, stats)
    const { maxFileBytes, conversion } = this.#tree
    const isNote = path.endsWith('.md')
    const limit = isNote ? maxFileBytes : largestFile(this.#tree, path)
    if (stats.size > limit) return this.#skip(path, tooLarge(stats.size, limit), stats)
    const stamp = fileStamp(stats, isNote ? undefined : conversion?.maker(path))
    this.#files.push({ path, size: stats.size, modifiedAt: stats.mtimeMs, stamp })
  }

  #followLinks(): void {
    const links = this.#links.toSorted((a, b) => byCodeUnits(a.path, b.path))
    this.#links = []
    for (const link of links) this.#follow(link)
  }

  #follow({ path, name, visit }: Link): void {
    const { rules } = this.#tree
    const asFile = rules.offersFile(path, name) && !visit.ignores?.ignoresFile(path)
    const asFolder = rules.entersFolder(path, name) && !visit.ignores?.ignoresFolder(path)
    if (!asFile && !asFolder) return
    const target = this.#target(path)
    switch (target.kind) {
      case 'refused':
        // Without an extension of ours a broken link is most likely none of our business.
        if (asFile || target.reason !== DANGLING) this.#skip(path, target.reason)
        return
      case 'file':
        if (asFile) this.#file(visit, path, name, target.stats)
        return
      case 'folder':
        if (asFolder) this.#followFolder(path, visit, target.path)
        return
      default:
        target satisfies never
    }
  }

  #followFolder(path: string, visit: Visit, real: string): void {
    const place = real === '' ? '' : `${real}/`
    if (this.#reached.has(place) || this.#enter(real)) {
      const where = real === '' ? 'the folder itself' : quoted(real)
      this.#skip(path, `a symbolic link to ${where}, which is already included`)
      return
    }
    this.#reached.add(place)
    this.#open.push({ prefix: `${path}/`, ignores: visit.ignores, linkedTo: place })
  }

  #target(path: string): Target {
    const { root, rules } = this.#tree
    try {
      const place = realpathSync.native(this.#absolute(path))
      if (!isInside(root, place)) {
        return refused('a symbolic link that leads out of the folder')
      }
      const stats = statSync(place)
      const real = relative(root, place).split(sep).join('/')
      const kind = stats.isDirectory() ? 'folder' : 'file'
      if (real !== '' && !rules.admitsTarget(real, kind)) {
        return refused(`a symbolic link to ${quoted(real)}, which is left out`)
      }
      return kind === 'folder' ? { kind, path: real } : { kind, stats }
    } catch (error) {
      if (isGone(error)) return refused(DANGLING)
      const circle = codeOf(error) === 'ELOOP'
      return refused(circle ? 'a symbolic link that leads in a circle' : reasonOf(error))
    }
  }

  enters(folder: string): boolean {
    return this.#enter(folder) !== undefined
  }

  /**
   * The way to one folder when it was not walked to: every part of its path must be admitted, and
   * the ignore files on the way are read. Undefined when a full scan would not come here.
   */
  #enter(path: string): Visit | undefined {
    if (this.#entered.has(path)) return this.#entered.get(path)
    const visit = path === '' ? this.#readIgnoreFiles(this.#root()) : this.#enterBelow(path)
    this.#entered.set(path, visit)
    return visit
  }

  /** The root, with what holds there before its own ignore files, which may overrule it. */
  #root(): Visit {
    const { root, heedsIgnoreFiles } = this.#tree
    const ignores = heedsIgnoreFiles === true ? outerIgnoreRules(root) : undefined
    return { prefix: '', ignores, linkedTo: undefined }
  }

  #enterBelow(path: string): Visit | undefined {
    const { folder, name } = splitPath(path)
    const parent = this.#enter(folder)
    if (!parent || !this.#tree.rules.entersFolder(path, name)) return undefined
    if (parent.ignores?.ignoresFolder(path)) return undefined
    const stats = this.#look(path, folder, name)
    if (stats?.isDirectory()) return this.#readIgnoreFiles(below(parent, name))
    if (!stats?.isSymbolicLink()) return undefined
    const target = this.#target(path)
    if (target.kind !== 'folder' || target.path === '' || this.#enter(target.path)) return undefined
    const linkedTo = `${target.path}/`
    return this.#readIgnoreFiles({ prefix: `${path}/`, ignores: parent.ignores, linkedTo })
  }

  /** What is at a path, by exactly this name. */
  #look(path: string, folder: string, name: string): Stats | undefined {
    try {
      if (this.#tree.ignoresCase && !this.#names(folder).has(name)) return undefined
      return lstatSync(this.#absolute(path), { throwIfNoEntry: false })
    } catch (error) {
      if (!isGone(error)) this.#skip(path, reasonOf(error))
      return undefined
    }
  }

  #names(folder: string): ReadonlySet<string> {
    const known = this.#listings.get(folder)
    if (known) return known
    const names = new Set(readdirSync(this.#absolute(folder)))
    this.#listings.set(folder, names)
    return names
  }

  #skip(path: string, reason: string, stats?: Stats): void {
    this.#skipped.push({
      path,
      size: stats?.size ?? 0,
      modifiedAt: stats?.mtimeMs ?? 0,
      ...(stats && { stamp: fileStamp(stats) }),
      reason,
    })
  }

  #absolute(path: string): string {
    return path === '' ? this.#tree.root : `${this.#tree.root}/${path}`
  }
}

const DANGLING = 'a symbolic link to something that does not exist'
const BACKSLASH = 'its name contains a backslash, which other systems take for a folder separator'

function refused(reason: string): Target {
  return { kind: 'refused', reason }
}

function below(visit: Visit, name: string): Visit {
  const linkedTo = visit.linkedTo === undefined ? undefined : `${visit.linkedTo}${name}/`
  return { prefix: `${visit.prefix}${name}/`, ignores: visit.ignores, linkedTo }
}
