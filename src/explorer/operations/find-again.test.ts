import { expect, it } from 'vitest'
import { findAgain } from './find-again.ts'

const TEXT = ['# A', '', 'one', '', '# B', '', 'two', 'three', '', '# C', '', 'four']
const PART = ['# B', '', 'two', 'three', '']

it.each<[string, readonly string[], readonly [number, number]]>([
  ['where it was', TEXT, [5, 9]],
  ['below lines that came', ['new', 'new', ...TEXT], [7, 11]],
  ['the nearest of two', [...TEXT, ...PART], [5, 9]],
  ['with a line that came', TEXT.toSpliced(7, 0, 'between'), [5, 10]],
  ['with a line that changed', TEXT.with(6, 'TWO'), [5, 9]],
  ['without its first line', TEXT.with(4, '# Other'), [5, 9]],
  ['by one line that is left', ['x', 'three', 'y'], [1, 3]],
  ['without a line that was moved far away', [...TEXT.toSpliced(4, 1), '# B'], [4, 8]],
  ['where it began, when nothing is left', Array.from({ length: 8 }, () => 'x'), [5, 8]],
  ['at the end, when nothing else is left', ['x'], [1, 1]],
])('finds a part %s', (_, lines, [first, last]) => {
  expect(findAgain(lines, PART, 5)).toEqual({ first, last })
})

it('takes nothing for its own that stood around it', () => {
  const around = { above: 'one', below: '# C' }
  const gone = TEXT.toSpliced(6, 3)
  expect(findAgain(gone, PART, 5, around)).toEqual({ first: 5, last: 6 })
  expect(findAgain(TEXT.toSpliced(3, 2), PART, 5, around)).toEqual({ first: 4, last: 7 })
  expect(findAgain(TEXT.with(4, '# Other'), PART, 5, around)).toEqual({ first: 5, last: 9 })
})

it('takes an empty text for the whole of it', () => {
  expect(findAgain([''], [''], 1)).toEqual({ first: 1, last: 1 })
})

it('is quick where every line is like every other', () => {
  const lines = Array.from({ length: 200_000 }, () => 'same')
  expect(findAgain(lines, [...lines.slice(0, 50), 'end'], 100_000).first).toBe(100_000)
  const long = [...lines.slice(0, 100_000), 'end']
  expect(findAgain([...lines, 'end'], long, 1).first).toBe(100_001)
  expect(findAgain(lines, long, 7).first).toBe(7)
})
