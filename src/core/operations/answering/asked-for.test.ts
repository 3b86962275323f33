import { expect, it } from 'vitest'
import { askedNoun, countedNoun, namesIn } from './asked-for.ts'

it.each([
  ['What specific advice did Bryan give about the profile?', 'advice'],
  ['What was the rationale behind choosing it?', 'rationale'],
  ['Can you share the agenda or structure of the sessions?', 'agenda or structure'],
  ['What are Alexis’s specific plans for January?', 'plans'],
  ['Could you provide details about the format of the call?', 'format'],
  ['How did Kimberly react to the suggestion?', 'react'],
  ['What was discussed during the meeting?', 'discussed'],
  ['Which release engineers are on call?', 'release engineers'],
  ['Who develops it?', ''],
  ['', ''],
])('asks for: %s', (question, noun) => {
  expect(askedNoun(question)).toBe(noun)
})

it.each([
  ['How many release engineers are there?', 'engineers'],
  ['how many rooms does the house have', 'rooms'],
  ['How many days passed between the two?', 'days'],
  ['How many people work here?', 'people'],
  ['How many?', undefined],
  ['What is the number?', undefined],
])('counts: %s', (question, noun) => {
  expect(countedNoun(question)).toBe(noun)
})

it('counts names and figures by their place', () => {
  expect(namesIn('What of the $10,000 trust that ESLint rule 4.2 gave Ada on May 1?')).toEqual([
    '$10,000',
    'ESLint',
    '4.2',
    'Ada',
    'May',
    '1',
  ])
  expect(namesIn('What is it?')).toEqual([])
})

it('reads any text in time that grows with it', () => {
  expect(askedNoun(`what ${'about '.repeat(50_000)}`)).toBe('')
  expect(namesIn(`x${' A-'.repeat(50_000)}`).length).toBeGreaterThan(1)
})
