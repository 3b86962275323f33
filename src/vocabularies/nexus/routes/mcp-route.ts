/**
 * `/api/mcp`: one path for two kinds of client. Those that only speak HTTP read the manifest and
 * post `{ tool, input }`; MCP clients of both eras post JSON-RPC and may keep a stream open.
 */
import { invalidBody } from '../errors.ts'
import type { Nexus } from '../open-nexus.ts'
import type { Exchanges } from '../../../serve/transports/http/exchanges.ts'
import type { Limit } from '../../../serve/transports/http/limit.ts'
import type { McpEndpoint } from '../../../serve/transports/http/mcp-endpoint.ts'
import type { Sender } from '../../../serve/transports/http/mount.ts'
import { jsonOf, readJson, refusal } from './respond.ts'

export interface ToolsRoute {
  readonly nexus: Nexus
  /** Counts its own calls. */
  readonly endpoint: McpEndpoint
  /** Counts the others. */
  readonly exchanges: Exchanges
  /** How many of them are worked on at once. */
  readonly limit: Limit | undefined
  readonly onBug: (error: unknown) => void
}

/** Undefined for a method that has no meaning here. Throws what `nexus.failure` can tell. */
export async function answerTools(
  { nexus, endpoint, exchanges, limit, onBug }: ToolsRoute,
  request: Request,
  sender: Sender,
): Promise<Response | undefined> {
  const { method, headers } = request
  if (method === 'GET' || method === 'HEAD') {
    return wantsStream(headers) ? endpoint.fetch(request, sender) : Response.json(nexus.manifest)
  }
  // The end of an MCP session.
  if (method === 'DELETE' && headers.has('mcp-session-id')) {
    return endpoint.fetch(request, sender)
  }
  if (method !== 'POST') return undefined
  const forMcp = request.clone()
  const body = await readJson(request)
  if (isRpc(body)) return endpoint.fetch(forMcp, sender)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw invalidBody()
  const { tool, input } = body as { readonly tool?: unknown; readonly input?: unknown }
  const { caller } = sender
  const call = {
    signal: request.signal,
    principal: caller?.principal,
    ...(caller && { caller }),
    progress: () => {},
  }
  const answer = () =>
    exchanges.run(async () => jsonOf({ result: await nexus.callTool(tool, input, call) }, onBug))
  if (!limit) return answer()
  return (await limit.run(answer)) ?? refusal(503, 'Too many requests at once', COME_BACK)
}

const COME_BACK = { 'retry-after': '1' }

/** A client that takes JSON as well, and has no session to listen to, is better off with the manifest. */
function wantsStream(headers: Headers): boolean {
  const accept = headers.get('accept') ?? ''
  if (!accept.includes('text/event-stream')) return false
  return headers.has('mcp-session-id') || !/application\/json|\*\/\*/.test(accept)
}

function isRpc(body: unknown): boolean {
  if (Array.isArray(body)) return body.length > 0 && body.every(isRpc)
  return typeof body === 'object' && body !== null && 'jsonrpc' in body && body.jsonrpc === '2.0'
}
