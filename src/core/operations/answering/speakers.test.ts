import { expect, it } from 'vitest'
import { anothersLines, turnsOf } from './speakers.ts'

const TALK = 'Ada: I bring cake.\nAnd plates.\n\n**Ben:** I bring tea.\nAda: Good.\n'
const at = (words: string) => ({
  start: TALK.indexOf(words),
  end: TALK.indexOf(words) + words.length,
})
const WHOLE = { start: 0, end: TALK.length }
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
  expect(anothersLines(question, TALK, WHOLE)(at(line))).toBe(expected)
})

it('takes neither labels nor one who speaks alone for a conversation', () => {
  for (const text of [
    'Status: open\nOwner: Ada\nDate: May\n',
    'Grafana: port 3000\nLoki: port 3100\n',
    'Ada: one\nAda: two\n',
    'Plain.',
  ]) {
    expect(turnsOf(text, 0, text.length)).toEqual([])
  }
})

it('sees a turn that begins above the passage', () => {
  const start = TALK.indexOf('And plates')
  const part = { start, end: TALK.length }
  expect(anothersLines('What does Ben say?', TALK, part)(at('And plates.'))).toBe(true)
})

it('takes a line for an answer that speaks of whom is named, or stands below another heading', () => {
  const talk =
    'Ines: Jonas fixed it.\nJonas: Yes.\nInes: Thanks.\n\n## Later\n\nHe signed in Bonn.\n'
  const said = (words: string) => {
    const start = talk.indexOf(words)
    const place = { start, end: start + words.length }
    return anothersLines('Where did Jonas sign?', talk, { start: 0, end: talk.length })(place)
  }
  expect(said('Ines: Jonas fixed it.')).toBe(false)
  expect(said('He signed in Bonn.')).toBe(false)
  expect(said('Jonas: Yes.\nInes: Thanks.')).toBe(false)
  expect(said('Ines: Thanks.')).toBe(true)
})
