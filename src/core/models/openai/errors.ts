/** Every way an embedding server can fail us, in our words. */
import { KnowledgeError, invalid, quoted, upstream } from '../../domain/error.ts'
import type { ServerFailures } from '../http/call-server.ts'

export const embeddingFailures: ServerFailures = { refused, unavailable, malformed }

function refused(host: string, status: number): KnowledgeError {
  const hint =
    status === 401 || status === 403
      ? 'Check the API key in the environment and what it may be used for.'
      : status === 404
        ? 'Check the URL (it usually ends in /v1) and that the server has the model.'
        : 'Check the model name and its options; the server’s own log says more.'
  return upstream(`The embedding server ${host} refused with ${status}.`, hint)
}

function unavailable(host: string, reason: string): KnowledgeError {
  return new KnowledgeError(
    'unavailable',
    `The embedding server ${host} ${reason}.`,
    'Search goes on with words alone. Check that the server runs and can be reached.',
  )
}

function malformed(host: string): KnowledgeError {
  return upstream(
    `The embedding server ${host} answered with something that is not a list of vectors.`,
    'Check that the URL belongs to an OpenAI-compatible API; it usually ends in /v1.',
  )
}

export function wrongDimensions(model: string, found: number, expected: number): KnowledgeError {
  return upstream(
    `The model ${quoted(model)} gives vectors of ${found} dimensions, not ${expected}.`,
    `Set the embedder's dimensions to ${found}, or choose another model.`,
  )
}

/** The URL itself is not repeated: it may hold a password. */
export function unusableUrl(): KnowledgeError {
  return invalid(
    'The URL of the embedding server cannot be used.',
    'Give an http or https URL without user name and password, such as http://localhost:11434/v1.',
  )
}
