/**
 * The live feed: what every process on a base does, for whoever watches it in the page. Each MCP
 * client runs a server of its own, so each process appends its calls to a small file of its own in
 * the state folder, and the server with the page follows them all. A lease (`live/followed`, renewed
 * while a page follows) tells the others that somebody does; without one nothing is written. Nothing
 * is flushed: it is a view, not a record.
 */
import { randomBytes } from 'node:crypto'
import {
  appendFileSync,
  closeSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  type Stats,
} from 'node:fs'
import { open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { liveCallIn, type LiveCall } from '../../core/domain/live.ts'
import { liveCallOf } from '../surface/live-call.ts'
import type { Observer } from '../../serve/door/observer.ts'

/** A file is begun anew when it is this long; the one before stays until then. */
const LARGEST = 256 * 1_024
/** Calls of so long are written together, or so many characters. */
const TOGETHER_MS = 100
const TOGETHER = 16 * 1_024
/** Files that nobody has written to for so long are removed. */
const STALE_MS = 60 * 60_000
const LOOK_MS = 400
/** Of processes that worked last; more would be looked at for nothing. */
const MOST_FILES = 100
/** A page that was cut off for a moment misses nothing. */
const LEASE_MS = 30_000
const RENEW_MS = 5_000

/** What the door is told to tell: costs one look at the lease for every call that nobody follows. */
export function openCallWatch(state: string, { withArguments = false } = {}): Observer {
  const file = openCallFile(state)
  const { isFollowed } = followLease(state)
  sweep(folderOf(state))
  let calls = 0
  return {
    ended(record, said) {
      // What people read in the page is no call of a tool.
      if (record.surface === 'page' || !isFollowed()) return
      const key = `${process.pid}-${record.startedAt}-${calls++}`
      // Whoever called has the reply before anybody else hears of it.
      setImmediate(() => file.add(liveCallOf(record, said, { key, withArguments })))
    },
    close: file.close,
  }
}

export interface CallFile {
  /** Written a moment later, together with others. */
  add(call: LiveCall): void
  close(): void
}

export function openCallFile(state: string): CallFile {
  const folder = folderOf(state)
  const file = join(folder, `${process.pid}-${randomBytes(4).toString('hex')}.jsonl`)
  let size = -1
  let waiting = ''
  let timer: NodeJS.Timeout | undefined

  const write = (): void => {
    clearTimeout(timer)
    timer = undefined
    const lines = waiting
    waiting = ''
    if (lines === '') return
    try {
      if (size < 0) {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        size = 0
      }
      appendFileSync(file, lines, { mode: 0o600 })
      size += Buffer.byteLength(lines)
      if (size < LARGEST) return
      renameSync(file, `${file}.old`)
      size = 0
    } catch {
      // Whoever watches misses some calls; whoever works is not disturbed.
    }
  }
  return {
    add(call) {
      waiting += `${JSON.stringify(call)}\n`
      if (waiting.length > TOGETHER) write()
      else timer ??= setTimeout(write, TOGETHER_MS).unref()
    },
    close: write,
  }
}

function folderOf(state: string): string {
  return join(state, 'live')
}

/** Kept by whoever follows, whichever process it is; it ends by itself. */
function followLease(state: string) {
  const file = join(folderOf(state), 'followed')
  return {
    isFollowed: (): boolean => {
      const about = statSync(file, { throwIfNoEntry: false })
      return about !== undefined && about.mtimeMs > Date.now() - LEASE_MS
    },
    renew(): void {
      const now = new Date()
      try {
        mkdirSync(folderOf(state), { recursive: true, mode: 0o700 })
        closeSync(openSync(file, 'a', 0o600))
        utimesSync(file, now, now)
      } catch {
        // Nothing can be written there, so there is nothing to follow either.
      }
    },
  }
}

export interface LiveFeed {
  /** Calls as they are seen, of all processes. Returns how to stop. */
  follow(listener: (calls: readonly LiveCall[]) => void): () => void
}

/** Looks at the files only while somebody listens. */
export function openLiveFeed(state: string): LiveFeed {
  const folder = folderOf(state)
  const lease = followLease(state)
  const offsets = new Map<string, number>()
  const listeners = new Set<(calls: readonly LiveCall[]) => void>()
  let timer: NodeJS.Timeout | undefined
  let looking = false
  let renewedAt = -Infinity

  const renew = (): void => {
    if (performance.now() - renewedAt < RENEW_MS) return
    renewedAt = performance.now()
    lease.renew()
  }
  const look = async (): Promise<void> => {
    if (looking) return
    looking = true
    renew()
    try {
      const calls: LiveCall[] = []
      for (const { file, key, size } of await newest(folder)) {
        calls.push(...(await readNew(file, size, offsets, key)))
      }
      calls.sort((a, b) => a.at - b.at)
      if (calls.length > 0) for (const listener of listeners) listener(calls)
    } catch {
      // A file that vanished is looked at no more.
    } finally {
      looking = false
    }
  }
  return {
    follow(listener) {
      listeners.add(listener)
      // Before the page hears that it follows.
      renewedAt = -Infinity
      renew()
      if (!timer) {
        timer = setInterval(() => void look(), LOOK_MS)
        timer.unref()
        void look()
      }
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        clearInterval(timer)
        timer = undefined
      }
    },
  }
}

interface FoundFile {
  readonly file: string
  /** The same after it was renamed: what was added just before is not lost. */
  readonly key: string
  readonly size: number
}

function keyOf({ ino, birthtimeMs }: Stats): string {
  return `${ino}-${birthtimeMs}`
}

async function newest(folder: string): Promise<readonly FoundFile[]> {
  const names = await readdir(folder).catch(() => [])
  const found = await Promise.all(
    names
      .filter((name) => /\.jsonl(?:\.old)?$/.test(name))
      .map(async (name) => {
        const file = join(folder, name)
        const about = await stat(file).catch(() => undefined)
        return about && { file, ...about, key: keyOf(about) }
      }),
  )
  return found
    .filter((each) => each !== undefined)
    .toSorted((a, b) => b.mtimeMs - a.mtimeMs)
    .slice(0, MOST_FILES)
}

async function readNew(
  file: string,
  size: number,
  offsets: Map<string, number>,
  key: string,
): Promise<LiveCall[]> {
  const known = offsets.get(key) ?? 0
  const from = known > size ? 0 : known
  if (from >= size) return []
  const handle = await open(file)
  try {
    // It may have been renamed a moment ago, and another begun under its name.
    if (keyOf(await handle.stat()) !== key) return []
    const bytes = Buffer.alloc(size - from)
    await handle.read(bytes, 0, bytes.length, from)
    const end = bytes.lastIndexOf(10) + 1
    offsets.set(key, from + end)
    return bytes.toString('utf8', 0, end).split('\n').flatMap(parseCall)
  } finally {
    await handle.close()
  }
}

/** A line that makes no sense is left out. */
function parseCall(line: string): LiveCall[] {
  try {
    const call = liveCallIn(JSON.parse(line))
    return call ? [call] : []
  } catch {
    return []
  }
}

/** Files of processes that ended long ago. */
function sweep(folder: string): void {
  void readdir(folder).then(
    (names) => {
      for (const name of names) {
        const file = join(folder, name)
        try {
          if (statSync(file).mtimeMs < Date.now() - STALE_MS) rmSync(file, { force: true })
        } catch {
          // Somebody else was faster.
        }
      }
    },
    () => {},
  )
}
