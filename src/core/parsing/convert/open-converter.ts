/**
 * Makes texts of files on a thread of its own, one after the other, within limits of time and memory;
 * a cache by digest on the disk, so that each file is read once. The thread begins with the first
 * file, and ends when there is nothing to do: its memory is given back.
 */
import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { MORE_COMES, MORE_IS_LEFT } from '../../domain/conversion.ts'
import type { Conversion, Converted, FileKind } from '../../domain/conversion.ts'
import { orElse } from '../../kit/or-else.ts'
import { workOfProcess, workOfThread } from '../../kit/thread-work.ts'
import type { ConvertingRequest } from './converting-thread.ts'
import { isRendered } from './render-contents.ts'

export interface ConverterOptions {
  /** What reads a file, and in which version; undefined for one that is text already. */
  readonly kindOf: (
    path: string,
  ) => { readonly kind: FileKind; readonly version: number } | undefined
  /** Where what was made is kept; nowhere unless said. */
  readonly folder?: string | undefined
  readonly limits?: Partial<ConvertingLimits>
}

export interface ConvertingLimits {
  /** At work: on a busy machine it takes longer by the clock. */
  readonly timeMs: number
  /** How much the process may grow while one file is read. */
  readonly memoryBytes: number
}

const LIMITS: ConvertingLimits = { timeMs: 60_000, memoryBytes: 512 * 1024 * 1024 }

/** What is kept on the disk; beyond it the oldest goes. */
const KEPT_BYTES = 512 * 1024 * 1024

export function openConverter({ kindOf, folder, limits }: ConverterOptions): Conversion {
  const kept = folder === undefined ? undefined : new KeptTexts(folder)
  const bounds = { ...LIMITS, ...limits }
  const nameOf = (path: string, digest: string, isPart = false): string | undefined => {
    const found = kindOf(path)
    return found && `${digest}.${found.kind}-${found.version}${isPart ? '-first' : ''}.md`
  }
  return {
    converts: (path) => kindOf(path) !== undefined,
    maker(path) {
      const found = kindOf(path)
      return found && `${found.kind} ${found.version}`
    },
    known(path, digest, isPart = false) {
      const name = nameOf(path, digest, isPart)
      return name === undefined ? undefined : kept?.read(name)
    },
    async convert(path, bytes, digest, isFirst = false) {
      const found = kindOf(path)
      if (!found) return { kind: 'unreadable', reason: 'a file that no format reads' }
      for (const isPart of isFirst ? [false, true] : [false]) {
        const text = kept?.read(nameOf(path, digest, isPart)!)
        if (text !== undefined) return { kind: 'text', text, isPart }
      }
      const request = { kind: found.kind, path, bytes, isFirst }
      let made = await converting.run(request, bounds)
      // One attachment is not to take the mail with it, or all mails of a mailbox.
      if (isTooMuch(made) && found.kind === 'mail')
        made = await converting.run({ ...request, isBare: true }, bounds)
      if (isTooMuch(made)) {
        // What was found of its beginning goes on to be found.
        const first = kept?.read(nameOf(path, digest, true)!)
        if (first !== undefined) made = { kind: 'text', text: withoutMore(first), isPart: false }
      }
      if (made.kind === 'text') await kept?.write(nameOf(path, digest, made.isPart)!, made.text)
      return made
    },
  }
}

function isTooMuch(made: Converted): boolean {
  return made.kind === 'unreadable' && made.isTooMuch === true
}

/** The beginning of a file, as all that is read of it. */
function withoutMore(first: string): string {
  const text = first.trimEnd()
  return text.endsWith(MORE_COMES) ? `${text.slice(0, -MORE_COMES.length)}${MORE_IS_LEFT}\n` : first
}

/** How much is written between two looks at what there is. */
const WRITTEN_BYTES = 64 * 1024 * 1024

class KeptTexts {
  readonly #folder: string
  /** Since the last look; the first file is reason enough. */
  #written = Infinity

  constructor(folder: string) {
    this.#folder = folder
  }

  read(name: string): string | undefined {
    const text = orElse(() => readFileSync(join(this.#folder, name), 'utf8'), undefined)
    // A disk that lost its power may keep the name of a file and nothing of what was in it.
    return text !== undefined && isRendered(text) ? text : undefined
  }

  /** Whole or not at all; a disk that is full or read-only costs time, and nothing else. */
  async write(name: string, text: string): Promise<void> {
    // Of its own, whoever else writes the same at this moment.
    const beside = join(this.#folder, `${name}.${randomUUID()}`)
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
      if (this.#written > WRITTEN_BYTES) this.#sweep()
      this.#written += text.length
      await writeFile(beside, text, { mode: 0o600, flush: true })
      await rename(beside, join(this.#folder, name))
    } catch {
      orElse(() => rmSync(beside, { force: true }), undefined)
    }
  }

  #sweep(): void {
    this.#written = 0
    const files = readdirSync(this.#folder).flatMap((name) => {
      // Another process may sweep as well.
      const found = statSync(join(this.#folder, name), { throwIfNoEntry: false })
      return found ? [{ name, size: found.size, mtimeMs: found.mtimeMs }] : []
    })
    let total = files.reduce((sum, { size }) => sum + size, 0)
    for (const { name, size } of files.toSorted((a, b) => a.mtimeMs - b.mtimeMs)) {
      if (total <= KEPT_BYTES) return
      rmSync(join(this.#folder, name), { force: true })
      total -= size
    }
  }
}

type Unread = Extract<Converted, { readonly kind: 'unreadable' }>

/** So long the thread stays when nobody needs it. */
const IDLE_MS = 2_000
const LOOK_MS = 100
/** Heap of the thread; what it holds besides is counted with the process. */
const HEAP_MB = 384

/** One thread per process, however many sources there are. */
class ConvertingThread {
  #worker: Worker | undefined
  /** By which the system knows the thread; it writes that down when it begins. */
  #number: Int32Array = new Int32Array(1)
  #idle: NodeJS.Timeout | undefined
  #last: Promise<unknown> = Promise.resolve()

  run(request: ConvertingRequest, limits: ConvertingLimits): Promise<Converted> {
    // A thread that cannot even begin is no reason to stop reading the other files.
    const answer = this.#last.then(() => this.#ask(request, limits)).catch(notBegun)
    this.#last = answer
    return answer
  }

  async #ask(request: ConvertingRequest, limits: ConvertingLimits): Promise<Converted> {
    clearTimeout(this.#idle)
    const worker = (this.#worker ??= this.#start())
    const { promise, resolve } = Promise.withResolvers<Converted>()
    const stop = (reason: string, why: Pick<Unread, 'isPassing' | 'isTooMuch'> = {}): void => {
      this.#worker = undefined
      void worker.terminate()
      resolve({ kind: 'unreadable', reason, ...why })
    }
    const tooMuch = (reason: string): void => stop(reason, { isTooMuch: true })
    const before = process.memoryUsage.rss()
    const timeOf = this.#watch(worker)
    const looking = setInterval(() => {
      const late = lateness(timeOf(), limits.timeMs)
      if (late === 'slow') tooMuch(`it takes longer than ${limits.timeMs / 1000} s to read`)
      else if (late === 'no chance') stop(NO_CHANCE, { isPassing: true })
      else if (process.memoryUsage.rss() - before > limits.memoryBytes) tooMuch(TOO_MUCH)
    }, LOOK_MS)
    const onError = (error: Error & { readonly code?: string }): void =>
      error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? tooMuch(TOO_MUCH)
        : stop(`damaged: ${error.message}`)
    const onExit = (): void => stop('damaged: its reader came to an end')
    worker.once('message', resolve).once('error', onError).once('exit', onExit)
    worker.ref()
    worker.postMessage(request)
    const made = await promise
    clearInterval(looking)
    worker.off('message', resolve).off('error', onError).off('exit', onExit)
    if (this.#worker === worker) {
      worker.unref()
      this.#idle = setTimeout(() => this.#end(), IDLE_MS).unref()
    }
    return made
  }

  /** From now on. */
  #watch(worker: Worker): () => ReadingTime {
    const at = performance.now()
    const loop = worker.performance.eventLoopUtilization()
    // One that begins just now has no number yet, and has done nothing.
    const workNow = (): number => workOfThread(this.#number[0]!) ?? workOfProcess()
    let number = this.#number[0]
    let before = workNow()
    return () => {
      if (number !== this.#number[0]) [number, before] = [this.#number[0], 0]
      const { idle } = worker.performance.eventLoopUtilization(loop)
      return { passed: performance.now() - at, worked: workNow() - before, idle }
    }
  }

  #start(): Worker {
    const number = new Int32Array(new SharedArrayBuffer(4))
    const worker = startWorker(number)
    this.#number = number
    // Nobody is to wait for one that came to its end while there was nothing to do.
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = undefined
    })
    return worker
  }

  #end(): void {
    void this.#worker?.terminate()
    this.#worker = undefined
  }
}

/** So much longer a file may take on a busy machine, by the clock. */
const PATIENCE_MS = 4 * 60_000

export interface ReadingTime {
  /** By the clock. */
  readonly passed: number
  /** Of a processor. */
  readonly worked: number
  /** In which there was nothing to do. */
  readonly idle: number
}

/**
 * Others of the machine work meanwhile: nobody is slow who was not at work for so long, but who waits
 * for nothing is. One that does not get on for long has had no chance, and may have one later.
 */
export function lateness(
  { passed, worked, idle }: ReadingTime,
  timeMs: number,
): 'slow' | 'no chance' | undefined {
  if (passed <= timeMs) return undefined
  if (worked > timeMs || idle > timeMs / 2) return 'slow'
  return passed > timeMs + PATIENCE_MS ? 'no chance' : undefined
}

function notBegun(error: unknown): Converted {
  const said = error instanceof Error ? error.message : String(error)
  const reason = `its reader did not begin: ${said.slice(0, 200)}`
  return { kind: 'unreadable', reason, isPassing: true }
}

const NO_CHANCE = 'the machine was too busy to read it; it is tried again'
const TOO_MUCH = 'it takes too much memory to read'

function startWorker(number: Int32Array): Worker {
  const isSource = import.meta.url.endsWith('.ts')
  const file = isSource ? './converting-thread.ts' : './converting-thread.js'
  // stdout belongs to the protocol of whoever serves; a library's remarks are nobody's.
  const worker = new Worker(new URL(file, import.meta.url), {
    stdout: true,
    stderr: true,
    env: {},
    workerData: number,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: 32 },
  })
  // What it says after its answer is nobody's.
  worker.on('error', () => {})
  worker.stdout.resume()
  worker.stderr.resume()
  worker.unref()
  return worker
}

const converting = new ConvertingThread()
