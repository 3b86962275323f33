/** Serves one client over stdin and stdout, whichever protocol era it opens with. */
import type { Readable, Writable } from 'node:stream'
import { serveStdio as serveConnection } from '@modelcontextprotocol/server/stdio'
import type { Surface, SurfaceEvent } from '../../door/surface.ts'
import { type Era, type SurfaceServer, buildMcpServer } from '../mcp/mcp-server.ts'
import { claimStdout, LineTransport } from './line-transport.ts'

export interface StdioOptions {
  readonly onBug?: (error: unknown) => void
  /** Called once, when the connection has ended for whatever reason. */
  readonly onClose?: () => void
  /** Default: the process's own, and then stdout carries protocol and nothing else. */
  readonly streams?: { readonly input: Readable; readonly output: Writable }
}

export interface StdioServer {
  /** Resolves when the client closed stdin, a signal came, or `close()` was called. */
  readonly closed: Promise<void>
  close(): Promise<void>
}

export function serveStdio(surface: Surface, options: StdioOptions = {}): StdioServer {
  const { input, output } = options.streams ?? { input: process.stdin, output: claimStdout() }
  const wire = new LineTransport(input, output)

  // The SDK may build an instance for a probe and discard it, so the latest is the live one.
  let live: SurfaceServer | undefined
  const publish = (event: SurfaceEvent) => live?.publish(event)
  const { onBug } = options
  const build = (era: Era) => buildMcpServer(surface, { era, onBug })
  const connection = serveConnection(({ era }) => (live = build(era)), { transport: wire })
  const stopListening = surface.subscribe(publish)

  const close = async () => {
    await connection.close()
    await wire.closed
  }
  const onSignal = () => void close()
  process.once('SIGINT', onSignal)
  process.once('SIGTERM', onSignal)

  const closed = wire.closed.then(() => {
    stopListening()
    process.off('SIGINT', onSignal)
    process.off('SIGTERM', onSignal)
    options.onClose?.()
  })
  return {
    closed,
    close: async () => {
      await close()
      await closed
    },
  }
}
