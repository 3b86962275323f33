/**
 * Changes files of a folder without ever leaving one half written: the new content goes to a
 * temporary file beside the target, is flushed, and takes the target's place in one step.
 */
import { hash, randomBytes } from 'node:crypto'
import {
  chownSync,
  closeSync,
  constants,
  fstatSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  statSync,
  unlinkSync,
} from 'node:fs'
import type { Stats } from 'node:fs'
import { open } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { foldName } from '../../domain/fold-name.ts'
import { invalid, KnowledgeError, quoted } from '../../domain/error.ts'
import { WriteError } from '../../domain/source.ts'
import type { FileBytes, FileChange, SourceWriter } from '../../domain/source.ts'
import { resolveInside } from './paths.ts'
import type { ResolvedPath } from './paths.ts'
import { codeOf, isGone, NOT_REGULAR, reasonOf, tooLarge } from './reasons.ts'
import { splitPath } from '../../domain/paths.ts'
import { walkFolders, wouldOffer } from './scan.ts'
import type { Tree } from './scan.ts'

export function folderWriter(tree: Tree): SourceWriter {
  return {
    place: (path, except) => place(tree, path, except),
    load: (path) => load(tree, path)?.file,
    apply: (changes) => new Group(tree, changes).apply(),
    strays: (beside) => strays(tree, beside),
    sweep: (beside) => sweep(tree, beside),
  }
}

function place(tree: Tree, path: string, except: string | undefined): string {
  resolveInside(tree.root, path, { forWriting: true })
  const names = path.split('/')
  const file = names.pop() ?? ''
  const folders: string[] = []
  for (const name of names) folders.push(existingFolder(tree, folders, name))
  const spelled = [...folders, file].join('/')
  const taken = namesIn(tree, folders).find(
    // A file may be given its own name in other letters.
    (name) => foldName(name) === foldName(file) && [...folders, name].join('/') !== except,
  )
  if (taken !== undefined) throw pathTaken(tree, [...folders, taken].join('/'), spelled)
  if (!wouldOffer(tree, spelled)) throw notOffered(tree, spelled)
  return spelled
}

/** `notes` means the folder `Notes` when only that one exists: two of them would be one elsewhere. */
function existingFolder(tree: Tree, above: readonly string[], name: string): string {
  const alike = namesIn(tree, above).filter((each) => foldName(each) === foldName(name))
  if (alike.length === 0 || alike.includes(name)) return name
  if (alike.length === 1) return alike[0]!
  throw invalid(
    `The folder ${quoted(name)} could be any of ${alike.map(quoted).join(', ')}.`,
    'Write the folder exactly as one of these is spelled.',
  )
}

function namesIn(tree: Tree, folders: readonly string[]): string[] {
  try {
    return readdirSync(join(tree.root, ...folders))
  } catch (error) {
    if (isGone(error)) return []
    throw unavailable(`${folders.join('/')} cannot be read: ${reasonOf(error)}`, [])
  }
}

interface Loaded {
  readonly file: FileBytes
  readonly stats: Stats
}

const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

function load(tree: Tree, path: string): Loaded | undefined {
  const { real, stats } = resolveInside(tree.root, path, { forWriting: true })
  if (!stats) return undefined
  // Looked at before it is opened: opening a FIFO or a device may do anything.
  if (!stats.isFile()) throw notAFile(path)
  let descriptor: number
  try {
    descriptor = openSync(real, READ_FLAGS)
  } catch (error) {
    if (isGone(error)) return undefined
    throw unavailable(`${quoted(path)} cannot be read: ${reasonOf(error)}`, [])
  }
  try {
    const now = fstatSync(descriptor)
    if (!now.isFile()) throw notAFile(path)
    requireSize(tree, path, now.size)
    const bytes = readFileSync(descriptor)
    const digest = digestOf(bytes)
    return {
      file: { path, size: bytes.length, modifiedAt: now.mtimeMs, bytes, digest },
      stats: now,
    }
  } finally {
    closeSync(descriptor)
  }
}

function requireSize({ maxFileBytes }: Tree, path: string, size: number): void {
  if (size <= maxFileBytes) return
  throw invalid(
    `${quoted(path)} would be ${tooLarge(size, maxFileBytes)}.`,
    'Split the document, or raise the limit with --max-file-bytes.',
  )
}

interface Staged {
  readonly change: FileChange
  readonly target: ResolvedPath
  /** Undefined for a file that goes. */
  readonly temporary: string | undefined
}

/** Content of many files is flushed side by side: the disk is what one waits for. */
const AT_ONCE = 16

class Group {
  readonly #tree: Tree
  readonly #changes: readonly FileChange[]
  readonly #madeFolders: string[] = []
  readonly #temporaries = new Set<string>()
  readonly #changed: string[] = []

  constructor(tree: Tree, changes: readonly FileChange[]) {
    this.#tree = tree
    this.#changes = changes
  }

  async apply(): Promise<void> {
    try {
      const staged: Staged[] = []
      for (let at = 0; at < this.#changes.length; at += AT_ONCE) {
        const some = this.#changes.slice(at, at + AT_ONCE)
        const outcomes = await Promise.allSettled(some.map((change) => this.#stage(change)))
        for (const outcome of outcomes) {
          if (outcome.status === 'rejected') throw outcome.reason
          staged.push(outcome.value)
        }
      }
      for (const each of staged) {
        this.#settle(each)
        this.#changed.push(each.change.path)
      }
      const folders = new Set([
        ...staged.flatMap(({ target }) => [dirname(target.real), dirname(target.absolute)]),
        ...this.#madeFolders.map((folder) => dirname(folder)),
      ])
      for (const folder of folders) await flushFolder(folder)
    } catch (error) {
      throw this.#failure(error)
    } finally {
      this.#cleanUp()
    }
  }

  async #stage(change: FileChange): Promise<Staged> {
    const { path, bytes } = change
    this.#require(change)
    const target = resolveInside(this.#tree.root, path, { forWriting: true })
    if (bytes === undefined) return { change, target, temporary: undefined }
    requireSize(this.#tree, path, bytes.length)
    if (!target.stats) this.#makeFolders(dirname(target.real))
    const model = target.stats ?? this.#model(change.like)
    const temporary = join(dirname(target.real), temporaryName())
    this.#temporaries.add(temporary)
    const file = await open(temporary, 'wx', model ? model.mode & 0o7777 : 0o666)
    try {
      await file.writeFile(bytes)
      // The mode given to open is cut by the process's mask; an existing file keeps its own.
      if (model) await file.chmod(model.mode & 0o7777)
      await file.sync()
    } finally {
      await file.close()
    }
    if (model) keepOwner(temporary, model)
    return { change, target, temporary }
  }

  #model(path: string | undefined): Stats | undefined {
    return path === undefined
      ? undefined
      : resolveInside(this.#tree.root, path, { forWriting: true }).stats
  }

  /** What is on disk must be what the caller worked from, now and again in the last moment. */
  #require({ path, expect }: FileChange): void {
    const found = load(this.#tree, path)?.file.digest
    if (found !== expect) throw changedMeanwhile(path, found, [])
  }

  #settle({ change, target, temporary }: Staged): void {
    this.#require(change)
    if (temporary === undefined) unlinkSync(target.absolute)
    else if (change.expect === undefined) this.#create(change.path, temporary, target.real)
    else renameSync(temporary, target.real)
  }

  /** A name that someone else took in the last moment is not overwritten. */
  #create(path: string, temporary: string, real: string): void {
    try {
      linkSync(temporary, real)
    } catch (error) {
      if (codeOf(error) === 'EEXIST') throw changedMeanwhile(path, 'something else', [])
      if (!NO_LINKS.has(codeOf(error))) throw error
      // A file system without links: what stood there a moment ago was nothing.
      renameSync(temporary, real)
    }
  }

  #makeFolders(folder: string): void {
    const missing: string[] = []
    for (let each = folder; !lstatSync(each, { throwIfNoEntry: false }); each = dirname(each)) {
      missing.unshift(each)
    }
    for (const each of missing) {
      mkdirSync(each)
      this.#madeFolders.push(each)
    }
  }

  #cleanUp(): void {
    for (const temporary of this.#temporaries) {
      try {
        unlinkSync(temporary)
      } catch {
        // Renamed into place, or never made.
      }
    }
    if (this.#changed.length > 0) return
    for (const folder of this.#madeFolders.toReversed()) {
      try {
        rmdirSync(folder)
      } catch {
        // Someone else put something into it.
      }
    }
  }

  #failure(error: unknown): unknown {
    if (error instanceof KnowledgeError) {
      return new WriteError(error.code, error.message, error.hint, this.#changed)
    }
    if (codeOf(error) === '') return error
    return unavailable(
      `The files of ${quoted(this.#tree.name)} cannot be written: ${reasonOf(error)}`,
      this.#changed,
    )
  }
}

const NO_LINKS: ReadonlySet<string> = new Set([
  'EPERM',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EMLINK',
])

function keepOwner(place: string, { uid, gid }: Stats): void {
  try {
    const { uid: ownUid, gid: ownGid } = statSync(place)
    if (uid !== ownUid || gid !== ownGid) chownSync(place, uid, gid)
  } catch {
    // Only the system's administrator may give files away; the content matters more.
  }
}

/** A rename is on disk when its folder is. Windows does not let folders be opened, and flushes itself. */
async function flushFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } catch (error) {
    // Some network drives cannot flush a folder; they have no more to promise.
    if (!CANNOT_FLUSH.has(codeOf(error))) throw error
  } finally {
    await handle.close()
  }
}

const CANNOT_FLUSH: ReadonlySet<string> = new Set(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'EBADF'])

const HOST = hash('sha256', hostname(), 'hex').slice(0, 8)
const TEMPORARY = /^\.cairn-tmp\.(\d+)\.([0-9a-f]{8})\.[0-9a-f]{12}$/

/** Hidden, with no extension that a scan offers, and naming the process that will remove it. */
function temporaryName(): string {
  return `.cairn-tmp.${process.pid}.${HOST}.${randomBytes(6).toString('hex')}`
}

/** A process on another machine may be slow, but not this slow. */
const ABANDONED_MS = 24 * 60 * 60 * 1000

async function sweep(tree: Tree, beside: readonly string[] | undefined): Promise<number> {
  const found = await strays(tree, beside)
  for (const path of found) unlinkSync(join(tree.root, path))
  return found.length
}

async function strays(tree: Tree, beside: readonly string[] | undefined): Promise<string[]> {
  const folders = new Set<string>()
  if (beside) {
    for (const path of beside) {
      folders.add(splitPath(path).folder)
      folders.add(realFolderOf(tree, path))
    }
  } else {
    await walkFolders(tree, [''], (folder) => folders.add(folder))
  }
  return [...folders].flatMap((folder) =>
    namesIn(tree, folder === '' ? [] : [folder])
      .filter((name) => isStray(name, join(tree.root, folder, name)))
      .map((name) => (folder === '' ? name : `${folder}/${name}`)),
  )
}

/** A file behind a link is written where it really is. */
function realFolderOf(tree: Tree, path: string): string {
  try {
    const { real } = resolveInside(tree.root, path)
    return splitPath(real.slice(tree.root.length + 1).replaceAll('\\', '/')).folder
  } catch {
    return splitPath(path).folder
  }
}

function isStray(name: string, place: string): boolean {
  const match = TEMPORARY.exec(name)
  if (!match) return false
  const writtenAt = statSync(place, { throwIfNoEntry: false })?.mtimeMs
  if (writtenAt === undefined) return false
  if (writtenAt < Date.now() - ABANDONED_MS) return true
  if (match[2] !== HOST) return false
  const pid = Number(match[1])
  // In a container every process may have the same number: what is older than us is not ours.
  if (pid === process.pid) return writtenAt < Date.now() - process.uptime() * 1000
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return codeOf(error) !== 'EPERM'
  }
}

function digestOf(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex')
}

function pathTaken({ name }: Tree, taken: string, wanted: string): KnowledgeError {
  const alike = taken === wanted ? '' : ', whose name differs only in case'
  return new KnowledgeError(
    'exists',
    `There is already ${quoted(`${name}/${taken}`)}${alike}.`,
    'Choose another path, or change the one that exists.',
  )
}

function notOffered({ name }: Tree, path: string): KnowledgeError {
  return invalid(
    `${quoted(path)} would not be part of the source ${quoted(name)}: its name, folder or an ignore file leaves it out.`,
    'Use a path ending in .md in a folder that is served, such as "notes/idea.md".',
  )
}

function notAFile(path: string): KnowledgeError {
  return invalid(
    `${quoted(path)} is ${NOT_REGULAR}.`,
    'Only ordinary files are written. Choose another path.',
  )
}

function changedMeanwhile(
  path: string,
  found: string | undefined,
  changed: readonly string[],
): WriteError {
  const now = found === undefined ? 'it is gone' : `its digest is now ${found}`
  return new WriteError(
    'conflict',
    `${quoted(path)} was changed by someone else: ${now}.`,
    'Nothing was overwritten. Read the document again and repeat the change.',
    changed,
  )
}

function unavailable(message: string, changed: readonly string[]): WriteError {
  return new WriteError(
    'unavailable',
    `${message}.`,
    'Make room or give permission, then try again. No other document was changed.',
    changed,
  )
}
