import { describe, expect, it } from 'vitest'
import { lacksNames, unknownNames } from './unknown-names.ts'

describe('a name that nobody has', () => {
  const asked = (known: readonly string[], all: readonly string[]) =>
    all.map((spelling) => ({ spelling, terms: known.includes(spelling) ? [spelling] : [] }))
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

  it('is one of several, or most of them', () => {
    const question = 'Did Ada of Zamunda found Utopia?'
    const all = ['ada', 'zamunda', 'found', 'utopia']
    expect(lacksNames(question, asked(['found'], all), 1)).toBe(true)
    expect(lacksNames(question, asked(['ada', 'found'], all), 2 / 3)).toBe(true)
    expect(lacksNames(question, asked(['ada', 'utopia'], all), 2 / 3)).toBe(false)
    expect(lacksNames('did nobody find it', asked([], ['find']), 0)).toBe(false)
  })

  it('is found behind any number of spaces, in one pass', () => {
    const question = `Who${'\t'.repeat(1_000_000)}founded${' '.repeat(1_000_000)}Zamunda?`
    expect(unknownNames(question, asked(['founded'], ['founded', 'zamunda']))).toEqual(['Zamunda'])
  })
})
