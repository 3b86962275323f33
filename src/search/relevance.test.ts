import { expect, it } from 'vitest'
import { isRelevant } from './relevance.ts'

const hit = (together: number, similarity?: number, name = 0) => ({ together, similarity, name })

it.each([
  ['a name', hit(0, 0, 0.01), 0.5, true],
  ['most of the words', hit(0.8, 0), 0.5, true],
  ['no word, and near enough', hit(0, 0.5), 0.5, true],
  ['no word, and not near enough', hit(0, 0.49), 0.5, false],
  ['half of both', hit(0.4, 0.25), 0.5, true],
  ['less than half of both', hit(0.3, 0.25), 0.5, false],
  ['words alone, where there are no vectors', hit(0.35), undefined, true],
  ['few words, where there are no vectors', hit(0.34), undefined, false],
  ['a cosine nothing is known of', hit(0, 0.8), undefined, true],
  ['other words among three notes', hit(0, 0.2), 0.18, true],
  ['one word of three among two notes, which alone makes it similar', hit(0.16, 0.31), 0.18, false],
  ['a model whose cosines begin at .7: no word, and near enough', hit(0, 0.8), 0.8, true, 0.7],
  ['the same, in the middle', hit(0, 0.75), 0.8, false, 0.7],
  ['the same, with half of the words', hit(0.4, 0.75), 0.8, true, 0.7],
  ['the same, with a word and nothing near', hit(0.3, 0.7), 0.8, false, 0.7],
] as const)('%s', (_, signals, nearEnough, relevant, unrelatedAt = undefined) => {
  expect(isRelevant(signals, nearEnough, unrelatedAt)).toBe(relevant)
})
