/** Vectors without meaning: the same eight numbers for the same text, for trying things out. */
import { cosine } from '../../../core/search/vectors/cosine.ts'

const DIMENSIONS = 8

/** In the place of what compares by meaning. */
export function dummySimilarity(query: string) {
  const question = dummyVector(query)
  return ({ text }: { readonly text: string }, start: number, end: number): number =>
    cosine(question, dummyVector(text.slice(start, end)))
}

export function dummyVector(text: string): Float64Array {
  let sum = 0
  for (const character of text) sum += character.codePointAt(0) ?? 0
  const whole = sum || 1
  return Float64Array.from({ length: DIMENSIONS }, (_, i) => (whole % (i + 2)) / (i + 2))
}
