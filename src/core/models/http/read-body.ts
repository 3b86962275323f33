/** What does this answer say? Bodies are read up to a bound: nobody knows what a server sends. */
import { orElse } from '../../kit/or-else.ts'

/** The JSON value of a body; undefined when it is none. */
export async function readJson(response: Response, bound: BodyBound): Promise<unknown> {
  let text = ''
  for await (const piece of textOf(response, bound)) text += piece
  return orElse(() => JSON.parse(text), undefined)
}

export interface BodyBound {
  readonly maxBytes: number
  /** Called whenever something came. */
  readonly alive?: () => void
}

/** Pieces of text as they come; a body above the bound ends with `TooLarge`. */
export async function* textOf(
  response: Response,
  { maxBytes, alive }: BodyBound,
): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let bytes = 0
  for await (const piece of response.body ?? []) {
    alive?.()
    bytes += piece.length
    if (bytes > maxBytes) throw new TooLarge()
    yield decoder.decode(piece, { stream: true })
  }
  yield decoder.decode()
}

export class TooLarge extends Error {}

/**
 * The values of a stream of server-sent events: lines of `data:`, joined until an empty line, and
 * parsed as JSON. Comments and what is no JSON are passed over.
 */
export async function* eventsOf(response: Response, bound: BodyBound): AsyncGenerator<unknown> {
  let rest = ''
  let data: string[] = []
  for await (const piece of textOf(response, bound)) {
    const lines = (rest + piece).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''))
      else if (line === '' && data.length > 0) {
        yield* parsed(data.join('\n'))
        data = []
      }
    }
  }
  // The last event may lack the empty line behind it.
  if (rest.startsWith('data:')) data.push(rest.slice(5))
  if (data.length > 0) yield* parsed(data.join('\n'))
}

/** How some servers end their stream. */
export const DONE = '[DONE]'

function* parsed(text: string): Generator<unknown> {
  if (text.trim() === DONE) return yield DONE
  try {
    yield JSON.parse(text) as unknown
  } catch {
    // Not one of the events we wait for.
  }
}
