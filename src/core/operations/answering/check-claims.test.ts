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
  passage(4, '茶', '牛奶最后加，水要热，大约80度，不要3次。'),
  passage(
    5,
    'Limits',
    'The limit is 100 MB at -5 degrees. Never restart the server without two keys. Bob signs each release.',
  ),
]

function isVerified(text: string, ...citations: [passage: number, quote: string][]): boolean {
  const claim = {
    text,
    citations: citations.map(([number, quote]) => ({ passage: number, quote })),
  }
  return checkClaims([claim], PASSAGES).verified.length === 1
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
    ['with its negation', 'Never add 2 spoons.', [1, 'Never add 2 spoons.']],
    ['in a script without spaces', '水要热，80度，不要3次。', [4, '水要热，大约80度，不要3次']],
    [
      'with both negations',
      'Never restart without two keys.',
      [5, 'Never restart the server without two keys'],
    ],
    ['after an opening word', 'Every release Bob signs.', [5, 'Bob signs each release.']],
    ['with a number below zero', 'The limit is at -5 degrees.', [5, 'at -5 degrees.']],
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
    ['with a number of nobody but the asker', 'Milk goes in 12 cups.', [1, 'Milk goes in last.']],
    ['with half a number', 'The limit is 10 MB.', [5, 'The limit is 100 MB']],
    ['with a quote that ends within a number', 'The limit is 10.', [5, 'The limit is 10']],
    [
      'with a number above zero',
      'The limit is at 5 degrees.',
      [5, 'limit is 100 MB at -5 degrees'],
    ],
    [
      'with another number in words',
      'Restart, never without three keys.',
      [5, 'Never restart the server without two keys'],
    ],
    ['with another name', 'Mallory signs each release.', [5, 'Bob signs each release.']],
    [
      'with a name of its own at its end',
      'Bob signs each release of Mallory.',
      [5, 'Bob signs each release.'],
    ],
    ['with a quote that leaves the negation out', 'Restart the server.', [5, 'restart the server']],
    [
      'that leaves one of two negations out',
      'Restart the server without two keys.',
      [5, 'Never restart the server without two keys.'],
    ],
    [
      'with another number in a script without spaces',
      '水要热，90度，不要3次。',
      [4, '水要热，大约80度，不要3次'],
    ],
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
  const { verified, dropped } = checkClaims(claims, PASSAGES)
  expect([verified.length, dropped]).toEqual([1, 1])
  const { start, end, passage: from } = verified[0]!.quotes[0]!
  expect(from.found.live.text.slice(start, end)).toBe('Milk goes in last.')
})
