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

  it('is no word that counts, and any word that only resembles another', () => {
    expect(
      gaps('How many cups, how much milk?', ['many', 'cups', 'much', 'milk'], ['milk']),
    ).toEqual(['cups'])
    const words = [{ spelling: 'earn', match: 'fuzzy' }] as unknown as AskedWords['words']
    const asked = { words, languages: [] as never }
    expect(findGaps('What did he earn?', asked, new Set([0]))).toEqual(['earn'])
  })

  it('is part of the question where a model says so', () => {
    expect(statedGaps('Is milk last?', ['milk last', 'sugar', '?', ' '])).toEqual(['milk last'])
  })
})
