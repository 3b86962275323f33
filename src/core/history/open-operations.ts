/**
 * Tail of the log: which operations nobody said the end of. What was read once is not read again;
 * a look costs what was written since the last one.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { parseLine } from './history-lines.ts'
import type { OperationLine } from './history-lines.ts'

/** So much is read at once, without giving others their turn: what a few writers leave. */
const AT_ONCE_BYTES = 64 * 1024

export class OpenOperations {
  /** Up to where which file was read. Another file behind the same path is read anew. */
  #read = { segment: '', ino: 0n, offset: 0 }
  /** The lines of those whose end was not read, by id, in their order. */
  readonly #open = new Map<string, string>()

  /** All of them, from the last segment that can be read. */
  async lines(segments: readonly string[]): Promise<OperationLine[]> {
    for (const segment of segments.toReversed()) {
      if (await this.#follow(segment)) break
    }
    const found: OperationLine[] = []
    for (const [id, text] of this.#open) {
      const line = parseLine(text)
      if (line && 'op' in line) found.push(line)
      // Damaged, or cut off: what it was about to say had not happened yet.
      else this.#open.delete(id)
    }
    return found
  }

  /** False where nothing can be read of it, so that the one before may be the last that counts. */
  async #follow(segment: string): Promise<boolean> {
    let file: number
    try {
      file = openSync(segment, 'r')
    } catch {
      return false
    }
    try {
      const { ino, size } = fstatSync(file, { bigint: true })
      const { segment: known, ino: knownIno, offset } = this.#read
      const goesOn = known === segment && knownIno === ino && Number(size) >= offset
      const from = goesOn ? offset : 0
      if (!goesOn && !this.#follows(segment)) this.#open.clear()
      const bytes = await bytesFrom(file, segment, from, Number(size))
      // A line without an end may be one that another process is writing.
      const end = bytes.lastIndexOf('\n') + 1
      for (const text of bytes.toString('utf8', 0, end).split('\n')) this.#take(text)
      this.#read = { segment, ino, offset: from + end }
      return from + end > 0
    } catch {
      return false
    } finally {
      closeSync(file)
    }
  }

  /** The segment after the one that was read: what is open there may be ended here. */
  #follows(segment: string): boolean {
    const number = (path: string): number => Number(/(\d+)\.jsonl$/.exec(path)?.[1])
    return number(segment) === number(this.#read.segment) + 1
  }

  #take(text: string): void {
    const id = /^\{"op":"([^"]+)"/.exec(text)?.[1]
    if (id !== undefined) {
      const instead = text.includes('"instead_of":') ? parseLine(text) : undefined
      if (instead && 'op' in instead && instead.instead_of !== undefined) {
        this.#open.delete(instead.instead_of)
      } else this.#open.set(id, text)
    } else if (text.startsWith('{"end":')) {
      const line = parseLine(text)
      if (line && 'end' in line) this.#open.delete(line.end)
    }
  }
}

async function bytesFrom(file: number, segment: string, from: number, to: number): Promise<Buffer> {
  if (to - from > AT_ONCE_BYTES) return (await readFile(segment)).subarray(from, to)
  const bytes = Buffer.alloc(to - from)
  return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, from))
}
