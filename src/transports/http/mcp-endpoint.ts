/** One surface at one path, for clients of both protocol eras. */
import {
  INVALID_REQUEST,
  PARSE_ERROR,
  createMcpHandler,
  isJsonContentType,
  isLegacyRequest,
} from '@modelcontextprotocol/server'
import type { ServerNotifier } from '@modelcontextprotocol/server'
import type { Surface, SurfaceEvent } from '../../surfaces/surface.ts'
import { type Era, type Extension, buildMcpServer } from '../mcp/mcp-server.ts'
import { parseJson } from '../mcp/parse-message.ts'
import { openExchanges } from './exchanges.ts'
import type { Sender } from './mount.ts'
import { rpcProblem } from './rpc-problem.ts'
import { type SessionOptions, methodOf, openSessions } from './sessions.ts'

export interface EndpointOptions extends SessionOptions {
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
  const build = (era: Era) => buildMcpServer(surface, { era, onBug, extension, publish })
  const modern = createMcpHandler(() => build('modern'), { legacy: 'reject' })
  const sessions = openSessions(() => build('legacy'), options)
  const calls = openExchanges()
  const stopListening = surface.subscribe(publish)

  return {
    get sessions() {
      return sessions.count
    },
    async fetch(request, sender) {
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
      const answer = async () =>
        (await isLegacyRequest(request, body))
          ? sessions.fetch(request, body, sender)
          : modern.fetch(request, { parsedBody: body })
      return methodOf(body) === 'subscriptions/listen' ? answer() : calls.run(answer)
    },
    idle: () => calls.idle(),
    async close() {
      stopListening()
      await Promise.all([modern.close(), sessions.close()])
    },
  }
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
