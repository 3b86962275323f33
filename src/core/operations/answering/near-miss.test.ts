import { expect, it } from 'vitest'
import type { MatchedWord } from '../../search/lexical-index.ts'
import { countsAnother, coversLittle, lacksDetail, saysName } from './near-miss.ts'

const said = (quote: string, above = '') => ({ quote, above })

it.each([
  [
    'the event without the detail',
    'What advice did Bryan give in April 2024?',
    said('In April 2024 Bryan looked at the profile.'),
    true,
  ],
  [
    'the detail in the quote',
    'What advice did Bryan give in April 2024?',
    said('His advice: shorter sentences.'),
    false,
  ],
  [
    'the detail in the heading',
    'What advice did Bryan give in April 2024?',
    said('Shorter sentences.', 'Advice'),
    false,
  ],
  [
    'a reason that is not called one',
    'What were the reasons that Ada and Bob chose Leeds?',
    said('Ada and Bob chose Leeds because rents were low.'),
    false,
  ],
  ['one name alone', 'What advice did Bryan give?', said('Bryan looked at it.'), false],
  ['no such detail', 'What colour did Bryan paint in April 2024?', said('Bryan painted.'), false],
])('lacks what is asked for: %s', (_, question, quoted, expected) => {
  expect(lacksDetail(question, quoted)).toBe(expected)
})

it.each([
  ['another thing', 'How many rooms has the house?', said('The house has 3 floors.'), true],
  ['written out', 'How many rooms has the house?', said('The house has three floors.'), true],
  ['the thing itself', 'How many rooms has the house?', said('It has 3 rooms.'), false],
  ['the thing above', 'How many rooms has the house?', said('3 upstairs.', 'Rooms'), false],
  ['a bare number', 'How many rooms has the house?', said('The house: 3.'), false],
  ['no number', 'How many rooms has the house?', said('The house has rooms enough.'), false],
  ['a measure', 'How many days is it open?', said('It is open for 2 weeks.'), false],
  ['nothing counted', 'Which rooms has the house?', said('The house has 3 floors.'), false],
])('counts something else: %s', (_, question, quoted, expected) => {
  expect(countsAnother(question, quoted)).toBe(expected)
})

it('finds a name in any way of writing it, as whole words', () => {
  expect(saysName('with *obsidian-git*, daily', 'Obsidian Git')).toBe(true)
  expect(saysName('an Obsidian plugin for GitHub', 'Obsidian Git')).toBe(false)
})

const word = (spelling: string, known = true): MatchedWord => ({
  spelling,
  terms: known ? [spelling] : [],
  match: known ? 'exact' : 'none',
  weight: 1,
})

it.each([
  ['a quarter of it', 'tune the old piano', ['tune', 'old', 'grey', 'piano'], [0], true],
  ['half of it', 'tune the old piano', ['tune', 'old', 'piano'], [0, 2], false],
  ['one place of two terms', 'use ESLint', ['use', 'es', 'lint', 'eslint'], [1], false],
])('has little of the question: %s', (_, question, spellings, there, expected) => {
  const asked = question.replace('old', 'old grey')
  const words = spellings.map((spelling) => word(spelling))
  expect(coversLittle(asked, { words, passage: new Set(there) })).toBe(expected)
})

it('takes neither a paraphrase nor a long question for one with too little', () => {
  const passage = new Set([0])
  const other = [word('tune'), word('old'), word('piano', false), word('grey', false)]
  expect(coversLittle('tune old piano grey', { words: other, passage })).toBe(false)
  const long = 'a1 b1 c1 d1 e1 f1 g1 h1 i1 j1 k1 l1'.split(' ')
  const words = long.map((spelling) => word(spelling))
  expect(coversLittle(long.join(' '), { words, passage })).toBe(false)
})
