/** A small MCP client of both eras for loads: one connection, one request at a time. */
import { Agent, request } from 'node:http'

export interface LoadClient {
  call(tool: string, args: object): Promise<Answer>
  /** Ends the session, as a client should. */
  close(): Promise<void>
}

export interface Answer {
  readonly ok: boolean
  readonly text: string
}

export type ClientEra = 'legacy' | 'modern'

export async function openLoadClient(url: string, era: ClientEra): Promise<LoadClient> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  let id = 0
  let session: string | undefined
  const post = (body: object, headers: Record<string, string>) => send(url, agent, body, headers)
  if (era === 'legacy') {
    const begun = await post(
      {
        jsonrpc: '2.0',
        id: id++,
        method: 'initialize',
        params: {
          protocolVersion: '2025-11-25',
          capabilities: {},
          clientInfo: { name: 'load', version: '1' },
        },
      },
      {},
    )
    session = begun.session
    if (session === undefined) throw new Error(`no session: ${begun.status} ${begun.text}`)
    await post(
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { 'mcp-session-id': session },
    )
  }
  return {
    async call(name, args) {
      const params = { name, arguments: args }
      const body = { jsonrpc: '2.0', id: id++, method: 'tools/call', params }
      const answer = await (era === 'legacy'
        ? post(body, { 'mcp-session-id': session! })
        : post({ ...body, params: { ...params, _meta: META } }, { ...MODERN, 'mcp-name': name }))
      const ok = answer.status === 200 && !/"isError":true|"error":\{/.test(answer.text)
      return { ok, text: answer.text }
    },
    async close() {
      if (session !== undefined) {
        const headers = { 'mcp-session-id': session }
        await fetch(url, { method: 'DELETE', headers }).catch(() => {})
      }
      agent.destroy()
    },
  }
}

const REVISION = '2026-07-28'
const MODERN = { 'mcp-protocol-version': REVISION, 'mcp-method': 'tools/call' }
const META = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientCapabilities': {},
}

interface Sent {
  readonly status: number
  readonly session: string | undefined
  readonly text: string
}

function send(url: string, agent: Agent, body: object, headers: object): Promise<Sent> {
  const { promise, resolve, reject } = Promise.withResolvers<Sent>()
  const outgoing = request(url, {
    method: 'POST',
    agent,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
  })
  outgoing.once('response', (incoming) => {
    let text = ''
    incoming.setEncoding('utf8').on('data', (part: string) => (text += part))
    incoming.once('error', reject)
    incoming.once('end', () => {
      const session = incoming.headers['mcp-session-id']
      resolve({
        status: incoming.statusCode ?? 0,
        session: typeof session === 'string' ? session : undefined,
        text,
      })
    })
  })
  outgoing.once('error', reject)
  outgoing.end(JSON.stringify(body))
  return promise
}
