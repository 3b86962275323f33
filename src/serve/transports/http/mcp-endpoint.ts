/** One surface at one path, for clients of both protocol eras. */
import {
  INVALID_PARAMS,
  INVALID_REQUEST,
  PARSE_ERROR,
  TRACEPARENT_META_KEY,
  createMcpHandler,
  isJsonContentType,
  isLegacyRequest,
} from '@modelcontextprotocol/server'
import type { AuthInfo, ServerNotifier } from '@modelcontextprotocol/server'
import { type Caller, mayRead, type Permission } from '../../../core/domain/caller.ts'
import type { Surface, SurfaceEvent } from '../../door/surface.ts'
import {
  type Era,
  type Extension,
  LONGEST_URI,
  MAX_SUBSCRIPTIONS,
  buildMcpServer,
} from '../mcp/mcp-server.ts'
import { parseJson } from '../mcp/parse-message.ts'
import { type SetAside, setAside, settingAside, withSetAside } from '../mcp/set-aside.ts'
import { type Asked, askedBy } from './asked-tools.ts'
import type { Where } from './authentication.ts'
import { createExchanges } from './exchanges.ts'
import type { Limit } from './limit.ts'
import type { Sender } from './mount.ts'
import { createShares } from './shares.ts'
import { rpcProblem } from './rpc-problem.ts'
import { type SessionOptions, methodOf, openSessions } from './sessions.ts'
import { whileLetIn } from './while-let-in.ts'

export interface EndpointOptions extends SessionOptions {
  /** Calls of all surfaces that are worked on at once. */
  readonly limit?: Limit
  /** Open `subscriptions/listen` streams; nobody gets more than a part of them. Default 1,000. */
  readonly maxSubscriptions?: number
  /** How a caller is told that more is needed, where asking for more is possible. */
  readonly stepUp?: (
    caller: Caller,
    needs: readonly Permission[],
    where: Where,
  ) => Response | undefined
  readonly extension?: Extension
  readonly onBug?: (error: unknown) => void
}

export interface McpEndpoint {
  /** Clients with a session; the modern era has none. */
  readonly sessions: number
  fetch(request: Request, sender: Sender): Promise<Response>
  /** Resolves when every call has been answered. Open event streams are not waited for. */
  idle(): Promise<void>
  /** Ends event streams, sessions and whatever is still running. */
  close(): Promise<void>
}

export function openMcpEndpoint(surface: Surface, options: EndpointOptions): McpEndpoint {
  const { onBug, extension } = options
  const publish = (event: SurfaceEvent) => {
    announce(modern.notify, event)
    sessions.publish(event)
  }
  const build = (era: Era, caller: Caller | undefined, asked: Asked) =>
    buildMcpServer(surface, { era, onBug, extension, publish, caller, setAside, ...asked })
  const handler = () =>
    createMcpHandler(({ authInfo }) => build('modern', callerIn(authInfo), askedIn(authInfo)), {
      legacy: 'reject',
    })
  const modern = handler()
  // Nobody is told of changes to what they do not see, so each kind of sight has a notifier.
  const narrow = openNarrow((caller) => {
    const own = handler()
    const stop = surface.subscribe((event) => announce(own.notify, event), caller)
    return {
      fetch: own.fetch,
      async close() {
        stop()
        await own.close()
      },
    }
  })
  const sessions = openSessions(
    (caller, headers) => build('legacy', caller, askedBy(headers, caller)),
    {
      ...options,
      surface: surface.name,
      follow: (listener, caller) => surface.subscribe(listener, caller),
    },
  )
  const calls = createExchanges()
  const listening = createShares(options.maxSubscriptions ?? MOST_SUBSCRIPTIONS)
  const stopListening = surface.subscribe(publish)

  return {
    get sessions() {
      return sessions.count
    },
    async fetch(request, sender) {
      if ((sender.caller?.sees ?? sender.caller?.writes) && !surface.narrows) {
        return rpcProblem(
          403,
          -32000,
          `This token sees a part of the base; ${surface.name} shows all.`,
        )
      }
      if (request.method !== 'POST') {
        // Session streams and their end; the modern era has only POST.
        const known = request.method === 'GET' || request.method === 'DELETE'
        return known ? sessions.fetch(request, undefined, sender) : methodNotAllowed()
      }
      if (!isJsonContentType(request.headers.get('content-type'))) {
        return rpcProblem(415, -32000, 'The Content-Type must be application/json.')
      }
      const parsed = parseJson(await request.text())
      if (parsed.kind === 'problem') {
        return rpcProblem(400, PARSE_ERROR, `The body was not understood: ${parsed.why}.`)
      }
      const body = parsed.value
      if (typeof body !== 'object' || body === null) {
        return rpcProblem(400, INVALID_REQUEST, 'The body is not a JSON-RPC message.')
      }
      takeTrace(request.headers.get('traceparent'), body)
      const more =
        sender.caller &&
        options.stepUp?.(sender.caller, needsOf(surface, body), {
          origin: sender.origin,
          path: new URL(request.url).pathname,
        })
      if (more) return more
      const answer = async () =>
        (await isLegacyRequest(request, body))
          ? sessions.fetch(request, body, sender)
          : (narrow.of(sender.caller) ?? modern).fetch(request, {
              parsedBody: body,
              ...authInfoOf(sender.caller, askedBy(request.headers, sender.caller)),
            })
      if (methodOf(body) === 'subscriptions/listen') {
        if (!mayRead(sender.caller)) {
          return rpcProblem(403, -32000, 'This needs the permission read.')
        }
        if (followsTooMuch(body)) {
          const why = `A stream follows at most ${MAX_SUBSCRIPTIONS} resources, each of an address as it was listed.`
          return rpcProblem(400, INVALID_PARAMS, why)
        }
        const stream = await listening.run(sender, answer)
        return stream ? whileLetIn(stream, sender) : tooMany('subscriptions', 30)
      }
      const aside: SetAside = new Map()
      const working = () =>
        calls.run(
          () => settingAside(aside, answer),
          (part) => (aside.size > 0 ? withSetAside(part, aside) : undefined),
        )
      if (!options.limit) return working()
      return (await options.limit.run(working)) ?? tooMany('calls', 1)
    },
    idle: () => calls.idle(),
    async close() {
      stopListening()
      await Promise.all([modern.close(), narrow.close(), sessions.close()])
    },
  }
}

interface NarrowHandler extends Pick<ReturnType<typeof createMcpHandler>, 'fetch'> {
  close(): Promise<void>
}

/** So many kinds of sight are listened for at once; the one that was not used for longest goes. */
const MOST_NARROW = 200

function openNarrow(open: (caller: Caller) => NarrowHandler) {
  const handlers = new Map<unknown, NarrowHandler>()
  return {
    /** Undefined for whoever sees everything. */
    of(caller: Caller | undefined): NarrowHandler | undefined {
      const { sees } = caller ?? {}
      if (!caller || !sees) return undefined
      const handler = handlers.get(sees) ?? open(caller)
      handlers.delete(sees)
      handlers.set(sees, handler)
      if (handlers.size > MOST_NARROW) {
        const [key, oldest] = handlers.entries().next().value!
        handlers.delete(key)
        void oldest.close()
      }
      return handler
    },
    async close() {
      await Promise.all([...handlers.values()].map((each) => each.close()))
    },
  }
}

/** Each is kept for as long as the stream is open. */
function followsTooMuch(body: unknown): boolean {
  const { params } = body as {
    readonly params?: { readonly notifications?: { readonly resourceSubscriptions?: unknown } }
  }
  const uris = params?.notifications?.resourceSubscriptions
  if (!Array.isArray(uris)) return false
  const isLong = (uri: unknown): boolean => typeof uri === 'string' && uri.length > LONGEST_URI
  return uris.length > MAX_SUBSCRIPTIONS || uris.some(isLong)
}

/** A trace may be named beside the message; what the message itself says comes first. */
function takeTrace(traceparent: string | null, body: object): void {
  const { params } = body as { readonly params?: unknown }
  if (traceparent === null || typeof params !== 'object' || params === null) return
  const { _meta: meta } = params as { readonly _meta?: Readonly<Record<string, unknown>> }
  Object.assign(params, { _meta: { [TRACEPARENT_META_KEY]: traceparent, ...meta } })
}

/** What a call of a tool needs, as far as its row says so. */
function needsOf(surface: Surface, body: unknown): readonly Permission[] {
  if (methodOf(body) !== 'tools/call') return []
  const { params } = body as { readonly params?: { readonly name?: unknown } }
  const tool = surface.tools().find(({ name }) => name === params?.name)
  if (!tool) return []
  return tool.annotations.readOnlyHint ? ['read'] : ['read', 'write']
}

/** How a caller travels through the SDK. The token stays outside: nothing in here needs it. */
function authInfoOf(caller: Caller | undefined, asked: Asked): { readonly authInfo?: AuthInfo } {
  if (!caller && !asked.tools && !asked.showSecrets) return {}
  const { principal = '', may = [] } = caller ?? {}
  return {
    authInfo: { token: '', clientId: principal, scopes: [...may], extra: { caller, asked } },
  }
}

function askedIn(info: AuthInfo | undefined): Asked {
  return (info?.extra?.['asked'] as Asked | undefined) ?? {}
}

const MOST_SUBSCRIPTIONS = 1_000

function tooMany(what: string, seconds: number): Response {
  const response = rpcProblem(503, -32000, `Too many ${what} at once. Try again in a moment.`)
  response.headers.set('retry-after', String(seconds))
  return response
}

function callerIn(info: AuthInfo | undefined): Caller | undefined {
  return info?.extra?.['caller'] as Caller | undefined
}

function announce(notify: ServerNotifier, event: SurfaceEvent): void {
  switch (event.kind) {
    case 'resource_updated':
      return notify.resourceUpdated(event.uri)
    case 'resources_changed':
      return notify.resourcesChanged()
    case 'tools_changed':
      return notify.toolsChanged()
    case 'prompts_changed':
      return notify.promptsChanged()
    default:
      return event satisfies never
  }
}

function methodNotAllowed(): Response {
  const response = rpcProblem(405, -32000, 'Use POST (or GET and DELETE with a session).')
  response.headers.set('allow', 'GET, POST, DELETE')
  return response
}
