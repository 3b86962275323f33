/**
 * Rate limit (token bucket): so many requests a minute for each caller. Who pauses may then be
 * quick for a while.
 */
import { BoundedMap } from '../../../core/kit/bounded-map.ts'

export interface RateLimit {
  /** Takes one; 0 where that was fine, else the seconds to wait. */
  waitSeconds(who: string): number
}

interface Bucket {
  left: number
  at: number
}

export function createRateLimit(perMinute: number, now: () => number = Date.now): RateLimit {
  const buckets = new BoundedMap<string, Bucket>(10_000)
  const perMs = perMinute / 60_000
  return {
    waitSeconds(who) {
      const bucket = buckets.get(who) ?? { left: perMinute, at: now() }
      bucket.left = Math.min(perMinute, bucket.left + (now() - bucket.at) * perMs)
      bucket.at = now()
      buckets.set(who, bucket)
      if (bucket.left < 1) return Math.ceil((1 - bucket.left) / perMs / 1000)
      bucket.left--
      return 0
    },
  }
}
