/** What those who run a server look at: does it live, may it be asked, how is it doing. */
import { Hono } from 'hono'
import type { Mount, OpenMount, Sender } from './mount.ts'
import { problem } from './node-listener.ts'

/**
 * `indexing` until the index has caught up with the files; `out_of_reach` while the database of the
 * base does not answer and questions are answered from memory.
 */
export type Readiness = 'ready' | 'indexing' | 'out_of_reach'

export interface WatchOptions {
  readonly readiness: () => Readiness
  /** In the text form of Prometheus. */
  readonly metrics: () => string | Promise<string>
  /** Whether who shows no token sees the metrics, where none is asked for. Default true. */
  readonly isOpen?: boolean
}

export const WATCH_PATHS = ['/healthz', '/readyz', '/metrics']

export function watchMount({ readiness, metrics, isOpen = true }: WatchOptions): OpenMount {
  const routes = new Hono<{ Bindings: Sender }>()
  routes.get('/healthz', (context) =>
    context.json({
      status: 'ok',
      checks: { index: readiness() },
      timestamp: new Date().toISOString(),
    }),
  )
  routes.get('/readyz', (context) => {
    const status = readiness()
    return status === 'ready'
      ? context.json({ status })
      : context.json({ status }, 503, { 'retry-after': '1' })
  })
  routes.get('/metrics', async ({ env: { caller } }) =>
    !(caller ? caller.may.includes('maintain') : isOpen)
      ? refused(403, 'This needs the permission maintain.')
      : new Response(await metrics(), { headers: { 'content-type': 'text/plain; version=0.0.4' } }),
  )
  routes.all('*', () => refused(405, 'Use GET.'))
  const mount: Mount = {
    path: '/metrics',
    routes,
    owns: (path) => WATCH_PATHS.includes(path),
    // Whoever watches wants to know how it is when it is busy.
    countsAs: () => 'nothing',
    methods: () => 'GET, HEAD',
    maxBodyBytes: () => 0,
    problem: refused,
    idle: async () => {},
    close: async () => {},
  }
  return () => mount
}

function refused(status: number, message: string): Response {
  return problem(status, message, '')
}
