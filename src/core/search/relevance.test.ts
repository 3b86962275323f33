import { expect, it } from 'vitest'
import { isNearMiss, isRelevant, isUnspaced } from './relevance.ts'
import type { MatchedWord } from './lexical-index.ts'

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

/** Words of equal weight; those in the second list no document has. */
const words = (known: string, unknown = ''): MatchedWord[] => [
  ...known.split(' ').map((each) => word(each, [each])),
  ...unknown.split(' ').flatMap((each) => (each === '' ? [] : [word(each, [])])),
]
const word = (spelling: string, terms: readonly string[]): MatchedWord => ({
  spelling,
  terms,
  match: terms.length > 0 ? 'exact' : 'none',
  weight: 1,
})
const LONG = 'one two three four five six seven eight nine ten eleven twelve'
const ENOUGH = { nearEnough: 0.5 }

it.each([
  ['known words that stand in other notes', 'many people office', '', hit(0.39, 0.4), true],
  ['the same, with half of them in one', 'many people office', '', hit(0.4, 0.4), false],
  ['the same, and one means it', 'many people office', '', hit(0.2, 0.5), false],
  ['other words for the same', 'people', 'staff offices', hit(0.3, 0.4), false],
  ['a long question', LONG, '', hit(0.3, 0.4), false],
  ['a name that nobody has', 'deploy release often', 'zamunda', hit(0.49, 0.6), true],
  ['the same, with the rest of it there', 'deploy release often', 'zamunda', hit(0.75, 0.6), false],
  ['one of two names', 'ada deploy often', 'zamunda', hit(0.45, 0.6), false],
  ['what it is called', 'many people office', '', hit(0.1, 0, 0.1), false],
])('is about something else, or is not: %s', (_, known, unknown, found, expected) => {
  const question = `Does ${known.replace('ada', 'Ada')} ${unknown.replace('zam', 'Zam')}?`
  expect(isNearMiss(question, words(known, unknown), [found], ENOUGH)).toBe(expected)
})

it('takes a document that the question mentions by its title for an answer', () => {
  const [known, found] = ['many people office', [hit(0.39, 0.4)]] as const
  expect(isNearMiss(known, words(known), found, ENOUGH)).toBe(true)
  expect(isNearMiss(known, words(known), found, { ...ENOUGH, mentioned: { size: 1 } })).toBe(false)
})

it('judges pairs of characters and bases without vectors by the older rule', () => {
  const found = [hit(0.3, 0.4)]
  expect(isNearMiss('a b c', words('a b c'), found, { ...ENOUGH, pairs: true })).toBe(false)
  expect(isNearMiss('a b c', words('a b c'), found)).toBe(false)
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
