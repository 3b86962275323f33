import { expect, it } from 'vitest'
import { valueAsked } from './asked-value.ts'

it.each([
  ['How many servers run?', 'We now run 12 servers.', 'We moved the servers on March 3, 2026.'],
  ['What is the budget of Kite?', 'It was raised to $650.', 'It was settled on 2026-03-01.'],
  ['Wie viele Server laufen?', 'Es laufen jetzt zwölf.', 'Seit dem 3. Mai laufen neue.'],
  ['What is our rate?', 'The rate is now 12%.', 'The rate has changed since May 2.'],
  ['When is the review?', 'It was moved to Friday.', 'It was moved again.'],
  ['What time is the call?', 'It is at 4 PM now.', 'It changed.'],
  ['多少服务器？', '现在有12台。', '现在有新的。'],
])('%s: a value is told by one and not by the other', (question, told, untold) => {
  const tells = valueAsked(question)
  expect([tells(told), tells(untold)]).toEqual([true, false])
})

it('days are counted from dates', () => {
  expect(valueAsked('How many days is the workshop?')('It is now July 12-15.')).toBe(true)
})

it('a question for no kind of value takes any text', () => {
  expect(valueAsked('Who leads the release?')('Mara does now.')).toBe(true)
  expect(valueAsked('Who is responsible for the marketing budget?')('Mara is now.')).toBe(true)
  expect(valueAsked('Where do we write the total down?')('In the ledger.')).toBe(true)
})

it('a digit within a name is no number', () => {
  expect(valueAsked('What is our deployment target?')('It is EC2.')).toBe(false)
})
