/**
 * The page for people, and the door it talks through: its files, deep links that all lead to it,
 * reads that only a page wants, and every tool of the native surface by name.
 */
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { Hono } from 'hono'
import { orElse } from '../../core/kit/or-else.ts'
import type { Caller } from '../../core/domain/caller.ts'
import { KnowledgeError, notFound, quoted, type ErrorCode } from '../../core/domain/error.ts'
import { jsonInSlices } from '../../core/kit/json-parts.ts'
import type { Explorer } from '../surface/open-explorer.ts'
import { isLong } from '../../serve/door/safe-result.ts'
import type { CallContext } from '../../serve/door/surface.ts'
import { createExchanges } from '../../serve/transports/http/exchanges.ts'
import type { Mount, OpenMount, Sender } from '../../serve/transports/http/mount.ts'
import { parseJson } from '../../serve/transports/mcp/parse-message.ts'
import { bodyOf, respondWith, type Assets } from './assets.ts'
import { loadDiagramFrame, type DiagramFrame } from './diagrams.ts'
import { openEventHub, type EventHub } from './events.ts'
import { ICON, isPagePath } from './paths.ts'
import {
  FILE_POLICY,
  isOwnFrame,
  pageRefusalOf,
  PICTURE_POLICY,
  POLICY,
  refusalOf,
} from './policy.ts'

export interface WebMountOptions {
  readonly assets: Assets
  readonly version: string
  readonly onBug: (error: unknown) => void
}

const LARGEST_BODY = 1024 * 1024
/** Where files are sent to that are put beside a note. */
const ATTACH = '/web/attach'
/** A note that somebody has edited may come whole, and a picture. */
const LARGEST_NOTE = 16 * 1024 * 1024
/** Shorter answers are sent as they are. */
const WORTH_COMPRESSING = 2_048
const LONG = 64 * 1024

export function webMount(explorer: Explorer, options: WebMountOptions): OpenMount {
  return () => openMount(explorer, options)
}

function openMount(explorer: Explorer, { assets, version, onBug }: WebMountOptions): Mount {
  const exchanges = createExchanges()
  const closed = new AbortController()
  const hubs = openHubs(explorer)

  const answer = async (request: Request, sender: Sender): Promise<Response> => {
    const { caller } = sender
    const { pathname } = new URL(request.url)
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (pathname === ICON && isRead && assets.icon) {
      return respondWith(assets.icon, request.headers.get('accept-encoding'), {
        ...POLICY,
        'cache-control': 'public, max-age=86400',
      })
    }
    if (!pathname.startsWith('/web/')) {
      return isRead ? pageOf(request) : problem(405, 'Use GET.')
    }
    const [, , route = '', ...rest] = pathname.split('/')
    if (route === 'assets' && isRead) return assetOf(rest.join('/'), request)
    if (route === 'diagrams' && isRead) return diagrams(request)
    const why = refusalOf(request, pathname === ATTACH ? 'bytes' : 'json')
    if (why !== undefined) return problem(403, why)
    if (pathname === ATTACH && request.method === 'POST') return attach(request, caller)
    if (route === 'call' && request.method === 'POST') {
      return call(rest.join('/'), request, caller)
    }
    if (route === 'file' && isRead) return file(rest, request, caller)
    if (route === 'graph' && isRead) return map(request, caller)
    if (route === 'events' && request.method === 'GET') return events(request, sender)
    if (route === 'read' && request.method === 'POST') return read(rest.join('/'), request, caller)
    return problem(404, 'There is nothing here.')
  }

  const pageOf = (request: Request): Response => {
    const why = pageRefusalOf(request)
    if (why !== undefined) return problem(403, why)
    return respondWith(assets.page, request.headers.get('accept-encoding'), {
      ...POLICY,
      'cache-control': 'no-cache',
    })
  }

  const contextOf = (request: Request, caller: Caller | undefined): CallContext => ({
    signal: AbortSignal.any([request.signal, closed.signal]),
    client: `cairn-web/${version}`,
    ...(caller && { principal: caller.principal, caller }),
    // What looks like a secret is shown to whoever looks after the server, or where nobody signs in.
    showSecrets: !caller || caller.may.includes('maintain'),
    progress: () => {},
  })

  const assetOf = (name: string, request: Request): Response => {
    const asset = assets.find(name)
    // An old page asks for files of an old build.
    if (!asset) return problem(404, 'There is no such file. Reload the page.')
    return respondWith(asset, request.headers.get('accept-encoding'), {
      ...POLICY,
      'cache-control': 'public, max-age=31536000, immutable',
    })
  }

  let drawing: Promise<DiagramFrame | undefined> | undefined
  const diagrams = async (request: Request): Promise<Response> => {
    if (!isOwnFrame(request))
      return problem(403, 'This frame is for the pages of this server alone.')
    const script = assets.find('frame.js')
    const frame = script && (await (drawing ??= loadDiagramFrame(script)))
    if (!frame) return problem(404, 'There is nothing that draws diagrams here.')
    const headers = {
      ...POLICY,
      'content-security-policy': frame.policy,
      'cache-control': 'private, no-cache',
      etag: frame.etag,
    }
    if (request.headers.get('if-none-match') === frame.etag) {
      return new Response(null, { status: 304, headers })
    }
    return respondWith(frame.asset, request.headers.get('accept-encoding'), headers)
  }

  const file = async (
    parts: readonly string[],
    request: Request,
    caller: Caller | undefined,
  ): Promise<Response> => {
    const [source = '', ...path] = parts.map(decoded)
    const from = new URL(request.url).searchParams.get('from') ?? ''
    const context = contextOf(request, caller)
    const media = await explorer.media(source, path.join('/'), from, context)
    if (media) {
      const { sendMedia } = await import('./send-media.ts')
      return sendMedia(media, request, { ...PICTURE_POLICY, 'cache-control': 'private, no-cache' })
    }
    const found = await explorer.file(source, path.join('/'), from, context)
    const headers = { 'content-type': found.type, etag: `"${found.digest.slice(0, 32)}"` }
    const isFile = 'disposition' in found
    return new Response(bodyOf(found.bytes), {
      headers: isFile
        ? {
            ...FILE_POLICY,
            ...headers,
            'content-disposition': found.disposition,
            'cache-control': 'private, no-cache',
          }
        : { ...PICTURE_POLICY, ...headers, 'cache-control': 'private, max-age=60' },
    })
  }

  const map = async (request: Request, caller: Caller | undefined): Promise<Response> => {
    const { version, bytes } = await explorer.map(contextOf(request, caller))
    const headers = { ...POLICY, etag: `"${version}"`, 'cache-control': 'no-cache' }
    if (request.headers.get('if-none-match') === headers.etag) {
      return new Response(null, { status: 304, headers })
    }
    const all = { ...headers, 'content-type': 'application/octet-stream', 'x-cairn-map': version }
    if (bytes.length < worthCompressing(request) || !accepts(request))
      return new Response(bodyOf(bytes), { headers: all })
    const packed = await compress(bytes, { level: 1 })
    return new Response(bodyOf(packed), { headers: { ...all, 'content-encoding': 'gzip' } })
  }

  const events = (request: Request, { caller }: Sender): Response => {
    if (caller && !caller.may.includes('read')) return problem(403, 'Forbidden')
    const stream = hubs.of(caller).open(request.headers.get('last-event-id'))
    return new Response(stream, {
      headers: { ...POLICY, 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
    })
  }

  const call = async (
    name: string,
    request: Request,
    caller: Caller | undefined,
  ): Promise<Response> => {
    const context = contextOf(request, caller)
    const result = await explorer.surface.call(decoded(name), await bodyIn(request), context)
    const { structured = {}, isError = false } = result
    if (!isError) return json({ structured }, request)
    const { error } = structured as { error?: { code?: ErrorCode } }
    return json({ error }, request, STATUS[error?.code ?? 'internal'])
  }

  const attach = async (request: Request, caller: Caller | undefined): Promise<Response> => {
    const { searchParams } = new URL(request.url)
    const [to, name] = ['to', 'name'].map((key) => searchParams.get(key) ?? '')
    const args = { to, name, link: searchParams.get('link') === '1' }
    const bytes = new Uint8Array(await request.arrayBuffer())
    return json(await explorer.attach(args, bytes, contextOf(request, caller)), request)
  }

  const read = async (
    name: string,
    request: Request,
    caller: Caller | undefined,
  ): Promise<Response> => {
    const found = await explorer.read(name, await bodyIn(request), contextOf(request, caller))
    if (found !== undefined) return json(found, request)
    throw notFound(
      `The server does not know how to read ${quoted(name)}.`,
      'Reload the page; it may be newer than the server.',
    )
  }

  return {
    path: '/',
    owns: isPagePath,
    countsAs: (path) =>
      path === '/web/events' ? 'stream' : /^\/web\/(?!assets\/)/.test(path) ? 'work' : 'nothing',
    maxBodyBytes: (path) =>
      path === '/web/call/write' || path === ATTACH ? LARGEST_NOTE : LARGEST_BODY,
    // The page says itself that there is nothing at this address, and has the way to what there is.
    nothingHere(request) {
      const { body, headers, status } = pageOf(request)
      const response = new Response(body, { status: status === 200 ? 404 : status, headers })
      response.headers.set('x-cairn-build', assets.build)
      return response
    },
    problem,
    methods: (path) => (/^\/web\/(?:call\/|read\/|attach$)/.test(path) ? 'POST' : 'GET, HEAD'),
    routes: new Hono<{ Bindings: Sender }>().all('*', async ({ req: { raw }, env }) => {
      // A stream of events never ends by itself, and nobody waits for it.
      const isStream = new URL(raw.url).pathname === '/web/events'
      const work = (): Promise<Response> => answer(raw, env)
      const response = await (isStream ? work() : exchanges.run(work)).catch((error: unknown) =>
        failure(error, onBug),
      )
      response.headers.set('x-cairn-build', assets.build)
      if (raw.method !== 'HEAD' || !response.body) return response
      await response.body.cancel()
      return new Response(null, { status: response.status, headers: response.headers })
    }),
    idle: () => exchanges.idle(),
    async close() {
      closed.abort()
      hubs.close()
    },
  }
}

/** So many kinds of sight are followed at once; the one that was not used for longest goes. */
const MOST_HUBS = 200

/** Who sees only a part of the base is not shown what happens in the rest. */
function openHubs(explorer: Explorer) {
  const whole = openEventHub(explorer.events())
  const narrow = new Map<unknown, EventHub>()
  return {
    of(caller: Caller | undefined): EventHub {
      const { sees } = caller ?? {}
      if (!sees) return whole
      const hub = narrow.get(sees) ?? openEventHub(explorer.events(caller))
      narrow.delete(sees)
      narrow.set(sees, hub)
      if (narrow.size > MOST_HUBS) {
        const [key, oldest] = narrow.entries().next().value!
        narrow.delete(key)
        oldest.close()
      }
      return hub
    },
    close(): void {
      for (const hub of [whole, ...narrow.values()]) hub.close()
    },
  }
}

const STATUS = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  unsupported: 405,
  exists: 409,
  conflict: 409,
  upstream: 502,
  unavailable: 503,
  internal: 500,
} as const satisfies Record<ErrorCode, number>

function failure(error: unknown, onBug: (error: unknown) => void): Response {
  if (error instanceof KnowledgeError) {
    const { code, message, hint, candidates } = error
    const said = { code, message, hint, ...(candidates.length > 0 && { candidates }) }
    return withPolicy(Response.json({ error: said }, { status: STATUS[code] }))
  }
  onBug(error)
  return problem(500, 'Something went wrong inside the server.')
}

const CODES: Readonly<Record<number, ErrorCode>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  503: 'unavailable',
}

function problem(status: number, message: string): Response {
  const code = CODES[status] ?? 'invalid'
  const error = { code, message, hint: 'Open the page from the address of the server.' }
  return withPolicy(Response.json({ error }, { status }))
}

function withPolicy(response: Response): Response {
  for (const [name, value] of Object.entries(POLICY)) response.headers.set(name, value)
  response.headers.set('cache-control', 'no-store')
  return response
}

const compress = promisify(gzip)

/** Compressed quickly: over a network it is worth it, on one machine it costs little. */
async function json(value: unknown, request: Request, status = 200): Promise<Response> {
  const text = Buffer.from(isLong(value) ? await jsonInSlices(value) : JSON.stringify(value))
  const headers = { 'content-type': 'application/json; charset=utf-8' }
  if (text.length < worthCompressing(request) || !accepts(request)) {
    return withPolicy(new Response(bodyOf(text), { status, headers }))
  }
  const packed = await compress(text, { level: 1 })
  return withPolicy(
    new Response(bodyOf(packed), { status, headers: { ...headers, 'content-encoding': 'gzip' } }),
  )
}

function accepts({ headers }: Request): boolean {
  return /\bgzip\b/.test(headers.get('accept-encoding') ?? '')
}

/**
 * What a browser on this machine asks for at every key is sent as it is. Long answers are compressed
 * even there: behind a tunnel or a proxy, what seems to be this machine may be far away.
 */
function worthCompressing({ url }: Request): number {
  const isLocal = /^(?:localhost|127\.|\[::1\])/.test(new URL(url).hostname)
  return isLocal ? LONG : WORTH_COMPRESSING
}

async function bodyIn(request: Request): Promise<unknown> {
  const parsed = parseJson(await request.text())
  if (parsed.kind !== 'problem') return parsed.value
  throw new KnowledgeError('invalid', 'The request is no JSON.', 'Reload the page and try again.')
}

function decoded(text: string): string {
  return orElse(() => decodeURIComponent(text), text)
}
