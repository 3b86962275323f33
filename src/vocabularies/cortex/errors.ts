/** How this surface says that a call failed: in the sentences its users know. */
import { ENTITY_CATEGORIES, ENTITY_ID_LIMIT } from '../../core/domain/entity.ts'
import { GraphError } from '../../core/domain/entity-graph.ts'
import type { GraphRefusal } from '../../core/domain/entity-graph.ts'
import { quoted } from '../../core/domain/error.ts'
import type { ErrorCode, KnowledgeError } from '../../core/domain/error.ts'
import type { ToolResult } from '../../serve/door/surface.ts'

type Sentence = (said: (argument: string) => string, error: KnowledgeError) => string

const REFUSED = {
  id: (said) =>
    `Security Violation: ID '${said('id')}' is not allowed. Only lower-case alphanumerics and hyphens are allowed, ${ENTITY_ID_LIMIT} at most.`,
  category: (said) =>
    `Security Violation: Category '${said('category')}' is not allowed. Allowed categories: ${ENTITY_CATEGORIES.join(', ')}.`,
  field: (_, error) => `Invalid params: ${error.message}`,
  entity_exists: (said) =>
    `Integrity Violation: Entity '${said('id')}' already exists. Modification is forbidden.`,
  source_missing: (said) => `Integrity Violation: Source entity '${said('src')}' does not exist.`,
  destination_missing: (said) =>
    `Integrity Violation: Destination entity '${said('dst')}' does not exist.`,
} as const satisfies Record<GraphRefusal, Sentence>

const FAILED = {
  invalid: 'Invalid params',
  not_found: 'Not found',
  exists: 'Integrity Violation',
  conflict: 'Conflict',
  unauthorized: 'Security Violation',
  forbidden: 'Security Violation',
  unsupported: 'Not supported',
  unavailable: 'Not available',
  upstream: 'Not available',
  internal: 'Internal error',
} as const satisfies Record<ErrorCode, string>

/** `args` are what the caller sent; at most a little of it is repeated. */
export function presentError(error: KnowledgeError, args: unknown): ToolResult {
  const said = (argument: string): string => {
    const value = (args as Readonly<Record<string, unknown>> | undefined)?.[argument]
    return quoted(typeof value === 'string' ? value : '').slice(1, -1)
  }
  const text =
    error instanceof GraphError
      ? REFUSED[error.refusal](said, error)
      : `${FAILED[error.code]}: ${error.message} ${error.hint}`.trim()
  return { texts: [text], isError: true }
}
