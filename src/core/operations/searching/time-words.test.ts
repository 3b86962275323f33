import { describe, expect, it } from 'vitest'
import { asksForNow, asksYesOrNo, deniedIn, meansAnyTime, saysChanged } from './time-words.ts'

describe('a question for what holds now', () => {
  it.each([
    'How many columns does the transactions table have?',
    'What is the deadline of the release?',
    'When is the next meeting?',
    'Wie viele Server laufen in Halle 2?',
    'Wann ist die Abgabe?',
    'Quelle est la date limite ?',
    '¿Cuál es el presupuesto?',
    'Сколько стоит подписка?',
    '现在的预算是多少？',
  ])('%s', (question) => expect(asksForNow(question)).toBe(true))

  it.each([
    'How many days passed between the two releases?',
    'How long did I work on it before the move?',
    'What was the deadline originally?',
    'Have I ever used Flask?',
    'rotating the signing key',
    'backups',
    'Wie viele waren es früher?',
    'Ist die Abgabe am Montag?',
    '最初的预算是多少？',
  ])('and what is none: %s', (question) => expect(asksForNow(question)).toBe(false))
})

it('knows what asks for yes or no', () => {
  expect(asksYesOrNo('Have I worked with Flask routes?')).toBe(true)
  expect(asksYesOrNo('Hat das Team einen Plan?')).toBe(true)
  expect(asksYesOrNo('我用过这个库吗？')).toBe(true)
  expect(asksYesOrNo('How do we roll back?')).toBe(false)
})

it('knows what says that something changed', () => {
  expect(saysChanged('The deadline was moved to May 3.')).toBe(true)
  expect(saysChanged('Die Abgabe wurde verschoben.')).toBe(true)
  expect(saysChanged('截止日期推迟到五月。')).toBe(true)
  expect(saysChanged('The table has three columns.')).toBe(false)
})

it('reads what is denied as far as the clause goes', () => {
  expect(deniedIn("I have never written any Flask routes, but I'd like to.")).toBe(
    ' written any Flask routes',
  )
  expect(deniedIn('Ich habe noch nie Flask benutzt; was tun?')).toBe(' Flask benutzt')
  expect(deniedIn('I wrote three routes.')).toBe('')
})

it('reads what a denial points back to', () => {
  expect(deniedIn("I'm new to making watchlists, so I've never done this before.")).toBe(
    "I'm new to making watchlists, so I've  done this before.",
  )
  expect(deniedIn("I've never tested it with an interface, so what now?")).toBe(
    "I've  tested it with an interface",
  )
  expect(deniedIn('Ich leite keine Treffen mehr, das habe ich nie gemacht.')).not.toBe('')
})

it('knows words for any time at all', () => {
  for (const word of ['ever', 'before', 'jemals', 'déjà', 'уже'])
    expect(meansAnyTime(word)).toBe(true)
  expect(meansAnyTime('release')).toBe(false)
})
