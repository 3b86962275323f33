import { expect, it } from 'vitest'
import { findDates, MOST_DATES } from './find-dates.ts'
import { parseDay } from './parse-day.ts'

const iso = (at: number) => new Date(at).toISOString().slice(0, 10)

it.each<[string, readonly string[]]>([
  ['On 2026-03-05 we met, and in 2026-04 again.', ['2026-03-05', '2026-04-01']],
  ['On 2026/03/05.', ['2026-03-05']],
  ['March 5, 2026; Mar 5 2026; 5 March 2026; the 5th of March 2026', Array(4).fill('2026-03-05')],
  ['In March 2026 and Dec. 2025', ['2026-03-01', '2025-12-01']],
  ['Am 5. März 2026, am 05.03.2026 und im Jänner 2026', ['2026-03-05', '2026-03-05', '2026-01-01']],
  ['Le 5 mars 2026, le 1er août 2026, en févr. 2026', ['2026-03-05', '2026-08-01', '2026-02-01']],
  ['El 5 de marzo de 2026 y en diciembre de 2025', ['2026-03-05', '2025-12-01']],
  ['5 марта 2026 года, в мае 2026', ['2026-03-05', '2026-05-01']],
  ['2026年3月5日开会，2026年4月上线', ['2026-03-05', '2026-04-01']],
  ['Q2 2026 and 2025-Q4', ['2026-04-01', '2025-10-01']],
  ['March-15-2024', ['2024-03-15']],
  ['Nothing on 0000-01-01, 99999-01-01, 2026-13-01, 2026-02-30, 31.02.2026 or in 2026.', []],
  ['Versions 1.2.2026 4, 192.168.2026.1 and 12026-03-05 are none', ['2026-02-01']],
  ['The marched 5, 2026 soldiers; mayor 5 2026', []],
])('finds the dates of %j', (text, expected) => {
  expect(findDates(text).map(({ from }) => iso(from))).toEqual(expected)
})

it('says where they stand, within a part of the text', () => {
  const text = '2025-01-01 and 2026-03-05, then 2027-01-01'
  const [date, ...others] = findDates(text, 11, 30)
  expect(others).toEqual([])
  expect(text.slice(date!.start, date!.end)).toBe('2026-03-05')
})

it('is done with any text in time that grows with its length', () => {
  expect(findDates('2026-03-05 '.repeat(10_000))).toHaveLength(MOST_DATES)
  for (const text of [
    '1'.repeat(1e5),
    '5. '.repeat(1e5),
    '5 march '.repeat(2e4),
    '2026年'.repeat(1e4),
  ]) {
    expect(findDates(`${text} 2026`)).toEqual([])
  }
})

it.each([
  ['5. März 2026', '2026-03-05'],
  ['5 de marzo de 2026', '2026-03-05'],
  ['1er mars 2026', '2026-03-01'],
  ['5 марта 2026', '2026-03-05'],
  ['2026年3月5日', '2026-03-05'],
  ['2026年3月', '2026-03-01'],
  ['Sept 5, 2026', '2026-09-05'],
  ['5 Foo 2026', undefined],
])('reads %j in front matter', (text, expected) => {
  const day = parseDay(text)
  expect(day && iso(day.from)).toBe(expected)
})
