import { expect, it } from 'vitest'
import { headerOf, isHeader, namedCells } from './table-rows.ts'

const TABLE = `Before.

| Name | Rooms |
| :--- | ----: |
| Ada  | 3     |
| Ben  | 4     |

| no | table |
`

it('finds the line that names the columns', () => {
  for (const row of ['| Ada', '| Ben']) {
    const header = headerOf(TABLE, TABLE.indexOf(row))!
    expect(TABLE.slice(header.start, header.end)).toBe('| Name | Rooms |')
  }
  for (const other of ['Before', '| Name', '| no']) {
    expect(headerOf(TABLE, TABLE.indexOf(other))).toBeUndefined()
  }
})

it('does so behind any ends of lines', () => {
  const text = TABLE.replaceAll('\n', '\r\n')
  const header = headerOf(text, text.indexOf('| Ben'))!
  expect(text.slice(header.start, header.end)).toBe('| Name | Rooms |')
})

it('knows the line that names the columns', () => {
  expect(isHeader(TABLE, TABLE.indexOf('Rooms |') + 7)).toBe(true)
  expect(isHeader(TABLE, TABLE.indexOf('3     |') + 7)).toBe(false)
  expect(isHeader('| end |', 7)).toBe(false)
})

it.each([
  ['| Name | Rooms |', '| Ada | 3 |', 'Name: Ada; Rooms: 3'],
  ['| Name | Rooms |', '| Ada | |', 'Name: Ada'],
  ['| | Rooms |', '| Ada | 3 |', 'Ada; Rooms: 3'],
  ['| Name | Phone | Room |', '|| 4412 | 13 |', 'Phone: 4412; Room: 13'],
  ['| Name |', '| [[ada|Ada]] | 3 |', 'Name: [[ada|Ada]]; 3'],
  ['| Name | Code |', '| a \\| b | `x | y` |', 'Name: a | b; Code: `x | y`'],
])('%s over %s', (header, row, expected) => {
  expect(namedCells(header, row)).toBe(expected)
})

it('reads lines that nobody writes in time that grows with them', () => {
  const wide = `|${' '.repeat(200_000)}x`
  expect(headerOf(`${wide}\n|---|\n| a |`, wide.length + 7)).toBeUndefined()
  expect(isHeader(`| a |\n${wide}`, 5)).toBe(false)
})
