/**
 * What every process on a base does, for who watches it in the page. Each MCP client runs a server of
 * its own, so each process appends its calls to a small file of its own in the state folder; the
 * server with the page follows them all. Nothing is flushed: it is a view, not a record.
 */
import { randomBytes } from 'node:crypto'
import { appendFileSync, mkdirSync, renameSync, rmSync, statSync, type Stats } from 'node:fs'
import { open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { liveCallIn, type LiveCall } from '../domain/live.ts'

/** A file is begun anew when it is this long; the one before stays until then. */
const LARGEST = 256 * 1_024
/** Of many calls at once, those of so long are written together, or so many characters. */
const TOGETHER_MS = 100
const TOGETHER = 16 * 1_024
const STALE_MS = 24 * 60 * 60_000
const LOOK_MS = 400
/** Of processes that worked last; more would be looked at for nothing. */
const MOST_FILES = 100

export function openCallWriter(state: string): (call: LiveCall) => void {
  const folder = join(state, 'live')
  const file = join(folder, `${process.pid}-${randomBytes(4).toString('hex')}.jsonl`)
  let size = -1
  let waiting = ''
  let writtenAt = -Infinity
  let timer: NodeJS.Timeout | undefined

  const write = (): void => {
    clearTimeout(timer)
    timer = undefined
    const lines = waiting
    waiting = ''
    writtenAt = performance.now()
    if (size < 0) {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      size = 0
    }
    appendFileSync(file, lines, { mode: 0o600 })
    size += Buffer.byteLength(lines)
    if (size < LARGEST) return
    renameSync(file, `${file}.old`)
    size = 0
  }
  const writeLater = (): void => {
    try {
      write()
    } catch {
      // Who watches misses some calls.
    }
  }
  return (call) => {
    waiting += `${JSON.stringify(call)}\n`
    if (waiting.length > TOGETHER || performance.now() - writtenAt > TOGETHER_MS) return write()
    timer ??= setTimeout(writeLater, TOGETHER_MS).unref()
  }
}

export interface LiveFeed {
  /** Calls as they are seen, of all processes. Returns how to stop. */
  follow(listener: (calls: readonly LiveCall[]) => void): () => void
}

/** Looks at the files only while somebody listens. */
export function openLiveFeed(state: string): LiveFeed {
  const folder = join(state, 'live')
  const offsets = new Map<string, number>()
  const listeners = new Set<(calls: readonly LiveCall[]) => void>()
  let timer: NodeJS.Timeout | undefined
  let looking = false

  const look = async (): Promise<void> => {
    if (looking) return
    looking = true
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
  sweep(folder)
  return {
    follow(listener) {
      listeners.add(listener)
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

interface CallFile {
  readonly file: string
  /** The same after it was renamed: what was added just before is not lost. */
  readonly key: string
  readonly size: number
}

function keyOf({ ino, birthtimeMs }: Stats): string {
  return `${ino}-${birthtimeMs}`
}

async function newest(folder: string): Promise<readonly CallFile[]> {
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
