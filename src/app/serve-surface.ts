/** Serves over standard streams or HTTP, and cleans up when that is over. */
import type { Surface } from '../surfaces/surface.ts'
import type { HttpOptions } from '../transports/http/serve-http.ts'
import type { StartedServer } from './start-server.ts'

export interface ServeOptions {
  /** Called once, when the last client is gone. */
  readonly release: () => Promise<void>
  readonly onBug: (error: unknown) => void
}

/** The wires are loaded when they are needed: stdio starts faster without HTTP. */
export async function serveOverStdio(
  surface: Surface,
  { release, ...options }: ServeOptions,
): Promise<StartedServer> {
  const { serveStdio } = await import('../transports/stdio/serve-stdio.ts')
  const server = serveStdio(surface, options)
  return { url: undefined, done: server.closed.then(release), close: () => server.close() }
}

/** `url` has no path. */
export async function serveOverHttp(
  http: Omit<HttpOptions, keyof ServeOptions>,
  { release, ...options }: ServeOptions,
): Promise<StartedServer & { readonly url: string }> {
  const { serveHttp } = await import('../transports/http/serve-http.ts')
  const server = await serveHttp({ ...http, ...options })
  const stopped = Promise.withResolvers<void>()
  return {
    url: server.url,
    done: stopped.promise,
    async close() {
      await server.close()
      await release()
      stopped.resolve()
    },
  }
}

/** One surface by itself: streamable HTTP at `/mcp`, the older transport at `/sse` and `/messages`. */
export function onBothWires(surface: Surface): Pick<HttpOptions, 'surfaces' | 'sse'> {
  return { surfaces: [{ path: '/mcp', surface }], sse: surface }
}
