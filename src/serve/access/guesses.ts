/** Rate limit of wrong tokens: so many within a minute from one address, then it has to wait. */
import { BoundedMap } from '../../core/kit/bounded-map.ts'

export interface Guesses {
  may(peer: string): boolean
  missed(peer: string): void
}

const MOST = 10
const WITHIN_MS = 60_000

export function createGuesses(now: () => number = Date.now): Guesses {
  const missed = new BoundedMap<string, readonly number[]>(10_000)
  const recent = (peer: string): readonly number[] =>
    (missed.get(peer) ?? []).filter((at) => at > now() - WITHIN_MS)
  return {
    may: (peer) => recent(peer).length < MOST,
    missed: (peer) => void missed.set(peer, [...recent(peer), now()]),
  }
}
