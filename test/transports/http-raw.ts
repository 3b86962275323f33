/** HTTP as a hostile or careless client writes it; `fetch` would not let us. */
import { type IncomingMessage, request } from 'node:http'

export interface RawRequest {
  readonly method?: string
  readonly path?: string
  readonly headers?: Record<string, string>
  readonly body?: string | Buffer
  /** Send the body without announcing its length. */
  readonly chunked?: boolean
}

export interface RawAnswer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly text: string
  /** The body as JSON, or the first event of an event stream. */
  readonly json: any
}

export async function raw(base: string, options: RawRequest): Promise<RawAnswer> {
  const response = await open(base, options)
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) text += chunk
  const event = /^data: (.+)$/m.exec(text)?.[1]
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text,
    json: JSON.parse(event ?? (text || 'null')),
  }
}

/** Resolves with the head; the body is the caller's to read. */
export function open(base: string, options: RawRequest): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const { method = 'POST', path = '/mcp', headers = {}, body } = options
  const outgoing = request(new URL(path, base), {
    method,
    // As it stands: a URL takes steps like `/..` away.
    ...(path.startsWith('/') && { path }),
    agent: false,
    headers: {
      ...(method === 'POST' && { 'content-type': 'application/json' }),
      accept: 'application/json, text/event-stream',
      ...headers,
      ...(body !== undefined && !options.chunked && { 'content-length': Buffer.byteLength(body) }),
    },
  })
  outgoing.once('response', resolve)
  outgoing.once('error', reject)
  outgoing.end(body)
  return promise
}

export function rpc(method: string, params: Record<string, unknown> = {}, id: unknown = 1): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params })
}

export const INITIALIZE = rpc('initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'raw', version: '1' },
})

/** Begins a session and returns the headers that continue it. */
export async function beginSession(base: string): Promise<Record<string, string>> {
  const { status, headers } = await raw(base, { body: INITIALIZE })
  if (status !== 200) throw new Error(`No session: ${status}`)
  return { 'mcp-session-id': String(headers['mcp-session-id']) }
}

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** A request of the 2026 revision with the headers that must mirror it. */
export function modern(method: string, params: Record<string, unknown> = {}): RawRequest {
  const name = params.name ?? params.uri
  return {
    headers: {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
    },
    body: rpc(method, { ...params, _meta: META }),
  }
}
