/** The serving side of indexing: starts the indexing thread and knows how far it is. */
import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { Worker } from 'node:worker_threads'
import { countDocuments, SOON_LOOKED_THROUGH } from '../../core/indexing/count-documents.ts'
import type { Progress } from '../../core/indexing/indexer.ts'
import type { Changes, Store } from '../../core/store/store.ts'
import { setEngineFlag } from './code-cache.ts'
import type { IndexingConfig, Order, Report } from './indexing-messages.ts'
import { oneAfterTheOther } from '../../core/kit/one-after-the-other.ts'
import { PROGRESS_KEY } from './keep-current.ts'

export interface Indexing {
  catchingUp(): Progress | undefined
  /** Why the index cannot be kept current at the moment; undefined while it can. */
  trouble(): string | undefined
  /** Whether it is this server that keeps the index current. */
  leads(): boolean
  /** Sources whose folder here is another copy than the one that is indexed. */
  otherCopies(): readonly string[]
  /** Resolves when the index has caught up with the files for the first time. */
  readonly caughtUp: Promise<void>
  /** The index is another one, and behind until it says itself that it is complete. */
  beginAnew(): void
  noticeChange(source: string, path: string): void
  subscribe(listener: (changes: Changes) => void): () => void
  close(): Promise<void>
}

export interface IndexingOptions {
  readonly config: IndexingConfig
  /** The serving thread's own view of the store. */
  readonly store: Store
  /** See `OpenedStore`. */
  readonly listen?: ((listener: () => void) => () => void) | undefined
  readonly onWarning: (message: string) => void
  /** Settles when somebody has been answered: a large base is looked through behind that. */
  readonly answered?: Promise<unknown>
  /** Longer than this nobody waits for a question. Default 400. */
  readonly patienceMs?: number
}

/** How soon a commit of another process is noticed that nobody tells of. */
const POLL_MS = 500
const STOP_MS = 5_000
/** Indexing makes much short-lived garbage; a small space for it halves the peak. */
const YOUNG_MB = 12
/** A thread that dies is started again, after a while that grows up to this. */
const RESTART_MS = 30_000
/** Whoever waits for the first look gets what there is after so many attempts. */
const PATIENCE = 5

/** Says who holds the lease; a process that is gone can be told from one that is slow. */
export function leaseOwner(): string {
  return `${process.pid}@${hostname().replaceAll(':', '-')}:${randomBytes(6).toString('hex')}`
}

export function startIndexing({
  config,
  store,
  listen,
  onWarning,
  answered,
  patienceMs = 400,
}: IndexingOptions): Indexing {
  const owner = leaseOwner()
  const listeners = new Set<(changes: Changes) => void>()
  const caughtUp = Promise.withResolvers<void>()
  let progress: Progress | undefined = { phase: 'scan', done: 0, total: 0 }
  let following = false
  let leads = false
  let otherCopies: readonly string[] = []
  /** Whether the index once was what the files were. */
  let wasComplete = false
  /**
   * Whether the index has been replaced since, and whoever indexes is not done with the new one.
   */
  let anew = false
  let closing = false
  let restarts = 0
  let trouble: { readonly message: string; readonly outOfReach?: boolean } | undefined
  /** What the log was told last. */
  let warned: string | undefined
  const onTrouble = (now: { readonly message: string; readonly outOfReach?: boolean }): void => {
    // Once is enough for whoever reads the log; answers say it as long as it lasts.
    if (warned !== now.message) onWarning(`Indexing waits and tries again: ${now.message}`)
    warned = now.message
    trouble = now
  }
  const isWell = (): void => {
    trouble = undefined
    warned = undefined
  }
  /** Whoever indexes tries again soon, and says so where it still cannot. */
  const answersAgain = (): void => {
    if (trouble?.outOfReach) trouble = undefined
  }
  /** Whether the last look at the stamps was answered from memory. */
  let wasAway = false
  let seen: number | undefined

  const lookForChanges = async (): Promise<void> => {
    const { generation, remembered = false } = await store.stamps()
    if (wasAway && !remembered) answersAgain()
    wasAway = remembered
    if (seen === generation) return
    const changes = seen === undefined ? undefined : await store.changesSince(seen)
    seen = changes?.generation ?? generation
    if (changes) for (const listener of listeners) listener(changes)
  }
  const lookAtLeader = async (): Promise<void> => {
    if (following) {
      progress = parseProgress(await store.getMeta(PROGRESS_KEY))
      if (!progress) caughtUp.resolve()
    }
    if (anew && isComplete(await store.getMeta(PROGRESS_KEY))) anew = false
    await lookForChanges()
  }
  const quietly = (work: Promise<void>): void => {
    // The store may be closing; the next look tells.
    work.catch(() => {})
  }

  const onReport = (message: Report): void => {
    switch (message.kind) {
      case 'progress':
        following = false
        leads = true
        progress = message.progress
        return answersAgain()
      case 'caught_up':
        leads = true
        progress = undefined
        isWell()
        wasComplete = true
        restarts = 0
        if (anew) quietly(lookAtLeader())
        return caughtUp.resolve()
      case 'committed':
        return quietly(lookForChanges())
      case 'trouble':
        return onTrouble(message)
      case 'following':
        following = true
        leads = false
        isWell()
        return quietly(lookAtLeader())
      case 'other_copies':
        otherCopies = message.sources
        return
      case 'warning':
        return onWarning(message.message)
      default:
        return message satisfies never
    }
  }

  let worker: Worker | undefined
  const begin = (): Worker => (worker ??= start())
  function start(): Worker {
    // Run from source under a test, from the build otherwise.
    const file = import.meta.url.endsWith('.ts') ? './indexing-worker.ts' : './indexing-worker.js'
    const started = new Worker(new URL(file, import.meta.url), {
      workerData: { config, owner },
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
      // stdout belongs to the protocol.
      stdout: true,
    })
    started.stdout.resume()
    started.on('message', onReport)
    started.on('error', (error) => {
      onTrouble({ message: error.message })
      if (++restarts > PATIENCE) caughtUp.resolve()
      const again = (): void => {
        if (!closing) worker = start()
      }
      setTimeout(again, Math.min(500 * 2 ** restarts, RESTART_MS)).unref()
    })
    started.unref()
    return started
  }

  /**
   * A thread that loads and walks a tree takes a third from whoever asks meanwhile. Of a large base
   * that was complete, the first answer does not wait for the look, and says so: it comes first.
   */
  const lookWaits = async (): Promise<void> => {
    wasComplete ||= isComplete(await store.getMeta(PROGRESS_KEY))
    if (!wasComplete || !answered) return
    const documents = await countDocuments(store)
    if (documents <= SOON_LOOKED_THROUGH) return
    // V8's last compiler pays after seconds; until then its threads are in the way (0103).
    setEngineFlag('--opt', false, true)
    await settledWithin(answered, patienceMs)
    setEngineFlag('--opt', true, true)
  }
  void lookWaits()
    // What the store has to say, whoever indexes is told again.
    .catch(() => {})
    .then(() => {
      if (!closing) begin()
    })
  quietly(lookForChanges())
  const stopListening = listen?.(oneAfterTheOther(lookForChanges))
  const polling = setInterval(() => quietly(lookAtLeader()), POLL_MS)
  polling.unref()

  return {
    catchingUp() {
      if (anew) return progress ?? { phase: 'scan', done: 0, total: 0 }
      return progress && (wasComplete ? { ...progress, wasComplete } : progress)
    },
    trouble: () => trouble?.message,
    leads: () => leads,
    otherCopies: () => otherCopies,
    caughtUp: caughtUp.promise,
    beginAnew() {
      anew = true
      wasComplete = false
    },
    noticeChange: (source, path) =>
      begin().postMessage({ kind: 'look', source, path } satisfies Order),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async close() {
      closing = true
      caughtUp.resolve()
      clearInterval(polling)
      stopListening?.()
      listeners.clear()
      const thread = worker
      // A thread that has ended has no number any more.
      if (!thread || thread.threadId === -1) return
      const ended = new Promise<void>((resolve) => {
        thread.once('exit', () => resolve())
      })
      thread.ref()
      thread.postMessage({ kind: 'stop' } satisfies Order)
      const timer = setTimeout(() => void thread.terminate(), STOP_MS)
      await ended
      clearTimeout(timer)
    },
  }
}

async function settledWithin(promise: Promise<unknown>, ms: number): Promise<void> {
  const waiting = Promise.withResolvers<void>()
  const timer = setTimeout(waiting.resolve, ms)
  timer.unref()
  await Promise.race([promise, waiting.promise])
  clearTimeout(timer)
}

function isComplete(told: string | undefined): boolean {
  return told !== undefined && parseProgress(told) === undefined
}

function parseProgress(text: string | undefined): Progress | undefined {
  const progress = text === undefined ? undefined : (JSON.parse(text) as Progress)
  return progress?.phase === 'done' ? undefined : progress
}
