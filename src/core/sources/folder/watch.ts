/**
 * Watches a folder, debounced: notices that something below it may have changed.
 *
 * Events are hints: they are gathered for a moment, reduced to paths, and handed over; whoever
 * receives them looks again. So the watcher's whole duty is to never leave a change unhinted for
 * long, and everything doubtful (a burst too large for the system's queue, an edited ignore file, a
 * lost root, a minute gone by) becomes the hint "look at everything".
 */
import { lstatSync, statSync, watch, type FSWatcher } from 'node:fs'
import { basename } from 'node:path'
import { KnowledgeError } from '../../domain/error.ts'
import type { OnFound, Scan, SourceChange, Watching } from '../../domain/source.ts'
import { justChanged } from './just-changed.ts'
import { codeOf, reasonOf } from './reasons.ts'
import { IGNORE_FILES } from './rules.ts'
import { splitPath } from '../../kit/paths.ts'
import { isFolder, scanTree, walkFolders, type Tree } from './scan.ts'

export interface WatchOptions {
  /** Told once when watching has to fall back on looking every few seconds, and why. */
  readonly onWarning?: (message: string) => void
  /** Changes are handed over when nothing happened for this long … */
  readonly quietMs?: number
  /** … and at the latest this long after the first of them. */
  readonly maxDelayMs?: number
  /** How often "look at everything" is said without a reason, for changes no system reports. */
  readonly reconcileMs?: number
  /** How often to look when the system cannot tell. */
  readonly pollMs?: number
  /** How the system is asked; chosen by platform. */
  readonly method?: WatchMethod
}

/**
 * - `folders`: one watch per folder. For Linux, where the system knows nothing else. Node's own
 *   recursive watch there takes five times the memory and three times as long to start (15,000
 *   folders), and never sees a folder again that was replaced by one of the same name.
 * - `recursive`: one watch for the tree. macOS and Windows do this in the system.
 * - `polling`: a scan every few seconds.
 */
export type WatchMethod = 'folders' | 'recursive' | 'polling'

const METHOD_BY_PLATFORM: Readonly<Partial<Record<NodeJS.Platform, WatchMethod>>> = {
  linux: 'folders',
  android: 'folders',
  darwin: 'recursive',
  win32: 'recursive',
}

/**
 * Linux queues 16,384 events for a process and drops the rest without Node telling anyone. The
 * whole queue is delivered in one turn of the event loop, so half as many in one turn mean that
 * some may be lost. By then a full scan is also the cheapest way to look.
 */
const OVERFLOW_EVENTS = 8192

/** Polling takes at most this share of one core, however large the tree is. */
const MAX_POLLING_SHARE = 0.05

/**
 * Starts watching. Resolves when the root and the folders of `recent` files are watched; the others
 * are from where the next scan lists them. Keeps no process alive.
 */
export async function watchTree(
  tree: Tree,
  onChange: (change: SourceChange) => void,
  options: WatchOptions = {},
  recent: readonly string[] = [],
): Promise<Watching> {
  const watcher = new TreeWatcher(tree, onChange, options)
  await watcher.start(recent)
  return { close: () => watcher.close() }
}

/** A scan on whose way those who watch the tree set the watches that they still lack. */
export async function scanWatched(tree: Tree, onFound?: OnFound): Promise<Scan> {
  const lacking = [...watchers].filter((each) => each.awaitsScanOf(tree))
  if (lacking.length === 0) return scanTree(tree, onFound)
  const scan = await scanTree(tree, onFound, (folder) => {
    for (const watcher of lacking) watcher.onScanned(folder)
  })
  for (const watcher of lacking) watcher.onScanEnd()
  return scan
}

/** Which folder a watch is for; the others are told by it. */
const FOLDER = Symbol('folder')
type Watched = FSWatcher & { [FOLDER]: string }

/** All watchers of this thread share one queue in the system, and so its overflow. */
const watchers = new Set<TreeWatcher>()
let eventsThisTurn = 0

function countEvent(): void {
  if (eventsThisTurn++ === 0) setImmediate(() => (eventsThisTurn = 0)).unref()
  if (eventsThisTurn === OVERFLOW_EVENTS) for (const watcher of watchers) watcher.hintOverflow()
}

class TreeWatcher {
  readonly #tree: Tree
  readonly #onChange: (change: SourceChange) => void
  readonly #onWarning: (message: string) => void
  readonly #quietMs: number
  readonly #maxDelayMs: number
  readonly #reconcileMs: number
  readonly #pollMs: number
  readonly #method: WatchMethod

  /** By folder; with the recursive method there is only the root's, `''`. */
  readonly #watches = new Map<string, FSWatcher>()
  #rootIdentity = ''
  /** Only some folders are watched: a scan comes to all of them, and listing each is most of the cost. */
  #awaitsScan = false
  readonly #timers = new Set<NodeJS.Timeout>()
  #closed = false
  #polling = false
  #warned = ''

  /** The batch being gathered: path → whether it was created, removed or renamed. */
  #hints = new Map<string, boolean>()
  #everything: 'routine' | 'hinted' | undefined
  #overflowed = false
  #firstAt = 0
  #lastAt = 0
  #waiting = false
  /** Watches are being set or checked; batches wait for the end of that. */
  #settling = false

  /** The same two for all watches: functions of its own would make each a sixth larger. */
  readonly #changed: (this: FSWatcher, event: string, name: string | Buffer) => void
  readonly #failed: (this: FSWatcher) => void

  constructor(tree: Tree, onChange: (change: SourceChange) => void, options: WatchOptions) {
    const on = {
      event: (folder: string, event: string, name: string | null) =>
        this.#onEvent(folder, event, name),
      error: (folder: string) => this.#onWatchError(folder),
    }
    this.#changed = function (event, name) {
      on.event((this as Watched)[FOLDER], event, name as string | null)
    }
    this.#failed = function () {
      on.error((this as Watched)[FOLDER])
    }
    this.#tree = tree
    this.#onChange = onChange
    this.#onWarning = options.onWarning ?? (() => {})
    this.#quietMs = options.quietMs ?? 50
    this.#maxDelayMs = options.maxDelayMs ?? 200
    this.#reconcileMs = options.reconcileMs ?? 60_000
    this.#pollMs = options.pollMs ?? 3_000
    this.#method = options.method ?? METHOD_BY_PLATFORM[process.platform] ?? 'polling'
  }

  async start(recent: readonly string[]): Promise<void> {
    watchers.add(this)
    const trouble =
      this.#method === 'polling'
        ? 'this system offers no way to watch folders'
        : (this.#watchRoot() ?? this.#watchFirst(recent))
    if (trouble !== undefined) await this.#startPolling(trouble)
    else this.#awaitsScan = this.#method === 'folders'
    this.#every(this.#reconcileMs, () => this.#reconcile())
  }

  awaitsScanOf(tree: Tree): boolean {
    return this.#awaitsScan && this.#tree === tree
  }

  /** What changes in the folder from now on is noticed; what changed before is seen by the scan. */
  onScanned(folder: string): void {
    if (this.#polling) return
    try {
      this.#watch(folder, false)
    } catch (error) {
      // What changes until the first look of polling is over would be in neither.
      void this.#startPolling(troubleWith(error)).then(() => {
        if (!this.#closed) this.#onChange({ paths: undefined })
      })
    }
  }

  onScanEnd(): void {
    this.#awaitsScan = false
  }

  close(): void {
    this.#closed = true
    watchers.delete(this)
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers.clear()
    this.#unwatchAll()
  }

  // --- Watches -----------------------------------------------------------------------------------

  #watchRoot(): string | undefined {
    try {
      this.#rootIdentity = identityOf(this.#tree.root)
      this.#watch('', this.#method === 'recursive')
      return this.#watches.has('') ? undefined : 'the folder is gone'
    } catch (error) {
      return troubleWith(error)
    }
  }

  /**
   * Locality: what changes next is most likely beside what changed last, or in the root. What has
   * changed there a moment ago is told at once.
   */
  #watchFirst(recent: readonly string[]): string | undefined {
    if (recent.length === 0) return undefined
    try {
      const paths = justChanged(this.#tree, recent, (folder) => {
        if (this.#method === 'folders') this.#watch(folder, false)
      })
      if (paths.length > 0) this.#onChange({ paths })
      return undefined
    } catch (error) {
      return troubleWith(error)
    }
  }

  /** Watches the whole tree from scratch. Returns what stands in the way, if anything does. */
  async #watchEverything(): Promise<string | undefined> {
    this.#unwatchAll()
    const trouble = this.#watchRoot() ?? (await this.#watchFolders(['']))
    if (trouble === undefined && (this.#watches.has('') || this.#closed)) return undefined
    this.#unwatchAll()
    return trouble ?? 'the folder is gone'
  }

  #watch(folder: string, recursive: boolean): void {
    if (this.#closed || this.#watches.has(folder)) return
    const { root } = this.#tree
    let watching: FSWatcher
    try {
      watching = watch(folder === '' ? root : `${root}/${folder}`, { recursive, persistent: false })
    } catch (error) {
      // Out of watches is a matter for everyone; a folder that vanished or is closed to us is not.
      if (isExhausted(error) || (recursive && folder === '')) throw error
      return
    }
    ;(watching as Watched)[FOLDER] = folder
    watching.on('change', this.#changed)
    watching.on('error', this.#failed)
    this.#watches.set(folder, watching)
  }

  #unwatchAll(): void {
    for (const watching of this.#watches.values()) watching.close()
    this.#watches.clear()
  }

  /**
   * Ends the watches of folders that were renamed, with all below them. A watch sticks to the
   * folder it was set on, not to the name, and would go on reporting under a name that is now
   * wrong.
   */
  #unwatchRenamed(hints: ReadonlyMap<string, boolean>): ReadonlySet<string> {
    const ended = new Set<string>()
    // Most batches rename no folder, and then nobody needs to go through all watches.
    if (![...hints].some(([path, renamed]) => renamed && this.#watches.has(path))) return ended
    for (const [folder, watching] of this.#watches) {
      if (folder === '' || !isRenamed(folder, hints)) continue
      watching.close()
      this.#watches.delete(folder)
      ended.add(folder)
    }
    return ended
  }

  // --- Events ------------------------------------------------------------------------------------

  #onEvent(folder: string, event: string, name: string | null): void {
    if (this.#closed || this.#polling) return
    countEvent()
    if (name === null) return this.#hintEverything()
    const relative = process.platform === 'win32' ? name.replaceAll('\\', '/') : name
    const path = folder === '' ? relative : `${folder}/${relative}`
    // A watch reports the end of its own folder under that folder's name.
    if (event === 'rename' && folder === '' && name === basename(this.#tree.root)) {
      this.#hint('', true)
    }
    if (this.#method === 'recursive' && !this.#isReachable(path)) return
    const leaf = splitPath(path).name
    if (IGNORE_FILES.includes(leaf)) return this.#hintEverything()
    const { rules } = this.#tree
    const renamed = event === 'rename'
    // A changed name we do not offer is noise; a renamed one may be a folder.
    if (rules.offersFile(path, leaf) || (renamed && rules.entersFolder(path, leaf))) {
      this.#hint(path, renamed)
    }
  }

  /** The recursive watch also reports what happens in folders that are left out. */
  #isReachable(path: string): boolean {
    for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
      const folder = path.slice(0, slash)
      if (!this.#tree.rules.entersFolder(folder, splitPath(folder).name)) return false
    }
    return true
  }

  #onWatchError(folder: string): void {
    if (this.#closed) return
    this.#watches.get(folder)?.close()
    this.#watches.delete(folder)
    // Looking at the folder again sets a new watch, or finds that it is gone.
    this.#hint(folder, true)
  }

  #hint(path: string, renamed: boolean): void {
    this.#hints.set(path, renamed || (this.#hints.get(path) ?? false))
    if (this.#hints.size > OVERFLOW_EVENTS) return this.hintOverflow()
    this.#wait()
  }

  /** Events may have been lost, and with them folders that now go unwatched. */
  hintOverflow(): void {
    this.#hints.clear()
    this.#overflowed = true
    this.#wait()
  }

  #hintEverything(why: 'routine' | 'hinted' = 'hinted'): void {
    if (this.#everything !== 'hinted') this.#everything = why
    this.#wait()
  }

  // --- Batches -----------------------------------------------------------------------------------

  /** Waits for quiet with one timer, however many events arrive. */
  #wait(): void {
    this.#lastAt = performance.now()
    if (this.#waiting) return
    this.#waiting = true
    this.#firstAt = this.#lastAt
    this.#after(this.#quietMs, () => this.#waited())
  }

  #waited(): void {
    if (this.#polling) {
      // Hints from before; the first look has covered them.
      this.#waiting = false
      this.#hints.clear()
      return
    }
    const now = performance.now()
    const dueAt = Math.min(this.#lastAt + this.#quietMs, this.#firstAt + this.#maxDelayMs)
    if (this.#settling || now < dueAt - 1) {
      this.#after(Math.max(dueAt - now, 5), () => this.#waited())
      return
    }
    this.#waiting = false
    this.#settling = true
    void this.#settle().finally(() => {
      this.#settling = false
    })
  }

  /** Brings the watches up to date with what the batch says, then hands the batch over. */
  async #settle(): Promise<void> {
    const hints = this.#hints
    const afresh = this.#overflowed || this.#rootMoved() || !this.#watches.has('')
    const everything = this.#everything
    this.#hints = new Map()
    this.#everything = undefined
    this.#overflowed = false

    let paths: string[] | undefined
    let trouble: string | undefined
    if (afresh) {
      trouble = await this.#watchEverything()
    } else {
      const ended = this.#unwatchRenamed(hints)
      if (!everything) paths = this.#worthALook(hints, ended)
      trouble = everything ? await this.#checkWatches() : await this.#watchFolders(paths ?? [])
    }

    if (trouble !== undefined) {
      await this.#startPolling(trouble)
      paths = undefined
    }
    const isRoutine = everything === 'routine' && !afresh && trouble === undefined
    if (!this.#closed && paths?.length !== 0) {
      this.#onChange({ paths, ...(isRoutine && { isRoutine }) })
    }
  }

  /** The hinted paths that are documents, or are folders, or were. */
  #worthALook(hints: ReadonlyMap<string, boolean>, ended: ReadonlySet<string>): string[] {
    return [...hints.keys()].filter(
      (path) =>
        path !== '' &&
        (this.#tree.rules.offersFile(path, splitPath(path).name) ||
          ended.has(path) ||
          this.#mayBeFolder(path)),
    )
  }

  #mayBeFolder(path: string): boolean {
    try {
      const stats = lstatSync(`${this.#tree.root}/${path}`, { throwIfNoEntry: false })
      // The recursive watch keeps no list of folders: what has vanished may have been one.
      if (!stats) return this.#method === 'recursive'
      return stats.isDirectory() || stats.isSymbolicLink()
    } catch {
      return false
    }
  }

  /** After a change of rules, or just in case: watches what is not watched, and nothing else. */
  async #checkWatches(): Promise<string | undefined> {
    const seen = new Set<string>()
    const trouble = await this.#watchFolders([''], seen)
    if (trouble !== undefined || this.#method === 'recursive') return trouble
    for (const [folder, watching] of this.#watches) {
      if (seen.has(folder)) continue
      watching.close()
      this.#watches.delete(folder)
    }
    return undefined
  }

  /**
   * Watches the folders at or below the paths. Returns what stands in the way, if anything does.
   */
  async #watchFolders(paths: readonly string[], seen?: Set<string>): Promise<string | undefined> {
    if (this.#method === 'recursive') return undefined
    try {
      await walkFolders(this.#tree, paths, (folder) => {
        seen?.add(folder)
        this.#watch(folder, false)
      })
      return undefined
    } catch (error) {
      return troubleWith(error)
    }
  }

  #rootMoved(): boolean {
    try {
      return identityOf(this.#tree.root) !== this.#rootIdentity
    } catch {
      return true
    }
  }

  #reconcile(): void {
    if (!this.#polling) this.#hintEverything('routine')
  }

  // --- Polling -----------------------------------------------------------------------------------

  async #startPolling(trouble: string): Promise<void> {
    if (this.#closed || this.#polling) return
    this.#polling = true
    this.#unwatchAll()
    this.#warn(
      `Changes in ${this.#tree.root} are looked for every ${seconds(this.#pollMs)}, because ${trouble}.`,
    )
    const state = await this.#look()
    this.#pollAgain(state, performance.now() + this.#reconcileMs)
  }

  #pollAgain(state: PollState, retryAt: number): void {
    const delay = Math.max(this.#pollMs, state.tookMs / MAX_POLLING_SHARE)
    this.#after(delay, () => void this.#poll(state, retryAt))
  }

  async #poll(before: PollState, retryAt: number): Promise<void> {
    const wasGone = before.files === undefined
    const now = performance.now()
    // Time to try watching again: the root is back, or other programs may have left watches over.
    const retry =
      this.#method !== 'polling' && (now >= retryAt || (wasGone && isFolder(this.#tree.root)))
    if (retry && (await this.#stopPolling())) return
    const after = await this.#look()
    if (this.#closed) return
    const paths = differences(before.files, after.files)
    if (paths === undefined || paths.length > 0) this.#onChange({ paths })
    this.#pollAgain(after, retry ? now + this.#reconcileMs : retryAt)
  }

  /** Goes back to watching, if that is possible now. */
  async #stopPolling(): Promise<boolean> {
    // Events count from the first new watch on: a folder made meanwhile must not go unnoticed.
    this.#polling = false
    this.#settling = true
    const trouble = await this.#watchEverything()
    this.#settling = false
    this.#polling = trouble !== undefined
    if (this.#polling) return false
    this.#warned = ''
    if (!this.#closed) this.#onChange({ paths: undefined })
    return true
  }

  async #look(): Promise<PollState> {
    const startedAt = performance.now()
    try {
      const files = snapshotOf(await scanTree(this.#tree))
      return { files, tookMs: performance.now() - startedAt }
    } catch (error) {
      // The root is gone; anything else is a mistake of ours.
      if (!(error instanceof KnowledgeError)) throw error
      return { files: undefined, tookMs: 0 }
    }
  }

  #warn(message: string): void {
    if (message !== this.#warned) this.#onWarning(message)
    this.#warned = message
  }

  // --- Time --------------------------------------------------------------------------------------

  #after(delayMs: number, action: () => void): void {
    if (this.#closed) return
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      action()
    }, delayMs).unref()
    this.#timers.add(timer)
  }

  #every(periodMs: number, action: () => void): void {
    this.#after(periodMs, () => {
      action()
      this.#every(periodMs, action)
    })
  }
}

interface PollState {
  /** Path → what tells one state of a file from another. Undefined: the root was gone. */
  readonly files: ReadonlyMap<string, string> | undefined
  readonly tookMs: number
}

function snapshotOf({ files }: Scan): ReadonlyMap<string, string> {
  return new Map(files.map((file) => [file.path, `${file.size} ${file.modifiedAt} ${file.stamp}`]))
}

/** Paths that differ between two looks; undefined when only "everything" describes it. */
function differences(
  before: ReadonlyMap<string, string> | undefined,
  after: ReadonlyMap<string, string> | undefined,
): string[] | undefined {
  if (!before || !after) return before === after ? [] : undefined
  const changed = [...after].filter(([path, state]) => before.get(path) !== state)
  const vanished = [...before.keys()].filter((path) => !after.has(path))
  return [...changed.map(([path]) => path), ...vanished]
}

/** Tells a folder from another one that was put in its place. */
function identityOf(root: string): string {
  const { dev, ino, birthtimeMs } = statSync(root)
  return `${dev} ${ino} ${birthtimeMs}`
}

/** Whether a folder, or one that it is in, is among the renamed. */
function isRenamed(folder: string, hints: ReadonlyMap<string, boolean>): boolean {
  for (let path = folder; ; path = path.slice(0, path.lastIndexOf('/'))) {
    if (hints.get(path)) return true
    if (!path.includes('/')) return false
  }
}

/**
 * ENOSPC: the user's inotify watches are used up. EMFILE: their inotify instances, or open files.
 */
function isExhausted(error: unknown): boolean {
  return ['ENOSPC', 'EMFILE', 'ENFILE', 'ENOMEM'].includes(codeOf(error))
}

function troubleWith(error: unknown): string {
  if (error instanceof KnowledgeError) return 'the folder is gone'
  switch (codeOf(error)) {
    case 'ENOSPC':
      return 'the system has no file watches left (on Linux, raise fs.inotify.max_user_watches)'
    case 'EMFILE':
      return 'the system has no watchers left (on Linux, raise fs.inotify.max_user_instances)'
    case 'ENOENT':
      return 'the folder is gone'
    default:
      return `it cannot be watched: ${reasonOf(error)}`
  }
}

function seconds(ms: number): string {
  return ms === 1000 ? 'second' : `${ms / 1000} seconds`
}
