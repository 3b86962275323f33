/** A vector of length one, in its place; one of zeros stays. */
export function normalise(vector: Float64Array): Float64Array {
  let squares = 0
  for (const value of vector) squares += value * value
  const scale = squares > 0 ? 1 / Math.sqrt(squares) : 0
  for (let k = 0; k < vector.length; k++) vector[k]! *= scale
  return vector
}
