/** Serves surfaces over streamable HTTP, to this machine unless told otherwise. */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { Hono } from 'hono'
import { withoutEndSlashes } from '../../../core/kit/paths.ts'
import { invalid, unavailable } from '../../../core/domain/error.ts'
import type { SharedSessions } from '../../../core/domain/shared-sessions.ts'
import type { Surface } from '../../door/surface.ts'
import type { Extension } from '../mcp/mcp-server.ts'
import { MAX_MESSAGE_BYTES } from '../mcp/parse-message.ts'
import {
  type Access,
  type CallerHeaders,
  type Credentials,
  type Wanted,
  createAuthentication,
} from './authentication.ts'
import { askedBy } from './asked-tools.ts'
import { cors } from './cors.ts'
import { createForwarded } from './forwarded.ts'
import { type Guard, createGuard } from './guard.ts'
import { type EndpointOptions, type McpEndpoint, openMcpEndpoint } from './mcp-endpoint.ts'
import type { Mount, OpenMount, Sender } from './mount.ts'
import { type Limit, createLimit } from './limit.ts'
import { createRateLimit } from './rate-limit.ts'
import { createShares, type Shares } from './shares.ts'
import { type Admission, nodeListener, pathOf, problem } from './node-listener.ts'
import { createUnanswered, STOPPED } from './unanswered.ts'
import { whileLetIn } from './while-let-in.ts'
import {
  MESSAGE_PATH,
  openSseEndpoint,
  type SseEndpoint,
  type SseOptions,
  STREAM_PATH,
} from '../sse/sse-endpoint.ts'

export interface HttpOptions {
  /** The first one is the one people are told about. */
  readonly surfaces: readonly { readonly path: string; readonly surface: Surface }[]
  /** Default 127.0.0.1. Anything beyond loopback needs `allowRemote`. */
  readonly host?: string
  /** 0 picks a free one. */
  readonly port: number
  /** A server whose port, open as it is, becomes ours where it is at the same address. */
  readonly instead?: HttpServer
  readonly allowRemote?: boolean
  /** Names under which clients reach this server, besides loopback and the bound address. */
  readonly allowedHosts?: readonly string[]
  /** Programs may call under any name; pages still only under those that are allowed. */
  readonly anyHost?: boolean
  /** Needed for everything but `/health`. */
  readonly auth?: Credentials
  /** The same, by whoever knows more about callers. */
  readonly access?: Access
  /** Requests a minute for each caller, or for each address where callers are not known. */
  readonly perMinute?: number
  /** So many seconds are a minute to that limit; 60 unless said. */
  readonly rateWindowSeconds?: number
  /** Hears of requests that were turned away for who sent them. */
  readonly onRefused?: (request: {
    readonly peer: string
    readonly path: string
    readonly status: number
  }) => void
  /** Under which address clients reach this server, where a proxy stands in front. */
  readonly publicUrl?: string
  /** Addresses and networks of proxies in front, whose word about clients counts. */
  readonly trustedProxies?: readonly string[]
  /** Also served over the older HTTP+SSE transport, at `/sse` and `/messages`. */
  readonly sse?: Surface
  readonly sseOptions?: SseOptions
  /** Routes beside the MCP endpoints. */
  readonly mounts?: readonly OpenMount[]
  /** What `/health` says, as plain text; a small JSON object unless given. */
  readonly health?: string
  /** Web origins, such as `https://app.example.com`, whose pages may call this server. */
  readonly allowedOrigins?: readonly string[]
  /** Calls that are worked on at once; as many again wait. Default 64. */
  readonly atOnce?: number
  /** Open subscriptions per surface. Default 1,000. */
  readonly maxSubscriptions?: number
  /** Sessions per surface, of clients of the 2025 revisions. Default 1,000. */
  readonly maxSessions?: number
  /** Where other servers of the base are asked by the same clients. */
  readonly sharedSessions?: () => SharedSessions | undefined
  /** Default 30 minutes. */
  readonly sessionIdleMs?: number
  /** How long a request may take to arrive; its headers a third of that. Default 30 seconds. */
  readonly arriveMs?: number
  /** How long `close()` waits for calls in progress. Default 2 seconds. */
  readonly graceMs?: number
  /** Stands in front of the surfaces, not of the mounts. */
  readonly extension?: Extension
  readonly onBug?: (error: unknown) => void
}

export interface HttpServer {
  /** Where this machine reaches it, such as `http://127.0.0.1:4040`; surfaces are at their paths. */
  readonly url: string
  readonly port: number
  readonly host: string
  /** Resolves when every call in progress has been answered. */
  idle(): Promise<void>
  /**
   * Answers what is in progress for a bounded time, tells all others to come back, and ends every
   * stream; then the port is closed.
   */
  close(): Promise<void>
  /** The port for whoever takes over; what was asked here is answered here. */
  handOver(): Server
}

const IDLE_MS = 30 * 60_000
const GRACE_MS = 2_000
const AT_ONCE = 64
const MOST_STREAMS = 1_000
const ARRIVE_MS = 30_000
/** After everything was ended, connections have this long to notice. */
const LINGER_MS = 250

export async function serveHttp(options: HttpOptions): Promise<HttpServer> {
  const { host = '127.0.0.1', onBug = (error: unknown) => console.error(error) } = options
  const guard = createGuard({ ...options, host })
  const { senderOf, hostOf } = createForwarded(options)
  const access = options.access ?? (options.auth && createAuthentication(options.auth))
  const scale = (options.rateWindowSeconds ?? 60) / 60
  const rate = options.perMinute
    ? createRateLimit(options.perMinute, () => Date.now() / scale)
    : undefined
  const { atOnce = AT_ONCE, arriveMs = ARRIVE_MS } = options
  const limit = createLimit({ atOnce, waiting: atOnce })
  const streams = createShares(options.maxSubscriptions ?? MOST_STREAMS)
  const endpointOptions: EndpointOptions = {
    limit,
    ...(options.maxSubscriptions !== undefined && { maxSubscriptions: options.maxSubscriptions }),
    maxSessions: options.maxSessions ?? 1_000,
    idleMs: options.sessionIdleMs ?? IDLE_MS,
    ...(options.sharedSessions && { shared: options.sharedSessions }),
    extension: options.extension,
    stepUp: (...asked) => access?.stepUp?.(...asked),
    onBug,
  }
  const endpoints = new Map<string, McpEndpoint>()
  let closing = false
  const sse =
    options.sse && openSseEndpoint(options.sse, { onBug, asked: askedBy, ...options.sseOptions })
  const mounts: Mount[] = []
  const ownerOf = (path: string): Mount | undefined => ownerAmong(mounts, path)
  /** In the words of whoever has the path. */
  const say = (path: string, ...[status, message, hint]: Parameters<typeof problem>): Response =>
    ownerOf(path)?.problem(status, message) ?? problem(status, message, hint)
  const app = buildApp(guard, {
    endpoints,
    mounts,
    sse,
    access,
    limit,
    streams,
    health: options.health,
    onRefused: options.onRefused,
  })
  const admit = async (
    incoming: IncomingMessage,
    { peer, origin, asked }: Omit<Sender, 'caller'>,
  ): Promise<Admission> => {
    const path = pathOf(incoming)
    const refused = (response: Response): Admission => {
      const { status } = response
      if (status === 401 || status === 403)
        options.onRefused?.({ peer, path: path.slice(0, 200), status })
      return { kind: 'refused', response }
    }
    if (closing) {
      return refused(
        later(say(path, 503, 'The server is shutting down.', 'Try again in a moment.')),
      )
    }
    const { origin: page } = incoming.headers
    const why = guard.refusal({ host: hostOf(incoming), origin: page })
    if (why !== undefined) {
      return refused(say(path, 403, why, 'Add it to the allowed hosts or origins if you trust it.'))
    }
    // Nothing is unpacked: a few bytes could become more than there is memory.
    const packed = incoming.headers['content-encoding'] ?? 'identity'
    if (packed.toLowerCase() !== 'identity') {
      return refused(say(path, 415, 'Compressed requests are not taken.', 'Send it as it is.'))
    }
    const { headers, method = 'GET' } = incoming
    const callerNow = async () =>
      access?.callerOf(headers as CallerHeaders, { path, method, asked })
    const caller = await callerNow()
    const wait = HEALTH_PATHS.includes(path)
      ? 0
      : (rate?.waitSeconds(caller?.principal ?? peer) ?? 0)
    if (wait > 0) {
      const seconds = Math.ceil(wait * scale)
      const response = say(path, 429, 'Too many requests.', `Try again in ${seconds} seconds.`)
      response.headers.set('retry-after', String(seconds))
      return refused(response)
    }
    if (caller || !access?.isNeeded() || isPublic(access, incoming)) {
      const isStillIn = async () => (await callerNow()) !== undefined
      return { kind: 'welcome', caller, ...(caller && { isStillIn }) }
    }
    const mount = ownerOf(path)
    if (mount?.refusesWrongTokens && headers.authorization !== undefined) {
      return refused(mount.problem(403, 'Forbidden'))
    }
    return refused(challenge(access, { origin, path, opened: openedBy(incoming) }, mount))
  }
  const unanswered = createUnanswered()
  const handle = (request: Request, sender: Sender): Promise<Response> =>
    unanswered.run(
      async () => {
        const response = await app.fetch(request, sender)
        // Whoever only listens, which may be for days, asks by GET on all wires but the newest.
        return request.method === 'GET' ? whileLetIn(response, sender) : response
      },
      () => later(say(new URL(request.url).pathname, 503, ...STOPPED)),
    )
  const listener = nodeListener(handle, {
    maxBodyBytes: (path) => ownerOf(path)?.maxBodyBytes(path) ?? MAX_MESSAGE_BYTES,
    problem: say,
    senderOf,
    admit,
    onBug,
  })
  const { instead } = options
  const takesOver = instead?.host === host && [0, instead.port].includes(options.port)
  const own = createServer({
    // A client gets this long to say what it wants; answers may take as long as they like.
    headersTimeout: arriveMs / 3,
    requestTimeout: arriveMs,
    connectionsCheckingInterval: arriveMs / 6,
    keepAliveTimeout: 10_000,
  })
  const { port } = takesOver ? instead : await listen(own, options.port, host)
  const url = urlOf(host, port)
  for (const { path, surface } of options.surfaces) {
    endpoints.set(path, openMcpEndpoint(surface, endpointOptions))
  }
  const site = { mayRead: (origin: string) => guard.mayRead(origin), endpointOptions }
  for (const open of options.mounts ?? []) mounts.push(open(site))
  // From here on all that comes in is ours; what came before is answered by whoever took it.
  const server = takesOver ? instead.handOver() : own
  server.removeAllListeners('request').on('request', listener)

  const all = [...endpoints.values(), ...mounts, ...(sse ? [sse] : [])]
  const idle = async (): Promise<void> => {
    await Promise.all([...all, unanswered].map((each) => each.idle()))
  }
  let handedOver = false
  let closed: Promise<void> | undefined
  const close = async () => {
    closing = true
    const grace = options.graceMs ?? GRACE_MS
    await within(grace, idle())
    unanswered.tellAll()
    await within(grace, Promise.all(all.map((endpoint) => endpoint.close())))
    if (handedOver) return
    const stopped = new Promise<void>((resolve) => server.close(() => resolve()))
    server.closeIdleConnections()
    await within(LINGER_MS, stopped)
    server.closeAllConnections()
    await stopped
  }
  return {
    url,
    port,
    host,
    idle,
    close: () => (closed ??= close()),
    handOver() {
      handedOver = true
      return server
    },
  }
}

/** Another server, or this one after its restart, may be asked at once. */
function later(response: Response): Response {
  response.headers.set('retry-after', '1')
  response.headers.set('connection', 'close')
  return response
}

interface Served {
  readonly endpoints: ReadonlyMap<string, McpEndpoint>
  readonly sse: SseEndpoint | undefined
  readonly access: Access | undefined
  readonly mounts: readonly Mount[]
  readonly limit: Limit
  /** Open streams besides those of the MCP endpoints. */
  readonly streams: Shares
  readonly health: string | undefined
  readonly onRefused: HttpOptions['onRefused']
}

/** Every route of the server. */
function buildApp(guard: Guard, served: Served): Hono<Env> {
  const { endpoints, mounts, sse, access, limit, streams, health, onRefused } = served
  const app = new Hono<Env>()
  const endpointAt = (path: string) => endpoints.get(withoutEndSlashes(path))
  app.use(
    cors(guard, (path) => {
      const mount = ownerAmong(mounts, path)
      if (mount) return mount.methods(path)
      if (endpointAt(path)) return 'GET, POST, DELETE, OPTIONS'
      return path === STREAM_PATH || path === MESSAGE_PATH ? 'GET, POST, OPTIONS' : undefined
    }),
  )
  app.use(async ({ req, env }, next) => {
    const mount = ownerAmong(mounts, req.path)
    if (!mount) return next()
    const answer = async (): Promise<Response> => mount.routes.fetch(req.raw, env)
    switch (mount.countsAs(req.path)) {
      case 'work':
        return (await limit.run(answer)) ?? tooBusy(mount, 'requests', 1)
      case 'stream':
        return (await streams.run(env, answer)) ?? tooBusy(mount, 'streams', 30)
      case 'nothing':
        return answer()
    }
  })
  app.use(async ({ req, env }, next) => {
    const answer = await access?.publicly?.(req.raw, env)
    if (!answer) return next()
    if (answer.status === 401 || answer.status === 403)
      onRefused?.({ peer: env.peer, path: req.path, status: answer.status })
    return answer
  })
  app.get(HEALTH_PATH, (context) =>
    health === undefined
      ? context.json({ status: 'ok' })
      : context.body(health, 200, { 'content-type': 'text/plain; charset=utf-8' }),
  )
  if (sse) {
    app.on(['GET', 'POST', 'PUT', 'DELETE'], [STREAM_PATH, MESSAGE_PATH], async ({ req, env }) => {
      const answer = () => sse.fetch(req.raw, env.caller)
      if (req.method !== 'GET' || req.path !== STREAM_PATH) return answer()
      const said = { problem: (status: number, text: string) => problem(status, text, '') }
      return (await streams.run(env, answer)) ?? tooBusy(said, 'streams', 30)
    })
  }
  app.all('*', async ({ req, env }) => {
    const endpoint = endpointAt(req.path)
    if (endpoint) return endpoint.fetch(req.raw, env)
    const page = asksForPage(req.raw) && mounts.find(({ nothingHere }) => nothingHere)
    if (page) return page.nothingHere!(req.raw)
    const paths = [...endpoints.keys(), ...mounts.map(({ path }) => path)].join(', ')
    return problem(404, 'There is nothing here.', `MCP is served at ${paths}; see also /health.`)
  })
  return app
}

interface Env {
  readonly Bindings: Sender
}

const HEALTH_PATH = '/health'
/** Nothing in them is worth protecting. */
const HEALTH_PATHS = [HEALTH_PATH, '/healthz', '/readyz']

/** Browsers say that they want a page; programs take anything. */
function asksForPage({ method, headers }: Request): boolean {
  const isRead = method === 'GET' || method === 'HEAD'
  return isRead && /\btext\/html\b/.test(headers.get('accept') ?? '')
}

function ownerAmong(mounts: readonly Mount[], path: string): Mount | undefined {
  return mounts.find((mount) => mount.owns(path))
}

/** Answers without anything in them that is worth protecting. A browser asks without credentials. */
function isPublic(access: Access, incoming: IncomingMessage): boolean {
  const path = pathOf(incoming)
  return (
    HEALTH_PATHS.includes(path) || incoming.method === 'OPTIONS' || access.isPublic?.(path) === true
  )
}

function tooBusy(mount: Pick<Mount, 'problem'>, what: string, seconds: number): Response {
  const response = mount.problem(503, `Too many ${what} at once. Try again in a moment.`)
  response.headers.set('retry-after', String(seconds))
  return response
}

/** Undefined unless a person opens it: programs want something else than a page. */
function openedBy({ method, url = '/', headers }: IncomingMessage): Wanted['opened'] {
  if (method !== 'GET' || !/\btext\/html\b/.test(headers.accept ?? '')) return undefined
  return { to: url, fromElsewhere: headers['sec-fetch-site'] === 'cross-site' }
}

/** How a caller without credentials is asked for them. */
function challenge(access: Access, where: Wanted, mount: Mount | undefined): Response {
  const response = access.challenge(where)
  const isPage = response.headers.get('content-type')?.startsWith('text/html')
  if (!mount || isPage) return response
  const said = mount.problem(response.status, 'Unauthorized')
  const how = response.headers.get('www-authenticate')
  if (how !== null) said.headers.set('www-authenticate', how)
  return said
}

async function listen(server: Server, port: number, host: string): Promise<AddressInfo> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  try {
    server.listen(port, host.replace(/^\[(.*)\]$/, '$1'), resolve)
    await promise
  } catch (error) {
    throw cannotListen(error, port, host)
  }
  server.off('error', reject)
  // Errors of single connections belong to those connections.
  server.on('error', () => {})
  return server.address() as AddressInfo
}

function cannotListen(error: unknown, port: number, host: string): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return unavailable(
        `Port ${port} on ${host} is already in use.`,
        'Stop the program that uses it, or choose another port (0 picks a free one).',
      )
    case 'EACCES':
      return unavailable(`This user may not listen on port ${port}.`, 'Choose a port above 1023.')
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return unavailable(
        `This machine has no address "${host}".`,
        'Use 127.0.0.1, or an address of one of its network interfaces.',
      )
    case 'ERR_SOCKET_BAD_PORT':
      return invalid(`${port} is not a port.`, 'Use a number from 0 to 65535.')
    default:
      return error
  }
}

/** An address that means "all of them" is reached through loopback. */
function urlOf(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${name.includes(':') && !name.startsWith('[') ? `[${name}]` : name}:${port}`
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const timer = new AbortController()
  const limit = delay(ms, undefined, { signal: timer.signal, ref: false }).catch(() => {})
  await Promise.race([work, limit])
  timer.abort()
}
