/**
 * The same tools, carried out by a gateway elsewhere (`KM_GATEWAY_URL`). This process holds the
 * tokens and shows the gateway the one that a tool needs; nobody else gets to see them.
 */
import { KnowledgeError, forbidden, quoted } from '../../core/domain/error.ts'
import { readHostFile } from '../../keep/operations/read-host-file.ts'
import { serveRows } from '../../serve/door/serve-rows.ts'
import type { DoorOptions } from '../../serve/door/serve-rows.ts'
import type { CallContext, Surface } from '../../serve/door/surface.ts'
import { expandHome } from './content-place.ts'
import { presentError, SurfaceError } from './errors.ts'
import { pageCoverage } from './page-coverage.ts'
import { readInput } from './read-input.ts'
import type { DuskmantleRow, Payload } from './row.ts'
import type { UploadSettings } from './settings.ts'
import { duskmantleTools } from './tools.ts'

export interface RemoteGateway {
  readonly url: string
  /** What is shown for tools of a reader, and of a maintainer; undefined where there is none. */
  readonly tokenFor: (scope: 'reader' | 'maintainer') => string | undefined
  readonly timeoutMs: number
  /** Whether a tool may be called without a token. */
  readonly open: boolean
}

export interface RemoteSurfaceOptions extends DoorOptions {
  readonly gateway: RemoteGateway
  readonly uploads: UploadSettings
  readonly version: string
}

const INSTRUCTIONS =
  'A repository as a graph of docs, code, tests and subsystems, behind a gateway. km-help explains every tool.'

export function openRemoteSurface(options: RemoteSurfaceOptions): Surface {
  const { gateway } = options
  const help = duskmantleTools.find(({ name }) => name === 'km-help')!
  const rows = duskmantleTools.map((row): DuskmantleRow => {
    // What the tools are is known here.
    if (row === help) return row
    return {
      ...row,
      run: async (_, input, call) => askGateway(options, row, input, call),
      // A gateway gives all that it has; models are given it in the same pieces as here.
      present: (payload: Payload, page) =>
        row.name === 'km-coverage-summary' && !('artifacts_omitted' in payload)
          ? pageCoverage(payload, page)
          : payload,
    }
  })
  const door = serveRows(
    {
      surface: 'duskmantle',
      rows,
      subject: () => NOTHING,
      read: readInput,
      show: (shown) => ({ structured: { status: 'ok', ...shown } }),
      fail: presentError,
    },
    options,
  )
  return {
    name: 'duskmantle',
    serverInfo: { name: 'duskmantle-km', version: options.version },
    instructions: `${INSTRUCTIONS} (${new URL(gateway.url).host})`,
    ...door,
    subscribe: () => () => {},
  }
}

/** No row that is carried out elsewhere looks at it, and help needs nothing. */
const NOTHING = {} as never

async function askGateway(
  { gateway, uploads }: RemoteSurfaceOptions,
  row: DuskmantleRow,
  input: Readonly<Record<string, unknown>>,
  call: CallContext,
): Promise<Payload> {
  const token = gateway.tokenFor(row.scope)
  if (token === undefined && !gateway.open) throw noToken(row, gateway)
  const { method, path, body } = requestFor(row.name, input, uploads)
  const waits = WAITS_LONG.includes(row.name)
  const signal = AbortSignal.any([
    call.signal,
    AbortSignal.timeout(waits ? Math.max(gateway.timeoutMs, LONG_MS) : gateway.timeoutMs),
  ])
  let response: Response
  let text: string
  try {
    response = await fetch(new URL(`api/v1/${path}`, withSlash(gateway.url)), {
      method,
      signal,
      redirect: 'error',
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(call.requestId !== undefined && { 'x-request-id': call.requestId }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    text = await readBounded(response)
  } catch (error) {
    if (error instanceof KnowledgeError) throw error
    call.signal.throwIfAborted()
    throw unreachable(gateway.url, signal.aborted)
  }
  return read(response.status, text)
}

/** Ingestions, backups and recipes take as long as they take. */
const WAITS_LONG = [
  'km-ingest-trigger',
  'km-backup-trigger',
  'km-recipe-run',
  'km-upload',
  'km-storetext',
]
const LONG_MS = 2 * 3_600_000
const MOST_BYTES = 32 * 1024 * 1024

async function readBounded(response: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body ?? []) {
    size += part.length
    if (size > MOST_BYTES) throw upstream('The gateway answers with more than can be read.')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

interface Request {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: unknown
}

/** The routes of the original where it has one, so that its gateways are understood too. */
function requestFor(
  tool: string,
  input: Readonly<Record<string, unknown>>,
  uploads: UploadSettings,
): Request {
  const query = (...names: string[]): string => {
    const pairs = names.flatMap((name) =>
      input[name] === undefined ? [] : [[name, String(input[name])] as [string, string]],
    )
    return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`
  }
  const part = (name: string): string => encodeURIComponent(String(input[name]))
  switch (tool) {
    case 'km-search':
      return { method: 'POST', path: 'search', body: input }
    case 'km-graph-node':
      return {
        method: 'GET',
        path: `graph/nodes/${part('node_id')}${query('relationships', 'limit')}`,
      }
    case 'km-graph-subsystem': {
      const path = `graph/subsystems/${part('name')}`
      return { method: 'GET', path: path + query('depth', 'limit', 'cursor', 'include_artifacts') }
    }
    case 'km-graph-search': {
      const pairs = { q: String(input['term']), limit: String(input['limit']) }
      return { method: 'GET', path: `graph/search?${new URLSearchParams(pairs).toString()}` }
    }
    case 'km-coverage-summary':
      return { method: 'GET', path: 'coverage' }
    case 'km-lifecycle-report':
      return { method: 'GET', path: 'lifecycle' }
    case 'km-upload': {
      // The file is on this machine; its bytes travel.
      const file = expandHome(String(input['source_path']).trim())
      const content_base64 =
        input['content_base64'] ?? readHostFile(file, uploads).toString('base64')
      return { method: 'POST', path: `tools/${tool}`, body: { ...input, content_base64 } }
    }
    default:
      return { method: 'POST', path: `tools/${tool}`, body: input }
  }
}

const BY_STATUS: Readonly<Record<number, ConstructorParameters<typeof KnowledgeError>[0]>> = {
  400: 'invalid',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  422: 'invalid',
  501: 'unsupported',
}

function read(status: number, text: string): Payload {
  const value = objectIn(text)
  if (status >= 200 && status < 300 && value) return value
  if (status >= 200 && status < 300)
    throw upstream('The gateway answers with something else than JSON.')
  const error = (value?.['error'] ?? {}) as Readonly<Record<string, unknown>>
  const said = error['message'] ?? value?.['detail']
  const message =
    typeof said === 'string' && said !== ''
      ? quoted(said).slice(1, -1)
      : `The gateway answers with ${status}.`
  const failure = new KnowledgeError(BY_STATUS[status] ?? 'upstream', message, '')
  const { code, message: _, ...details } = error
  // A gateway of ours says more than its status does.
  return refuse(
    typeof code === 'string' && OWN_CODES.includes(code)
      ? new SurfaceError(failure, code, details)
      : failure,
  )
}

const OWN_CODES = [
  'invalid_identifier',
  'recipe_not_found',
  'tool_failed',
  'assert_failed',
  'timeout',
]

function refuse(error: KnowledgeError): never {
  throw error
}

function objectIn(text: string): Payload | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Payload) : undefined
  } catch {
    return undefined
  }
}

function withSlash(url: string): string {
  return url.endsWith('/') ? url : `${url}/`
}

function unreachable(url: string, late: boolean): KnowledgeError {
  return new KnowledgeError(
    'upstream',
    late
      ? `The gateway at ${new URL(url).origin} does not answer in time.`
      : `Nobody answers at ${new URL(url).origin}, where KM_GATEWAY_URL says the gateway is.`,
    'Start that gateway or correct KM_GATEWAY_URL; without it, "cairn duskmantle REPO" does the work itself.',
  )
}

function upstream(message: string): KnowledgeError {
  return new KnowledgeError('upstream', message, 'Look at KM_GATEWAY_URL and at the gateway.')
}

function noToken({ scope }: DuskmantleRow, { tokenFor }: RemoteGateway): KnowledgeError {
  if (scope === 'maintainer' && tokenFor('reader') !== undefined) {
    return forbidden('This tool needs the admin token.', 'Set KM_ADMIN_TOKEN.')
  }
  return new KnowledgeError(
    'unauthorized',
    'There is no token to call this tool with.',
    'Set KM_READER_TOKEN or KM_ADMIN_TOKEN where this server is started.',
  )
}
