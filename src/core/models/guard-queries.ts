/**
 * Circuit breaker and cache: keeps a search from waiting for an embedder that is slow or gone.
 * Vectors of recent questions are remembered; a question waits a second at most; after a failure
 * the embedder is left alone for a while, longer every time, and meanwhile every question fails at
 * once.
 */
import { afterTurns } from '../kit/after-turns.ts'
import { BoundedMap } from '../kit/bounded-map.ts'
import { type KnowledgeError, unavailable } from '../domain/error.ts'
import type { Embedder } from './embedder.ts'

export interface GuardOptions {
  /** How long a question waits. An answer that comes later is remembered for the next one. */
  readonly waitMs?: number
  /** After this the call is given up. */
  readonly giveUpMs?: number
  /** Pause after the first failure; doubles with every further one. */
  readonly restMs?: number
  readonly longestRestMs?: number
  /** Questions remembered. */
  readonly remembered?: number
  /** Questions under way at the same time; more are refused at once. */
  readonly atOnce?: number
  readonly now?: () => number
}

export function guardQueries(embedder: Embedder, options: GuardOptions = {}): Embedder {
  const {
    waitMs = 1_000,
    giveUpMs = Math.max(15_000, waitMs),
    restMs = 2_000,
    longestRestMs = 60_000,
    remembered = 256,
    atOnce = 16,
    now = Date.now,
  } = options
  const known = new BoundedMap<string, Float32Array>(remembered)
  const underWay = new Map<string, Promise<Float32Array>>()
  let failures = 0
  let restsUntil = 0
  let reason: unknown

  const failed = (error: unknown): void => {
    // Calls that began together fail together; that is one failure.
    if (now() < restsUntil) return
    reason = error
    restsUntil = now() + Math.min(longestRestMs, restMs * 2 ** failures++)
  }
  const ask = (text: string): Promise<Float32Array> => {
    const asked = embedder
      .embedQuery(text, { signal: AbortSignal.timeout(giveUpMs) })
      .then(
        (vector) => {
          failures = 0
          restsUntil = 0
          known.set(text, vector)
          return vector
        },
        (error: unknown) => {
          failed(error)
          throw error
        },
      )
      .finally(() => underWay.delete(text))
    // Whoever waited may be gone when it fails.
    asked.catch(() => {})
    underWay.set(text, asked)
    return asked
  }

  return {
    ...embedder,
    async embedQuery(text, { signal } = {}) {
      signal?.throwIfAborted()
      const vector = known.get(text)
      if (vector) return vector
      const asked = underWay.get(text)
      if (now() < restsUntil || (failures > 0 && !asked && underWay.size > 0)) throw reason
      if (!asked && underWay.size >= atOnce) throw busy()
      const late = Promise.withResolvers<never>()
      const noLonger = afterTurns(waitMs, () => {
        const error = tooSlow(waitMs)
        failed(error)
        late.reject(error)
      })
      const stop = (): void => late.reject(signal?.reason)
      signal?.addEventListener('abort', stop)
      try {
        return await Promise.race([asked ?? ask(text), late.promise])
      } finally {
        noLonger()
        signal?.removeEventListener('abort', stop)
      }
    },
  }
}

function tooSlow(waitMs: number): KnowledgeError {
  return unavailable(
    `The embedder did not answer within ${waitMs} ms.`,
    'Ask again in a moment; a model that was just started may need a while.',
  )
}

function busy(): KnowledgeError {
  return unavailable('The embedder has too many questions under way.', 'Ask again in a moment.')
}
