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

/** A merge must not leave a document behind that was put into one of its segments meanwhile. */
export function cameBack(): KnowledgeError {
  return conflict(
    'A document was put into a segment of the index while it was merged.',
    'Nothing was merged. It is tried again after the next change.',
  )
}
