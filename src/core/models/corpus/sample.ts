/** Which documents of a large corpus are enough to learn from? */

/** Documents a model is trained on at most: more take longer and teach nothing new. */
export const TRAINING_DOCUMENTS = 20_000

/**
 * Chooses at most `limit` of the documents, as places in `keys` in rising order. Every document's
 * key decides for itself, so the choice is the same in any order, and one more document changes at
 * most one of the others.
 */
export function chooseSample(
  keys: readonly string[],
  limit: number = TRAINING_DOCUMENTS,
): readonly number[] {
  const places = keys.map((_, place) => place)
  if (keys.length <= limit) return places
  const lots = keys.map(lot)
  return places
    .toSorted((a, b) => lots[a]! - lots[b]! || (keys[a]! < keys[b]! ? -1 : 1))
    .slice(0, limit)
    .toSorted((a, b) => a - b)
}

/** A number that looks drawn at random (FNV-1a with a final mix). */
function lot(key: string): number {
  let state = 0x811c9dc5
  for (let i = 0; i < key.length; i++) state = Math.imul(state ^ key.charCodeAt(i), 0x01000193)
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b)
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35)
  return (state ^ (state >>> 16)) >>> 0
}
