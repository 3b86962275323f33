/** The one way a server starts: open what is offered, serve it over one wire, close it at the end. */
import { mergeSurfaces } from '../door/merge-surfaces.ts'
import type { Surface } from '../door/surface.ts'
import type { OpenMount } from '../transports/http/mount.ts'
import type { HttpOptions, HttpServer } from '../transports/http/serve-http.ts'
import { setEngineFlag } from '../lifecycle/code-cache.ts'
import { compileLast } from '../lifecycle/last-compiler.ts'
import { collectGarbage } from '../lifecycle/collect-garbage.ts'
import { keepYoungSpace } from '../lifecycle/young-space.ts'
import { openClosing } from '../../core/kit/closing.ts'
import type { Closing } from '../../core/kit/closing.ts'

/** What a surface brings to a server. */
export interface Offering {
  readonly surface: Surface
  /** Routes besides MCP. They are loaded where there is HTTP: stdio starts faster without. */
  readonly routes?: () => Promise<readonly OpenMount[]>
  /** Its clients may know no other wire than HTTP with server-sent events. */
  readonly speaksSse?: boolean
}

export type Log = (level: 'info' | 'warn' | 'error', message: string) => void

export interface Opening {
  readonly closing: Closing
  readonly log: Log
  /** Takes errors that no client may see. */
  readonly onBug: (error: unknown) => void
}

export type Wire =
  | { readonly kind: 'stdio' }
  | {
      readonly kind: 'http'
      readonly http: Omit<HttpOptions, 'surfaces' | 'sse' | 'mounts' | 'onBug' | 'extension'>
      /** Routes that belong to no surface. */
      readonly mounts?: readonly OpenMount[]
      /** Under which path clients are told to come. */
      readonly path: string
      /** Leaves out MCP endpoints that the routes know nothing of, and would not guard. */
      readonly routesOnly?: boolean
    }

export interface StartedServer {
  /** Where clients are told to come, for HTTP. */
  readonly url: string | undefined
  /** Settles when the server has stopped, whoever stopped it. */
  readonly done: Promise<void>
  /** Resolves when every call in progress has been answered. */
  idle(): Promise<void>
  close(): Promise<void>
  /** Whose port another server may take over. */
  readonly http?: HttpServer
}

export async function startServing(
  open: (opening: Opening) => Promise<readonly Offering[]>,
  wire: Wire,
  log: Log,
  instead?: StartedServer,
): Promise<StartedServer> {
  setUpEngine(wire.kind)
  const closing = openClosing()
  const onBug = (error: unknown): void =>
    log('error', error instanceof Error ? (error.stack ?? error.message) : String(error))
  try {
    const offerings = await open({ closing, log, onBug })
    return wire.kind === 'stdio'
      ? await overStdio(offerings, { closing, onBug })
      : await overHttp(offerings, wire, { closing, onBug, instead: instead?.http })
  } catch (error) {
    await closing.run()
    throw error
  }
}

type Serving = Pick<Opening, 'closing' | 'onBug'>

async function overStdio(
  offerings: readonly Offering[],
  { closing, onBug }: Serving,
): Promise<StartedServer> {
  const { serveStdio } = await import('../transports/stdio/serve-stdio.ts')
  const surface = mergeSurfaces(offerings.map((each) => each.surface))
  const server = serveStdio(surface, { onBug })
  const stopWatching = onParentGone(() => void server.close())
  const done = server.closed.then(() => {
    stopWatching()
    return closing.run()
  })
  return { url: undefined, done, idle: async () => {}, close: () => server.close() }
}

const PARENT_LOOK_MS = 5_000

/** A client that was killed may leave standard input open in the hands of others: it is gone anyway. */
function onParentGone(end: () => void): () => void {
  const { ppid } = process
  const timer = setInterval(() => {
    if (process.ppid !== ppid) end()
  }, PARENT_LOOK_MS)
  timer.unref()
  return () => clearInterval(timer)
}

async function overHttp(
  offerings: readonly Offering[],
  { http, path, mounts: own = [], routesOnly = false }: Extract<Wire, { kind: 'http' }>,
  { closing, onBug, instead }: Serving & { readonly instead: HttpServer | undefined },
): Promise<StartedServer> {
  const { serveHttp } = await import('../transports/http/serve-http.ts')
  const mounts = await Promise.all(offerings.map(async ({ routes }) => (await routes?.()) ?? []))
  const surfaces = offerings.map(({ surface }) => surface)
  const sse = offerings.find(({ speaksSse }) => speaksSse)?.surface
  const server = await serveHttp({
    ...http,
    ...(instead && { instead }),
    onBug,
    mounts: [...own, ...mounts.flat()],
    ...(sse && { sse }),
    // Each has an address of its own, so that no tool has to be renamed.
    surfaces: routesOnly
      ? []
      : [
          ...surfaces.slice(0, 1).map((surface) => ({ path: '/mcp', surface })),
          ...surfaces.map((surface) => ({ path: `/mcp/${surface.name}`, surface })),
        ],
  })
  const stopped = Promise.withResolvers<void>()
  return {
    url: `${server.url}${path}`,
    done: stopped.promise,
    http: server,
    idle: server.idle,
    async close() {
      await server.close()
      await closing.run()
      stopped.resolve()
    },
  }
}

let isSetUp = false
let isSettled = false

/** So much garbage, in percent of what is alive, may gather with a server of one client. */
const GARBAGE_PERCENT = 20

/**
 * V8 lets the space for young objects grow to tens of megabytes and rarely gives it back. A server
 * that mostly waits does better with a small one: measured on 14,593 notes, 100 MB less for 3 %
 * more work (docs/decisions/0014-memory-and-processes.md).
 *
 * V8 compiles with its last and dearest compiler whatever was called 10,000 times, on threads that
 * compete with answers; left to what is called three times as often, the first 1,200 questions of a
 * server of one client are 11 to 14 % less work, and none of them slower. Where many ask over HTTP,
 * it would cost more than it saves.
 */
function setUpEngine(kind: Wire['kind']): void {
  // Once: a server that replaces another starts while threads of that one are at work.
  if (isSetUp) return
  isSetUp = true
  setEngineFlag('--semi-space-growth-factor', 1, 2)
  if (kind === 'stdio') compileLast('late')
}

/**
 * A server of one client answers a few hundred questions an hour, and there are several of them on a
 * machine. Once it has started it gives back what starting took, and what is old is collected when a
 * fifth is garbage, and not when there is as much again as was alive: 40 MB less once it has
 * settled, 70 less after 2,000 questions. While it starts, the same rule would have three
 * collections come before the first answer (docs/decisions/0102-settling-a-server.md).
 */
export function settleEngine(): void {
  if (isSettled) return
  isSettled = true
  setEngineFlag('--heap-growing-percent', GARBAGE_PERCENT, 0)
  collectGarbage()
  keepYoungSpace((factor) => setEngineFlag('--semi-space-growth-factor', factor, 2))
}
