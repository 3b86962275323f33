/** Turns a surface into a protocol server: one instance per connection or request, cheap to make. */
import {
  type CacheHint,
  type JSONRPCMessage,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type RequestMethod,
  type Server,
  type ServerCapabilities,
  type ServerOptions,
  type Transport,
  isJSONRPCErrorResponse,
} from '@modelcontextprotocol/server'
import { type Caller, mayRead } from '../../../core/domain/caller.ts'
import { invalid } from '../../../core/domain/error.ts'
import type { ToolLimits } from '../../door/limit-tools.ts'
import type { Surface, SurfaceEvent, ToolResult } from '../../door/surface.ts'
import { type Handler, type Handlers, guarded, surfaceHandlers } from './handlers.ts'

/** `legacy`: 2024-11-05 … 2025-11-25, with a handshake. `modern`: 2026-07-28, without. */
export type Era = 'legacy' | 'modern'

export interface McpServerOptions {
  readonly era: Era
  /** Who is on the other side, where callers are known. */
  readonly caller?: Caller
  /** What looks like a secret is shown as it stands. */
  readonly showSecrets?: boolean
  /** Which tools the client asks for. */
  readonly tools?: ToolLimits
  /** Takes a very long result out of its message, where the wire can put it back. */
  readonly setAside?: (result: ToolResult) => ToolResult
  readonly extension?: Extension
  /** Tells every client of the server about a change; for the extension. */
  readonly publish?: (event: SurfaceEvent) => void
  /** Learns of bugs, which clients only see as "Internal error". Default: the stack on stderr. */
  readonly onBug?: (error: unknown) => void
}

/** Answers that stand in front of a surface's own; how the conformance suite gets what it expects. */
export interface Extension {
  /** What the server is made with, besides its own options. */
  readonly options: ServerOptions
  handlers(own: Handlers, server: Server, publish: (event: SurfaceEvent) => void): Handlers
  inputSchema(tool: string): Record<string, unknown> | undefined
}

export function buildMcpServer(surface: Surface, options: McpServerOptions): SurfaceServer {
  return new SurfaceServer(surface, options)
}

/** Definitions change with the program, documents at any moment. */
const FIVE_MINUTES: CacheHint = { ttlMs: 300_000, cacheScope: 'public' }
const OWN_MINUTES: CacheHint = { ...FIVE_MINUTES, cacheScope: 'private' }
const MOMENT: CacheHint = { ttlMs: 5_000, cacheScope: 'private' }
const NEVER: CacheHint = { ttlMs: 0, cacheScope: 'private' }

/** A connection that subscribes to more than this wants `list_changed` instead. */
export const MAX_SUBSCRIPTIONS = 1_000
/** No address of ours is longer; a thousand of any length would fill the memory. */
export const LONGEST_URI = 4_000

export class SurfaceServer extends McpServer {
  readonly #surface: Surface
  readonly #era: Era
  readonly #extension: Extension | undefined
  /** URIs this connection asked about with `resources/subscribe`, a 2025 request. */
  readonly #subscribed = new Set<string>()
  readonly #hears: boolean

  constructor(surface: Surface, options: McpServerOptions) {
    super(
      { ...surface.serverInfo },
      {
        capabilities: capabilitiesOf(surface),
        ...options.extension?.options,
        instructions: surface.instructions,
        cacheHints: {
          'server/discover': FIVE_MINUTES,
          // Who can show pages is told of one. What tools take is worked out when they are listed.
          'tools/list': surface.showsPages ? OWN_MINUTES : FIVE_MINUTES,
          'prompts/list': FIVE_MINUTES,
          'resources/templates/list': FIVE_MINUTES,
          'resources/list': MOMENT,
          'resources/read': NEVER,
        },
        // A burst of changes in one tick is one notification.
        debouncedNotificationMethods: [
          'notifications/tools/list_changed',
          'notifications/prompts/list_changed',
          'notifications/resources/list_changed',
        ],
      },
    )
    this.#surface = surface
    this.#era = options.era
    this.#hears = mayRead(options.caller)
    this.#extension = options.extension
    const own = {
      ...surfaceHandlers(surface, this.server, options),
      ...((surface.resources ?? this.#extension) && this.#subscriptionHandlers()),
    }
    const publish = options.publish ?? (() => {})
    const handlers = this.#extension?.handlers(own, this.server, publish) ?? own
    const onBug = options.onBug ?? reportBug
    for (const method of Object.keys(handlers))
      this.#answer(method as RequestMethod, handlers, onBug)
    if (!handlers['prompts/list']) this.server.fallbackRequestHandler = noPrompts
  }

  #answer<M extends RequestMethod>(method: M, handlers: Handlers, onBug: (bug: unknown) => void) {
    const handler: Handler<M> | undefined = handlers[method]
    if (handler) this.server.setRequestHandler(method, guarded(handler, onBug))
  }

  /**
   * Tells this connection about a change, if it is of interest to it. In the modern era the SDK
   * holds the subscriptions and drops what nobody listens to.
   */
  publish(event: SurfaceEvent): void {
    if (!this.#hears) return
    // Before the handshake a 2025 client does not expect to be spoken to.
    if (this.server.getNegotiatedProtocolVersion() === undefined) return
    if (event.kind === 'resource_updated' && !this.#wants(event.uri)) return
    // A change nobody can be told about any more is not an error.
    this.#send(event).catch(() => {})
  }

  #send(event: SurfaceEvent): Promise<void> {
    switch (event.kind) {
      case 'resource_updated':
        return this.server.sendResourceUpdated({ uri: event.uri })
      case 'resources_changed':
        return this.server.sendResourceListChanged()
      case 'tools_changed':
        return this.server.sendToolListChanged()
      case 'prompts_changed':
        return this.server.sendPromptListChanged()
      default:
        return event satisfies never
    }
  }

  #wants(uri: string): boolean {
    return this.#era === 'modern' || this.#subscribed.has(uri)
  }

  #subscriptionHandlers(): Handlers {
    return {
      'resources/subscribe': ({ params: { uri } }) => {
        if (uri.length > LONGEST_URI) {
          throw invalid(
            `The URI is ${uri.length} characters long; no resource has such an address.`,
            'Subscribe to a URI as it was listed.',
          )
        }
        if (this.#subscribed.size >= MAX_SUBSCRIPTIONS) {
          throw invalid(
            `This connection already follows ${MAX_SUBSCRIPTIONS} resources.`,
            'Unsubscribe from some, or rely on notifications/resources/list_changed.',
          )
        }
        this.#subscribed.add(uri)
        return {}
      },
      'resources/unsubscribe': ({ params: { uri } }) => {
        this.#subscribed.delete(uri)
        return {}
      },
    }
  }

  /** The HTTP entry asks for this schema to check `Mcp-Param-*` headers before dispatch. */
  override toolInputSchemaJson(name: string): Record<string, unknown> | undefined {
    const own = this.#surface.tools().find((tool) => tool.name === name)?.inputSchema
    return own ?? this.#extension?.inputSchema(name)
  }

  override connect(transport: Transport): Promise<void> {
    if (this.#era === 'legacy') speakLegacyErrors(transport)
    return super.connect(transport)
  }
}

/**
 * Many clients ask for prompts whatever a server announces; an empty list serves them better than an
 * error, and announces nothing.
 */
async function noPrompts({ method }: { readonly method: string }): Promise<{ prompts?: [] }> {
  if (method === 'prompts/list') return { prompts: [] }
  throw new ProtocolError(ProtocolErrorCode.MethodNotFound, 'Method not found')
}

function capabilitiesOf(surface: Surface): ServerCapabilities {
  return {
    tools: { listChanged: true },
    ...(surface.resources && { resources: { subscribe: true, listChanged: true } }),
    ...(surface.prompts && { prompts: { listChanged: true } }),
    ...((surface.resources ?? surface.prompts) && { completions: {} }),
  }
}

/**
 * A missing resource is -32002 in the 2025 revisions and -32602 since. The SDK writes the newer
 * code on every wire, so the older one is put back where an older client will read it.
 */
function speakLegacyErrors(transport: Transport): void {
  const send = transport.send.bind(transport)
  transport.send = (message, options) => send(withLegacyCode(message), options)
}

function withLegacyCode(message: JSONRPCMessage): JSONRPCMessage {
  if (!isJSONRPCErrorResponse(message)) return message
  const { code, data } = message.error
  const keys = typeof data === 'object' && data !== null ? Object.keys(data) : []
  // Exactly `{ uri }` is how the SDK marks a missing resource.
  const missing = code === ProtocolErrorCode.InvalidParams && keys.join() === 'uri'
  if (!missing) return message
  return { ...message, error: { ...message.error, code: ProtocolErrorCode.ResourceNotFound } }
}

function reportBug(error: unknown): void {
  console.error(error)
}
