import { describe, expect, it } from 'vitest'
import type { AskedWords } from './extract-answer.ts'
import { findGaps, statedGaps } from './find-gaps.ts'

/** Words of a question, none of them found unless named. */
function gaps(question: string, spellings: readonly string[], found: readonly string[] = []) {
  const words = spellings.map((spelling) => ({ spelling })) as unknown as AskedWords['words']
  const there = new Set(found.map((spelling) => spellings.indexOf(spelling)))
  return findGaps(question, { words, languages: [] as never }, there)
}

describe('what is missing', () => {
  it('is said in the words of the question', () => {
    expect(gaps('Kettle or Boiler?', ['kettle', 'boiler'], ['kettle'])).toEqual(['Boiler'])
  })

  it('is never the word that asks', () => {
    expect(gaps('Wann wird er entkalkt?', ['wann', 'entkalkt'])).toEqual(['entkalkt'])
    expect(gaps('Where do I comment?', ['comment'])).toEqual(['comment'])
    expect(gaps('Où est Pierre ?', ['ou', 'pierre'], ['pierre'])).toEqual([])
  })

  it('is part of the question where a model says so', () => {
    expect(statedGaps('Is milk last?', ['milk last', 'sugar', '?', ' '])).toEqual(['milk last'])
  })
})
