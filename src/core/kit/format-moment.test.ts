import { expect, it } from 'vitest'
import { formatMoment } from './format-moment.ts'

const TUESDAY = new Date(2026, 11, 1, 9, 5, 7, 42)
const MIDNIGHT = new Date(2027, 0, 3, 0, 0, 0)

it.each([
  ['YYYY-MM-DD', '2026-12-01'],
  ['YY.M.D', '26.12.1'],
  ['dddd, MMMM Do YYYY', 'Tuesday, December 1st 2026'],
  ['ddd dd d MMM', 'Tue Tu 2 Dec'],
  ['HH:mm:ss.SSS', '09:05:07.042'],
  ['h:mm A, hh a', '9:05 AM, 09 am'],
  ['[Week] W, GGGG-[W]WW', 'Week 49, 2026-W49'],
  ['gggg-[w]ww', '2026-w49'],
  ['DDD DDDD Q', '335 335 4'],
  ['YYYY/MM/YYYY-MM-DD', '2026/12/2026-12-01'],
  ['[YYYY]', 'YYYY'],
  ['', ''],
  ['日本 _-', '日本 _-'],
])('%s is %s', (format, expected) => {
  expect(formatMoment(TUESDAY, format)).toBe(expected)
})

it.each([
  ['H HH h k', '0 00 12 24'],
  ['A', 'AM'],
  ['YYYY-MM-DD GGGG-[W]WW gggg-[w]ww e E', '2027-01-03 2026-W53 2027-w02 0 7'],
  ['DDD Do', '3 3rd'],
])('at midnight of a Sunday, %s is %s', (format, expected) => {
  expect(formatMoment(MIDNIGHT, format)).toBe(expected)
})

it.each([
  [11, '11th'],
  [12, '12th'],
  [21, '21st'],
  [22, '22nd'],
  [23, '23rd'],
  [30, '30th'],
])('the %i is the %s', (day, expected) => {
  expect(formatMoment(new Date(2026, 0, day), 'Do')).toBe(expected)
})
