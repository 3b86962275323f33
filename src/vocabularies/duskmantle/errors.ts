/** How this surface says that a call failed. */
import { KnowledgeError } from '../../core/domain/error.ts'
import type { ErrorCode } from '../../core/domain/error.ts'
import type { Reply } from '../../serve/door/surface.ts'

const CODES = {
  invalid: 'invalid_request',
  not_found: 'not_found',
  exists: 'invalid_request',
  conflict: 'invalid_request',
  unauthorized: 'unauthorized',
  forbidden: 'forbidden',
  unsupported: 'unsupported_operation',
  unavailable: 'upstream_error',
  upstream: 'upstream_error',
  internal: 'upstream_error',
} as const satisfies Record<ErrorCode, string>

/** A node id that is none: this surface has a code of its own for it. */
export class InvalidIdentifier extends KnowledgeError {
  constructor(message: string, hint: string) {
    super('invalid', message, hint)
  }
}

/** A failure with a code that one tool has alone, and more to say about it. */
export class SurfaceError extends KnowledgeError {
  readonly surfaceCode: string
  readonly details: Readonly<Record<string, unknown>>

  constructor(
    { code, message, hint }: KnowledgeError,
    surfaceCode: string,
    details: Readonly<Record<string, unknown>> = {},
  ) {
    super(code, message, hint)
    this.surfaceCode = surfaceCode
    this.details = details
  }
}

export function presentError(error: KnowledgeError): Reply {
  const own = error instanceof SurfaceError ? error : undefined
  const known = error instanceof InvalidIdentifier ? 'invalid_identifier' : CODES[error.code]
  const code = own?.surfaceCode ?? known
  const message = `${error.message} ${error.hint}`.trim()
  const structured = { status: 'error', error: { code, message, ...own?.details } }
  return { structured, isError: true, fitsSchema: true }
}
