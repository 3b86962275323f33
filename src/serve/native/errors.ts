/** How the native surface says that a call failed. */
import type { KnowledgeError } from '../../core/domain/error.ts'
import type { Reply } from '../door/surface.ts'

export function presentError({ code, message, hint }: KnowledgeError): Reply {
  return { structured: { error: { code, message, hint } }, isError: true }
}
