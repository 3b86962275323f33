/** Ends when the work does, when nobody waits for it any more, or when it takes too long. */
import { KnowledgeError } from '../domain/error.ts'

export async function withinTime<Result>(
  limitMs: number | undefined,
  caller: AbortSignal,
  work: (signal: AbortSignal) => Result | Promise<Result>,
): Promise<Result> {
  if (caller.aborted) throw cancelled()
  const late = new AbortController()
  const timer =
    limitMs === undefined ? undefined : setTimeout(() => late.abort(tooLate(limitMs)), limitMs)
  const signal = AbortSignal.any([caller, late.signal])
  const { promise: ended, reject } = Promise.withResolvers<never>()
  const end = (): void => reject(late.signal.aborted ? late.signal.reason : cancelled())
  signal.addEventListener('abort', end, { once: true })
  try {
    return await Promise.race([work(signal), ended])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
  }
}

function tooLate(limitMs: number): KnowledgeError {
  return new KnowledgeError(
    'unavailable',
    `This took longer than ${Math.round(limitMs / 1000)} seconds.`,
    'Ask for less at once, or try again later. If it was a change, look whether it was made.',
  )
}

function cancelled(): KnowledgeError {
  return new KnowledgeError('unavailable', 'The call was cancelled.', 'Call again if it is needed.')
}
