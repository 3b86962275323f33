/**
 * Retry in a queue: whoever was overtaken by another change of the same document plans again, and
 * of those in one process one after the other: all at once they would overtake each other, and each
 * time all but one of them would have planned in vain.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { onePer } from '../../core/kit/one-per.ts'

/** The last one in line for each document that anybody waits for. */
const linesOf = onePer<object, Map<string, Promise<unknown>>>(() => new Map())

/** It is a courtesy: whoever has waited for `waitMs` goes on all the same. */
export async function inTurn<Result>(
  base: object,
  document: string,
  waitMs: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const lines = linesOf(base)
  const before = lines.get(document) ?? Promise.resolve()
  const { promise: over, resolve: leave } = Promise.withResolvers<void>()
  const line = Promise.all([before, over])
  lines.set(document, line)
  const waiting = new AbortController()
  const enough = sleep(waitMs, undefined, { signal: waiting.signal }).catch(() => {})
  try {
    await Promise.race([before, enough])
    return await work()
  } finally {
    waiting.abort()
    leave()
    if (lines.get(document) === line) lines.delete(document)
  }
}
