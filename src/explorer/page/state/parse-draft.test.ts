import { expect, it } from 'vitest'
import { parseDraft } from './parse-draft.ts'

const DRAFT = { text: 'b', base: 'a', first: 3, isWhole: false, digest: 'x', at: 1 }

it('reads a draft that somebody kept', () => {
  expect(parseDraft('k', JSON.stringify(DRAFT))).toEqual({ key: 'k', ...DRAFT })
})

it.each([
  ['', 'nothing'],
  ['{', 'no JSON'],
  ['null', 'nobody'],
  [JSON.stringify({ ...DRAFT, text: 1 }), 'no text'],
  [JSON.stringify({ ...DRAFT, first: 0 }), 'no line'],
  [JSON.stringify({ ...DRAFT, at: 'then' }), 'no time'],
])('takes %s for no draft: %s', (text) => {
  expect(parseDraft('k', text)).toBeUndefined()
})
