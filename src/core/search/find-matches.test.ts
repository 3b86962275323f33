/** Where a text has the words of a question, against analysing every word of it. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { LANGUAGES } from './analysis/languages/language.ts'
import type { Language } from './analysis/languages/language.ts'
import { analyseText } from './analysis/analyser.ts'
import { findMatches } from './find-matches.ts'
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

/** Words whose stem begins otherwise than they do, or is very short. */
const INFLECTED = [
  'dying',
  'Skis',
  'tying',
  'yes',
  'a',
  'ist',
  'yeux',
  'ayer',
  'News',
  'Is',
  'it',
  'Aepfel',
  'maedchen',
  'ueber',
]

function wordsOf(text: string, language: Language = 'english'): readonly MatchedWord[] {
  return text.split(' ').map((spelling, place) => ({
    spelling,
    terms: analyseText(spelling, language).map(({ term }) => term),
    match: 'exact',
    weight: place + 1,
  }))
}

const text = fc
  .array(
    fc.oneof(
      fc.constantFrom(...WORDS, ...INFLECTED),
      fc.string({ unit: 'grapheme', maxLength: 5 }),
    ),
  )
  .map((words) => words.join(' '))

it('finds what has a term of the question, in every language', () => {
  const vocabulary = fc.constantFrom(...WORDS, ...INFLECTED)
  const asked = fc.array(vocabulary, { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(text, asked, fc.constantFrom(...LANGUAGES), (passage, question, language) => {
      const words = wordsOf(question.join(' '), language)
      const terms = new Set(words.flatMap((word) => word.terms))
      const spans = analyseText(passage, language).filter(({ term }) => terms.has(term))
      expect(findMatches(passage, words, [language]).map(({ start }) => start)).toEqual([
        ...new Set(spans.map(({ start }) => start)),
      ])
    }),
  )
})

it('finds every word by itself, however its stem begins', () => {
  const word = fc.stringMatching(/^[A-Za-z][a-z]{0,4}(?:y|ies|ing|en|ungen|ement|idad|e|s)?$/)
  fc.assert(
    fc.property(word, fc.constantFrom(...LANGUAGES), (spelling, language) => {
      expect(findMatches(spelling, wordsOf(spelling, language), [language])).toHaveLength(1)
    }),
    { numRuns: 2_000 },
  )
})

it('still finds a word after more were met than are remembered', () => {
  const words = wordsOf('kettles')
  const look = () => findMatches('old kettles', words, ['english'])
  const before = look()
  for (let part = 0; part < 30; part++) {
    const many = Array.from({ length: 2_000 }, (_, n) => `w${part}x${n}y`).join(' ')
    expect(findMatches(many, words, ['english'])).toEqual([])
  }
  expect(look()).toEqual(before)
  expect(before).toEqual([{ start: 4, end: 11, word: 0 }])
})
