/** Where a text has the words of a question: remembered spans against looking anew. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Language } from './analysis/languages/language.ts'
import { analyseText } from './analysis/analyser.ts'
import { findMatches, findMatchesAgain } from './find-matches.ts'
import type { MatchedWord } from './lexical-index.ts'

const WORDS = [
  'kettles',
  'boiling',
  'snake_case',
  'getUserById',
  'well-known',
  '東京都',
  'über',
  '1.2.3',
]

function wordsOf(text: string): readonly MatchedWord[] {
  return text.split(' ').map((spelling, place) => ({
    spelling,
    terms: analyseText(spelling).map(({ term }) => term),
    match: 'exact',
    weight: place + 1,
  }))
}

const text = fc
  .array(fc.oneof(fc.constantFrom(...WORDS), fc.string({ unit: 'grapheme', maxLength: 5 })))
  .map((words) => words.join(' '))
const question = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 })
const languages = fc.constantFrom<readonly Language[]>(['english'], ['english', 'german'])

it('finds the same in a text that it remembers', () => {
  fc.assert(
    fc.property(
      text,
      fc.array(question, { minLength: 2, maxLength: 3 }),
      languages,
      (passage, asked, spoken) => {
        const owner = {}
        for (const each of asked) {
          const words = wordsOf(each.join(' '))
          const again = findMatchesAgain(owner, () => passage, words, spoken)
          expect(again).toEqual(findMatches(passage, words, spoken))
        }
      },
    ),
  )
})

it('reads a text once, and again in other languages', () => {
  let read = 0
  const owner = {}
  const passage = (): string => {
    read++
    return 'two kettles are boiling'
  }
  const words = wordsOf('kettles')
  for (let look = 0; look < 3; look++) findMatchesAgain(owner, passage, words, ['english'])
  expect(read).toBe(1)
  expect(findMatchesAgain(owner, passage, words, ['german', 'english'])).toHaveLength(1)
  expect(read).toBe(2)
})

it('still finds what it remembers after more words were met than are remembered', () => {
  const owner = {}
  const words = wordsOf('kettles')
  const look = () => findMatchesAgain(owner, () => 'old kettles', words, ['english'])
  const before = look()
  for (let part = 0; part < 30; part++) {
    const many = Array.from({ length: 2_000 }, (_, n) => `w${part}x${n}y`).join(' ')
    expect(findMatches(many, words, ['english'])).toEqual([])
  }
  expect(look()).toEqual(before)
  expect(before).toEqual([{ start: 4, end: 11, word: 0, weight: 1 }])
})
