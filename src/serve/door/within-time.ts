/**
 * Timeout and cancellation: ends when the work does, when nobody waits for it any more, or when it
 * takes too long.
 */
import { KnowledgeError } from '../../core/domain/error.ts'

export async function withinTime<Result>(
  limitMs: number | undefined,
  caller: AbortSignal,
  work: (signal: AbortSignal) => Result | Promise<Result>,
): Promise<Result> {
  if (caller.aborted) throw cancelled()
  const { promise: ended, reject } = Promise.withResolvers<never>()
  // One controller instead of `AbortSignal.any`, which costs every call more than all else here.
  const controller = new AbortController()
  const end = (reason: unknown, error: KnowledgeError): void => {
    controller.abort(reason)
    reject(error)
  }
  const late = (): void => {
    const error = tooLate(limitMs!)
    end(error, error)
  }
  const timer = limitMs === undefined ? undefined : setTimeout(late, limitMs)
  const leave = (): void => end(caller.reason, cancelled())
  caller.addEventListener('abort', leave, { once: true })
  try {
    return await Promise.race([work(controller.signal), ended])
  } finally {
    clearTimeout(timer)
    caller.removeEventListener('abort', leave)
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
