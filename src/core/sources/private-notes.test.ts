import { expect, it } from 'vitest'
import { isPrivate } from './private-notes.ts'

it.each([
  ['---\ncairn: private\n---\n# A', true],
  ['---\r\ntitle: A\r\ncairn: "Private" # ours\r\n---\r\n', true],
  ['\uFEFF---\ncairn: private\n---\n', true],
  ['---\n"cairn": private\n', true],
  ['---\ncairn: public\n---\n', false],
  ['---\ntitle: A\n---\ncairn: private\n', false],
  ['cairn: private\n', false],
  ['---\ntags:\n  cairn: private\n---\n', false],
  ['', false],
  ['---\ncairn: private', true],
  ['---\n\n\r\ncairn: private\r\n', true],
  ['---\n', false],
])('knows a note that says it is private: %j', (text, expected) => {
  expect(isPrivate(text)).toBe(expected)
})
