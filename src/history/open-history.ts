/**
 * History as files that outlive the program: JSON lines, one per operation and a short one that
 * says how it ended, in segments of a few megabytes. Long contents stand in files of their own,
 * named by what is in them.
 */
import { isUtf8 } from 'node:buffer'
import { hash, randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { KnowledgeError } from '../domain/error.ts'
import type {
  Change,
  ChangeRecord,
  History,
  LoggedOperation,
  Operation,
  OperationState,
} from './history.ts'

/** A segment that has grown to this is followed by a new one. */
const SEGMENT_BYTES = 8 * 1024 * 1024
/** Longer contents are kept beside the log, so that listing it stays quick. */
const INLINE_BYTES = 16 * 1024
/** Enough of a segment's end to find the last short line. */
const TAIL_BYTES = 4096

export function openHistory(folder: string): History {
  return new FileHistory(folder)
}

/** Sorts by time, and is short enough to be said: `20260315T104233-9f2c41`. */
export function newOperationId(at: number): string {
  const stamp = new Date(at).toISOString().replaceAll(/[-:]|\..*$/g, '')
  return `${stamp}-${randomBytes(4).toString('hex')}`
}

/** Bytes in a line: text as it is, anything else encoded, long ones by name. */
type Packed = string | { readonly base64: string } | { readonly blob: string }

interface PackedChange extends Omit<ChangeRecord, 'before' | 'after'> {
  readonly before?: string
  readonly after?: string
  readonly at: number
  readonly removed: Packed
  readonly added: Packed
}

interface OperationLine extends Omit<Operation, 'changes' | 'id' | 'at'> {
  readonly op: string
  readonly at: string
  readonly changes: readonly PackedChange[]
}

interface EndLine {
  readonly end: string
  readonly state: 'done' | 'failed'
}

type Line = OperationLine | EndLine

class FileHistory implements History {
  readonly #folder: string
  readonly #packed = new WeakMap<LoggedOperation, readonly PackedChange[]>()

  constructor(folder: string) {
    this.#folder = folder
  }

  async begin(operation: Operation): Promise<void> {
    const { id, at, changes, ...rest } = operation
    try {
      const packed: PackedChange[] = []
      for (const { splice, ...change } of changes) {
        packed.push({
          ...change,
          at: splice.at,
          removed: await this.#pack(splice.removed),
          added: await this.#pack(splice.added),
        })
      }
      const line: OperationLine = {
        op: id,
        at: new Date(at).toISOString(),
        ...rest,
        changes: packed,
      }
      await this.#append(line, true)
    } catch (error) {
      throw notWritten(error)
    }
  }

  async settle(id: string, state: 'done' | 'failed'): Promise<void> {
    // Not flushed: if it is lost, the files themselves tell what happened.
    await this.#append({ end: id, state }, false)
  }

  async unsettled(): Promise<Operation | undefined> {
    for (const segment of this.#segments().toReversed()) {
      if (endsSettled(segment)) return undefined
      const line = linesOf(segment).findLast((each) => each !== undefined)
      if (!line) continue
      return 'end' in line ? undefined : this.#operation(line)
    }
    return undefined
  }

  async each(visit: (operation: LoggedOperation) => boolean): Promise<void> {
    const states = new Map<string, OperationState>()
    const undone = new Map<string, string>()
    for (const segment of this.#segments().toReversed()) {
      for (const line of linesOf(segment).toReversed()) {
        if (!line) continue
        if ('end' in line) {
          states.set(line.end, line.state)
          continue
        }
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
    })
    return found
  }

  async changesOf(operation: LoggedOperation): Promise<readonly Change[]> {
    return (this.#packed.get(operation) ?? []).map((change) => this.#unpack(change))
  }

  #logged(line: OperationLine, state: OperationState, undoneBy: string | undefined) {
    const { op, at, changes, ...rest } = line
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

  #operation({ op, at, changes, ...rest }: OperationLine): Operation {
    return {
      ...rest,
      id: op,
      at: Date.parse(at),
      changes: changes.map((change) => this.#unpack(change)),
    }
  }

  #unpack(change: PackedChange): Change {
    const { at } = change
    const splice = { at, removed: this.#bytes(change.removed), added: this.#bytes(change.added) }
    return { ...recordOf(change), splice }
  }

  async #pack(bytes: Uint8Array): Promise<Packed> {
    if (bytes.length > INLINE_BYTES) return { blob: await this.#keep(bytes) }
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    return isUtf8(buffer) ? buffer.toString('utf8') : { base64: buffer.toString('base64') }
  }

  #bytes(packed: Packed): Uint8Array {
    if (typeof packed === 'string') return Buffer.from(packed, 'utf8')
    if ('base64' in packed) return Buffer.from(packed.base64, 'base64')
    try {
      return readFileSync(this.#blob(packed.blob))
    } catch {
      throw new KnowledgeError(
        'unavailable',
        'A content that history needs is missing from the state folder.',
        'It cannot be restored from here; look for a backup of the state folder.',
      )
    }
  }

  #blob(name: string): string {
    return join(this.#folder, 'contents', name.slice(0, 2), name)
  }

  /** Written beside and renamed, so that a name never stands for half a content. */
  async #keep(bytes: Uint8Array): Promise<string> {
    const name = hash('sha256', bytes, 'hex')
    const place = this.#blob(name)
    if (existsSync(place)) return name
    mkdirSync(dirname(place), { recursive: true })
    const temporary = `${place}.tmp-${process.pid}`
    try {
      const file = await open(temporary, 'w')
      try {
        await file.writeFile(bytes)
        await file.sync()
      } finally {
        await file.close()
      }
      renameSync(temporary, place)
    } catch (error) {
      if (existsSync(temporary)) unlinkSync(temporary)
      throw error
    }
    return name
  }

  async #append(line: Line, durably: boolean): Promise<void> {
    const segments = this.#segments()
    const last = segments.at(-1) ?? this.#segment(1)
    mkdirSync(this.#folder, { recursive: true })
    const { place, fresh } = this.#writable(last, segments.length)
    const file = openSync(place, 'a+')
    const before = fstatSync(file).size
    try {
      // A line that a dying process left unfinished gets an end, and is ignored by readers.
      const separator = before > 0 && !endsWithNewline(file, before) ? '\n' : ''
      const bytes = Buffer.from(`${separator}${JSON.stringify(line)}\n`)
      for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at)
      if (durably) fsyncSync(file)
    } catch (error) {
      ftruncateSync(file, before)
      throw error
    } finally {
      closeSync(file)
    }
    if (fresh && durably && process.platform !== 'win32') flushFolder(this.#folder)
  }

  #writable(last: string, count: number): { place: string; fresh: boolean } {
    if (!existsSync(last)) return { place: last, fresh: true }
    const file = openSync(last, 'r')
    const { size } = fstatSync(file)
    closeSync(file)
    return size < SEGMENT_BYTES
      ? { place: last, fresh: false }
      : { place: this.#segment(count + 1), fresh: true }
  }

  #segment(number: number): string {
    return join(this.#folder, `${String(number).padStart(6, '0')}.jsonl`)
  }

  #segments(): string[] {
    if (!existsSync(this.#folder)) return []
    return readdirSync(this.#folder)
      .filter((name) => /^\d{6}\.jsonl$/.test(name))
      .toSorted()
      .map((name) => join(this.#folder, name))
  }
}

function recordOf({ at: _at, removed: _removed, added: _added, ...record }: PackedChange) {
  return { ...record, before: record.before, after: record.after } satisfies ChangeRecord
}

/** Lines of a segment in order; undefined for what is no line of ours, such as a torn one. */
function linesOf(segment: string): (Line | undefined)[] {
  return readFileSync(segment, 'utf8')
    .split('\n')
    .filter((text) => text !== '')
    .map((text) => {
      try {
        const line = JSON.parse(text) as Line
        return 'op' in line || 'end' in line ? line : undefined
      } catch {
        return undefined
      }
    })
}

/** Whether the last line says how an operation ended. Reads the end of the file only. */
function endsSettled(segment: string): boolean {
  const file = openSync(segment, 'r')
  try {
    const { size } = fstatSync(file)
    const tail = Buffer.alloc(Math.min(size, TAIL_BYTES))
    readSync(file, tail, 0, tail.length, size - tail.length)
    return /\n\{"end":"[^"]*","state":"\w+"\}\n$/.test(tail.toString('latin1'))
  } finally {
    closeSync(file)
  }
}

function endsWithNewline(file: number, size: number): boolean {
  const last = Buffer.alloc(1)
  readSync(file, last, 0, 1, size - 1)
  return last[0] === 0x0a
}

function flushFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

function notWritten(error: unknown): unknown {
  if (error instanceof KnowledgeError || !(error instanceof Error) || !('code' in error))
    return error
  return new KnowledgeError(
    'unavailable',
    `The change cannot be written to the history in the state folder (${String(error.code)}).`,
    'Nothing was changed. Make room or give permission there, then try again.',
  )
}
