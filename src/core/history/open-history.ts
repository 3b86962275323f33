/**
 * Write-ahead log, which is the history too, as files that outlive the program: JSON lines, one per
 * operation and a short one that says how it ended, in segments of a few megabytes. Whatever of it
 * is damaged or missing is left out when it is read, and never keeps anyone from writing on.
 */
import { isUtf8 } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  createReadStream,
  fstatSync,
  fsync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { KnowledgeError, unavailable } from '../domain/error.ts'
import { LockLost } from '../domain/write-lock.ts'
import { Slices } from '../kit/slices.ts'
import { Contents } from './contents.ts'
import { flushFolder } from './flush-folder.ts'
import { contentsOf, isTorn, parseLine, writeLine } from './history-lines.ts'
import type { EndLine, Line, OperationLine, Packed, PackedChange } from './history-lines.ts'
import { isBlocked, isFolder, makeFolder } from './make-folder.ts'
import { OpenOperations } from './open-operations.ts'
import type {
  Begun,
  Change,
  History,
  HistoryDamage,
  HistoryKeep,
  HistoryNames,
  LoggedOperation,
  Operation,
  OperationState,
  PrunedHistory,
} from './history.ts'

/** A segment that has grown to this is followed by a new one. */
const SEGMENT_BYTES = 8 * 1024 * 1024
/** Longer contents are kept beside the log, so that listing it stays quick. */
const INLINE_BYTES = 16 * 1024
/** A log that has grown too long is cut to this part of what it may be. */
const ROOMY = 0.9

/** How names of segments end that are being written anew. */
const UNFINISHED = '.tmp'

const flush = promisify(fsync)

export interface HistoryOptions {
  /** What is kept when the log grows; all of it unless said. */
  readonly keep?: HistoryKeep
  /** Throws `LockLost` where whoever writes has lost the lock. */
  readonly fence?: () => void
}

export function openHistory(folder: string, { keep = {}, fence }: HistoryOptions = {}): History {
  return new FileHistory(folder, keep, fence ?? (() => {}))
}

/** Sorts by time, and is short enough to be said: `20260315T104233-9f2c41aa`. */
export function newOperationId(at: number): string {
  const stamp = new Date(at).toISOString().replaceAll(/[-:]|\..*$/g, '')
  return `${stamp}-${randomBytes(4).toString('hex')}`
}

class FileHistory implements History {
  readonly #folder: string
  readonly #keep: HistoryKeep
  readonly #fence: () => void
  readonly #contents: Contents
  readonly #packed = new WeakMap<LoggedOperation, readonly PackedChange[]>()
  readonly #open = new OpenOperations()
  /** Ends that could not be written. */
  #owed: EndLine[] = []

  #warning: string | undefined

  #names: GatheredNames | undefined

  constructor(folder: string, keep: HistoryKeep, fence: () => void) {
    this.#folder = folder
    this.#keep = keep
    this.#fence = fence
    this.#contents = new Contents(join(folder, 'contents'))
  }

  async begin(...operations: readonly Operation[]): Promise<Begun> {
    const begin = async (): Promise<Begun> => {
      const lines: OperationLine[] = []
      for (const operation of operations) lines.push(await this.#line(operation))
      return this.#begin(lines)
    }
    try {
      return await begin().catch((error: unknown) => {
        // Someone deleted the state folder in this very moment: it is made again.
        if (isMissing(error)) return begin()
        throw error
      })
    } catch (error) {
      throw notWritten(error)
    }
  }

  #begin(lines: readonly Line[]): Begun {
    const flushed = this.#append(lines, true)
      .catch((error: unknown) => {
        throw notWritten(error)
      })
      .then(async (fresh) => {
        if (fresh) await this.#makeRoom().catch(() => {})
      })
    // Whoever waits for it hears of it; a failure must not end the process of whoever does not.
    flushed.catch(() => {})
    return { flushed }
  }

  async #line({ id, at, changes, ...rest }: Operation): Promise<OperationLine> {
    this.#makeFolder()
    const packed: PackedChange[] = []
    const slices = new Slices()
    for (const { splice, around, ...change } of changes) {
      if (slices.over) await slices.pause()
      packed.push({
        ...change,
        at: splice.at,
        removed: await this.#pack(splice.removed),
        added: await this.#pack(splice.added),
        ...(around && {
          around: [await this.#pack(around.before), await this.#pack(around.behind)],
        }),
      })
    }
    return { op: id, at: new Date(at).toISOString(), ...rest, changes: packed }
  }

  /** A little more than needed, so that not every new segment has the whole log looked through. */
  async #makeRoom(): Promise<void> {
    const { ageMs, bytes } = this.#keep
    const isFull = bytes !== undefined && (await this.#size()) > bytes
    if (!isFull && !(await this.isOutgrown())) return
    await this.prune({
      ...(ageMs !== undefined && { ageMs }),
      ...(bytes !== undefined && { bytes: isFull ? bytes * ROOMY : bytes }),
    })
  }

  /** What it takes on disk; at least as much as what pruning counts. */
  async #size(): Promise<number> {
    const slices = new Slices()
    let sum = 0
    for (const segment of this.#segments()) {
      sum += statSync(segment, { throwIfNoEntry: false })?.size ?? 0
    }
    for (const name of this.#contents.names()) {
      if (slices.over) await slices.pause()
      sum += this.#contents.size(name)
    }
    return sum
  }

  takeWarning(): string | undefined {
    const warning = this.#warning
    this.#warning = undefined
    return warning
  }

  async settle(ids: string | readonly string[], state: 'done' | 'failed'): Promise<void> {
    const ends = [ids].flat().map((end) => ({ end, state }))
    try {
      // Not flushed: if it is lost, the files themselves tell what happened.
      await this.#append(ends, false)
    } catch (error) {
      // Whoever has taken over finds out how it ended.
      if (error instanceof LockLost) throw error
      // Said with the next line; whoever comes before that finds it out from the files.
      this.#owed.push(...ends)
    }
  }

  async amend(id: string, instead: Operation): Promise<void> {
    try {
      await this.#append([{ ...(await this.#line(instead)), instead_of: id }], true)
    } catch (error) {
      throw notWritten(error)
    }
  }

  async unsettled(): Promise<readonly LoggedOperation[]> {
    if (this.#owed.length > 0) await this.settle([], 'done')
    const owed = new Set(this.#owed.map(({ end }) => end))
    const lines = await this.#open.lines(this.#segments())
    return lines
      .filter(({ op }) => !owed.has(op))
      .map((line) => this.#logged(line, 'open', undefined))
  }

  async each(
    visit: (operation: LoggedOperation) => boolean,
    mentions?: string,
    unread?: (what: 'line' | 'file') => void,
  ): Promise<void> {
    const states = new Map<string, OperationState>()
    const undone = new Map<string, string>()
    const slices = new Slices()
    // As it stands in a line, where quotes and the like are escaped.
    const wanted = mentions && JSON.stringify(mentions).slice(1, -1)
    for (const segment of this.#segments().toReversed()) {
      const texts = await linesOf(segment)
      if (unread && texts.length === 0 && !isReadable(segment)) unread('file')
      for (let index = texts.length - 1; index >= 0; index--) {
        if (slices.over) await slices.pause()
        const text = texts[index]!
        const matters =
          wanted === undefined ||
          text.startsWith('{"end"') ||
          text.includes(wanted) ||
          text.includes('"undoes":[')
        const line = matters ? parseLine(text) : undefined
        if (matters && !line && !isTorn(text)) unread?.('line')
        if (!line) continue
        if ('end' in line) {
          states.set(line.end, line.state)
          continue
        }
        const { instead_of: failed } = line
        if (failed !== undefined) states.set(failed, 'failed').set(line.op, 'done')
        const logged = this.#logged(line, states.get(line.op) ?? 'open', undone.get(line.op))
        // Newest first: whatever took this operation back was seen before it.
        if (logged.state === 'done' && logged.undoneBy === undefined) {
          for (const id of logged.undoes ?? []) undone.set(id, logged.id)
        }
        if (!visit(logged)) return
      }
    }
  }

  async find(id: string): Promise<LoggedOperation | undefined> {
    let found: LoggedOperation | undefined
    await this.each((operation) => {
      if (operation.id === id) found = operation
      return found === undefined
    }, id)
    return found
  }

  async stateOf(id: string): Promise<OperationState | undefined> {
    return (await this.find(id))?.state
  }

  /** The log only grows, so what was read of it is not read again until it is rewritten. */
  async names(): Promise<HistoryNames> {
    const sizes = new Map<string, SegmentSize>()
    for (const segment of this.#segments()) {
      const { ino = 0, size = 0 } = statSync(segment, { throwIfNoEntry: false }) ?? {}
      sizes.set(segment, { ino, size })
    }
    const gathered = this.#names && isGrown(this.#names.sizes, sizes) ? this.#names : noNames()
    this.#names = gathered
    for (const [segment, { ino, size }] of sizes) {
      const from = gathered.sizes.get(segment)?.size ?? 0
      if (size === from) continue
      const read = await this.#gather(segment, from, gathered)
      gathered.sizes.set(segment, { ino, size: from + read })
    }
    return gathered
  }

  /** Adds the names behind `from`, which is where a line begins. Tells how many bytes were read. */
  async #gather(segment: string, from: number, to: GatheredNames): Promise<number> {
    const slices = new Slices()
    const { texts, bytes } = await wholeLines(segment, from)
    for (const text of texts) {
      if (slices.over) await slices.pause()
      const line = text.startsWith('{"end"') ? undefined : parseLine(text)
      if (!line || 'end' in line) continue
      const { client, principal } = line.by ?? {}
      for (const name of [client, principal]) if (name !== undefined) to.authors.add(name)
      for (const { source, path, from: old } of line.changes) {
        to.documents.add(`${source}/${path}`)
        if (old !== undefined) to.documents.add(`${source}/${old}`)
      }
    }
    return bytes
  }

  async changesOf(operation: LoggedOperation): Promise<readonly Change[]> {
    return (this.#packed.get(operation) ?? []).map((change) => this.#unpack(change))
  }

  async examine(): Promise<HistoryDamage> {
    let operations = 0
    let damagedLines = 0
    const unreadable: string[] = []
    const withoutContent: string[] = []
    for (const each of [this.#folder, this.#contents.folder]) {
      if (isBlocked(each)) unreadable.push(basename(each))
    }
    const slices = new Slices()
    for (const segment of this.#segments()) {
      if (!isReadable(segment)) unreadable.push(basename(segment))
      for (const text of await linesOf(segment)) {
        if (slices.over) await slices.pause()
        const line = parseLine(text)
        if (!line) damagedLines++
        if (!line || 'end' in line) continue
        operations++
        if (!contentsOf(line).every((name) => this.#contents.isSound(name))) {
          withoutContent.push(line.op)
        }
      }
    }
    return { operations, damagedLines, unreadable, withoutContent }
  }

  async repair(): Promise<HistoryDamage> {
    const damage = await this.examine()
    for (const each of [this.#folder, this.#contents.folder]) if (isBlocked(each)) makeFolder(each)
    const aside = join(this.#folder, 'damaged')
    const stamp = newOperationId(Date.now())
    for (const segment of this.#segments()) {
      if (!isReadable(segment)) {
        mkdirSync(aside, { recursive: true, mode: 0o700 })
        renameSync(segment, join(aside, `${stamp}-${basename(segment)}`))
        continue
      }
      const texts = await linesOf(segment)
      const bad = texts.filter((text) => !parseLine(text))
      if (bad.length === 0) continue
      mkdirSync(aside, { recursive: true, mode: 0o700 })
      const place = join(aside, `${stamp}-${basename(segment)}`)
      writeFileSync(place, `${bad.join('\n')}\n`, { mode: 0o600 })
      this.#rewrite(
        segment,
        texts.filter((text) => parseLine(text)),
      )
    }
    return damage
  }

  async prune(
    keep: HistoryKeep = this.#keep,
    { dryRun = false }: { readonly dryRun?: boolean } = {},
  ): Promise<PrunedHistory> {
    const all = { operations: 0, bytes: 0, kept: 0 }
    if (keep.ageMs === undefined && keep.bytes === undefined) {
      await this.each(() => ++all.kept > 0)
      return all
    }
    const oldest = keep.ageMs === undefined ? -Infinity : Date.now() - keep.ageMs
    const room = keep.bytes ?? Infinity
    const stays = new Set<string>()
    const needed = new Set<string>()
    const kept: { readonly segment: string; readonly texts: string[]; readonly all: number }[] = []
    let used = 0
    let full = false
    const slices = new Slices()
    const first = await this.#firstSince(oldest)
    let aged = first === undefined
    for (const segment of this.#segments().toReversed()) {
      const texts: string[] = []
      const found = await linesOf(segment)
      const ends: string[] = []
      for (const text of found.toReversed()) {
        if (slices.over) await slices.pause()
        const line = parseLine(text)
        if (!line) continue
        if ('end' in line) {
          ends.push(text)
          continue
        }
        const contents = contentsOf(line).filter((name) => !needed.has(name))
        const size = contents.reduce((sum, name) => sum + this.#contents.size(name), text.length)
        full ||= aged || used + size > room
        aged ||= line.op === first
        if (full) {
          all.operations++
          all.bytes += size
          ends.length = 0
          continue
        }
        used += size
        for (const name of contents) needed.add(name)
        stays.add(line.op)
        texts.push(...ends.splice(0), text)
      }
      texts.push(...ends)
      kept.push({ segment, texts: texts.toReversed(), all: found.length })
    }
    all.kept = stays.size
    if (dryRun) return all
    for (const [index, { segment, texts, all: before }] of kept.entries()) {
      this.#fence()
      // The last one is what others append to, so it stays, if only as an empty file.
      const isOld = index > 0
      if (texts.length === 0 && isOld) rmSync(segment, { recursive: true, force: true })
      else if (texts.length < before) this.#rewrite(segment, texts)
    }
    for (const name of this.#contents.names()) {
      this.#fence()
      if (!needed.has(name)) this.#contents.remove(name)
    }
    return all
  }

  async isOutgrown(): Promise<boolean> {
    const { ageMs } = this.#keep
    const [first] = this.#segments()
    if (ageMs === undefined || first === undefined) return false
    return datedIn(headOf(first)) < Date.now() - ageMs
  }

  /**
   * The oldest operation that is dated at or after an instant. What came behind it is no older,
   * whatever a clock that was wrong for a while has dated it.
   */
  async #firstSince(oldest: number): Promise<string | undefined> {
    const slices = new Slices()
    for (const segment of this.#segments()) {
      for (const text of await linesOf(segment)) {
        if (slices.over) await slices.pause()
        if (!(datedIn(text) >= oldest)) continue
        const line = parseLine(text)
        if (line && 'op' in line) return line.op
      }
    }
    return undefined
  }

  /** Beside and renamed: killed in the middle, the segment is as it was. */
  #rewrite(segment: string, texts: readonly string[]): void {
    this.#names = undefined
    this.#removeUnfinished()
    const temporary = `${segment}.${randomBytes(6).toString('hex')}${UNFINISHED}`
    const file = openSync(temporary, 'wx', 0o600)
    try {
      writeFileSync(file, texts.map((text) => `${text}\n`).join(''))
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    this.#fence()
    renameSync(temporary, segment)
    flushFolder(this.#folder)
  }

  async disarm(): Promise<void> {
    this.#removeUnfinished()
  }

  /** Whoever holds the lock may: nobody else is at work. */
  #removeUnfinished(): void {
    for (const name of namesIn(this.#folder)) {
      if (name.endsWith(UNFINISHED)) rmSync(join(this.#folder, name), { force: true })
    }
  }

  #logged(line: OperationLine, state: OperationState, undoneBy: string | undefined) {
    const { op, at, changes, instead_of: _, ...rest } = line
    const logged: LoggedOperation = {
      ...rest,
      id: op,
      at: Date.parse(at),
      changes: changes.map(recordOf),
      state,
      undoneBy,
    }
    this.#packed.set(logged, changes)
    return logged
  }

  #unpack(change: PackedChange): Change {
    const { at, around } = change
    const splice = { at, removed: this.#bytes(change.removed), added: this.#bytes(change.added) }
    return {
      ...recordOf(change),
      splice,
      ...(around && {
        around: { before: this.#bytes(around[0]), behind: this.#bytes(around[1]) },
      }),
    }
  }

  async #pack(bytes: Uint8Array): Promise<Packed> {
    if (bytes.length > INLINE_BYTES) return { blob: await this.#contents.keep(bytes) }
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    return isUtf8(buffer) ? buffer.toString('utf8') : { base64: buffer.toString('base64') }
  }

  #bytes(packed: Packed): Uint8Array {
    if (typeof packed === 'string') return Buffer.from(packed, 'utf8')
    if ('base64' in packed) return Buffer.from(packed.base64, 'base64')
    return this.#contents.read(packed.blob)
  }

  /** A history that is no folder is set aside: it can hold nothing that is read. */
  #makeFolder(): void {
    const aside = makeFolder(this.#folder)
    if (aside === undefined) return
    const names = `"${basename(this.#folder)}" in the state folder was no folder`
    this.#warning = `${names}. It is called "${basename(aside)}" now, and a new history was begun.`
  }

  /** Written when it returns, flushed when the promise resolves: true when a segment was begun. */
  #append(lines: readonly Line[], durably: boolean): Promise<boolean> {
    this.#fence()
    this.#makeFolder()
    const owed = this.#owed
    const all = [...owed, ...lines]
    const { file, fresh } = this.#openLast()
    let before: number | undefined
    let written = 0
    const cutBack = (): void => {
      this.#owed = [...new Set([...owed, ...this.#owed])]
      try {
        // Whoever has taken over meanwhile may have gone on behind it.
        const isLast = before !== undefined && fstatSync(file).size === before + written
        if (isLast) ftruncateSync(file, before)
      } catch {
        // Half a line is left out when it is read, and a whole one says what did not happen.
      } finally {
        closeSync(file)
      }
    }
    try {
      before = fstatSync(file).size
      // A line that a dying process left unfinished gets an end, and is ignored by readers.
      const separator = before > 0 && !endsWithNewline(file, before) ? '\n' : ''
      const bytes = Buffer.from(`${separator}${all.map((line) => `${writeLine(line)}\n`).join('')}`)
      while (written < bytes.length) written += writeSync(file, bytes, written)
    } catch (error) {
      cutBack()
      throw error
    }
    this.#owed = []
    return this.#flush(file, fresh, durably, cutBack)
  }

  async #flush(file: number, fresh: boolean, durably: boolean, cutBack: () => void) {
    try {
      if (durably) await flush(file)
      if (fresh && durably) flushFolder(this.#folder)
    } catch (error) {
      cutBack()
      throw error
    }
    closeSync(file)
    return fresh
  }

  /** The segment to write to. One that is full, or cannot be opened, is followed by a new one. */
  #openLast(): { readonly file: number; readonly fresh: boolean } {
    const last = this.#segments().at(-1)
    const number = last === undefined ? 0 : Number(basename(last, '.jsonl'))
    if (last !== undefined) {
      try {
        if (statSync(last).size < SEGMENT_BYTES) {
          return { file: openSync(last, 'a+'), fresh: false }
        }
      } catch (error) {
        if (!isInTheWay(error)) throw error
      }
    }
    const next = `${String(number + 1).padStart(6, '0')}.jsonl`
    return { file: openSync(join(this.#folder, next), 'a+', 0o600), fresh: true }
  }

  #segments(): string[] {
    return namesIn(this.#folder)
      .filter((name) => /^\d{6,}\.jsonl$/.test(name))
      .toSorted((a, b) => Number(a.slice(0, -6)) - Number(b.slice(0, -6)))
      .map((name) => join(this.#folder, name))
  }
}

/** When an operation is dated, from the beginning of its line; NaN for any other line. */
function datedIn(text: string): number {
  return Date.parse(/^\{"op":"[^"]*","at":"([^"]+)"/.exec(text)?.[1] ?? '')
}

/** Which file a segment is, and how much of it was read. */
interface SegmentSize {
  readonly ino: number
  readonly size: number
}

interface GatheredNames extends HistoryNames {
  readonly documents: Set<string>
  readonly authors: Set<string>
  readonly sizes: Map<string, SegmentSize>
}

function noNames(): GatheredNames {
  return { documents: new Set(), authors: new Set(), sizes: new Map() }
}

/** Whether every segment that was read is the same file, and no shorter. */
function isGrown(
  read: ReadonlyMap<string, SegmentSize>,
  now: ReadonlyMap<string, SegmentSize>,
): boolean {
  return [...read].every(([segment, { ino, size }]) => {
    const found = now.get(segment)
    return found?.ino === ino && found.size >= size
  })
}

function recordOf({
  at: _at,
  removed: _removed,
  added: _added,
  around: _around,
  ...record
}: PackedChange) {
  return { ...record, before: record.before, after: record.after }
}

/** None where it is no folder, or is deleted in this very moment. */
function namesIn(folder: string): string[] {
  if (!isFolder(folder)) return []
  try {
    return readdirSync(folder)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

/**
 * Lines behind a place that have an end, and how many bytes they take; none where it cannot be
 * read.
 */
async function wholeLines(
  segment: string,
  from: number,
): Promise<{ readonly texts: string[]; readonly bytes: number }> {
  try {
    const parts: Buffer[] = []
    for await (const part of createReadStream(segment, { start: from })) parts.push(part as Buffer)
    const all = Buffer.concat(parts)
    const bytes = all.lastIndexOf(NEWLINE) + 1
    const texts = all.toString('utf8', 0, bytes).split('\n')
    return { texts: texts.filter((text) => text !== ''), bytes }
  } catch {
    return { texts: [], bytes: 0 }
  }
}

const NEWLINE = 0x0a

/** Lines of a segment in order; none where it cannot be read. */
async function linesOf(segment: string): Promise<string[]> {
  try {
    return (await readFile(segment, 'utf8')).split('\n').filter((text) => text !== '')
  } catch {
    return []
  }
}

function isReadable(segment: string): boolean {
  try {
    const file = openSync(segment, 'r')
    try {
      readSync(file, Buffer.alloc(1), 0, 1, 0)
      return true
    } finally {
      closeSync(file)
    }
  } catch {
    return false
  }
}

/** Someone put a folder there, or took the right to open it away; the next number is free. */
function isInTheWay(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return ['EISDIR', 'EACCES', 'EPERM', 'ELOOP', 'EIO', 'ENXIO'].includes(code)
}

function headOf(segment: string): string {
  try {
    const file = openSync(segment, 'r')
    try {
      const head = Buffer.alloc(200)
      return head.toString('latin1', 0, readSync(file, head, 0, head.length, 0))
    } finally {
      closeSync(file)
    }
  } catch {
    return ''
  }
}

function endsWithNewline(file: number, size: number): boolean {
  const last = Buffer.alloc(1)
  readSync(file, last, 0, 1, size - 1)
  return last[0] === 0x0a
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

function notWritten(error: unknown): unknown {
  if (error instanceof KnowledgeError || !(error instanceof Error) || !('code' in error))
    return error
  return unavailable(
    `The change cannot be written to the history in the state folder (${String(error.code)}).`,
    'Nothing was changed. Make room or give permission there, then try again.',
  )
}
