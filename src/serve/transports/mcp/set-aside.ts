/**
 * A very long result does not travel inside its message, which would be written down at once, but
 * beside it: the message holds a mark, and what it stands for is written in its place while the
 * answer is sent. Who speaks over another wire gets it inside.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { jsonParts, piecesOfString } from '../../../core/kit/json-parts.ts'

/** Of one exchange: what each mark, as it is written in the message, stands for. */
export type SetAside = Map<string, () => Iterable<string>>

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

/** The same where it is short, or where nobody takes what is set aside. */
export function setAside<Result extends Long>(result: Result): Result {
  const aside = exchange.getStore()
  const { texts, structured } = result
  const length = texts.reduce((sum, text) => sum + text.length, 0)
  if (!aside || length < LONG_CHARACTERS) return result
  const marks = texts.map((text) => {
    const mark = randomUUID()
    aside.set(mark, () => piecesOfString(text))
    return mark
  })
  if (!structured) return { ...result, texts: marks }
  const mark = randomUUID()
  aside.set(`{"${mark}":0}`, () => jsonParts(structured))
  return { ...result, texts: marks, structured: { [mark]: 0 } }
}

/** A part of the answer with what its marks stand for. */
export function* withSetAside(bytes: Uint8Array, aside: SetAside): Iterable<Uint8Array> {
  const part = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const found = [...aside]
    .map(([mark, parts]) => ({ mark, parts, at: part.indexOf(mark) }))
    .filter(({ at }) => at >= 0)
    .toSorted((a, b) => a.at - b.at)
  let from = 0
  for (const { mark, parts, at } of found) {
    aside.delete(mark)
    yield part.subarray(from, at)
    for (const text of parts()) yield Buffer.from(text)
    from = at + mark.length
  }
  yield part.subarray(from)
}
