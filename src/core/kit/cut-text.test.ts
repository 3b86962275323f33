import { expect, it } from 'vitest'
import { withoutMiddle } from './cut-text.ts'
import { KnowledgeError, quoted } from '../domain/error.ts'

it('leaves out the middle of a text that is too long, and no half of a character', () => {
  expect(withoutMiddle('abcdefgh', 8)).toBe('abcdefgh')
  expect(withoutMiddle('abcdefghijklmnop', 12)).toBe('abcdefg… nop')
  expect(withoutMiddle('😀'.repeat(20), 12)).toBe('😀😀😀… 😀')
})

it('bounds what an error says, whatever is told in it', () => {
  const long = 'x'.repeat(1_000_000)
  const { message, hint } = new KnowledgeError('invalid', `${long} is no id.`, `Not ${long}!`)
  expect(message.length + hint.length).toBeLessThanOrEqual(2_000)
  expect(message).toMatch(/^xxx.* is no id\.$/)
  expect(hint).toMatch(/^Not xxx.*x!$/)
  expect(quoted(`a${long}b`)).toMatch(/^"ax+… x+b"$/)
  expect(quoted(long).length).toBeLessThan(130)
})
