/** How much words and vectors weigh: the formulas that the models share. */

/** A vector of length one, in its place; one of zeros stays. */
export function normalise(vector: Float64Array): Float64Array {
  let squares = 0
  for (let k = 0; k < vector.length; k++) squares += vector[k]! * vector[k]!
  const scale = squares > 0 ? 1 / Math.sqrt(squares) : 0
  for (let k = 0; k < vector.length; k++) vector[k]! *= scale
  return vector
}

/** What a word of so many documents tells: 0 where all have it, 1 where none has. */
export function rarity(documents: number, all: number): number {
  const most = Math.max(all, documents)
  const idf = Math.log(1 + (most - documents + 0.5) / (documents + 0.5))
  return Math.sqrt(idf / Math.log(1 + (most + 0.5) / 0.5))
}

/** From 0 at `from` and below to 1 at `to` and above. */
export function ramp(value: number, from: number, to: number): number {
  return Math.min(1, Math.max(0, (value - from) / (to - from)))
}
