/**
 * The gateway's HTTP interface at `/api/v1`. Every route calls a tool, through the same door as MCP:
 * what a tool refuses, a route refuses. Agents use the tools; this is for servers in remote mode and
 * for scripts.
 */
import { randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import type { Context } from 'hono'
import type { Surface } from '../../../serve/door/surface.ts'
import { createExchanges } from '../../../serve/transports/http/exchanges.ts'
import { isForeignPage } from '../../../serve/transports/http/foreign-page.ts'
import type { Mount, OpenMount, Sender, Site } from '../../../serve/transports/http/mount.ts'
import { createRateLimit } from '../../../serve/transports/http/rate-limit.ts'
import { parseJson } from '../../../serve/transports/mcp/parse-message.ts'

type Payload = Readonly<Record<string, unknown>>

export interface GatewayOptions {
  readonly surface: Surface
  /** Requests of one caller within so many seconds, and on reports. */
  readonly rate: {
    readonly requests: number
    readonly reports: number
    readonly windowSeconds: number
  }
  /** How chunks are weighed. */
  readonly weights: () => Payload
  /** The newest first. */
  readonly runs: (limit: number) => readonly Payload[]
  readonly lifecycles: () => readonly Payload[]
  /** Whether this server has a page for people. */
  readonly hasPage: boolean
}

type Env = { readonly Bindings: Sender }

const PREFIX = '/api/v1/'
/** What the original's first versions have at the root, as its quick start shows. */
const SHORT =
  /^\/(?:(?:search|coverage|lifecycle|audit)(?:\/|$)|graph\/(?:nodes|subsystems|search|orphans|cypher))/
/** Pages of the original's console. People look at the page of this server. */
const CONSOLE = /^\/ui(?:\/|$)/
const MAX_BODY = 16 * 1024 * 1024
const REPORTS = /^\/api\/v1\/(?:coverage|lifecycle|audit)(?:\/|$)/
const REQUEST_ID = /^[\w.:-]{1,128}$/

/** How a tool's code is said over HTTP. */
const STATUS: Readonly<Record<string, number>> = {
  invalid_request: 400,
  invalid_identifier: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  recipe_not_found: 404,
  assert_failed: 409,
  tool_failed: 502,
  timeout: 504,
  unsupported_operation: 501,
}

export function gatewayMount(options: GatewayOptions): OpenMount {
  return (site) => openMount(options, site)
}

function openMount(options: GatewayOptions, site: Site): Mount {
  const { surface, rate } = options
  // A window is to this limit what a minute is to others.
  const scale = rate.windowSeconds / 60
  const now = (): number => Date.now() / scale
  const limits = {
    all: createRateLimit(rate.requests, now),
    reports: createRateLimit(rate.reports, now),
  }
  const exchanges = createExchanges()
  const routes = new Hono<Env>()

  routes.use('*', async (context, next) => {
    const { caller, peer } = context.env
    const who = caller?.principal ?? peer
    const wait = Math.max(
      limits.all.waitSeconds(who),
      REPORTS.test(context.req.path) ? limits.reports.waitSeconds(who) : 0,
    )
    const given = context.req.header('x-request-id') ?? ''
    const requestId = REQUEST_ID.test(given) ? given : randomUUID()
    if (wait > 0) {
      context.res = refused(429, 'Rate limit exceeded')
      context.res.headers.set('retry-after', String(Math.ceil(wait * scale)))
    } else if (isForeignPage(context.req.raw, site)) {
      context.res = refused(403, 'Pages of this origin may not call tools')
    } else if (caller?.sees ?? caller?.writes) {
      // Routes are for all of the repository or for nothing of it, as the tools are.
      context.res = refused(403, 'Invalid credentials')
    } else {
      context.req.raw.headers.set('x-request-id', requestId)
      await next()
    }
    context.res.headers.set('x-request-id', requestId)
  })

  /** Calls a tool and says what it answered. */
  const tell = (context: Context<Env>, tool: string, args: Payload): Promise<Response> =>
    exchanges.run(async () => {
      const { payload, status } = await ask(context, tool, args)
      return status === 200 ? Response.json(payload) : failed(status, payload)
    })
  /** What the operator leaves out is in no route either. */
  const isThere = (tool: string): boolean => surface.tools().some(({ name }) => name === tool)
  const ask = async (context: Context<Env>, tool: string, args: Payload) => {
    const { caller } = context.env
    if (!isThere(tool)) return { payload: NO_TOOL, status: 404 }
    const { structured = {}, isError } = await surface.call(tool, args, {
      signal: context.req.raw.signal,
      progress: () => {},
      client: 'gateway',
      requestId: context.req.header('x-request-id'),
      ...(caller && { caller }),
    })
    return { payload: structured, status: isError ? statusOf(structured) : 200 }
  }
  const body = async (context: Context<Env>): Promise<Payload | undefined> => {
    const parsed = parseJson(await context.req.text())
    const value = parsed.kind === 'problem' ? undefined : parsed.value
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Payload)
      : undefined
  }
  /** Only a maintainer: what is asked here, no tool has. */
  const mayMaintain = ({ env: { caller } }: Context<Env>): boolean =>
    caller === undefined ? surface.tools().length > 0 : caller.may.includes('maintain')

  routes.post('/api/v1/search', async (context) => {
    const args = await body(context)
    return args ? tell(context, 'km-search', args) : refused(422, 'The body must be a JSON object')
  })
  routes.get('/api/v1/search/weights', () => Response.json(options.weights()))
  routes.get('/api/v1/graph/nodes/:id{.+}', (context) =>
    tell(context, 'km-graph-node', {
      node_id: context.req.param('id'),
      ...queryOf(context, ['relationships'], ['limit']),
    }),
  )
  routes.get('/api/v1/graph/subsystems/:name/graph', async (context) => {
    const name = context.req.param('name')
    const args = { name, limit: 100, ...queryOf(context, [], ['depth']) }
    const { payload, status } = await ask(context, 'km-graph-subsystem', args)
    return status === 200 ? Response.json(asGraph(payload)) : failed(status, payload)
  })
  routes.get('/api/v1/graph/subsystems/:name', (context) =>
    tell(context, 'km-graph-subsystem', {
      name: context.req.param('name'),
      ...queryOf(context, ['cursor'], ['depth', 'limit']),
      ...(context.req.query('include_artifacts') === 'false' && { include_artifacts: false }),
    }),
  )
  routes.get('/api/v1/graph/search', (context) =>
    tell(context, 'km-graph-search', {
      term: context.req.query('q') ?? '',
      ...queryOf(context, [], ['limit']),
    }),
  )
  routes.get('/api/v1/graph/orphans', async (context) => {
    const { payload, status } = await ask(context, 'km-lifecycle-report', {})
    if (status !== 200) return failed(status, payload)
    return Response.json(orphansOf(payload, context.req.query()))
  })
  routes.post('/api/v1/graph/cypher', (context) =>
    mayMaintain(context)
      ? refused(501, 'Cypher is not supported; use graph/nodes, graph/subsystems and graph/search')
      : refused(403, 'Invalid credentials'),
  )
  routes.get('/api/v1/coverage', async (context) => {
    const page = queryOf(context, ['cursor'], ['limit'])
    if (Object.keys(page).length > 0) return tell(context, 'km-coverage-summary', page)
    // A script wants all of it; a tool gives very long lists in pages.
    let { payload, status } = await ask(context, 'km-coverage-summary', {})
    const artifacts = [...listIn(payload)]
    for (let page = 0; page < MOST_PAGES && status === 200; page++) {
      const { artifacts_cursor: cursor } = payload as { artifacts_cursor?: string | null }
      if (typeof cursor !== 'string') break
      ;({ payload, status } = await ask(context, 'km-coverage-summary', { cursor }))
      artifacts.push(...listIn(payload))
    }
    if (status !== 200) return failed(status, payload)
    const { artifacts_omitted: _, artifacts_cursor: __, ...report } = payload
    return Response.json({ ...report, artifacts })
  })
  routes.get('/api/v1/lifecycle', (context) => tell(context, 'km-lifecycle-report', {}))
  routes.get('/api/v1/lifecycle/history', (context) =>
    mayMaintain(context)
      ? Response.json({ history: options.lifecycles() })
      : refused(403, 'Invalid credentials'),
  )
  routes.get('/api/v1/audit/history', (context) => {
    if (!mayMaintain(context)) return refused(403, 'Invalid credentials')
    const asked = Number(context.req.query('limit') ?? 20)
    const limit = Math.min(100, Math.max(1, Number.isInteger(asked) ? asked : 20))
    const headers = { 'x-km-audit-limit': String(limit) }
    return Response.json({ runs: options.runs(limit) }, { headers })
  })
  // Ours: every tool by its name, which is how a server in remote mode calls the others.
  routes.post('/api/v1/tools/:name', async (context) => {
    const name = context.req.param('name')
    if (!isThere(name)) return refused(404, 'There is no such tool')
    const args = await body(context)
    return args ? tell(context, name, args) : refused(422, 'The body must be a JSON object')
  })
  routes.get('/ui/lifecycle/report', (context) => tell(context, 'km-lifecycle-report', {}))
  const console = ({ env: { origin } }: Context<Env>): Response =>
    options.hasPage
      ? new Response(null, { status: 302, headers: { location: `${origin}/` } })
      : refused(404, NO_PAGE)
  routes.get('/ui/*', console)
  routes.get('/ui', console)
  routes.all('*', () => refused(404, 'Not Found'))
  routes.onError(() => refused(500, 'Internal Server Error'))

  const all = new Hono<Env>()
  all.all('*', ({ req, env }) => {
    if (!SHORT.test(req.path)) return routes.fetch(req.raw, env)
    const url = new URL(req.url)
    url.pathname = PREFIX.slice(0, -1) + url.pathname
    return routes.fetch(new Request(url, req.raw), env)
  })
  return {
    path: PREFIX.slice(0, -1),
    routes: all,
    owns: (path) => path.startsWith(PREFIX) || SHORT.test(path) || CONSOLE.test(path),
    refusesWrongTokens: true,
    countsAs: () => 'work',
    methods: () => 'GET, POST, OPTIONS',
    maxBodyBytes: () => MAX_BODY,
    problem: (status) => refused(status, SAID[status] ?? 'The request was refused'),
    idle: () => exchanges.idle(),
    close: async () => {},
  }
}

const NO_TOOL: Payload = { error: { code: 'not_found', message: 'There is no such tool' } }
const NO_PAGE =
  'The console is the page of this server: start it with "cairn serve REPO --surface native,duskmantle --http"'

const SAID: Readonly<Record<number, string>> = {
  401: 'Missing credentials',
  403: 'Invalid credentials',
  413: 'Request body too large',
  429: 'Rate limit exceeded',
  503: 'Too many requests at once',
}

function refused(status: number, detail: string): Response {
  return Response.json({ detail }, { status })
}

function failed(status: number, payload: Payload): Response {
  const { message = '' } = (payload['error'] ?? {}) as { message?: string }
  return Response.json({ detail: message, error: payload['error'] }, { status })
}

function statusOf(payload: Payload): number {
  const { code = '' } = (payload['error'] ?? {}) as { code?: string }
  return STATUS[code] ?? 502
}

/** A number that is none is left to the tool, which says so. */
function queryOf(
  { req }: Context<Env>,
  texts: readonly string[],
  numbers: readonly string[],
): Payload {
  const given = [...texts, ...numbers].flatMap((name) => {
    const value = req.query(name)
    if (value === undefined) return []
    const number = Number(value)
    return [[name, numbers.includes(name) && Number.isFinite(number) ? number : value] as const]
  })
  return Object.fromEntries(given)
}

/** More files than any repository has. */
const MOST_PAGES = 10_000

function listIn({ artifacts }: Payload): readonly unknown[] {
  return Array.isArray(artifacts) ? artifacts : []
}

interface Related {
  readonly target: { readonly id: string }
  readonly path: readonly Payload[]
}

/** The same subsystem as nodes and edges, each once. */
function asGraph(payload: Payload): Payload {
  const { subsystem, related, artifacts } = payload as {
    subsystem: { id: string }
    related: { nodes: readonly Related[] }
    artifacts: unknown
  }
  const edges = new Map(
    related.nodes.flatMap(({ path }) => path).map((edge) => [JSON.stringify(edge), edge]),
  )
  const nodes = [subsystem, ...related.nodes.map(({ target }) => target)]
  return { subsystem, nodes, edges: [...edges.values()], artifacts }
}

function orphansOf(payload: Payload, query: Readonly<Record<string, string>>): Payload {
  const isolated = (payload['isolated'] ?? {}) as Readonly<Record<string, readonly unknown[]>>
  const { label, cursor = '0', limit = '50' } = query
  const labels = label === undefined ? Object.keys(isolated) : [label]
  const all = labels.flatMap((each) => (Object.hasOwn(isolated, each) ? isolated[each]! : []))
  const from = /^\d{1,9}$/.test(cursor) ? Number(cursor) : 0
  const count = Math.min(200, Math.max(1, Math.trunc(Number(limit)) || 50))
  const next = from + count
  return {
    nodes: all.slice(from, next),
    cursor: next < all.length ? String(next) : null,
    total: all.length,
  }
}
