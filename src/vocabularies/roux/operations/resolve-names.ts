/** Which notes do these names mean? By the letters, by letters that are alike, or by meaning. */
import { foldName } from '../../../core/kit/fold-name.ts'
import type { ListedNote } from './list-notes.ts'

export interface ResolvedName {
  readonly query: string
  readonly match: string | null
  /** From 0 to 1; 1 for the name itself. */
  readonly score: number
}

/** `threshold` 1 asks for the name itself, without case. */
export function resolveNames(
  names: readonly string[],
  notes: readonly ListedNote[],
  threshold: number,
): readonly ResolvedName[] {
  const titles = notes.map(({ id, title }) => {
    const folded = foldName(title)
    return { id, folded, pairs: pairsOf(folded) }
  })
  const byTitle = new Map(titles.toReversed().map((each) => [each.folded, each.id]))
  return names.map((query) => {
    const folded = foldName(query.trim())
    const exact = byTitle.get(folded)
    if (exact !== undefined) return { query, match: exact, score: 1 }
    if (threshold >= 1) return nobody(query)
    const pairs = pairsOf(folded)
    let best: { readonly id: string; readonly score: number } | undefined
    for (const { id, pairs: others } of titles) {
      const score = likeness(pairs, others)
      if (score >= threshold && score > (best?.score ?? 0)) best = { id, score }
    }
    return best ? { query, match: best.id, score: best.score } : nobody(query)
  })
}

export function nobody(query: string): ResolvedName {
  return { query, match: null, score: 0 }
}

type Pairs = ReadonlyMap<string, number>

/** Neighbouring letters and how often they stand beside each other. */
function pairsOf(text: string): Pairs {
  const pairs = new Map<string, number>()
  for (let at = 0; at + 1 < text.length; at++) {
    const pair = text.slice(at, at + 2)
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1)
  }
  return pairs
}

/** Dice: twice what both have, of all that they have. */
function likeness(a: Pairs, b: Pairs): number {
  let shared = 0
  for (const [pair, count] of a) shared += Math.min(count, b.get(pair) ?? 0)
  const all = sizeOf(a) + sizeOf(b)
  return all === 0 ? 0 : (2 * shared) / all
}

function sizeOf(pairs: Pairs): number {
  let size = 0
  for (const count of pairs.values()) size += count
  return size
}
