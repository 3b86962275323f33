/** Everything NEXUS serves over HTTP: tools at `/api/mcp`, and the notes around them. */
import { NexusError } from '../../surfaces/nexus/errors.ts'
import type { Nexus } from '../../surfaces/nexus/open-nexus.ts'
import { openExchanges } from '../http/exchanges.ts'
import { openMcpEndpoint } from '../http/mcp-endpoint.ts'
import type { Mount, OpenMount, Site } from '../http/mount.ts'
import { MAX_MESSAGE_BYTES } from '../mcp/parse-message.ts'
import { answerAuth } from './auth-route.ts'
import { answerTools } from './mcp-route.ts'
import { noteRoutes } from './note-routes.ts'
import { openPasswordGate } from './password-gate.ts'
import type { Need, PasswordOptions } from './password-gate.ts'
import { refusal } from './respond.ts'

export interface NexusMountOptions {
  /** Without it, everybody who reaches the server may do everything it offers. */
  readonly password?: PasswordOptions
  readonly onBug: (error: unknown) => void
}

const TOOLS_PATH = '/api/mcp'
const AUTH_PATH = '/api/auth'
const IMPORT_PATH = '/api/import'
const IMPORT_BYTES = 32 * 1024 * 1024

const ALLOWED: Readonly<Record<string, string>> = {
  [TOOLS_PATH]: 'GET, POST, OPTIONS',
  [AUTH_PATH]: 'GET, POST, DELETE, OPTIONS',
}

export function nexusMount(nexus: Nexus, options: NexusMountOptions): OpenMount {
  return (site) => openMount(nexus, options, site)
}

function openMount(nexus: Nexus, { password, onBug }: NexusMountOptions, site: Site): Mount {
  const gate = password && openPasswordGate(password)
  const endpointOptions = {
    ...site.endpointOptions,
    extension: undefined,
    // The original knows no sessions, and neither may its clients.
    sessionless: true,
  }
  const endpoint = openMcpEndpoint(nexus.surface, endpointOptions)
  const exchanges = openExchanges()
  const { settings } = nexus

  const require = (request: Request, need: Need): void => {
    if (gate && !gate.allows(request.headers, need)) throw new NexusError(401, 'Unauthorized')
  }

  const answer = async (request: Request, principal: string | undefined): Promise<Response> => {
    const path = pathOf(request.url)
    if (isOff(path, settings)) throw new NexusError(404, 'Not found')
    if (request.method === 'OPTIONS') return new Response(null, { status: 204 })
    if (path === TOOLS_PATH) {
      require(request, 'read')
      const tools = { nexus, endpoint, exchanges }
      return (await answerTools(tools, request, principal)) ?? methodNotAllowed(path)
    }
    refuseForeignPage(request, site)
    if (path === AUTH_PATH) return (await answerAuth(gate, request)) ?? methodNotAllowed(path)
    const { pattern, rest } = routeOf(path)
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const route = noteRoutes[pattern]?.find((each) => each.method === method)
    if (!route) return methodNotAllowed(path)
    require(request, route.need)
    return exchanges.run(() => route.run(nexus, { request, rest, principal, onBug }))
  }

  return {
    path: TOOLS_PATH,
    owns: (path) => {
      const { pattern } = routeOf(trimmed(path))
      return pattern in ALLOWED || pattern in noteRoutes
    },
    maxBodyBytes: (path) => (trimmed(path) === IMPORT_PATH ? IMPORT_BYTES : MAX_MESSAGE_BYTES),
    problem: refusal,
    async fetch(request, principal) {
      const response = await answer(request, principal).catch((error: unknown) => {
        const { status, error: text } = nexus.failure(error)
        return refusal(status, text)
      })
      return withCors(await forMethod(request.method, response), request, site)
    },
    idle: async () => {
      await Promise.all([exchanges.idle(), endpoint.idle()])
    },
    close: () => endpoint.close(),
  }
}

/** `HEAD` asks for everything but the body. */
async function forMethod(method: string, response: Response): Promise<Response> {
  if (method !== 'HEAD' || !response.body) return response
  await response.body.cancel()
  return new Response(null, { status: response.status, headers: response.headers })
}

/** A route that is turned off is not there. */
function isOff(path: string, settings: Nexus['settings']): boolean {
  if (path === TOOLS_PATH) return !settings.tools
  if (path === '/api/search') return !settings.search
  return !settings.importExport && (path === IMPORT_PATH || path === '/api/export')
}

/** `/api/notes/my%20note` is `/api/notes/*` with `my note` behind it. */
function routeOf(path: string): { readonly pattern: string; readonly rest: string } {
  const [, below] = /^\/api\/notes\/(.+)$/.exec(path) ?? []
  if (below === undefined) return { pattern: path, rest: '' }
  return { pattern: '/api/notes/*', rest: decoded(below) }
}

/** What cannot be decoded is no slug either. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text).normalize('NFC')
  } catch {
    return text
  }
}

function pathOf(url: string): string {
  return trimmed(new URL(url).pathname)
}

function trimmed(path: string): string {
  return path.replace(/\/+$/, '')
}

function allowedMethods(path: string): string {
  const { pattern } = routeOf(path)
  const own = noteRoutes[pattern]
    ?.map(({ method }) => method)
    .concat('OPTIONS')
    .join(', ')
  return ALLOWED[pattern] ?? own ?? 'OPTIONS'
}

function methodNotAllowed(path: string): Response {
  return refusal(405, 'Method not allowed', { allow: allowedMethods(path) })
}

/**
 * Pages of other servers on this machine pass the guard, and a form can be sent without asking.
 * Notes are changed only by our own pages and those that were named.
 */
function refuseForeignPage({ method, headers, url }: Request, site: Site): void {
  const origin = headers.get('origin')
  if (origin === null || method === 'GET' || method === 'HEAD') return
  if (site.mayRead(origin) || URL.parse(origin)?.host === new URL(url).host) return
  throw new NexusError(403, 'Pages of this origin may not change notes')
}

/** Pages of other origins read answers only where they were named. */
function withCors(response: Response, { method, headers, url }: Request, site: Site): Response {
  const origin = headers.get('origin')
  response.headers.append('vary', 'Origin')
  if (origin !== null && site.mayRead(origin)) {
    response.headers.set('access-control-allow-origin', origin)
    response.headers.set('access-control-expose-headers', EXPOSED)
  }
  if (method !== 'OPTIONS') return response
  const asked = headers.get('access-control-request-headers')
  response.headers.set('access-control-allow-methods', allowedMethods(pathOf(url)))
  response.headers.set('access-control-allow-headers', asked ?? 'Content-Type')
  return response
}

const EXPOSED = 'mcp-session-id, mcp-protocol-version, www-authenticate'
