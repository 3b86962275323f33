/** Carries `node:http` exchanges to a function from web Request to web Response. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Sender } from './mount.ts'

export interface ListenerOptions {
  readonly maxBodyBytes: (path: string) => number
  /** How a request to this path is told that something is wrong. Default: `problem`. */
  readonly problem?: (path: string, ...what: Parameters<typeof problem>) => Response
  /** From where, and to which address of ours. */
  readonly senderOf: (request: IncomingMessage) => Omit<Sender, 'caller'>
  /** Looks at the headers alone, before any of the body is read. */
  readonly admit: (request: IncomingMessage, sender: Omit<Sender, 'caller'>) => Promise<Admission>
  readonly onBug: (error: unknown) => void
}

export type Admission =
  | { readonly kind: 'refused'; readonly response: Response }
  | ({ readonly kind: 'welcome' } & Pick<Sender, 'caller' | 'isStillIn'>)

/**
 * The rest of a body that is too long is read and thrown away, so that the client hears why: until
 * it pauses for so long, or takes longer to arrive than any request may.
 */
const DISCARD_MS = 1_000

export function nodeListener(
  handle: (request: Request, sender: Sender) => Response | Promise<Response>,
  options: ListenerOptions,
): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  /** Answers to one connection go out in order; a request that is piped in waits for its turn. */
  const turns = new WeakMap<Socket, Promise<void>>()

  return (incoming, outgoing) => {
    const { socket } = incoming
    const answered = (turns.get(socket) ?? Promise.resolve()).then(() =>
      socket.destroyed ? undefined : answer(incoming, outgoing),
    )
    turns.set(
      socket,
      answered.catch(() => {}),
    )
    answered.catch((error: unknown) => {
      // A client that left in the middle is no bug.
      if (!outgoing.destroyed) options.onBug(error)
      outgoing.destroy()
    })
  }

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const gone = new AbortController()
    outgoing.once('close', () => {
      if (!outgoing.writableFinished) gone.abort()
    })
    await write(await respond(incoming, gone.signal), outgoing, gone.signal)
  }

  async function respond(incoming: IncomingMessage, signal: AbortSignal): Promise<Response> {
    const sender = options.senderOf(incoming)
    const admission = await options.admit(incoming, sender)
    if (admission.kind === 'refused') return closing(admission.response)
    const path = pathOf(incoming)
    const say = (...what: Parameters<typeof problem>): Response =>
      options.problem?.(path, ...what) ?? problem(...what)
    const limit = options.maxBodyBytes(path)
    const body = await readBody(incoming, limit)
    if (!body) {
      return closing(
        say(413, `The request body is longer than ${limit} bytes.`, 'Send less at once.'),
      )
    }
    const request = toRequest(incoming, sender.asked, body, signal)
    if (!request) return closing(say(400, 'The request is malformed.', 'Check its first line.'))
    try {
      return await handle(request, { ...sender, ...admission })
    } catch (error) {
      options.onBug(error)
      return say(500, 'Something went wrong here.', 'The log of the server says more.')
    }
  }
}

/**
 * The path that is asked for, without a query: as routes will see it, who take no step like `/..`
 * literally. Who is let in is judged by the same path that is then answered.
 */
export function pathOf({ url = '' }: Pick<IncomingMessage, 'url'>): string {
  const asRouted = url.startsWith('/') ? URL.parse(`http://here${url}`) : null
  return asRouted?.pathname ?? url.replace(/[?#].*$/s, '')
}

/** An error for people and programs that speak plain HTTP. */
export function problem(status: number, message: string, hint: string): Response {
  return Response.json({ error: { message, hint } }, { status })
}

/** The unread rest of a refused request would be taken for the next one. */
function closing(response: Response): Response {
  response.headers.set('connection', 'close')
  return response
}

/** Undefined when the body is too long. */
async function readBody(incoming: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer | undefined>()
  const parts: Buffer[] = []
  let size = 0
  let discarding: NodeJS.Timeout | undefined
  const onTooLong = () => {
    parts.length = 0
    discarding ??= setTimeout(resolve, DISCARD_MS, undefined).unref()
  }
  if (Number(incoming.headers['content-length']) > limit) onTooLong()
  incoming.on('data', (part: Buffer) => {
    const wasFine = size <= limit
    size += part.length
    if (size <= limit) parts.push(part)
    else if (wasFine) onTooLong()
    discarding?.refresh()
  })
  incoming.once('end', () => resolve(size <= limit ? Buffer.concat(parts) : undefined))
  incoming.once('error', reject)
  incoming.once('close', () => reject(new Error('The client left before its request was complete')))
  return promise
}

/** Undefined for what the web's Request cannot express, such as `TRACE` or `OPTIONS *`. */
function toRequest(
  incoming: IncomingMessage,
  origin: string,
  body: Buffer,
  signal: AbortSignal,
): Request | undefined {
  const { method = 'GET', url = '', rawHeaders } = incoming
  if (!url.startsWith('/')) return undefined
  try {
    const headers = new Headers()
    for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
      headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '')
    }
    return new Request(`${origin}${url}`, {
      method,
      headers,
      signal,
      ...(body.length > 0 && method !== 'GET' && method !== 'HEAD' && { body }),
    })
  } catch {
    return undefined
  }
}

async function write(
  response: Response,
  outgoing: ServerResponse,
  gone: AbortSignal,
): Promise<void> {
  const cookies = response.headers.getSetCookie()
  for (const [name, value] of response.headers) {
    if (name !== 'set-cookie') outgoing.setHeader(name, linesOf(name, value))
  }
  if (cookies.length > 0) outgoing.setHeader('set-cookie', cookies)
  outgoing.writeHead(response.status)
  if (!response.body) {
    outgoing.end()
    return
  }
  // An event stream opens long before its first event.
  outgoing.flushHeaders()
  const reader = response.body.getReader()
  const cancel = () => void reader.cancel().catch(() => {})
  if (gone.aborted) cancel()
  gone.addEventListener('abort', cancel, { once: true })
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    if (!outgoing.write(value)) await drained(outgoing, gone)
  }
  outgoing.end()
}

/** Browsers read one challenge a line; the web's Headers put all of them into one. */
function linesOf(name: string, value: string): string | string[] {
  return name === 'www-authenticate' ? value.split(/, (?=[A-Za-z]+ )/) : value
}

/** A client that has not read anything for so long is not going to; it holds the place of others. */
const STALLED_MS = 60_000

async function drained(outgoing: ServerResponse, gone: AbortSignal): Promise<void> {
  if (gone.aborted) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const stalled = setTimeout(() => outgoing.destroy(), STALLED_MS).unref()
  const end = (): void => resolve()
  outgoing.once('drain', end)
  gone.addEventListener('abort', end, { once: true })
  await promise
  clearTimeout(stalled)
  gone.removeEventListener('abort', end)
}
