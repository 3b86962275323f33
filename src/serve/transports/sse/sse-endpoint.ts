/**
 * The HTTP+SSE transport of 2024: a stream to the client at one path, posts from it at another.
 * Deprecated by the protocol and still what many clients speak; nothing else depends on it.
 */
import {
  isJSONRPCRequest,
  isJsonContentType,
  parseJSONRPCMessage,
} from '@modelcontextprotocol/server'
import type { JSONRPCMessage } from '@modelcontextprotocol/server'
import { setTimeout as delay } from 'node:timers/promises'
import { orElse } from '../../../core/kit/or-else.ts'
import type { Caller } from '../../../core/domain/caller.ts'
import { isSameCaller } from '../../../core/domain/same-caller.ts'
import type { ToolLimits } from '../../door/limit-tools.ts'
import type { Surface } from '../../door/surface.ts'
import { buildMcpServer } from '../mcp/mcp-server.ts'
import type { SurfaceServer } from '../mcp/mcp-server.ts'
import { parseJson } from '../mcp/parse-message.ts'
import { EventStream } from './event-stream.ts'

export const STREAM_PATH = '/sse'
export const MESSAGE_PATH = '/messages'

export interface SseOptions {
  /** Beyond this many open streams a new one is refused. Default 1,000. */
  readonly maxStreams?: number
  /** Default 15 seconds. */
  readonly keepAliveMs?: number
  /**
   * What may wait for one client. Default 192 MiB: as many of the longest answers as are worked on
   * at once, so that nobody is given up who reads as fast as one can.
   */
  readonly maxBacklogBytes?: number
  /** What may wait for all of them; beyond it the slowest is given up. Default 256 MiB. */
  readonly maxWaitingBytes?: number
  /** While so much waits for a client its next requests wait too. Default 4 MiB. */
  readonly busyBytes?: number
  /** Which tools the headers of a stream ask for, and whether secrets are shown there. */
  readonly asked?: (
    headers: Headers,
    caller: Caller | undefined,
  ) => { readonly tools?: ToolLimits; readonly showSecrets?: boolean }
  readonly onBug?: (error: unknown) => void
}

export interface SseEndpoint {
  readonly streams: number
  /** Answers requests to the two paths; `caller` is who sends them. */
  fetch(request: Request, caller: Caller | undefined): Promise<Response>
  /** Resolves when every request has been answered. */
  idle(): Promise<void>
  close(): Promise<void>
}

interface Session {
  readonly stream: EventStream
  readonly server: SurfaceServer
  readonly caller: Caller | undefined
  /** Requests that have not been taken up yet. */
  queued: number
}

const MAX_STREAMS = 1_000
const KEEP_ALIVE_MS = 15_000
const MAX_BACKLOG = 192 * 1024 * 1024
const MAX_WAITING = 256 * 1024 * 1024
const BUSY = 4 * 1024 * 1024
/** Requests of one client that may wait to be taken up. */
const MAX_QUEUED = 100
const CHECK_MS = 10

export function openSseEndpoint(surface: Surface, options: SseOptions = {}): SseEndpoint {
  const { maxStreams = MAX_STREAMS, onBug } = options
  const sessions = new Map<string, Session>()
  const stopListening = surface.subscribe((event) => {
    for (const { server, caller } of sessions.values()) if (!caller?.sees) server.publish(event)
  })

  const open = async ({ headers }: Request, caller: Caller | undefined): Promise<Response> => {
    if (sessions.size >= maxStreams) {
      const response = said(503, 'All streams are in use. Try again later.')
      response.headers.set('retry-after', '10')
      return response
    }
    const stream = new EventStream({
      address: `${MESSAGE_PATH}?sessionId=`,
      keepAliveMs: options.keepAliveMs ?? KEEP_ALIVE_MS,
      maxBacklogBytes: options.maxBacklogBytes ?? MAX_BACKLOG,
      busyBytes: options.busyBytes ?? BUSY,
      onWaiting: () => giveUpSlowest(),
    })
    const { tools, showSecrets = false } = options.asked?.(headers, caller) ?? {}
    const about = { era: 'legacy', caller, showSecrets, tools, ...(onBug && { onBug }) } as const
    const server = buildMcpServer(surface, about)
    sessions.set(stream.sessionId, { stream, server, caller, queued: 0 })
    await server.connect(stream)
    // Who sees a part hears of that part.
    const stop = caller?.sees && surface.subscribe((event) => server.publish(event), caller)
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it is no EventTarget
    server.server.onclose = () => {
      stop?.()
      sessions.delete(stream.sessionId)
    }
    return stream.response
  }

  const post = async (request: Request, caller: Caller | undefined): Promise<Response> => {
    const id = URL.parse(request.url)?.searchParams.get('sessionId')
    if (!id) return said(400, 'The sessionId is missing. Open a stream at /sse first.')
    const session = sessions.get(id)
    // Somebody else's session is none: an id is no proof of who one is.
    if (!session || !isSameCaller(session.caller, caller)) {
      return said(404, 'There is no such session. Open a stream at /sse first.')
    }
    if (!isJsonContentType(request.headers.get('content-type'))) {
      return said(415, 'The Content-Type must be application/json.')
    }
    const message = readMessage(await request.text())
    if (message === undefined) return said(400, 'The body is not a JSON-RPC message.')
    if (isJSONRPCRequest(message)) return takeUp(session, message)
    session.stream.receive(message)
    return said(202, 'Accepted')
  }

  /** Waits until the client has read enough of what it asked for before. */
  const takeUp = async (session: Session, message: JSONRPCMessage): Promise<Response> => {
    const { stream } = session
    if (session.queued >= MAX_QUEUED) {
      const response = said(429, 'Too many requests wait already. Read their answers first.')
      response.headers.set('retry-after', '1')
      return response
    }
    session.queued++
    while (!stream.hasEnded && !stream.hasRoom) await delay(CHECK_MS)
    session.queued--
    giveUpSlowest()
    if (stream.hasEnded) return said(404, 'There is no such session any more.')
    // Nothing is awaited since there was room: nobody else has taken it.
    stream.receive(message)
    return said(202, 'Accepted')
  }

  const giveUpSlowest = (): void => {
    const streams = [...sessions.values()].map(({ stream }) => stream)
    const waiting = streams.reduce((sum, { backlog }) => sum + backlog, 0)
    if (waiting <= (options.maxWaitingBytes ?? MAX_WAITING)) return
    streams.reduce((a, b) => (b.backlog > a.backlog ? b : a)).abandon()
  }

  return {
    get streams() {
      return sessions.size
    },
    async fetch(request, caller) {
      if ((caller?.sees ?? caller?.writes) && !surface.narrows)
        return said(403, 'This token sees a part of the base only.')
      const isStream = URL.parse(request.url)?.pathname.startsWith(STREAM_PATH) ?? false
      if (isStream && request.method === 'GET') return open(request, caller)
      if (!isStream && request.method === 'POST') return post(request, caller)
      const response = said(405, isStream ? 'Use GET.' : 'Use POST.')
      response.headers.set('allow', isStream ? 'GET' : 'POST')
      return response
    },
    async idle() {
      while ([...sessions.values()].some(({ stream }) => !stream.isIdle)) await delay(CHECK_MS)
    },
    async close() {
      stopListening()
      await Promise.all([...sessions.values()].map(({ server }) => server.close()))
    },
  }
}

function readMessage(text: string): JSONRPCMessage | undefined {
  const parsed = parseJson(text)
  if (parsed.kind === 'problem') return undefined
  return orElse(() => parseJSONRPCMessage(parsed.value), undefined)
}

function said(status: number, text: string): Response {
  return new Response(text, { status, headers: { 'content-type': 'text/plain; charset=utf-8' } })
}
