/**
 * Keeps the index current until told to stop: one process of all that serve a base holds the
 * lease, looks through the files, watches them, and indexes what changed. The others wait, and
 * take over within seconds when it goes.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { KnowledgeError } from '../../core/domain/error.ts'
import { JUST_NOW_MS } from '../../core/domain/source.ts'
import type { Source, Watching } from '../../core/domain/source.ts'
import { countChanged, lookThrough, planChanges, sync } from '../../core/indexing/indexer.ts'
import type {
  IndexerParts,
  Look,
  LookOptions,
  Plans,
  Progress,
} from '../../core/indexing/indexer.ts'
import { countDocuments, SOON_LOOKED_THROUGH } from '../../core/indexing/count-documents.ts'
import { LEASE_MS, RENEW_MS } from '../../core/indexing/hold-role.ts'
import { needsMeaning, restAfter } from '../../core/indexing/bring-meaning.ts'
import type { WantedMeaning } from '../../core/indexing/bring-meaning.ts'
import type { Lease, Store } from '../../core/store/store.ts'
import { formatsFor } from '../parts/formats.ts'
import type { Reading } from '../config/config.ts'
import type { Report } from './indexing-messages.ts'
import { sayOtherCopies } from './same-folders.ts'
import type { SameFolders } from './same-folders.ts'

export interface KeepCurrentOptions {
  readonly store: Store
  readonly sources: ReadonlyMap<string, Source>
  readonly owner: string
  readonly watch: boolean
  readonly reading?: Reading
  readonly signal: AbortSignal
  readonly report: (report: Report) => void
  /** Where several servers keep one index: whether they have the same folders. */
  readonly folders?: SameFolders
  /** Does a large job outside, and tells whether all was done; what is left over is done here. */
  readonly indexElsewhere: (
    job: { readonly look: Look; readonly lease: Lease; readonly force: boolean },
    signal: AbortSignal,
    onProgress: (progress: Progress) => void,
  ) => Promise<boolean>
  readonly wanted: WantedMeaning
  /**
   * Makes the vectors that are wanted, while this goes on with what changes; true when it could,
   * undefined where another process is at it.
   */
  readonly learnElsewhere: (signal: AbortSignal) => Promise<boolean | undefined>
}

export interface KeepingCurrent {
  /** Looks at one file again, soon. */
  look(source: string, path: string): void
  readonly done: Promise<void>
}

const FOLLOW_MS = 1_000
/** What fails again and again (a full disk) is tried less and less often, down to this. */
const RETRY_MS = 30_000
/** More changed files than this are indexed by a process of its own, whose memory is given back. */
export const INDEX_HERE = 1_000

/**
 * So many files a person may have changed in a moment. More of them came from a program: they are
 * indexed together, where one commit for every folder of a walk would keep the walk from its end.
 */
const BY_HAND = 20

/** Learning again waits until the files have been quiet for a moment. */
const LEARN_AFTER_MS = 3_000
/** So long another is left to it before it is looked whether there is still something to learn. */
const TAKEN_MS = 2_000

/** Where followers read how far the leader is. */
export const PROGRESS_KEY = 'progress'

/** Where someone without the lease asks for every file to be read again, and is told when it was. */
const ASKED_KEY = 'read_again'
const ANSWERED_KEY = 'read_again_done'
const ASK_EVERY_MS = 100

/**
 * Has whoever holds the lease read every file again, whatever size and time say. Gives the lease
 * where its holder turns out to be gone: then it is the caller who reads. `late` when nobody did so
 * in time.
 */
export async function askToReadAgain(
  store: Store,
  owner: string,
  waitMs: number,
): Promise<'done' | 'late' | Lease> {
  const asked = randomUUID()
  await store.putMeta(ASKED_KEY, asked)
  const deadline = performance.now() + waitMs
  let lookAt = 0
  while ((await store.getMeta(ANSWERED_KEY)) !== asked) {
    if (performance.now() > deadline) return 'late'
    if (performance.now() > lookAt) {
      const lease = await store.acquireLease(owner, LEASE_MS)
      if (lease) return lease
      lookAt = performance.now() + FOLLOW_MS
    }
    await sleep(ASK_EVERY_MS)
  }
  return 'done'
}

export function keepCurrent(options: KeepCurrentOptions): KeepingCurrent {
  const pending = new Pending()
  return { look: (source, path) => pending.add(source, [path]), done: run(options, pending) }
}

async function run(options: KeepCurrentOptions, pending: Pending): Promise<void> {
  const { store, owner, signal, report, folders } = options
  let told = false
  let copies = ''
  let failures = 0
  let looked = false
  while (!signal.aborted) {
    let isAway = false
    try {
      const others = (await folders?.look()) ?? []
      if (copies !== others.join()) {
        copies = others.join()
        told = false
        report({ kind: 'other_copies', sources: others })
      }
      // Whoever indexed another copy would forget what is not in it.
      const lease = others.length > 0 ? undefined : await store.acquireLease(owner, LEASE_MS)
      if (lease) {
        told = false
        if (!looked || options.watch) pending.addEverything()
        const { failed, caughtUp } = await lead(options, lease, pending)
        failures = failed ? (caughtUp ? 1 : failures + 1) : 0
        looked = true
        if (!options.watch && !failed) {
          // Whoever watches may lead. What is met while reading and writing is still looked at.
          await store.releaseLease(owner)
          await pending.next(signal)
          continue
        }
      } else if (!told) {
        told = true
        report({ kind: 'following' })
        if (others.length > 0) report({ kind: 'trouble', message: sayOtherCopies(others) })
      }
    } catch (error) {
      // A full disk or an index that someone has locked: not even the lease can be written down.
      isAway = isUnavailable(error)
      if (!isAway) failures++
      told = false
      report(troubleOf(error))
      if (!options.watch) throw error
    }
    // A store that did not answer is asked soon again: it is one question, and others wait for it.
    await pause(isAway ? FOLLOW_MS : Math.min(FOLLOW_MS * 2 ** failures, RETRY_MS), signal)
  }
  folders?.close()
  await store.releaseLease(owner).catch(() => {})
}

/** How a time of leading went: whether it ended in trouble, and whether work was done before. */
interface Led {
  readonly failed: boolean
  readonly caughtUp: boolean
}

/** Until the signal, or until another process has taken over. */
async function lead(options: KeepCurrentOptions, lease: Lease, pending: Pending): Promise<Led> {
  const { store, sources, owner, signal, report } = options
  const parts: IndexerParts = {
    store,
    sources: [...sources.values()],
    formatOf: formatsFor(options.reading),
    lease,
  }
  // Everything is looked at below as it is for this index.
  let { epoch } = await store.stamps()
  let isAway = false
  const renewing = setInterval(() => {
    const renew = async (): Promise<void> => {
      options.folders?.answer()
      await store.acquireLease(owner, LEASE_MS)
      isAway = false
      const now = (await store.stamps()).epoch
      // The index was taken away: everything is new to the one that stands there now.
      if (now !== epoch) pending.addEverything()
      epoch = now
      const asked = await store.getMeta(ASKED_KEY)
      if (asked === undefined || asked === (await store.getMeta(ANSWERED_KEY))) return
      pending.readAgain(asked)
    }
    renew().catch((error: unknown) => {
      // Nobody may write or ask for hours: whoever reads the log learns of it all the same, once.
      if (isUnavailable(error) && !isAway && !signal.aborted) {
        isAway = true
        report({ kind: 'warning', message: `The index is out of reach: ${messageOf(error)}` })
      }
    })
  }, RENEW_MS)
  const watching: Watching[] = []
  let caughtUp = false
  try {
    if (options.watch) {
      // Watching begins before the first look, so that nothing falls between the two.
      for (const source of sources.values()) {
        watching.push(await watch(source, await recentlyChanged(store, source), pending, report))
      }
    }
    const learner = new Learner(() => options.learnElsewhere(signal), pending)
    while (!signal.aborted) {
      const work = pending.take()
      if (work.length === 0) {
        if (!options.watch) {
          if (await learner.finish(signal)) break
          continue
        }
        if (learner.isBehind) {
          // Nobody can be answered by meaning yet: the first time, nothing is waited for.
          const isFirst = (await store.servingEmbedder()) === undefined
          const quietMs = Math.max(isFirst ? 0 : LEARN_AFTER_MS, learner.restMs)
          if (!(await pending.arrivesWithin(quietMs, signal))) learner.start()
        } else {
          await pending.next(signal)
        }
        continue
      }
      await catchUp(parts, work, options, pending)
      caughtUp = true
      report({ kind: 'caught_up' })
      learner.isBehind ||= await needsMeaning(store, options.wanted)
    }
    return { failed: false, caughtUp }
  } catch (error) {
    if (signal.aborted) return { failed: false, caughtUp }
    const lost = error instanceof KnowledgeError && error.code === 'conflict'
    // Whoever took over has the files in hand; this process follows from now on.
    if (!lost) report(troubleOf(error))
    pending.addEverything()
    return { failed: !lost, caughtUp }
  } finally {
    clearInterval(renewing)
    for (const each of watching) each.close()
  }
}

/** So many files that changed last are looked at before all others. */
const RECENT = 500

/** Locality: paths of a base in which a look at all files takes long. */
async function recentlyChanged(store: Store, { name }: Source): Promise<readonly string[]> {
  if ((await countDocuments(store)) <= SOON_LOOKED_THROUGH) return []
  // Of all sources: counting those of one takes longer than all else that is done here.
  const { documents } = await store.list({}, 'updated', { offset: 0, limit: RECENT })
  return documents.flatMap(({ source, path }) => (source === name ? [path] : []))
}

async function watch(
  source: Source,
  recent: readonly string[],
  pending: Pending,
  report: KeepCurrentOptions['report'],
): Promise<Watching> {
  try {
    return await source.watch(({ paths, isRoutine = false }) => {
      if (paths && paths.length <= INDEX_HERE) pending.add(source.name, paths)
      else if (isRoutine) pending.addRoutine()
      else pending.addEverything()
    }, recent)
  } catch (error) {
    const message = `Changes in ${source.root} cannot be watched (${messageOf(error)}); they are picked up at the next start.`
    report({ kind: 'warning', message })
    return { close: () => {} }
  }
}

async function catchUp(
  parts: IndexerParts,
  work: readonly Work[],
  options: KeepCurrentOptions,
  pending: Pending,
): Promise<void> {
  const { store, signal, report, indexElsewhere } = options
  // One after the other: one that had to wait for the index would overwrite what came after it.
  let last: Promise<void> = Promise.resolve()
  const write = (progress: Progress): Promise<void> => {
    const written = last.then(() => store.putMeta(PROGRESS_KEY, JSON.stringify(progress)))
    last = written.catch(() => {})
    return written
  }
  const tell = (progress: Progress): Promise<void> => {
    report({ kind: 'progress', progress })
    return write(progress)
  }
  for (const only of work) {
    const anew = typeof only === 'object' && 'asked' in only ? only.asked : undefined
    const whole = typeof only === 'string' || anew !== undefined
    // A look that finds nothing new is nobody's business: the index was current all the time.
    let isTold = only !== 'routine'
    const force = anew !== undefined
    const listeners = {
      onProgress: (progress: Progress) => {
        if (whole && isTold) tell(progress).catch(() => {})
      },
      onCommit: (generation: number) => report({ kind: 'committed', generation }),
    }
    try {
      let look: Look | undefined
      let plans: Plans | undefined
      let large = false
      let isDone = false
      if (whole) {
        if (isTold) await tell({ phase: 'scan', done: 0, total: 0 })
        look = await lookThrough(parts, {
          ...listeners,
          meanwhile: whatWaits(
            parts,
            options,
            pending,
            only === 'routine' ? Infinity : Date.now() - JUST_NOW_MS,
          ),
        })
        plans = await planChanges(parts, look, force)
        const changed = countChanged(plans)
        isTold ||= changed > 0
        large = changed > INDEX_HERE
        if (large) isDone = await indexElsewhere({ look, lease: parts.lease, force }, signal, tell)
      }
      if (!isDone) {
        await sync(parts, {
          ...(typeof only === 'object' && 'paths' in only && { only }),
          look,
          ...(!large && { plans }),
          force: force && !large,
          signal,
          ...listeners,
        })
      }
    } catch (error) {
      if (!isUnavailable(error)) throw error
      // A source that cannot be reached keeps its documents; it is looked at again later.
      report({ kind: 'warning', message: messageOf(error) })
    }
    if (whole) await write({ phase: 'done', done: 0, total: 0 })
    if (anew !== undefined) await store.putMeta(ANSWERED_KEY, anew)
  }
}

/**
 * Indexes what a watcher has seen while a large tree is walked, and what the walk itself finds to
 * have changed a moment ago.
 */
function whatWaits(
  parts: IndexerParts,
  options: KeepCurrentOptions,
  pending: Pending,
  since: number,
): NonNullable<LookOptions['meanwhile']> {
  const seen = new Map<string, number>()
  let left = BY_HAND
  return (source, found) => {
    for (let at = seen.get(source) ?? 0; at < found.length && left > 0; at++) {
      const { path, modifiedAt } = found[at]!
      if (modifiedAt <= since) continue
      left--
      pending.add(source, [path])
    }
    seen.set(source, found.length)
    const work = pending.takePaths()
    return work.length > 0 ? catchUp(parts, work, options, pending) : undefined
  }
}

/**
 * Learns one thing after the other; what changes meanwhile is learned next. What could not be
 * learned is tried again after a rest, which is longer every time.
 */
class Learner {
  /** Whether something was indexed that has not been learned from. */
  isBehind = false
  readonly #learn: () => Promise<boolean | undefined>
  readonly #pending: Pending
  #running: Promise<void> | undefined
  #failures = 0
  #restsUntil = 0

  constructor(learn: () => Promise<boolean | undefined>, pending: Pending) {
    this.#learn = learn
    this.#pending = pending
  }

  get restMs(): number {
    return Math.max(0, this.#restsUntil - Date.now())
  }

  start(): void {
    // Files that change meanwhile do not shorten the rest.
    if (this.#running || this.restMs > 0) return
    this.isBehind = false
    // A store that cannot be asked for the right to learn is a failure like another.
    const learning = this.#learn().catch(() => false)
    this.#running = learning.then((learned) => {
      this.#running = undefined
      if (learned !== undefined) this.#failures = learned ? 0 : this.#failures + 1
      const restMs = learned === undefined ? TAKEN_MS : restAfter(this.#failures)
      this.#restsUntil = Date.now() + restMs
      if (learned) return
      this.isBehind = true
      this.#pending.wake()
    })
  }

  /** True when all is learned; false as soon as there is a file to look at. */
  async finish(signal: AbortSignal): Promise<boolean> {
    while ((this.isBehind || this.#running) && !signal.aborted) {
      if (this.restMs > 0) await this.#pending.arrivesWithin(this.restMs, signal)
      else this.start()
      await Promise.race([this.#running, this.#pending.next(signal)])
      // Whoever still listens for work stops doing so.
      this.#pending.wake()
      if (this.#pending.hasWork) return false
    }
    return true
  }
}

type Work =
  | 'everything'
  /** Everything, to be sure. */
  | 'routine'
  /** Everything, whatever size and time say, because someone asked for it. */
  | { readonly asked: string }
  | { readonly source: string; readonly paths: readonly string[] }

/** What waits to be looked at. Paths of one source are gathered; "everything" covers them all. */
class Pending {
  #everything = false
  #routine = false
  #asked: string | undefined
  #anew: string | undefined
  readonly #paths = new Map<string, Set<string>>()
  #wake: (() => void) | undefined

  add(source: string, paths: readonly string[]): void {
    const known = this.#paths.get(source) ?? new Set()
    for (const path of paths) known.add(path)
    this.#paths.set(source, known)
    this.#wake?.()
  }

  /** Has whoever waits look around. */
  wake(): void {
    this.#wake?.()
  }

  /** Asking twice for the same is asking once, also while it is being done. */
  readAgain(asked: string): void {
    if (this.#asked === asked) return
    this.#asked = asked
    this.#anew = asked
    this.#wake?.()
  }

  addEverything(): void {
    this.#everything = true
    this.#wake?.()
  }

  addRoutine(): void {
    this.#routine = true
    this.#wake?.()
  }

  /** What covers the most comes first, and alone: a few paths that wait are looked at on its way. */
  take(): Work[] {
    const work = this.#whole()
    if (work === undefined) return this.takePaths()
    if ([...this.#paths.values()].some(({ size }) => size > INDEX_HERE)) this.#paths.clear()
    this.#anew = undefined
    this.#everything = false
    this.#routine = false
    return [work]
  }

  #whole(): Work | undefined {
    if (this.#anew !== undefined) return { asked: this.#anew }
    if (this.#everything) return 'everything'
    return this.#routine ? 'routine' : undefined
  }

  takePaths(): Work[] {
    const work = Array.from(this.#paths, ([source, paths]) => ({ source, paths: [...paths] }))
    this.#paths.clear()
    return work
  }

  /** Whether there is something to do before the time is over. */
  async arrivesWithin(ms: number, signal: AbortSignal): Promise<boolean> {
    const waiting = new AbortController()
    const timer = setTimeout(() => waiting.abort(), ms)
    await this.next(AbortSignal.any([signal, waiting.signal]))
    clearTimeout(timer)
    return this.hasWork || signal.aborted
  }

  get hasWork(): boolean {
    return this.#everything || this.#routine || this.#anew !== undefined || this.#paths.size > 0
  }

  /** Resolves when there is something to do, or at the signal. */
  next(signal: AbortSignal): Promise<void> {
    if (this.hasWork || signal.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const done = (): void => {
        this.#wake = undefined
        signal.removeEventListener('abort', done)
        resolve()
      }
      this.#wake = done
      signal.addEventListener('abort', done)
    })
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {})
}

function isUnavailable(error: unknown): boolean {
  return error instanceof KnowledgeError && error.code === 'unavailable'
}

function troubleOf(error: unknown): Report {
  const outOfReach = isUnavailable(error)
  return { kind: 'trouble', message: messageOf(error), ...(outOfReach && { outOfReach }) }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
