/**
 * What every process on a base does, for who watches it in the page. Each MCP client runs a server of
 * its own, so each process appends its calls to a small file of its own in the state folder; the
 * server with the page follows them all. Nothing is flushed: it is a view, not a record.
 */
import { randomBytes } from 'node:crypto'
import { appendFileSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { LiveCall } from '../domain/live.ts'

/** A file is begun anew when it is this long; the one before stays until then. */
const LARGEST = 256 * 1_024
const STALE_MS = 24 * 60 * 60_000
const LOOK_MS = 400
/** Of a file that is new to us, only the end is read. */
const BACKLOG = 64 * 1_024

export function openCallWriter(state: string): (call: LiveCall) => void {
  const folder = join(state, 'live')
  const file = join(folder, `${process.pid}-${randomBytes(4).toString('hex')}.jsonl`)
  let size = -1
  return (call) => {
    if (size < 0) {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      size = 0
    }
    const line = `${JSON.stringify(call)}\n`
    appendFileSync(file, line, { mode: 0o600 })
    size += Buffer.byteLength(line)
    if (size < LARGEST) return
    renameSync(file, `${file}.old`)
    size = 0
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
      for (const name of await readdir(folder).catch(() => [])) {
        if (name.endsWith('.jsonl')) calls.push(...(await readNew(join(folder, name), offsets)))
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

async function readNew(file: string, offsets: Map<string, number>): Promise<LiveCall[]> {
  const { size } = await stat(file)
  const known = offsets.get(file)
  const from = known === undefined || known > size ? Math.max(0, size - BACKLOG) : known
  if (from >= size) {
    offsets.set(file, size)
    return []
  }
  const handle = await open(file)
  try {
    const bytes = Buffer.alloc(size - from)
    await handle.read(bytes, 0, bytes.length, from)
    const end = bytes.lastIndexOf(10) + 1
    offsets.set(file, from + end)
    const lines = bytes.toString('utf8', 0, end).split('\n')
    // From the middle of a file the first line is half a line.
    return (from > 0 && known === undefined ? lines.slice(1) : lines).flatMap(parseCall)
  } finally {
    await handle.close()
  }
}

/** A line that makes no sense is left out. */
function parseCall(line: string): LiveCall[] {
  try {
    const call = JSON.parse(line) as Partial<LiveCall>
    const whole =
      typeof call.key === 'string' && typeof call.at === 'number' && typeof call.tool === 'string'
    return whole
      ? [
          {
            args: '',
            client: '',
            surface: '',
            documents: [],
            ms: 0,
            outcome: 'ok',
            ...call,
          } as LiveCall,
        ]
      : []
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
