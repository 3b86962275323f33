import { expect, it } from 'vitest'
import { csvText } from './csv.ts'

it.each([
  ['a', 'a'],
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\nlines', '"two\nlines"'],
  ['-1.5', '-1.5'],
  ['=1+1', "'=1+1"],
  ['-cmd', "'-cmd"],
  ['@x', "'@x"],
  ['', ''],
])('writes %j so that it is read and not run', (text, written) => {
  expect(csvText([[text, 'b']])).toBe(`${written},b\r\n`)
})
