import { type KnowledgeError, conflict } from '../domain/error.ts'

/** A reader may hold on to a segment that a merge has removed; it then refreshes and tries again. */
export function missingStream(segment: number, name: string): KnowledgeError {
  return conflict(
    `Segment ${segment} of the index has no stream "${name}" any more.`,
    'The index was merged meanwhile. Try again.',
  )
}

/** Whoever fills a segment with documents needs it as it was put there. */
export function noSuchSegment(segment: number): KnowledgeError {
  return conflict(
    `Segment ${segment} of the index is not there any more.`,
    'Another server has merged it meanwhile. Stop the servers of that base and begin again.',
  )
}
