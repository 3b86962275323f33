/** Requests in and answers out, in the plain JSON of these routes. */
import { isJsonContentType } from '@modelcontextprotocol/server'
import { jsonParts } from '../../../core/kit/json-parts.ts'
import { Slices } from '../../../core/kit/slices.ts'
import { invalidBody, NexusError } from '../errors.ts'
import { parseJson } from '../../../serve/transports/mcp/parse-message.ts'

/** All errors look like this, and hold nothing else. */
export function refusal(
  status: number,
  error: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return Response.json({ error }, { status, headers })
}

/** Throws a 400 for what is no JSON. */
export async function readJson(request: Request): Promise<unknown> {
  const parsed = parseJson(await request.text())
  if (parsed.kind === 'problem') throw invalidBody()
  return parsed.value
}

/** The same where something is changed: a form of a foreign page cannot say that it is JSON. */
export async function readJsonOnly(request: Request): Promise<unknown> {
  if (!isJsonContentType(request.headers.get('content-type'))) {
    throw new NexusError(415, 'Content-Type must be application/json')
  }
  return readJson(request)
}

/** A body that is made while it is sent. A failure in the middle breaks the connection. */
export function streamed(
  parts: AsyncIterable<string | Uint8Array>,
  headers: Readonly<Record<string, string>>,
  onBug: (error: unknown) => void,
): Response {
  const encoder = new TextEncoder()
  const iterator = parts[Symbol.asyncIterator]()
  const slices = new Slices()
  let unwanted = false
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        // A client that reads as fast as this is written never makes it wait.
        if (slices.over) await slices.pause()
        const { done, value } = await iterator.next()
        // Whoever asked went away while this part was made.
        if (unwanted) return
        if (done) controller.close()
        else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value)
      } catch (error) {
        if (unwanted) return
        onBug(error)
        controller.error(error)
      }
    },
    async cancel() {
      unwanted = true
      await iterator.return?.()
    },
  })
  return new Response(body, { headers })
}

/** `{"data":[…]}` of any length. */
export async function* jsonList(items: AsyncIterable<unknown>): AsyncIterable<string> {
  let before = '{"data":['
  for await (const item of items) {
    yield before + JSON.stringify(item)
    before = ','
  }
  yield before === ',' ? ']}' : '{"data":[]}'
}

/** JSON of any length; what is long is written while it is sent. */
export function jsonOf(value: unknown, onBug: (error: unknown) => void): Response {
  const parts = jsonParts(value)
  const first = parts.next()
  const second = first.done ? first : parts.next()
  const headers = { 'content-type': 'application/json' }
  if (first.done || second.done) return new Response(first.value ?? 'null', { headers })
  return streamed(following(first.value, second.value, parts), headers, onBug)
}

async function* following(
  first: string,
  second: string,
  rest: Iterable<string>,
): AsyncIterable<string> {
  yield first
  yield second
  yield* rest
}
