/** The thread of `read-elsewhere.ts`. */
import { hash } from 'node:crypto'
import { closeSync, fstatSync, lstatSync, openSync, readSync } from 'node:fs'
import type { Stats } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import { isOpenAt, READ_FLAGS, sameState } from './held-folder.ts'
import { pathProblem } from './paths.ts'
import { FIGURES } from './read-elsewhere.ts'
import type { ReadOrder, ReadReply } from './read-elsewhere.ts'

/** Enough for a few hundred notes. */
const USUAL_BYTES = 2 * 1024 * 1024
/** A larger one, which some large files asked for, is not kept. */
const MOST_KEPT_BYTES = 8 * 1024 * 1024

/** Given back by those who have read what was in them. */
const spare: Buffer[] = []
let buffer: Buffer = Buffer.alloc(0)

parentPort?.on('message', (message: ReadOrder | ArrayBuffer) => {
  if (message instanceof ArrayBuffer) {
    if (message.byteLength <= MOST_KEPT_BYTES) spare.push(Buffer.from(message))
    return
  }
  const { root, paths, maxFileBytes } = message
  buffer = spare.pop() ?? Buffer.allocUnsafeSlow(USUAL_BYTES)
  const figures = new Float64Array(paths.length * FIGURES)
  let digests = ''
  let end = 0
  for (const [at, path] of paths.entries()) {
    const stats = readOrLeave(root, path, end, maxFileBytes)
    const start = end
    if (stats) end += stats.size
    figures.set(stats ? [start, end, stats.ino, stats.mtimeMs, stats.ctimeMs] : [-1], at * FIGURES)
    digests += stats ? hash('sha256', buffer.subarray(start, end), 'hex') : ''
  }
  const bytes = buffer.buffer as ArrayBuffer
  const reply: ReadReply = { bytes, figures, digests }
  parentPort?.postMessage(reply, [bytes, figures.buffer])
})

/** Undefined: whoever asked reads it, and says what is the matter. */
function readOrLeave(
  root: string,
  path: string,
  at: number,
  maxFileBytes: number,
): Stats | undefined {
  if (pathProblem(path)) return undefined
  try {
    return readStraight(`${root}/${path}`, at, maxFileBytes)
  } catch {
    return undefined
  }
}

/** What stands where its path says, and rests: nearly all files. */
function readStraight(place: string, at: number, maxFileBytes: number): Stats | undefined {
  // Looked at before it is opened: opening a FIFO waits, opening a device may do anything.
  if (!lstatSync(place).isFile()) return undefined
  const descriptor = openSync(place, READ_FLAGS)
  try {
    if (!isOpenAt(place, descriptor)) return undefined
    const before = fstatSync(descriptor)
    if (!before.isFile() || before.size > maxFileBytes) return undefined
    reserve(at, before.size + 1)
    // One more than there should be: it has not grown.
    const count = readSync(descriptor, buffer, at, before.size + 1, 0)
    return count === before.size && sameState(before, fstatSync(descriptor)) ? before : undefined
  } finally {
    closeSync(descriptor)
  }
}

function reserve(used: number, more: number): void {
  if (used + more <= buffer.length) return
  const larger = Buffer.allocUnsafeSlow(Math.max(used + more, buffer.length * 2))
  buffer.copy(larger, 0, 0, used)
  buffer = larger
}
