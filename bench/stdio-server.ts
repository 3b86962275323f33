/**
 * The real server over stdio and the official client, as an agent has them.
 *
 * CAIRN_BIN names another binary than the one in this repository.
 */
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { join } from 'node:path'
import { PROJECT } from './harness.ts'

export const BINARY = process.env['CAIRN_BIN'] ?? join(PROJECT, 'bin/cairn.js')
export const CALL_TIMEOUT_MS = 60_000

export interface Server {
  readonly client: Client
  readonly pid: number
  /** When the process was asked for, on the clock of `performance.now()`. */
  readonly startedAt: number
  /** From there until the handshake was over. */
  readonly connectMs: number
  close(): Promise<void>
}

export async function startServer(documents: string, state: string): Promise<Server> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BINARY, 'serve', documents, '--state', state],
    stderr: 'pipe',
  })
  let complaints = ''
  transport.stderr?.on('data', (data: Buffer) => {
    complaints = `${complaints}${data.toString()}`.slice(-2000)
  })
  const client = new Client({ name: 'cairn-bench', version: '1.0.0' })
  const startedAt = performance.now()
  try {
    await client.connect(transport, { timeout: CALL_TIMEOUT_MS })
  } catch (error) {
    throw new Error(`The server did not start.\n${complaints}`, { cause: error })
  }
  const connectMs = performance.now() - startedAt
  const pid = transport.pid
  if (pid === null) throw new Error(`The server went away after the handshake.\n${complaints}`)
  return { client, pid, startedAt, connectMs, close: () => client.close() }
}

interface Answer {
  readonly results: readonly unknown[]
  readonly isIndexing: boolean
  readonly bytes: number
}

/** One search. A server that is not ready may say so with an error result: that is no results. */
export async function search(server: Server, query: string): Promise<Answer> {
  const reply = await server.client.callTool(
    { name: 'search', arguments: { query, limit: 10 } },
    { timeout: CALL_TIMEOUT_MS },
  )
  const structured = (reply.structuredContent ?? {}) as Record<string, unknown>
  const results = structured['results']
  return {
    results: Array.isArray(results) && !reply.isError ? results : [],
    isIndexing: Boolean(structured['indexing']),
    bytes: Buffer.byteLength(JSON.stringify(reply)),
  }
}
