/**
 * Changes files of a folder without ever leaving one half written: the new content goes to a
 * temporary file beside the target, is flushed, and takes the target's place in one step.
 */
import {
  chownSync,
  closeSync,
  fchmodSync,
  fsync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFile,
  writeFileSync,
} from 'node:fs'
import type { BigIntStats } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { documentId } from '../../domain/document.ts'
import { KnowledgeError, quoted } from '../../domain/error.ts'
import { Slices } from '../../kit/slices.ts'
import { WriteError } from '../../domain/source.ts'
import type { ApplyOptions, FileAttributes, FileChange, ReplacedFile } from '../../domain/source.ts'
import { LockLost } from '../../domain/write-lock.ts'
import { copyAttributes } from './copy-attributes.ts'
import {
  digestOf,
  identityOf,
  isSameFile,
  isSameVersion,
  isSymbolicLink,
  isThere,
  isYounger,
  lookInto,
  stampOf,
  statsOf,
} from './file-version.ts'
import { HeldFolder } from './held-folder.ts'
import { load, requireSize } from './load-file.ts'
import type { Work } from './load-file.ts'
import { forgetAside, noteAside } from './nameless-files.ts'
import { resolveInside } from './paths.ts'
import type { ResolvedPath } from './paths.ts'
import { changedMeanwhile, codeOf, isGone, reasonOf, unavailable } from './reasons.ts'
import { CANNOT_LINK, giveName, readKept, removeKept } from './replaced-files.ts'
import type { Tree } from './scan.ts'
import { temporaryName } from './temporaries.ts'

/** So many paths are remembered; a file that was forgotten is looked at twice, no more. */
const OWN_AT_MOST = 1_000

interface Staged {
  readonly change: FileChange
  readonly target: ResolvedPath
  /** Undefined for a file that goes, and for a link. */
  readonly temporary: string | undefined
}

const AT_ONCE_BYTES = 64 * 1024
const writeLong = promisify(writeFile)
const flush = promisify(fsync)

/** Content of many files is flushed side by side: the disk is what one waits for. */
const AT_ONCE = 64

/**
 * A file that was touched within this time is moved aside before the new one takes its name, so
 * that a save in the last moment is seen and not overwritten. For some microseconds there is then
 * no file, so what rests is replaced in one step instead.
 */
const BUSY_MS = 2_000

export class Group {
  readonly #work: Work
  readonly #tree: Tree
  readonly #changes: readonly FileChange[]
  readonly #operation: string
  readonly #ready: Promise<void> | undefined
  readonly #fence: () => void
  readonly #folders = new Map<string, HeldFolder>()
  readonly #madeFolders: { readonly parent: HeldFolder; readonly name: string }[] = []
  readonly #temporaries = new Set<string>()
  /** Those that have nothing but bytes, mode and owner. */
  readonly #plain = new Set<string>()
  readonly #changed: string[] = []
  /** Those that were put in place, and nobody has to ask about. */
  readonly #plainNow: { readonly path: string; readonly real: string }[] = []
  /** Where the files are that were replaced. */
  readonly #kept: string[] = []
  /** What was kept before this group began; looked up once, not once for each file. */
  #keptBefore: readonly string[] | undefined

  constructor(
    work: Work,
    changes: readonly FileChange[],
    operation: string,
    { ready, fence = () => {} }: ApplyOptions = {},
  ) {
    this.#work = work
    this.#tree = work.tree
    this.#changes = changes
    this.#operation = operation
    this.#ready = ready
    this.#fence = fence
  }

  async apply(): Promise<readonly ReplacedFile[]> {
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
      await this.#ready
      const slices = new Slices()
      for (const each of staged) {
        // Never within one: a file may have no name for a moment.
        if (slices.over) await slices.pause()
        this.#fence()
        this.#settle(each)
        this.#changed.push(each.change.path)
        const { temporary, target, change } = each
        if (temporary !== undefined && this.#plain.has(temporary)) {
          this.#plainNow.push({ path: change.path, real: target.real })
        }
      }
      const folders = new Set([
        ...staged.flatMap(({ target }) => [dirname(target.real), dirname(target.entry)]),
        ...this.#folders.keys(),
      ])
      for (const folder of folders) await this.#folder(folder).flush()
      for (const each of staged) this.#removeEmpty(each)
      return this.#kept.flatMap((place) => this.#work.replaced.find(place) ?? [])
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
    if (change.link !== undefined && this.#leadsTo(change.link, target, bytes)) {
      return { change, target, temporary: undefined }
    }
    const model = target.stats ?? this.#model(change.like) ?? change.attributes
    const folder = this.#folder(dirname(target.real))
    const name = temporaryName()
    const temporary = folder.at(name)
    this.#temporaries.add(temporary)
    // What takes microseconds is done at once: each step that waits lets everybody else go first,
    // and whoever writes next waits for all of them. Flushing is what takes long.
    const file = openSync(temporary, 'wx', model ? model.mode & 0o7777 : 0o666)
    try {
      if (bytes.length <= AT_ONCE_BYTES) writeFileSync(file, bytes)
      else await writeLong(file, bytes)
      if (model) {
        keepOwner(temporary, model)
        // The mode given to open is cut by the process's mask; an existing file keeps its own.
        fchmodSync(file, model.mode & 0o7777)
      }
      const origin = this.#attributesFrom(change, target)
      const plain = origin === undefined || this.#isPlain(path, target)
      if (plain || (await copyAttributes(origin, folder.forOthers(name)))) {
        this.#plain.add(temporary)
      }
      await flush(file)
    } finally {
      closeSync(file)
    }
    return { change, target, temporary }
  }

  /** Folders stay open until the group is done: what happens in them happens there. */
  #folder(place: string): HeldFolder {
    const folder = this.#folders.get(place) ?? new HeldFolder(place)
    this.#folders.set(place, folder)
    return folder
  }

  /** The file that a new one takes everything over from but its bytes. */
  #attributesFrom(change: FileChange, { real, stats }: ResolvedPath): string | undefined {
    const { path, like, removedBy } = change
    if (stats) return this.#folder(dirname(real)).forOthers(basename(real))
    const moved = like === undefined ? undefined : resolveInside(this.#tree.root, like)
    if (moved?.stats) return this.#folder(dirname(moved.real)).forOthers(basename(moved.real))
    return removedBy === undefined ? undefined : this.#work.replaced.shellOf(removedBy, path)
  }

  /** Put there by Cairn, with nothing that would have to be copied: asking takes a process. */
  #isPlain(path: string, { real, stats }: ResolvedPath): boolean {
    const now = stats && statsOf(real)
    if (now === undefined) return false
    const known = this.#work.plain.get(path)
    if (known?.startsWith(`${identityOf(now)}:`)) return known === stampOf(now)
    if (!isYounger(now, BUSY_MS)) return false
    this.#keptBefore ??= this.#work.replaced.names()
    return this.#work.replaced.isPlain(path, now, this.#keptBefore)
  }

  #model(path: string | undefined): FileAttributes | undefined {
    return path === undefined
      ? undefined
      : resolveInside(this.#tree.root, path, { forWriting: true }).stats
  }

  /** A link that was taken away comes back as a link if it would show the same text. */
  #leadsTo(link: string, { entry, stats }: ResolvedPath, bytes: Uint8Array): boolean {
    if (stats) return false
    const place = join(dirname(entry), link)
    const path = place.slice(this.#tree.root.length + 1).replaceAll('\\', '/')
    try {
      return load(this.#work, path)?.digest === digestOf(bytes)
    } catch {
      return false
    }
  }

  /** What is on disk must be what the caller worked from, now and again in the last moment. */
  #require({ path, expect }: FileChange): void {
    const found = load(this.#work, path)?.digest
    if (found !== expect) throw changedMeanwhile(path, found)
  }

  #settle({ change, target, temporary }: Staged): void {
    const name = this.#folder(dirname(target.real)).at(basename(target.real))
    if (change.bytes === undefined) this.#remove(change, target, name)
    else if (temporary === undefined) this.#link(change, name)
    else if (change.expect === undefined) this.#create(change, temporary, name)
    else this.#replace(change, temporary, name)
  }

  #link({ path, link = '' }: FileChange, name: string): void {
    attempt(
      () => symlinkSync(link, name),
      () => isSymbolicLink(name),
      (error) => (codeOf(error) === 'EEXIST' ? changedMeanwhile(path, 'something else') : error),
    )
  }

  /** A name that someone else took in the last moment is not overwritten. */
  #create(change: FileChange, temporary: string, name: string): void {
    this.#require(change)
    const made = statsOf(temporary)
    this.#giveName(change.path, temporary, name)
    this.#remember(change.path, made)
  }

  #giveName(path: string, temporary: string, name: string): void {
    const made = statsOf(temporary)
    try {
      linkSync(temporary, name)
    } catch (error) {
      // Not by its number alone: that of a file which is gone is given to the next one.
      if (made && isSameVersion(made, statsOf(name))) return
      if (codeOf(error) === 'EEXIST') throw changedMeanwhile(path, 'something else')
      if (!CANNOT_LINK.has(codeOf(error))) throw error
      // A file system without links: what stood there a moment ago was nothing.
      this.#rename(temporary, name)
    }
  }

  #rename(from: string, to: string): void {
    const moved = statsOf(from)
    attempt(
      () => renameSync(from, to),
      () => moved !== undefined && isSameVersion(moved, statsOf(to)),
    )
  }

  #replace(change: FileChange, temporary: string, name: string): void {
    const { path, expect, operation = this.#operation } = change
    const made = statsOf(temporary)
    const { replaced } = this.#work
    const kept = replaced.placeFor(operation, path, made, this.#plain.has(temporary))
    const now = statsOf(name)
    if (kept !== undefined && now && isYounger(now, BUSY_MS) && this.#aside(change, name, kept)) {
      try {
        this.#giveName(path, temporary, name)
      } catch (error) {
        this.#nameAgain(kept, name)
        throw error
      }
      this.#forgetAside(kept)
    } else {
      if (kept !== undefined) keepSecondName(name, kept)
      const held = kept === undefined ? undefined : readKept(kept)
      const found = held ? digestOf(held) : load(this.#work, path)?.digest
      const same = !held || isSameFile(statsOf(kept!), statsOf(name))
      if (found !== expect || !same) {
        if (kept !== undefined) removeKept(kept)
        throw changedMeanwhile(path, found === expect ? 'another one' : found)
      }
      try {
        this.#fence()
        this.#rename(temporary, name)
      } catch (error) {
        // What was not replaced needs no second name.
        if (kept !== undefined) removeKept(kept)
        throw error
      }
      this.#temporaries.delete(temporary)
    }
    this.#remember(path, made)
    if (kept !== undefined) this.#kept.push(kept)
  }

  /**
   * Takes the file out of the way. What turns out to be something else gets its name back. A file
   * that is to have a successor is without a name until then: what takes long is done before.
   */
  #aside({ path, expect }: FileChange, name: string, kept: string): boolean {
    const { root } = this.#tree
    const before = lookInto(name)
    if (before?.digest !== expect) throw changedMeanwhile(path, before?.digest)
    try {
      noteAside(root, kept, path)
      this.#rename(name, kept)
    } catch (error) {
      this.#forgetAside(kept)
      if (codeOf(error) === 'EXDEV') return false
      throw isGone(error) ? changedMeanwhile(path, undefined) : error
    }
    const moved = statsOf(kept)
    // A write that neither time nor size shows is found when what was replaced is looked at again.
    // One that is gone was deleted with all of `.cairn`: what was in it is known.
    if (!moved || isSameVersion(moved, before?.stats)) {
      this.#stillOurs(kept, name)
      return true
    }
    this.#nameAgain(kept, name)
    throw changedMeanwhile(path, 'another one')
  }

  /** Whoever stood still right before the step has moved what is not its to move any more. */
  #stillOurs(kept: string, name: string): void {
    try {
      this.#fence()
    } catch (error) {
      this.#nameAgain(kept, name)
      throw error
    }
  }

  /** Where that fails the note stays, and whoever takes the change back tries again. */
  #nameAgain(kept: string, name: string): void {
    try {
      // Deleted with all of `.cairn`, or brought back by another process.
      if (isThere(kept)) giveName(kept, name)
      if (isThere(name)) forgetAside(this.#tree.root, kept)
    } catch {
      // The reason why it came to this is what is told.
    }
  }

  /** Nobody writes to the file again before its note is gone: see `bringBackNameless`. */
  #forgetAside(kept: string): void {
    try {
      forgetAside(this.#tree.root, kept)
    } catch {
      // The next to come tries again.
    }
  }

  #remove(change: FileChange, { entry, real, path }: ResolvedPath, name: string): void {
    this.#work.own.delete(path)
    if (entry !== real) {
      // Only the link goes; what it leads to stays.
      this.#require(change)
      const link = this.#folder(dirname(entry)).at(basename(entry))
      attempt(
        () => unlinkSync(link),
        () => !isThere(link),
      )
      return
    }
    const { operation = this.#operation } = change
    const kept = this.#work.replaced.placeFor(operation, path, undefined)
    if (kept !== undefined && this.#aside(change, name, kept)) {
      try {
        // What was noted comes back, so it is gone for good only now.
        forgetAside(this.#tree.root, kept)
      } catch (error) {
        this.#nameAgain(kept, name)
        throw error
      }
      this.#kept.push(kept)
      return
    }
    this.#require(change)
    attempt(
      () => unlinkSync(name),
      () => !isThere(name),
    )
  }

  #remember(path: string, made: BigIntStats | undefined): void {
    const { own } = this.#work
    if (!made) return
    if (own.size >= OWN_AT_MOST) own.clear()
    own.set(path, identityOf(made))
  }

  /** When everything is done: whoever gives such a file a list or an attribute changes its stamp. */
  rememberPlain(): void {
    const { plain } = this.#work
    for (const { path, real } of this.#plainNow) {
      const stats = statsOf(real)
      if (plain.size >= OWN_AT_MOST) plain.clear()
      if (stats) plain.set(path, stampOf(stats))
    }
  }

  #makeFolders(folder: string): void {
    const missing: string[] = []
    let each = folder
    for (; !lstatSync(each, { throwIfNoEntry: false }); each = dirname(each)) {
      missing.unshift(basename(each))
    }
    for (const name of missing) {
      const parent = this.#folder(each)
      attempt(
        () => mkdirSync(parent.at(name)),
        () => lstatSync(parent.at(name), { throwIfNoEntry: false })?.isDirectory() ?? false,
      )
      this.#madeFolders.push({ parent, name })
      each = join(each, name)
    }
  }

  /** Folders that came with a file, from the deepest on. One that holds something else stays. */
  #removeEmpty({ change: { path, bytes, folders = 0 }, target }: Staged): void {
    if (bytes !== undefined) return
    const most = Math.min(folders, path.split('/').length - 1)
    let place = dirname(target.real)
    try {
      for (let count = 0; count < most; count++, place = dirname(place)) {
        rmdirSync(this.#folder(dirname(place)).at(basename(place)))
      }
    } catch {
      // Not empty, or gone already.
    }
  }

  #cleanUp(): void {
    for (const temporary of this.#temporaries) {
      try {
        // Renamed into place, or never made, it is gone.
        removeKept(temporary)
      } catch {
        // Found by its name when the process is gone.
      }
    }
    if (this.#changed.length === 0) {
      for (const { parent, name } of this.#madeFolders.toReversed()) {
        try {
          rmdirSync(parent.at(name))
        } catch {
          // Someone else put something into it.
        }
      }
    }
    for (const folder of this.#folders.values()) folder.close()
  }

  /** What was prepared is taken from whoever has lost the lock, and then it is not there. */
  #isLost(): boolean {
    try {
      this.#fence()
      return false
    } catch {
      return true
    }
  }

  #failure(error: unknown): unknown {
    if (error instanceof LockLost || this.#isLost()) {
      const { name: source } = this.#tree
      return new LockLost(this.#changed.map((path) => documentId({ source, path })))
    }
    if (error instanceof KnowledgeError) {
      return new WriteError(error.code, error.message, error.hint, this.#changed)
    }
    if (codeOf(error) === '') return error
    return unavailable(
      `The files of ${quoted(this.#tree.name)} cannot be written: ${reasonOf(error)}`,
      this.#changed,
      error,
    )
  }
}

/**
 * Does something to a name. A call may report an error and have taken effect all the same, as when
 * a network drive repeats it; what is there afterwards decides.
 */
function attempt(
  call: () => void,
  isDone: () => boolean,
  explain: (error: unknown) => unknown = (error) => error,
): void {
  try {
    call()
  } catch (error) {
    if (!isDone()) throw explain(error)
  }
}

/** Where files cannot have two names, nothing is kept. */
function keepSecondName(name: string, kept: string): void {
  try {
    linkSync(name, kept)
  } catch (error) {
    // The folder for it may have been deleted this very moment, with all of `.cairn`.
    const harmless = isGone(error) || codeOf(error) === 'EEXIST'
    if (!harmless && !CANNOT_LINK.has(codeOf(error))) throw error
  }
}

function keepOwner(place: string, { uid, gid }: FileAttributes): void {
  try {
    const { uid: ownUid, gid: ownGid } = statSync(place)
    if (uid !== ownUid || gid !== ownGid) chownSync(place, uid, gid)
  } catch {
    // Only the system's administrator may give files away; the content matters more.
  }
}
