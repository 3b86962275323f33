import { expect, it } from 'vitest'
import { isAnothersLine, turnsOf } from './speakers.ts'

const TALK = 'Ada: I bring cake.\nAnd plates.\n\n**Ben:** I bring tea.\nAda: Good.\n'
const at = (words: string) => TALK.indexOf(words) + words.length
const turns = turnsOf(TALK, 0, TALK.length)

it('knows who says what', () => {
  expect(turns.map(({ speaker }) => speaker)).toEqual(['Ada', 'Ben', 'Ada'])
})

it.each([
  ['What does Ada bring?', 'bring tea.', true],
  ['What does Ada bring?', 'And plates.', false],
  ['What do Ada and Ben bring?', 'bring tea.', false],
  ['What does Adam bring?', 'bring tea.', false],
  ['what is brought', 'bring tea.', false],
])('%s: %s', (question, line, expected) => {
  expect(isAnothersLine(question, turns, at(line))).toBe(expected)
})

it('takes neither labels nor one who speaks alone for a conversation', () => {
  for (const text of ['Status: open\nOwner: Ada\nDate: May\n', 'Ada: one\nAda: two\n', 'Plain.']) {
    expect(turnsOf(text, 0, text.length)).toEqual([])
  }
})

it('sees a turn that begins above the passage', () => {
  const start = TALK.indexOf('And plates')
  expect(
    isAnothersLine('What does Ben say?', turnsOf(TALK, start, at('tea.')), at('plates.')),
  ).toBe(true)
})
