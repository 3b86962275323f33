/**
 * Clients of the 2025 revisions: each has a session that begins with `initialize`. Where several
 * servers answer for a base, one that was begun elsewhere is taken up here, as it was begun there.
 */
import { randomUUID } from 'node:crypto'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import type { Caller } from '../../../core/domain/caller.ts'
import { isSameCaller } from '../../../core/domain/same-caller.ts'
import type { SharedSessions } from '../../../core/domain/shared-sessions.ts'
import type { SurfaceEvent } from '../../door/surface.ts'
import type { SurfaceServer } from '../mcp/mcp-server.ts'
import { type Exchanges, createExchanges } from './exchanges.ts'
import type { Sender } from './mount.ts'
import { rpcProblem } from './rpc-problem.ts'
import { openSealed, paramsOf, sealSession, whoIs } from './session-ids.ts'
import { STOPPED } from './unanswered.ts'

export interface SessionOptions {
  /** Beyond this many, whoever has most of them gives one up. */
  readonly maxSessions: number
  /** A session without open streams ends after this long without a request. */
  readonly idleMs: number
  /** Requests outside of any session are answered too, each by itself. */
  readonly sessionless?: boolean
  /** Where other servers of the base are asked by the same clients. */
  readonly shared?: () => SharedSessions | undefined
}

interface Following {
  /** What the sessions are of: one of another surface is none. */
  readonly surface?: string
  /** What a caller who does not see everything may hear of. */
  readonly follow?: (listener: (event: SurfaceEvent) => void, caller: Caller) => () => void
}

export interface Sessions {
  readonly count: number
  /** `body` is the parsed body of a POST. */
  fetch(request: Request, body: unknown, sender: Sender): Promise<Response>
  publish(event: SurfaceEvent): void
  close(): Promise<void>
}

interface Session {
  readonly server: SurfaceServer
  readonly transport: WebStandardStreamableHTTPServerTransport
  /** Calls that are being answered. */
  readonly calls: Exchanges
  /** Those of them that are not answered yet. */
  readonly asked: Set<string | number>
  /** Streams that are listened to. */
  readonly streams: Exchanges
  readonly sender: Sender
  usedAt: number
  /** When it was last found out whether its client has said goodbye to another server. */
  knownAt: number
}

export function openSessions(
  build: (caller: Caller | undefined, headers: Headers) => SurfaceServer,
  options: SessionOptions & Following,
): Sessions {
  // In order of use, least recent first: a session that is used moves to the end.
  const sessions = new Map<string, Session>()
  const coming = new Map<string, Promise<Session | Response | undefined>>()
  const sweeper = setInterval(endIdle, Math.min(options.idleMs, 60_000))
  sweeper.unref()

  return {
    get count() {
      return sessions.size
    },
    async fetch(request, body, sender) {
      const id = request.headers.get('mcp-session-id')
      if (id !== null) {
        const session = sessions.get(id) ?? (await takeUp(id, request, sender))
        if (session instanceof Response) return session
        // 404 tells the client to begin again, as after a restart of the server. Somebody else's
        // session is none: an id is no proof of who one is.
        if (!session || !isSameCaller(session.sender.caller, sender.caller)) {
          return rpcProblem(404, -32001, 'There is no such session. Initialize again.')
        }
        const response = await use(session, request, body)
        if (request.method === 'DELETE' && response.ok) await endElsewhere(id)
        else void endWhereEnded(id, session)
        return response
      }
      if (options.sessionless && request.method === 'POST') {
        // Who takes JSON alone cannot follow a session either: its answers are event streams.
        if (!isInitialize(body) || !takesStreams(request)) return answerAlone(request, body, sender)
      }
      if (!isInitialize(body)) {
        return rpcProblem(400, -32000, 'The Mcp-Session-Id header is missing. Initialize first.')
      }
      return begin(request, body, sender)
    },
    publish(event) {
      // Who sees a part hears of that part.
      for (const { server, sender } of sessions.values()) {
        if (!sender.caller?.sees) server.publish(event)
      }
    },
    async close() {
      clearInterval(sweeper)
      await Promise.all([...sessions.values()].map(end))
    },
  }

  /** The head of an answer is sent when it is begun: who still waits is told within it. */
  async function end({ server, transport, asked }: Session): Promise<void> {
    const error = { code: -32000, message: STOPPED.join(' ') }
    for (const id of asked) await transport.send({ jsonrpc: '2.0', id, error }).catch(() => {})
    await server.close()
  }

  /** A server for one request, which remembers nothing. */
  async function answerAlone(
    request: Request,
    body: unknown,
    { caller }: Sender,
  ): Promise<Response> {
    const server = build(caller, request.headers)
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    await server.connect(transport)
    // The transport wants to hear that both are taken, also where it sends JSON.
    const headers = new Headers(request.headers)
    headers.set('accept', 'application/json, text/event-stream')
    const alone = new Request(request.url, { method: 'POST', headers, signal: request.signal })
    try {
      return await transport.handleRequest(alone, { parsedBody: body })
    } finally {
      await server.close()
    }
  }

  async function begin(request: Request, body: unknown, sender: Sender): Promise<Response> {
    if (!(await hasRoom())) return allInUse()
    const session = await connect(await newId(body, sender), request, sender)
    const response = await use(session, request, body)
    // An `initialize` that was refused began nothing.
    if (session.transport.sessionId === undefined) await session.server.close()
    return response
  }

  /** One that other servers understand, where there are any. */
  async function newId(body: unknown, { caller }: Sender): Promise<string> {
    const key = await options.shared?.()?.key().catch(noKey)
    if (key === undefined) return randomUUID()
    const begun = { surface: options.surface ?? '', who: whoIs(caller), begunAt: Date.now() }
    return sealSession(key, { ...begun, params: paramsOf(body) })
  }

  /** A session that another server began; undefined where none did, or it has ended. */
  async function takeUp(
    id: string,
    request: Request,
    sender: Sender,
  ): Promise<Session | Response | undefined> {
    const shared = options.shared?.()
    if (!shared) return undefined
    // Who asks twice at once has one session all the same.
    const known = coming.get(id)
    if (known) return known
    const taken = take(shared, id, request, sender).finally(() => coming.delete(id))
    coming.set(id, taken)
    return taken
  }

  async function take(
    shared: SharedSessions,
    id: string,
    request: Request,
    sender: Sender,
  ): Promise<Session | Response | undefined> {
    const key = await shared.key().catch(noKey)
    if (key === undefined) return undefined
    const begun = openSealed(key, id)
    const isOurs = begun?.surface === (options.surface ?? '') && begun.who === whoIs(sender.caller)
    // While no database answers nobody knows; an id lets nobody in who is not let in anyway.
    if (!isOurs || (await shared.hasEnded(id).catch(() => false))) return undefined
    if (!(await hasRoom())) return allInUse()
    const session = await connect(id, request, sender)
    // What its client said there is said here again; nobody waits for the answers.
    const say = async (message: object, more: Record<string, string> = {}): Promise<void> => {
      const headers = { accept: 'application/json, text/event-stream', ...JSON_BODY, ...more }
      const said = new Request(request.url, { method: 'POST', headers })
      const body = { jsonrpc: '2.0', ...message }
      await (await session.transport.handleRequest(said, { parsedBody: body })).text()
    }
    const { params } = begun
    await say({ id: 'taken-up', method: 'initialize', params })
    await say({ method: 'notifications/initialized' }, { 'mcp-session-id': id })
    if (session.transport.sessionId === id) return session
    await session.server.close()
    return undefined
  }

  /** Nobody waits for this: it is the next request that begins again. */
  async function endWhereEnded(id: string, session: Session): Promise<void> {
    const shared = options.shared?.()
    if (!shared || performance.now() - session.knownAt < KNOWN_MS) return
    session.knownAt = performance.now()
    if (!(await shared.hasEnded(id).catch(() => false))) return
    // A call is never cut off.
    await session.calls.idle()
    await session.server.close()
  }

  /** Whoever has taken it up already finds out when it is used next. */
  async function endElsewhere(id: string): Promise<void> {
    await options
      .shared?.()
      ?.end(id)
      .catch(() => {})
  }

  async function hasRoom(): Promise<boolean> {
    return sessions.size < options.maxSessions || makeRoom()
  }

  /** A server and its wire, for whoever says `initialize` to it. */
  async function connect(own: string, request: Request, sender: Sender): Promise<Session> {
    const server = build(sender.caller, request.headers)
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => own,
      onsessioninitialized: (id) => {
        sessions.set(id, session)
        const { caller } = sender
        const stop = caller?.sees && options.follow?.((event) => server.publish(event), caller)
        // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it is no EventTarget
        server.server.onclose = () => {
          stop?.()
          sessions.delete(id)
        }
      },
    })
    const session: Session = {
      server,
      transport,
      calls: createExchanges(),
      asked: new Set(),
      streams: createExchanges(),
      sender,
      usedAt: Date.now(),
      knownAt: performance.now(),
    }
    await server.connect(transport)
    const send = transport.send.bind(transport)
    transport.send = (message, sending) => {
      if (!('method' in message) && message.id !== undefined) session.asked.delete(message.id)
      return send(message, sending)
    }
    return session
  }

  async function use(session: Session, request: Request, body: unknown): Promise<Response> {
    const { transport, calls, streams } = session
    touch(session)
    const id = requestIn(body)
    if (id !== undefined) session.asked.add(id)
    const exchanges = request.method === 'GET' ? streams : calls
    const response = await exchanges.run(() =>
      transport.handleRequest(request, { parsedBody: body }),
    )
    // What was refused is answered.
    if (id !== undefined && !response.ok) session.asked.delete(id)
    // The answer to a cancelled call never comes; its stream would stay open for ever.
    const cancelled = cancelledRequest(body)
    if (cancelled !== undefined) {
      session.asked.delete(cancelled)
      transport.closeSSEStream(cancelled)
    }
    return response
  }

  function touch(session: Session): void {
    session.usedAt = Date.now()
    const id = session.transport.sessionId
    if (id !== undefined && sessions.delete(id)) sessions.set(id, session)
  }

  /**
   * Whoever has most gives one up, so that nobody is kept out by somebody else: one without a
   * stream where there is one, else one that only listens. A call is never cut off.
   */
  async function makeRoom(): Promise<boolean> {
    const groups = Map.groupBy(
      sessions.values(),
      ({ sender }) => sender.caller?.principal ?? sender.peer,
    )
    const largest = [...groups.values()].toSorted((a, b) => b.length - a.length)
    for (const group of largest) {
      const idle = group.filter(({ calls }) => calls.open === 0)
      const session = idle.find(({ streams }) => streams.open === 0) ?? idle[0]
      if (!session) continue
      await session.server.close()
      return true
    }
    return false
  }

  function endIdle(): void {
    const deadline = Date.now() - options.idleMs
    for (const session of sessions.values()) {
      if (session.calls.open + session.streams.open > 0) session.usedAt = Date.now()
      else if (session.usedAt <= deadline) void session.server.close()
    }
  }
}

/** So long a server goes without asking whether a session has ended elsewhere. */
const KNOWN_MS = 5_000

const JSON_BODY = { 'content-type': 'application/json' }

/** While no database answers, sessions are those of this server. */
function noKey(): undefined {
  return undefined
}

function allInUse(): Response {
  const response = rpcProblem(503, -32000, 'All sessions are in use. Try again later.')
  response.headers.set('retry-after', '10')
  return response
}

function takesStreams({ headers }: Request): boolean {
  return headers.get('accept')?.includes('text/event-stream') ?? false
}

function isInitialize(body: unknown): boolean {
  return methodOf(body) === 'initialize'
}

/** Undefined for what wants no answer. */
function requestIn(body: unknown): string | number | undefined {
  if (methodOf(body) === undefined) return undefined
  const { id } = body as { readonly id?: unknown }
  return typeof id === 'string' || typeof id === 'number' ? id : undefined
}

function cancelledRequest(body: unknown): string | number | undefined {
  if (methodOf(body) !== 'notifications/cancelled') return undefined
  const { params } = body as { params?: { requestId?: unknown } }
  const id = params?.requestId
  return typeof id === 'string' || typeof id === 'number' ? id : undefined
}

export function methodOf(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'method' in body ? body.method : undefined
}
