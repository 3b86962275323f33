import { describe, expect, it } from 'vitest'
import type { AskedWords } from './extract-answer.ts'
import { findGaps, statedGaps, unknownNames } from './find-gaps.ts'

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

describe('a name that nobody has', () => {
  const asked = (known: readonly string[], all: readonly string[]): AskedWords => ({
    words: all.map((spelling) => ({
      spelling,
      terms: known.includes(spelling) ? [spelling] : [],
    })) as unknown as AskedWords['words'],
    languages: [] as never,
  })
  it.each([
    ['Who founded Zamunda?', ['founded'], ['founded', 'zamunda'], ['Zamunda']],
    ['Zamunda was founded by whom?', ['founded'], ['zamunda', 'founded'], []],
    ['who founded zamunda?', ['founded'], ['founded', 'zamunda'], []],
    ['What is error E4711?', ['error'], ['error', 'e4711'], ['E4711']],
    ['Who founded Zamunda?', ['founded', 'zamunda'], ['founded', 'zamunda'], []],
    // In German every noun has a capital.
    ['Wie viele Urlaubstage hat man?', [], ['urlaubstage'], []],
    ['Wohin gehen Urlaubsanträge?', ['gehen'], ['gehen', 'urlaubsantrage'], []],
    ['Was kostet der Wartungsvertrag?', [], ['kostet', 'wartungsvertrag'], []],
    ['Was bedeutet der Fehler E4711?', ['fehler'], ['bedeutet', 'fehler', 'e4711'], ['E4711']],
    ['Was an early man of Zamunda king?', [], ['early', 'man', 'zamunda', 'king'], ['Zamunda']],
    ['Where did the king of Zamunda die?', ['king'], ['king', 'zamunda', 'die'], ['Zamunda']],
  ])('%s', (question, known, all, expected) => {
    expect(unknownNames(question, asked(known, all))).toEqual(expected)
  })

  it('is found behind any number of spaces, in one pass', () => {
    const question = `Who${'\t'.repeat(1_000_000)}founded${' '.repeat(1_000_000)}Zamunda?`
    expect(unknownNames(question, asked(['founded'], ['founded', 'zamunda']))).toEqual(['Zamunda'])
  })
})
