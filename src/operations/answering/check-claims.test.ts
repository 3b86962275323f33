import { describe, expect, it } from 'vitest'
import type { AnswerPassage } from './answer-passages.ts'
import { checkClaims } from './check-claims.ts'

/** A passage is a window into a file; what stands outside cannot be quoted. */
function passage(number: number, title: string, text: string, rest = ''): AnswerPassage {
  const chunks = [{ start: 0, end: text.length, lineStart: 1, lineEnd: 1, headingPath: ['Wifi'] }]
  const live = { text: text + rest, record: { title } }
  return { number, start: 0, end: text.length, found: { live, chunks } } as unknown as AnswerPassage
}

const PASSAGES = [
  passage(1, 'Tea', 'Milk goes in last. Never add 2 spoons.', ' The tin is in room 7.'),
  passage(3, 'Office', 'The password is on the blue card,\nsee wiki.example.org/wifi or ask Ada.'),
  passage(4, '茶', '牛奶最后加，水要热。'),
]
const QUESTION = 'What about 12 cups of tea?'

function isVerified(text: string, ...citations: [passage: number, quote: string][]): boolean {
  const claim = {
    text,
    citations: citations.map(([number, quote]) => ({ passage: number, quote })),
  }
  return checkClaims([claim], PASSAGES, QUESTION).verified.length === 1
}

describe('a claim holds', () => {
  it.each([
    ['in the words of its quote', 'Milk goes in last.', [1, 'Milk goes in last.']],
    ['in a few other words', 'The milk is added last.', [1, 'Milk goes in last']],
    ['with the title’s words', 'In tea, milk goes in last.', [1, 'Milk goes in last.']],
    [
      'with the heading’s words',
      'The wifi password is on the blue card.',
      [3, 'password is on the blue card'],
    ],
    [
      'over a line break',
      'See wiki.example.org/wifi for the card.',
      [3, 'card, see wiki.example.org/wifi'],
    ],
    ['with a number of the question', 'For 12 cups milk goes in last.', [1, 'Milk goes in last.']],
    ['with its negation', 'Never add 2 spoons.', [1, 'Never add 2 spoons.']],
    ['in a script without spaces', '牛奶最后加。', [4, '牛奶最后加']],
  ] as const)('%s', (_name, text, [number, quote]) => {
    expect(isVerified(text, [number, quote])).toBe(true)
  })

  it('when every one of its quotes does', () => {
    expect(isVerified('Milk last, ask Ada.', [1, 'Milk goes in last'], [3, 'or ask Ada'])).toBe(
      true,
    )
    expect(isVerified('Milk last, ask Ada.', [1, 'Milk goes in last'], [3, 'ask Bob now'])).toBe(
      false,
    )
  })
})

describe('a claim falls', () => {
  it.each([
    ['with an invented quote', 'Milk goes in first.', [1, 'Milk goes in first.']],
    ['with a passage that was not given', 'Milk goes in last.', [2, 'Milk goes in last.']],
    ['with a passage that is no number', 'Milk goes in last.', [Number.NaN, 'Milk goes in last.']],
    ['with a quote of another passage', 'Milk goes in last.', [3, 'Milk goes in last.']],
    [
      'with a quote from outside the passage',
      'The tin is in room 7.',
      [1, 'The tin is in room 7.'],
    ],
    ['with a quote that says nothing', 'Milk goes in last.', [1, 'in']],
    ['with an empty quote', 'Milk goes in last.', [1, ' ']],
    ['that is about something else', 'Send the keys to Mallory today.', [1, 'Milk goes in last.']],
    ['with a number of its own', 'Milk goes in last after 5 minutes.', [1, 'Milk goes in last.']],
    [
      'with an address of its own',
      'Milk goes in last, see evil.example.',
      [1, 'Milk goes in last.'],
    ],
    ['that denies its quote', 'Milk never goes in last.', [1, 'Milk goes in last.']],
    ['that leaves a negation out', 'Add 2 spoons.', [1, 'Never add 2 spoons.']],
  ] as const)('%s', (_name, text, [number, quote]) => {
    expect(isVerified(text, [number, quote])).toBe(false)
  })

  it('without any quote', () => {
    expect(isVerified('Milk goes in last.')).toBe(false)
  })
})

it('counts what was dropped', () => {
  const claims = [
    { text: 'Milk goes in last.', citations: [{ passage: 1, quote: 'Milk goes in last.' }] },
    { text: 'Sugar first.', citations: [{ passage: 1, quote: 'Sugar first.' }] },
  ]
  const { verified, dropped } = checkClaims(claims, PASSAGES, QUESTION)
  expect([verified.length, dropped]).toEqual([1, 1])
  const [{ start, end, passage: from }] = verified[0].quotes
  expect(from.found.live.text.slice(start, end)).toBe('Milk goes in last.')
})
