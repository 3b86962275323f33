import { expect, it } from 'vitest'
import { lineAt, lineStartsOf } from './lines.ts'

function check(text: string, starts: readonly number[]): void {
  it(`${JSON.stringify(text)} begins lines at ${starts.join(', ')}`, () => {
    expect(lineStartsOf(text)).toEqual(starts)
    starts.forEach((start, i) => expect(lineAt(starts, start)).toBe(i + 1))
  })
}

check('', [0])
check('a\nb', [0, 2])
check('a\n', [0, 2])
check('a\r\nb\r\n', [0, 3, 6])
check('a\rb\r\rc', [0, 2, 4, 5])
check('a\n\rb', [0, 2, 3])
