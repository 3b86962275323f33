import { expect, it } from 'vitest'
import { ownText } from './own-text.ts'

it.each([
  '',
  'tea',
  'a title of a note',
  'käse-und-brot-und-tee',
  `${'茶'.repeat(20)}😀`,
  '\ud800'.repeat(20),
])('is the same text: %j', (text) => {
  expect(ownText(`before ${text} behind`.slice(7, 7 + text.length))).toBe(text)
})
