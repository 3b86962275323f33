/**
 * The lines of one file, taken in as bytes arrive. What stands behind the last newline is a line
 * that may still grow: it counts if it is complete JSON, and is looked at again with what follows.
 */
import { isUtf8 } from 'node:buffer'
import type { Entity, Relation } from '../../domain/entity.ts'
import type { Warning } from '../../domain/warning.ts'
import { parseLine } from './parse-line.ts'
import type { FileRole, ParsedLine } from './parse-line.ts'

/** A longer line is not kept in memory, only reported. */
export const LINE_LIMIT = 16 * 1024 * 1024
/** Of a file that is no JSON at all the first lines tell enough. */
const WARNINGS_LIMIT = 100

const NEWLINE = 0x0a
const CARRIAGE_RETURN = 0x0d
const EMPTY = Buffer.alloc(0)

export class LineFile {
  readonly role: FileRole
  readonly #parseText: typeof parseLine
  readonly entities: Entity[] = []
  readonly relations: Relation[] = []
  readonly #warnings: Warning[] = []
  #badLines = 0
  /** Complete lines so far. */
  #lines = 0
  /** Bytes behind the last newline. */
  #rest: Buffer = EMPTY
  /** The rest has outgrown the limit: its bytes are dropped up to the next newline. */
  #overflowing = false
  #lastLine: ParsedLine | undefined

  constructor(role: FileRole, parse = parseLine) {
    this.role = role
    this.#parseText = parse
  }

  /** Whether the last line lacks its newline. */
  get isOpen(): boolean {
    return this.#rest.length > 0 || this.#overflowing
  }

  get warnings(): readonly Warning[] {
    const { file } = this.role
    const all = [...this.#warnings]
    const more = this.#badLines - this.#warnings.length
    if (more > 0) {
      const message = `${file}: ${more} more lines were left out`
      all.push({ kind: 'bad_line', message, ref: file })
    }
    if (this.#lastLine?.kind === 'bad') {
      all.push(this.#warning(this.#lines + 1, `${this.#lastLine.reason}, and it has no end yet`))
    }
    return all
  }

  /**
   * Whether these bytes may follow without taking back what was read: a last line that counted
   * already has to end here.
   */
  canFollow(bytes: Uint8Array): boolean {
    const { kind } = this.#lastLine ?? {}
    if ((kind !== 'entity' && kind !== 'relation') || bytes.length === 0) return true
    return bytes[0] === NEWLINE || (bytes[0] === CARRIAGE_RETURN && bytes[1] === NEWLINE)
  }

  /** Takes in the bytes that follow. Call `finish` when there are no more for now. */
  add(bytes: Buffer): void {
    const end = bytes.lastIndexOf(NEWLINE)
    if (end < 0) {
      this.#keep(bytes)
      return
    }
    let start = 0
    if (this.isOpen || this.#lines === 0) {
      start = bytes.indexOf(NEWLINE) + 1
      this.#endFirstLine(bytes.subarray(0, start))
    }
    if (start <= end) this.#addLines(bytes.subarray(start, end + 1))
    this.#keep(bytes.subarray(end + 1))
  }

  /** Reads a last line that has no newline. */
  finish(): void {
    if (this.#lastLine || !this.isOpen) return
    this.#lastLine = this.#parse(this.#rest, this.#lines + 1)
    if (this.#lastLine.kind === 'entity') this.entities.push(this.#lastLine.entity)
    if (this.#lastLine.kind === 'relation') this.relations.push(this.#lastLine.relation)
  }

  /** A last line that was read already keeps what it said: its newline is all that was missing. */
  #endFirstLine(bytes: Buffer): void {
    const last = this.#lastLine
    this.#lastLine = undefined
    if (last?.kind === 'entity' || last?.kind === 'relation') {
      this.#lines++
    } else {
      this.#keep(bytes)
      this.#take(this.#parse(this.#rest, ++this.#lines))
    }
    this.#rest = EMPTY
    this.#overflowing = false
  }

  /** Whole lines. Decoding many at once is what makes a large file quick to read. */
  #addLines(bytes: Buffer): void {
    if (!isUtf8(bytes)) {
      for (let start = 0; start < bytes.length;) {
        const end = bytes.indexOf(NEWLINE, start) + 1
        this.#take(this.#parse(bytes.subarray(start, end), ++this.#lines))
        start = end
      }
      return
    }
    const text = bytes.toString('utf8')
    for (let start = 0; start < text.length;) {
      const end = text.indexOf('\n', start)
      this.#take(this.#parseText(text.slice(start, end), ++this.#lines, this.role))
      start = end + 1
    }
  }

  #parse(bytes: Buffer, line: number): ParsedLine {
    if (this.#overflowing) {
      return { kind: 'bad', reason: `longer than ${LINE_LIMIT / 1024 / 1024} MB` }
    }
    if (!isUtf8(bytes)) return { kind: 'bad', reason: 'not UTF-8 text' }
    const text = bytes.toString('utf8')
    // Editors of some systems put a byte order mark before the first line.
    const clean = line === 1 && text.startsWith('\uFEFF') ? text.slice(1) : text
    return this.#parseText(clean, line, this.role)
  }

  #take(parsed: ParsedLine): void {
    if (parsed.kind === 'entity') this.entities.push(parsed.entity)
    else if (parsed.kind === 'relation') this.relations.push(parsed.relation)
    else if (parsed.kind === 'bad') {
      this.#badLines++
      if (this.#badLines <= WARNINGS_LIMIT) {
        this.#warnings.push(this.#warning(this.#lines, parsed.reason))
      }
    }
  }

  #keep(bytes: Buffer): void {
    if (bytes.length === 0) return
    this.#lastLine = undefined
    if (this.#overflowing) return
    if (this.#rest.length + bytes.length > LINE_LIMIT) {
      this.#overflowing = true
      this.#rest = EMPTY
      return
    }
    // A copy: the bytes come in a buffer that is used again.
    this.#rest = Buffer.concat([this.#rest, bytes])
  }

  #warning(line: number, reason: string): Warning {
    const { file } = this.role
    return { kind: 'bad_line', message: `${file}:${line}: ${reason}`, ref: file, line }
  }
}
