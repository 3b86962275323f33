import { expect, it } from 'vitest'
import { isRelevant, isUnspaced } from './relevance.ts'

const hit = (together: number, similarity?: number, name = 0) => ({ together, similarity, name })

const MODEL = { nearEnough: 0.8, unrelatedAt: 0.7 }
const TWO = { nearEnough: 0.18, coversEnough: 0.65 }

it.each([
  ['a name', hit(0, 0, 0.01), { nearEnough: 0.5 }, true],
  ['most of the words', hit(0.8, 0), { nearEnough: 0.5 }, true],
  ['no word, and near enough', hit(0, 0.5), { nearEnough: 0.5 }, true],
  ['no word, and not near enough', hit(0, 0.49), { nearEnough: 0.5 }, false],
  ['half of both', hit(0.4, 0.25), { nearEnough: 0.5 }, true],
  ['less than half of both', hit(0.3, 0.25), { nearEnough: 0.5 }, false],
  ['words alone, where there are no vectors', hit(0.35), {}, true],
  ['few words, where there are no vectors', hit(0.34), {}, false],
  ['pairs of characters', hit(0.2), { pairs: true }, true],
  ['few pairs of characters', hit(0.19), { pairs: true }, false],
  ['a cosine nothing is known of', hit(0, 0.8), {}, true],
  ['other words among three notes', hit(0, 0.2), TWO, true],
  ['half of the words among two notes, where none is rare', hit(0.44, 0.21), TWO, true],
  ['one word of three among two notes, which alone makes it similar', hit(0.16, 0.31), TWO, false],
  ['a model whose cosines begin at .7: no word, and near enough', hit(0, 0.8), MODEL, true],
  ['the same, in the middle', hit(0, 0.75), MODEL, false],
  ['the same, with half of the words', hit(0.4, 0.75), MODEL, true],
  ['the same, with a word and nothing near', hit(0.3, 0.7), MODEL, false],
])('%s', (_, signals, enough, relevant) => {
  expect(isRelevant(signals, enough)).toBe(relevant)
})

it.each([
  ['谁清洗咖啡机？', true],
  ['IPCC 现任副主席是谁？', true],
  ['コーヒーはどこ', true],
  ['who cleans it', false],
  ['Кто чистит кофемашину?', false],
  ['커피 머신은 누가 청소하나요', false],
  ['what does 道 mean', false],
])('knows what is written without spaces: %s', (question, unspaced) => {
  expect(isUnspaced(question)).toBe(unspaced)
})
