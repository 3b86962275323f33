import { expect, it } from 'vitest'
import { dayInHeadings, saidWhen, withoutAsOf } from './said-when.ts'

const iso = (at: number | undefined) =>
  at === undefined ? undefined : new Date(at).toISOString().slice(0, 10)
const said = (sentence: string) =>
  Object.fromEntries(Object.entries(saidWhen(sentence)).map(([key, at]) => [key, iso(at)]))

it.each<[string, Record<string, string>]>([
  ['As of March 2026, the limit is 20.', { asOf: '2026-03-01' }],
  ['The limit was 10 until 2026-03-05.', { until: '2026-03-06' }],
  [
    'Valid from 1 May 2026 until the end of June 2026.',
    { from: '2026-05-01', until: '2026-07-01' },
  ],
  ['Since 2019 the office is in Ulm.', { from: '2019-01-01' }],
  ['Ab dem 1. Mai 2026 gilt der neue Preis.', { from: '2026-05-01' }],
  ['Gültig bis zum 31.12.2026.', { until: '2027-01-01' }],
  ['Stand: 5. März 2026', { asOf: '2026-03-05' }],
  ['The deadline is extended until 2026-03-05.', {}],
  [
    "Valable depuis le 5 mars 2026 jusqu'au 8 mai 2026.",
    { from: '2026-03-05', until: '2026-05-09' },
  ],
  [
    'Era así desde el 5 de marzo de 2026 hasta mayo de 2026',
    { from: '2026-03-05', until: '2026-06-01' },
  ],
  ['По состоянию на 5 марта 2026 лимит 20.', { asOf: '2026-03-05' }],
  ['Действует с 5 марта 2026 до 8 мая 2026', { from: '2026-03-05', until: '2026-05-09' }],
  ['截至2026年3月5日，限额为20。', { asOf: '2026-03-05' }],
  ['自2026年3月5日起', { from: '2026-03-05' }],
  ['We meet on 2026-03-05 in Ulm.', {}],
  ['There were 2019 of them until noon.', {}],
  ['截至2026-03-05的限额为20，2026-04-01起为30', { asOf: '2026-03-05', from: '2026-04-01' }],
  ['As of 2026-03-05T12:00:00Z the limit is 20.', { asOf: '2026-03-05' }],
  ['As of 2024, the limit is 20.', { asOf: '2024-01-01' }],
  ['Until 99999 or from 0000-01-01.', {}],
])('reads when %j holds', (sentence, expected) => expect(said(sentence)).toEqual(expected))

it('believes the first of a thousand contradictions, and is done at once', () => {
  const sentence = Array.from(
    { length: 1_000 },
    (_, n) => `it was so until ${2000 + n}-01-01`,
  ).join(', ')
  expect(said(sentence)).toEqual({ until: '2000-01-02' })
  expect(said('since until from '.repeat(20_000))).toEqual({})
})

it.each<[readonly string[], string | undefined]>([
  [['Log', '2026-03-05'], '2026-03-05'],
  [['2025', 'March 2026', 'Decisions'], '2026-03-01'],
  [['Changes', '2024'], '2024-01-01'],
  [['Room 2024b'], undefined],
  [[' 2024 年 '], '2024-01-01'],
  [[], undefined],
])('reads the day of the headings %j', (headings, expected) => {
  expect(iso(dayInHeadings(headings))).toBe(expected)
})

it('is done at once with a line of ten megabytes', () => {
  const blank = `2026${' '.repeat(10_000_000)}x`
  expect(dayInHeadings([blank])).toBeUndefined()
  expect(said(blank)).toEqual({})
  expect(said(`As of 2026-03-05 ${'was until 2026 '.repeat(600_000)}`)).toMatchObject({
    asOf: '2026-03-05',
  })
})

it.each([
  ['As of January 2026, the team has 7 people.', ' the team has 7 people.'],
  ['The team has 7 people as of 2026-01-05.', 'The team has 7 people .'],
  ['As of 2024, and as of 5 March 2026, we have 3.', ' and  we have 3.'],
  ['As of 5 March 2026, and as of 2024, we have 3.', ' and  we have 3.'],
  ['The policy is effective as of 1 May 2026.', 'The policy is effective as of 1 May 2026.'],
])('takes the day out of %j', (sentence, left) => {
  expect(withoutAsOf(sentence)).toBe(left)
})
