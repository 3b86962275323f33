/** Everything NEXUS serves over HTTP: tools at `/api/mcp`, and the notes around them. */
import { Hono } from 'hono'
import { orElse } from '../../../core/kit/or-else.ts'
import type { Caller } from '../../../core/domain/caller.ts'
import { withoutEndSlashes } from '../../../core/kit/paths.ts'
import { NexusError } from '../errors.ts'
import type { Nexus } from '../open-nexus.ts'
import type { Surface } from '../../../serve/door/surface.ts'
import { createExchanges } from '../../../serve/transports/http/exchanges.ts'
import { isForeignPage } from '../../../serve/transports/http/foreign-page.ts'
import { openMcpEndpoint } from '../../../serve/transports/http/mcp-endpoint.ts'
import { createLimit } from '../../../serve/transports/http/limit.ts'
import type { Mount, OpenMount, Sender, Site } from '../../../serve/transports/http/mount.ts'
import { MAX_MESSAGE_BYTES } from '../../../serve/transports/mcp/parse-message.ts'
import { answerAuth } from './auth-route.ts'
import { answerTools } from './mcp-route.ts'
import { HTTP_CLIENT, noteRoutes } from './note-routes.ts'
import { createPasswordGate } from './password-gate.ts'
import type { Need, PasswordOptions } from './password-gate.ts'
import { refusal } from './respond.ts'

export interface NexusMountOptions {
  /** The same for a caller who sees a part of the base; everybody sees all unless given. */
  readonly nexusFor?: (caller: Caller | undefined) => Nexus
  /** Its tools for whoever calls; those of `nexus` unless given. */
  readonly surface?: Surface
  /** Without it, everybody who reaches the server may do everything it offers. */
  readonly password?: PasswordOptions
  readonly onBug: (error: unknown) => void
}

const TOOLS_PATH = '/api/mcp'
const AUTH_PATH = '/api/auth'
const IMPORT_PATH = '/api/import'
const IMPORT_BYTES = 32 * 1024 * 1024
/** Answers that are as long as the whole base. */
const HEAVY_AT_ONCE = 4
const HEAVY_WAITING = 16

const ALLOWED: Readonly<Record<string, string>> = {
  [TOOLS_PATH]: 'GET, POST, OPTIONS',
  [AUTH_PATH]: 'GET, POST, DELETE, OPTIONS',
}

export function nexusMount(nexus: Nexus, options: NexusMountOptions): OpenMount {
  return (site) => openMount(nexus, options, site)
}

function openMount(nexus: Nexus, options: NexusMountOptions, site: Site): Mount {
  const { password, onBug, surface = nexus.surface } = options
  const gate = password && createPasswordGate(password)
  const endpointOptions = {
    ...site.endpointOptions,
    extension: undefined,
    // The original knows no sessions, and neither may its clients.
    sessionless: true,
  }
  const endpoint = openMcpEndpoint(surface, endpointOptions)
  const exchanges = createExchanges()
  const { settings } = nexus

  const heavy = createLimit({ atOnce: HEAVY_AT_ONCE, waiting: HEAVY_WAITING })

  const require = ({ headers }: Request, need: Need, { peer, caller }: Sender): void => {
    // Who has shown a token of the base is known; the password is for everybody else.
    if (caller) {
      if (!caller.may.includes(need)) throw new NexusError(403, 'Forbidden')
    } else if (gate && !gate.allows(headers, need, peer)) {
      throw new NexusError(401, 'Unauthorized')
    }
  }
  /** What this caller sees of it; without a part of its own, someone who sees less sees nothing. */
  const nexusOf = ({ caller }: Sender): Nexus => {
    if (options.nexusFor) return options.nexusFor(caller)
    if (caller?.sees || caller?.writes) throw new NexusError(403, 'Forbidden')
    return nexus
  }

  const answer = async (request: Request, sender: Sender): Promise<Response> => {
    const path = pathOf(request.url)
    if (isOff(path, settings)) throw new NexusError(404, 'Not found')
    if (path === TOOLS_PATH) {
      require(request, 'read', sender)
      const { limit } = site.endpointOptions
      const tools = { nexus: nexusOf(sender), endpoint, exchanges, limit, onBug }
      return (await answerTools(tools, request, sender)) ?? methodNotAllowed(path)
    }
    if (isForeignPage(request, site)) {
      throw new NexusError(403, 'Pages of this origin may not change notes')
    }
    if (path === AUTH_PATH)
      return (await answerAuth(gate, request, sender.peer)) ?? methodNotAllowed(path)
    const { pattern, rest } = routeOf(path)
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const route = noteRoutes[pattern]?.find((each) => each.method === method)
    if (!route) return methodNotAllowed(path)
    require(request, route.need, sender)
    const { caller } = sender
    const principal = caller?.principal
    const showSecrets = seesFiles(caller)
    const { notesFor, ...own } = nexusOf(sender)
    const notes = notesFor({ showSecrets })
    const what = { name: `${route.method} ${pattern}`, access: route.need }
    const about = { client: HTTP_CLIENT, progress: () => {}, caller, showSecrets }
    const call = { signal: request.signal, ...about }
    const run = () =>
      own.pass(what, call, (safely) =>
        route.run(notes, { request, rest, principal, safely, onBug }),
      )
    if (!route.heavy) return exchanges.run(run)
    return (await heavy.run(() => exchanges.run(run))) ?? tooMany()
  }

  return {
    path: TOOLS_PATH,
    owns: (path) => {
      const { pattern } = routeOf(withoutEndSlashes(path))
      return pattern in ALLOWED || pattern in noteRoutes
    },
    // Calls over MCP are counted where they are carried out.
    countsAs: (path) => (withoutEndSlashes(path) === TOOLS_PATH ? 'nothing' : 'work'),
    maxBodyBytes: (path) =>
      withoutEndSlashes(path) === IMPORT_PATH ? IMPORT_BYTES : MAX_MESSAGE_BYTES,
    problem: refusal,
    methods: (path) => {
      const plain = withoutEndSlashes(path)
      return isOff(plain, settings) ? undefined : allowedMethods(plain)
    },
    routes: new Hono<{ Bindings: Sender }>().all('*', async ({ req, env }) => {
      const response = await answer(req.raw, env).catch((error: unknown) => {
        const { status, error: text } = nexus.failure(error)
        return refusal(status, text)
      })
      return forMethod(req.method, response)
    }),
    idle: async () => {
      await Promise.all([exchanges.idle(), endpoint.idle()])
    },
    close: () => endpoint.close(),
  }
}

/** Who looks after the server, or has to show no token, sees files as they are: an export is a backup. */
function seesFiles(caller: Caller | undefined): boolean {
  return !caller || caller.may.includes('maintain')
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
  return orElse(() => decodeURIComponent(text).normalize('NFC'), text)
}

function pathOf(url: string): string {
  return withoutEndSlashes(new URL(url).pathname)
}

function allowedMethods(path: string): string {
  const { pattern } = routeOf(path)
  const own = noteRoutes[pattern]
    ?.map(({ method }) => method)
    .concat('OPTIONS')
    .join(', ')
  return ALLOWED[pattern] ?? own ?? 'OPTIONS'
}

function tooMany(): Response {
  return refusal(503, 'Too many requests of this kind', { 'retry-after': '5' })
}

function methodNotAllowed(path: string): Response {
  return refusal(405, 'Method not allowed', { allow: allowedMethods(path) })
}
