/**
 * Cache on disk: copies of segments beside the server. A segment never changes, so it is fetched
 * once, checked whenever a process opens it, and read from here as often as a query likes. The
 * folder may be deleted at any time: what is missing or damaged is fetched again.
 *
 * A file is the length of its table of contents (4 bytes), the table (JSON), and the streams. It is
 * written as it arrives: a segment may be larger than all that a server has in memory otherwise,
 * and what went through the memory once is not given back to the system.
 */
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'

export type Streams = ReadonlyMap<string, Uint8Array>
/** What a stream consists of, one after the other, and one stream after the other. */
export type Pages = AsyncIterable<readonly [stream: string, page: Uint8Array]> | Streams

export interface CopiedSegment {
  /** Undefined for a stream that the segment does not have, or a range outside of it. */
  read(name: string, start?: number, end?: number): Uint8Array | undefined
}

export interface LocalCopies {
  /** The copy of a segment, fetched where there is none. */
  copy(segment: number): Promise<CopiedSegment>
  /** Reads of a copy and lets it go: for what is in memory afterwards. */
  read<Result>(segment: number, use: (copy: CopiedSegment) => Result): Promise<Result>
  /** Segments that need not be fetched. */
  held(): Iterable<number>
  /** Keeps what somebody has fetched already. */
  take(segment: number, streams: Streams): void
  /** Lets go of segments that have not been among these for so long that nobody reads them. */
  keep(segments: readonly number[]): void
  /** Forgets copies of segments that are gone. */
  drop(segments: readonly number[]): void
  /** What the copies on disk take, and how often one was there. */
  usage(): { readonly bytes: number; readonly found: number; readonly fetched: number }
  close(): void
}

/** Copies beyond this are removed, those that nobody opened for the longest time first. */
export const COPIES_BYTES = 4 * 1024 ** 3
const SUFFIX = '.segment'
const PARTIAL = '.partial'
/** One that has not grown for so long is of a server that was killed. */
const LEFT_MS = 3_600_000
/** One that was replaced is read by nobody after this. */
const READ_MS = 120_000

export function openLocalCopies(
  folder: string,
  fetch: (segment: number) => Pages | Promise<Pages>,
  mostBytes = COPIES_BYTES,
): LocalCopies {
  const opened = new Map<number, OpenedFile>()
  const coming = new Map<number, Promise<CopiedSegment>>()
  let found = 0
  let fetched = 0
  /** When each was first seen to be gone. */
  const gone = new Map<number, number>()
  let onDisk: Set<number> | undefined
  const fileOf = (segment: number): string => join(folder, `${segment}${SUFFIX}`)

  const obtain = async (segment: number): Promise<OpenedFile> => {
    const local = openCopy(fileOf(segment))
    if (local) {
      found++
      return local
    }
    fetched++
    const isWritten = await writePages(folder, fileOf(segment), await fetch(segment))
    return openWritten(segment, isWritten) ?? fromMemory(await allOf(await fetch(segment)))
  }
  const kept = (segment: number, streams: Streams): OpenedFile => {
    fetched++
    return openWritten(segment, writeCopy(folder, fileOf(segment), streams)) ?? fromMemory(streams)
  }
  /** Undefined where the disk has no room: then it is read from memory. */
  const openWritten = (segment: number, isWritten: boolean): OpenedFile | undefined => {
    const written = isWritten ? openCopy(fileOf(segment)) : undefined
    const inUse = new Set([...opened.keys(), segment].map((id) => `${id}${SUFFIX}`))
    makeRoom(folder, mostBytes, inUse)
    return written
  }
  const drop = (segment: number): void => {
    opened.get(segment)?.close()
    opened.delete(segment)
    gone.delete(segment)
    onDisk?.delete(segment)
    remove(fileOf(segment))
  }
  const keepOpen = async (segment: number): Promise<CopiedSegment> => {
    const copied = await obtain(segment)
    opened.set(segment, copied)
    return copied
  }

  return {
    async copy(segment) {
      const known = opened.get(segment)
      if (known) return known
      const pending = coming.get(segment) ?? keepOpen(segment).finally(() => coming.delete(segment))
      coming.set(segment, pending)
      return pending
    },
    async read(segment, use) {
      const copied = await obtain(segment)
      try {
        return use(copied)
      } finally {
        copied.close()
      }
    },
    held() {
      onDisk ??= new Set(copiesIn(folder).map(({ name }) => Number(name.slice(0, -SUFFIX.length))))
      return new Set([...onDisk, ...opened.keys()])
    },
    take(segment, streams) {
      if (!opened.has(segment) && !coming.has(segment)) opened.set(segment, kept(segment, streams))
    },
    keep(segments) {
      const living = new Set(segments)
      const now = performance.now()
      for (const segment of opened.keys()) {
        const since = living.has(segment) ? undefined : (gone.get(segment) ?? now)
        if (since === undefined) gone.delete(segment)
        else if (now - since < READ_MS) gone.set(segment, since)
        else drop(segment)
      }
    },
    drop: (segments) => segments.forEach(drop),
    usage: () => ({
      bytes: copiesIn(folder).reduce((sum, { size }) => sum + size, 0),
      found,
      fetched,
    }),
    close() {
      for (const each of opened.values()) each.close()
      opened.clear()
    },
  }
}

interface OpenedFile extends CopiedSegment {
  close(): void
}

type Contents = readonly (readonly [name: string, length: number, sum: number])[]

/** Undefined where there is no file, or one that is not what was written. */
function openCopy(file: string): OpenedFile | undefined {
  let fd: number
  try {
    fd = openSync(file, 'r')
  } catch {
    return undefined
  }
  const places = soundPlaces(fd)
  if (!places) {
    closeSync(fd)
    remove(file)
    return undefined
  }
  try {
    const now = new Date()
    utimesSync(file, now, now)
  } catch {
    // Somebody has deleted it; the open file can still be read.
  }
  return {
    read(name, start = 0, end) {
      const place = places.get(name)
      if (!place) return undefined
      const behind = end ?? place.length
      if (start > behind || behind > place.length) return undefined
      return bytesAt(fd, place.start + start, behind - start)
    },
    close: () => closeSync(fd),
  }
}

/** Where each stream is, where every one of them has the sum that was written down. */
function soundPlaces(fd: number) {
  try {
    const size = fstatSync(fd).size
    const length = Buffer.from(bytesAt(fd, 0, 4)).readUInt32LE()
    if (length > size) return undefined
    const contents = JSON.parse(Buffer.from(bytesAt(fd, 4, length)).toString('utf8')) as Contents
    const places = new Map<string, { start: number; length: number }>()
    let start = 4 + length
    for (const [name, bytes, sum] of contents) {
      if (sumAt(fd, start, bytes) !== sum) return undefined
      places.set(name, { start, length: bytes })
      start += bytes
    }
    return start === size ? places : undefined
  } catch {
    return undefined
  }
}

const SUMMED_AT_ONCE = 1024 * 1024

function sumAt(fd: number, start: number, length: number): number {
  let sum = 0
  for (let at = 0; at < length; at += SUMMED_AT_ONCE) {
    sum = crc32(bytesAt(fd, start + at, Math.min(SUMMED_AT_ONCE, length - at)), sum)
  }
  return sum
}

function bytesAt(fd: number, position: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  for (let at = 0; at < length;) {
    const read = readSync(fd, bytes, at, length - at, position + at)
    if (read === 0) throw new Error('The copy of a segment ends too early.')
    at += read
  }
  return bytes
}

/** Whether it is there now. */
async function writePages(folder: string, file: string, pages: Pages): Promise<boolean> {
  const copy = beginCopy(folder)
  try {
    for await (const [stream, page] of pages) if (!copy.add(stream, page)) return false
    return copy.end(file)
  } finally {
    copy.close()
  }
}

function writeCopy(folder: string, file: string, streams: Streams): boolean {
  const copy = beginCopy(folder)
  try {
    for (const [stream, data] of streams) if (!copy.add(stream, data)) return false
    return copy.end(file)
  } finally {
    copy.close()
  }
}

/**
 * The table of contents is known when all is there: it gets this much room, and spaces behind it.
 */
const HEAD_BYTES = 768

interface BegunCopy {
  /** False where it cannot be written. */
  add(stream: string, page: Uint8Array): boolean
  /** Gives it its name. Nobody ever sees half of it. */
  end(file: string): boolean
  close(): void
}

function beginCopy(folder: string): BegunCopy {
  const partial = join(folder, `.${randomBytes(6).toString('hex')}${PARTIAL}`)
  const contents: [name: string, length: number, sum: number][] = []
  let at = HEAD_BYTES
  let fd: number | undefined
  const tried = (work: () => void): boolean => {
    try {
      work()
      return true
    } catch {
      return false
    }
  }
  const begin = (): number => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return openSync(partial, 'wx', 0o600)
  }
  const release = (): void => {
    if (fd !== undefined) closeSync(fd)
    fd = undefined
  }
  return {
    add: (stream, page) =>
      tried(() => {
        fd ??= begin()
        if (contents.at(-1)?.[0] !== stream) contents.push([stream, 0, 0])
        const last = contents.at(-1)!
        writeAt(fd, page, at)
        at += page.length
        last[1] += page.length
        last[2] = crc32(page, last[2])
      }),
    end: (file) =>
      tried(() => {
        writeAt((fd ??= begin()), headOf(contents), 0)
        release()
        renameSync(partial, file)
      }),
    close() {
      tried(release)
      remove(partial)
    },
  }
}

function headOf(contents: Contents): Buffer {
  const head = Buffer.alloc(HEAD_BYTES, ' ')
  const table = Buffer.from(JSON.stringify(contents))
  if (4 + table.length > head.length) throw new Error('A segment has too many streams.')
  head.writeUInt32LE(head.length - 4)
  table.copy(head, 4)
  return head
}

function writeAt(fd: number, bytes: Uint8Array, position: number): void {
  for (let at = 0; at < bytes.length;) {
    at += writeSync(fd, bytes, at, bytes.length - at, position + at)
  }
}

async function allOf(pages: Pages): Promise<Streams> {
  const streams = new Map<string, Uint8Array[]>()
  for await (const [stream, page] of pages) {
    const known = streams.get(stream)
    if (known) known.push(page)
    else streams.set(stream, [page])
  }
  return new Map([...streams].map(([stream, all]) => [stream, new Uint8Array(Buffer.concat(all))]))
}

function fromMemory(streams: Streams): OpenedFile {
  return {
    close: () => {},
    read(name, start = 0, end) {
      const data = streams.get(name)
      return data && (end ?? data.length) <= data.length ? data.subarray(start, end) : undefined
    },
  }
}

/** What cannot be removed does no harm. */
function remove(file: string): void {
  try {
    rmSync(file, { force: true })
  } catch {
    // The folder is no folder, or belongs to somebody else.
  }
}

function makeRoom(folder: string, mostBytes: number, inUse: ReadonlySet<string>): void {
  for (const { name, usedAt } of filesIn(folder, PARTIAL)) {
    if (Date.now() - usedAt > LEFT_MS) remove(join(folder, name))
  }
  const copies = copiesIn(folder)
  let bytes = copies.reduce((sum, { size }) => sum + size, 0)
  for (const { name, size } of copies.toSorted((a, b) => a.usedAt - b.usedAt)) {
    if (bytes <= mostBytes) return
    if (inUse.has(name)) continue
    remove(join(folder, name))
    bytes -= size
  }
}

interface KeptFile {
  readonly name: string
  readonly size: number
  readonly usedAt: number
}

function copiesIn(folder: string): KeptFile[] {
  return filesIn(folder, SUFFIX)
}

function filesIn(folder: string, suffix: string): KeptFile[] {
  let names: string[] = []
  try {
    names = readdirSync(folder).filter((name) => name.endsWith(suffix))
  } catch {
    // Nobody has made it yet.
  }
  return names.flatMap((name) => {
    const stats = statSync(join(folder, name), { throwIfNoEntry: false })
    return stats ? [{ name, size: stats.size, usedAt: stats.mtimeMs }] : []
  })
}
