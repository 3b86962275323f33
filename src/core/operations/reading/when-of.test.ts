import { describe, expect, it } from 'vitest'
import type { DocumentRecord } from '../../domain/document.ts'
import type { Properties } from '../../domain/text.ts'
import { compareWhen, holdsAt, isOver, momentAt, whenOf, whenOfStatement } from './when-of.ts'

const note = (path: string, properties: Properties = {}) =>
  ({
    source: 'notes',
    path,
    properties,
    modifiedAt: Date.UTC(2030, 0, 1),
  }) as unknown as DocumentRecord
const day = (path: string, properties?: Properties): string | undefined => {
  const when = whenOf(note(path, properties))
  return when && new Date(when.at).toISOString().slice(0, 10)
}

describe('when a document says what it says', () => {
  it.each<[string, string, Properties, string | undefined]>([
    ['its date', 'a.md', { date: '2026-03-01' }, '2026-03-01'],
    [
      'since when it is valid',
      'a.md',
      { date: '2026-03-01', valid_from: '2026-05-01' },
      '2026-05-01',
    ],
    ['a date in words', 'a.md', { date: 'March-15-2024' }, '2024-03-15'],
    ['the name of a daily note', 'daily/2026-03-02.md', {}, '2026-03-02'],
    ['a name that begins with a day', '20260302-standup.md', {}, '2026-03-02'],
    ['a date before the name', '2026-03-02.md', { date: '2026-03-09' }, '2026-03-09'],
    ['a link to a daily note', 'a.md', { date: '[[2026-03-05]]' }, '2026-03-05'],
    ['a day without dashes', 'a.md', { created: 20260305 }, '2026-03-05'],
    ['a date at length', 'a.md', { created: 'Thursday, March 5th 2026, 10:00 am' }, '2026-03-05'],
    ['a date in another language', 'a.md', { date: '5. März 2026' }, '2026-03-05'],
    ['a name in words', 'journal/March 5th, 2026.md', {}, '2026-03-05'],
    ['a name in Chinese', '2026年3月5日.md', {}, '2026-03-05'],
    ['a day in folders', 'journal/2026/3/5.md', {}, '2026-03-05'],
    ['a month', 'monthly/2026-03.md', {}, '2026-03-01'],
    ['a week', 'weekly/2026-W10.md', {}, '2026-03-02'],
    ['the first week', '2027-W01.md', {}, '2027-01-04'],
    ['no week that is none', '2026-W99.md', {}, undefined],
    ['no year that is none', 'a.md', { date: '99999', valid_from: '0000-01-01' }, undefined],
    ['never the time of the file', 'a.md', {}, undefined],
    ['no number that is no day', 'rfc-2026-99-99.md', {}, undefined],
    ['nothing that cannot be read', 'a.md', { date: 'soon' }, undefined],
  ])('%s', (_, path, properties, expected) => expect(day(path, properties)).toBe(expected))
})

it('tells parts of one day apart by the numbers in their names', () => {
  const date = { date: '2024-03-15' }
  const [a, b] = [whenOf(note('t00009.md', date))!, whenOf(note('t00010.md', date))!]
  expect(compareWhen(a, b)).toBeLessThan(0)
  expect(compareWhen(b, a)).toBeGreaterThan(0)
  expect(compareWhen(a, a)).toBe(0)
})

it.each<[Properties, boolean]>([
  [{ superseded_by: '[[New]]' }, true],
  [{ superseded_by: '' }, false],
  [{ status: 'Deprecated' }, true],
  [{ status: 'draft' }, false],
  [{ valid_until: '2020-01-01' }, true],
  [{ valid_until: '2025-12-31' }, true],
  [{ valid_until: '2026-01-01' }, false],
  [{ valid_until: '2026' }, false],
  [{ superseded_by: [['New']] }, true],
  [{ superseded_by: [] }, false],
  [{ valid_until: '9999-12-31' }, false],
  [{ valid_until: 'never' }, false],
])('knows what holds no longer: %j', (properties, expected) => {
  const now = momentAt(Date.UTC(2026, 0, 1))
  expect(isOver(note('a.md', properties), now)).toBe(expected)
})

it.each<[string, string, readonly string[], Properties, string | undefined]>([
  [
    'its own word',
    'As of 2026-05-01 it is 20.',
    ['2026-04-01'],
    { date: '2026-03-01' },
    '2026-05-01',
  ],
  ['the heading', 'It is 20.', ['Log', '2026-04-01'], { date: '2026-03-01' }, '2026-04-01'],
  ['the note', 'Since 2020 it is 20.', ['Log'], { date: '2026-03-01' }, '2026-03-01'],
  ['since when it holds', 'Since 2020 it is 20.', [], {}, '2020-01-01'],
  ['nobody', 'On 2026-05-01 we meet.', [], {}, undefined],
])('dates a statement by %s', (_, statement, headings, properties, expected) => {
  const { when } = whenOfStatement(note('a.md', properties), statement, headings)
  expect(when && new Date(when.at).toISOString().slice(0, 10)).toBe(expected)
})

it.each<[string | undefined, boolean, string | undefined]>([
  ['2025-12-31', false, '2026-01-01'],
  ['2026-01-01', true, '2026-02-01'],
  ['2026-02-01', false, undefined],
])('knows what holds at a moment, and when that may be another: %s', (day, holds, turn) => {
  const at = (text = '') => Date.parse(text)
  const now = momentAt(at(day))
  const said = { from: at('2026-01-01'), until: at('2026-02-01') }
  expect(holdsAt(said, now)).toBe(holds)
  // The next of all times that are not reached yet, also where another has decided.
  expect(now.turnsAt).toBe(turn === undefined ? Infinity : at(turn))
  expect(holdsAt({}, now)).toBe(true)
})
