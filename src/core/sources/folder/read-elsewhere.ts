/**
 * Read-ahead: files of a large job are read and hashed on a thread of its own while those before
 * them are parsed. It reads what is plain to read; all else is left to who asked.
 */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { NAMES_DESCRIPTORS } from './held-folder.ts'
import type { Tree } from './scan.ts'

export interface ReadOrder {
  readonly root: string
  readonly paths: readonly string[]
  readonly maxFileBytes: number
}

/** Of each path so many numbers: where its bytes begin and end, inode, times. Begins at -1: not read. */
export const FIGURES = 5

export interface ReadReply {
  /** Of all files, one behind the other; what is behind them means nothing. */
  readonly bytes: ArrayBuffer
  readonly figures: Float64Array
  /** Of those that were read, in hex. */
  readonly digests: string
}

export interface FileRead {
  readonly bytes: Buffer
  readonly digest: string
  readonly stats: {
    readonly size: number
    readonly ino: number
    readonly mtimeMs: number
    readonly ctimeMs: number
  }
}

export interface ReadAhead {
  /** What was read of each path; undefined where it is read at once as well. */
  readonly files: readonly (FileRead | undefined)[]
  /** Nobody looks at the bytes any more. A buffer for each order would wait to be collected. */
  release(): void
}

/** Who asks for as many files at once has a large job, and who did so several times goes on. */
const MANY_AT_ONCE = 200
const THREAD_FROM = 1_000

/** Between two batches of a large job it is kept. */
const IDLE_MS = 5_000

export function openReadElsewhere({
  root,
  maxFileBytes,
  conversion,
}: Pick<Tree, 'root' | 'maxFileBytes' | 'conversion'>) {
  let asked = 0
  let thread: ReturnType<typeof startThread> | undefined
  let ending: NodeJS.Timeout | undefined
  const end = (): void => {
    thread?.close()
    thread = undefined
    asked = 0
  }
  const start = (): typeof thread => {
    try {
      const started = startThread(() => {
        if (thread === started) end()
      })
      return started
    } catch {
      // Where there may be no more threads, whoever asks reads for himself.
      asked = 0
      return undefined
    }
  }
  return {
    /** Undefined where all of it is as well read at once. */
    read(paths: readonly string[]): Promise<ReadAhead> | undefined {
      if (paths.length < MANY_AT_ONCE || !isPossible()) return undefined
      // Whose text is made of their bytes are no text yet. Some ask for them among notes.
      if (conversion && paths.some((path) => conversion.converts(path))) return undefined
      asked += paths.length
      if (asked < THREAD_FROM) return undefined
      thread ??= start()
      if (!thread) return undefined
      ending ??= setTimeout(() => {
        // Who reads from a slow disk is not idle.
        if (thread?.isReading()) return void ending?.refresh()
        ending = undefined
        end()
      }, IDLE_MS).unref()
      ending.refresh()
      return thread.read({ root, paths, maxFileBytes })
    },
  }
}

/** Where the system does not tell what was opened, no file is plain to read. */
function isPossible(): boolean {
  return NAMES_DESCRIPTORS && availableParallelism() > 1
}

function startThread(onEnd: () => void) {
  const file = import.meta.url.endsWith('.ts') ? './reading-thread.ts' : './reading-thread.js'
  // stdout belongs to the protocol of whoever serves.
  const worker = new Worker(new URL(file, import.meta.url), {
    stdout: true,
    // It makes hardly any objects.
    resourceLimits: { maxYoungGenerationSizeMb: 2 },
  })
  const waiting: ((reply: ReadReply | undefined) => void)[] = []
  let isReady = false
  worker.unref()
  worker.once('online', () => {
    isReady = true
  })
  worker.on('message', (reply: ReadReply) => {
    if (waiting.length === 1) worker.unref()
    waiting.shift()?.(reply)
  })
  // Whoever waits reads for himself.
  worker.on('error', () => {})
  worker.on('exit', () => {
    for (const answer of waiting.splice(0)) answer(undefined)
    onEnd()
  })
  return {
    read(order: ReadOrder): Promise<ReadAhead> | undefined {
      // It takes longer to start than a few hundred files to be read.
      if (!isReady) return undefined
      worker.ref()
      worker.postMessage(order)
      return new Promise((resolve) => {
        waiting.push((reply) =>
          resolve({
            files: reply ? filesIn(order.paths, reply) : [],
            release: () => reply && worker.postMessage(reply.bytes, [reply.bytes]),
          }),
        )
      })
    },
    isReading: () => waiting.length > 0,
    close: () => void worker.terminate(),
  }
}

const DIGEST_LETTERS = 64

function filesIn(
  paths: readonly string[],
  { bytes, figures, digests }: ReadReply,
): (FileRead | undefined)[] {
  const all = Buffer.from(bytes)
  let next = 0
  return paths.map((_, at) => {
    const [start = -1, end = 0, ino = 0, mtimeMs = 0, ctimeMs = 0] = figures.subarray(
      at * FIGURES,
      (at + 1) * FIGURES,
    )
    if (start < 0) return undefined
    const digest = digests.slice(next, (next += DIGEST_LETTERS))
    const stats = { size: end - start, ino, mtimeMs, ctimeMs }
    return { bytes: all.subarray(start, end), digest, stats }
  })
}
