/** How the native surface says that a call failed. */
import type { KnowledgeError } from '../../core/domain/error.ts'
import type { ToolResult } from '../door/surface.ts'

export function presentError({ code, message, hint }: KnowledgeError): ToolResult {
  const structured = { error: { code, message, hint } }
  return { texts: [JSON.stringify(structured)], structured, isError: true }
}
