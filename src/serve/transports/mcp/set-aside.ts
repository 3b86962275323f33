/**
 * Two results do not travel inside their message but beside it: a very long one, which would be
 * written down at once, and one that is given again, which is written down already. The message holds
 * a mark, and what it stands for is put in its place while the answer is sent. Who speaks over another
 * wire gets it inside.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { jsonParts, piecesOfString } from '../../../core/kit/json-parts.ts'
import { isKept } from '../../door/kept-replies.ts'

/** Of one exchange: what each mark, as it is written in the message, stands for. */
export type SetAside = Map<string, () => Iterable<Uint8Array>>

const exchange = new AsyncLocalStorage<SetAside>()

export function settingAside<Result>(aside: SetAside, work: () => Result): Result {
  return exchange.run(aside, work)
}

/** Shorter ones are written in a millisecond. */
const LONG_CHARACTERS = 256 * 1024

export interface Long {
  readonly texts: readonly string[]
  readonly structured?: Readonly<Record<string, unknown>>
}

/** A result with its marks, and what they stand for. */
interface Marked {
  readonly result: Long
  readonly aside: SetAside
}

/** Of results that are kept. */
const written = new WeakMap<Long, Marked>()

/** The same where it is short and new, or where nobody takes what is set aside. */
export function setAside<Result extends Long>(result: Result): Result {
  const aside = exchange.getStore()
  if (!aside) return result
  const length = result.texts.reduce((sum, text) => sum + text.length, 0)
  const isLong = length >= LONG_CHARACTERS
  if (!isLong && !isKept(result)) return result
  const known = written.get(result)
  // Of one exchange every mark stands in one place: who asks the same twice in it gets others.
  const isTaken = known !== undefined && [...known.aside.keys()].some((mark) => aside.has(mark))
  const marked = known && !isTaken ? known : withMarks(result, isLong ? encoded : encodedOnce)
  if (!known && !isLong) written.set(result, marked)
  for (const [mark, parts] of marked.aside) aside.set(mark, parts)
  return marked.result as Result
}

type Encode = (parts: () => Iterable<string>) => () => Iterable<Uint8Array>

function withMarks(result: Long, encode: Encode): Marked {
  const aside: SetAside = new Map()
  const { texts, structured } = result
  const marks = texts.map((text) => {
    const mark = randomUUID()
    aside.set(
      mark,
      encode(() => piecesOfString(text)),
    )
    return mark
  })
  if (!structured) return { result: { ...result, texts: marks }, aside }
  const mark = randomUUID()
  aside.set(
    `{"${mark}":0}`,
    encode(() => jsonParts(structured)),
  )
  return { result: { ...result, texts: marks, structured: { [mark]: 0 } }, aside }
}

const encoded: Encode = (parts) =>
  function* () {
    for (const text of parts()) yield Buffer.from(text)
  }

const encodedOnce: Encode = (parts) => {
  const bytes = [Buffer.from([...parts()].join(''))]
  return () => bytes
}

/** What is written at once, at the least. */
const PART_BYTES = 64 * 1024

/** A part of the answer with what its marks stand for. */
export function* withSetAside(bytes: Uint8Array, aside: SetAside): Iterable<Uint8Array> {
  let pieces: Uint8Array[] = []
  let size = 0
  for (const piece of piecesWith(bytes, aside)) {
    pieces.push(piece)
    size += piece.length
    if (size < PART_BYTES) continue
    yield Buffer.concat(pieces)
    pieces = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(pieces)
}

function* piecesWith(bytes: Uint8Array, aside: SetAside): Iterable<Uint8Array> {
  const part = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const found = [...aside]
    .map(([mark, parts]) => ({ mark, parts, at: part.indexOf(mark) }))
    .filter(({ at }) => at >= 0)
    .toSorted((a, b) => a.at - b.at)
  let from = 0
  for (const { mark, parts, at } of found) {
    aside.delete(mark)
    yield part.subarray(from, at)
    yield* parts()
    from = at + mark.length
  }
  yield part.subarray(from)
}
