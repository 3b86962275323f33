/** Every way a language model can fail us, in our words. */
import { KnowledgeError, invalid, upstream } from '../../domain/error.ts'
import type { ServerFailures } from '../http/call-server.ts'

export const answeringFailures: ServerFailures = {
  refused(host, status) {
    const hint =
      status === 401 || status === 403
        ? 'Check the API key in the environment and what it may be used for.'
        : status === 404
          ? 'Check answerer.baseUrl and that the server has the model.'
          : 'Check answerer.model; the server log says more.'
    return upstream(`The model server ${host} refused with ${status}.`, hint)
  },
  unavailable(host, reason) {
    return new KnowledgeError(
      'unavailable',
      `The model server ${host} ${reason}.`,
      'Check that the server runs and can be reached, or try again in a moment.',
    )
  },
  malformed(host) {
    return upstream(
      `The model server ${host} answered with something that is no text, or far too much of it.`,
      'Check answerer.provider and answerer.baseUrl: they must speak of the same kind of server.',
    )
  },
}

/** The URL itself is not repeated: it may hold a password. */
export function unusableUrl(): KnowledgeError {
  return invalid(
    'The URL of the model server cannot be used.',
    'Give an http or https URL without user name and password, such as http://localhost:11434/v1.',
  )
}
