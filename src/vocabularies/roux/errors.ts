/** How this surface says that a call failed: one of five codes and a sentence. */
import type { ErrorCode, KnowledgeError } from '../../core/domain/error.ts'
import type { ToolResult } from '../../serve/door/surface.ts'

export type RouxCode =
  'INVALID_PARAMS' | 'NODE_EXISTS' | 'NODE_NOT_FOUND' | 'LINK_INTEGRITY' | 'PROVIDER_ERROR'

export const rouxCode = {
  invalid: 'INVALID_PARAMS',
  not_found: 'NODE_NOT_FOUND',
  exists: 'NODE_EXISTS',
  conflict: 'LINK_INTEGRITY',
  unauthorized: 'PROVIDER_ERROR',
  // A path that leads out of the folder, above all.
  forbidden: 'INVALID_PARAMS',
  unsupported: 'PROVIDER_ERROR',
  unavailable: 'PROVIDER_ERROR',
  upstream: 'PROVIDER_ERROR',
  internal: 'PROVIDER_ERROR',
} as const satisfies Record<ErrorCode, RouxCode>

/** Text only: clients hold a structured result to the tool's schema, which an error does not fit. */
export function presentError({
  code,
  message,
}: Pick<KnowledgeError, 'code' | 'message'>): ToolResult {
  const error = { code: rouxCode[code], message }
  return { texts: [JSON.stringify({ error }, undefined, 2)], isError: true }
}
