import { expect, it } from 'vitest'
import { expectedKind, offersKind } from './expected-kind.ts'

it.each([
  ['Who approves a release?', 'person'],
  ['In which year was it founded?', 'time'],
  ['How many people came?', 'number'],
  ['Where is the spare key?', 'place'],
  ['Wer hat das gesagt?', 'person'],
  ['Wann war das?', 'time'],
  ['Wie viele waren es?', 'number'],
  ['¿Cuántos años tiene?', 'number'],
  ['Où est-il ?', 'place'],
  ['Кто это сказал?', 'person'],
  ['Когда это было?', 'time'],
  ['谁说的？', 'person'],
  ['什么时候开始？', 'time'],
  ['いつ始まりましたか', 'time'],
  ['How do we roll back?', undefined],
  ['Why was it done?', undefined],
])('%s asks for a %s', (question, kind) => {
  expect(expectedKind(question)).toBe(kind)
})

it.each([
  ['It opened in 1984.', 'time', 'When did it open?', true],
  ['It opened last May.', 'time', 'When did it open?', true],
  ['It opened at last.', 'time', 'When did it open?', false],
  ['In 2015 it opened again.', 'time', 'What opened in 2015, and when again?', false],
  ['There were twelve of them.', 'number', 'How many were there?', true],
  ['There were some of them.', 'number', 'How many were there?', false],
  ['It was said by Ada Lovelace.', 'person', 'Who said it?', true],
  ['It was said by somebody.', 'person', 'Who said it?', false],
  ['They asked Ada.', 'person', 'Who did Ada ask?', false],
  ['这是他说的。', 'person', '谁说的？', true],
] as const)('%s has a %s for %s: %s', (sentence, kind, question, expected) => {
  expect(offersKind(sentence, kind, question)).toBe(expected)
})
