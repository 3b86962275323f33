/** How this surface says that something failed: a status of HTTP and one sentence, nothing else. */
import { KnowledgeError } from '../../core/domain/error.ts'
import type { ErrorCode } from '../../core/domain/error.ts'
import { BeingBuilt } from '../../core/operations/view/await-index.ts'

/** A failure in this surface's own words. */
export class NexusError extends KnowledgeError {
  readonly status: keyof typeof CODES

  constructor(status: keyof typeof CODES, text: string) {
    super(CODES[status], text, '')
    this.status = status
  }
}

const CODES = {
  400: 'invalid',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  409: 'exists',
  415: 'invalid',
  503: 'unavailable',
} as const satisfies Record<number, ErrorCode>

/** What a client is told. */
export interface Failure {
  readonly status: number
  readonly error: string
}

const nexusStatus = {
  invalid: 400,
  not_found: 404,
  exists: 409,
  conflict: 409,
  unauthorized: 401,
  forbidden: 403,
  unsupported: 503,
  unavailable: 503,
  upstream: 500,
  internal: 500,
} as const satisfies Record<ErrorCode, number>

const GENERAL: Readonly<Record<number, string>> = {
  500: 'Internal server error',
  503: 'Service unavailable',
}

/** What went wrong on our side is told in general words: the details are for the log. */
export function failureOf(error: unknown, log: (error: unknown) => void): Failure {
  if (error instanceof NexusError) return { status: error.status, error: error.message }
  if (error instanceof BeingBuilt) return { status: 503, error: error.message }
  const status = error instanceof KnowledgeError ? nexusStatus[error.code] : 500
  const general = GENERAL[status]
  if (general === undefined) return { status, error: (error as KnowledgeError).message }
  log(error)
  return { status, error: general }
}

/** At most so much of what a caller sent is repeated back to it. */
const REPEATED = 300

function shown(text: string): string {
  return text.length > REPEATED ? `${text.slice(0, REPEATED)}…` : text
}

export function pageNotFound(slug: string): NexusError {
  return new NexusError(404, `Page '${shown(slug)}' not found`)
}

export function missingParameter(name: string): NexusError {
  return new NexusError(400, `Missing required parameter: ${name}`)
}

export function unknownTool(name: string): NexusError {
  return new NexusError(400, `Unknown tool: ${shown(name)} (tool not found)`)
}

export function missingTool(): NexusError {
  return new NexusError(400, "Missing 'tool' field: tool not found")
}

export function invalidBody(): NexusError {
  return new NexusError(400, 'Invalid JSON body')
}

export function aiNotAvailable(): NexusError {
  return new NexusError(503, 'AI search is not available')
}
