import { KnowledgeError } from '../domain/error.ts'

/** A reader may hold on to a segment that a merge has removed; it then refreshes and tries again. */
export function missingStream(segment: number, name: string): KnowledgeError {
  return new KnowledgeError(
    'conflict',
    `Segment ${segment} of the index has no stream "${name}" any more.`,
    'The index was merged meanwhile. Try again.',
  )
}
