import { expect, it } from 'vitest'
import { misnamedIn } from './named-folders.ts'

it.each<[string, string | undefined]>([
  ['notes', undefined],
  ['Notes/Pay', undefined],
  ['/docs/a b/', undefined],
  ['people', '"notes/people"'],
  ['note', 'in no source'],
  ['', 'in no source'],
  ['notes/people/**', 'leave the stars out'],
])('says what is wrong with a rule for %s', (folder, expected) => {
  const error = misnamedIn(['docs', folder], ['notes', 'docs'])
  if (expected === undefined) expect(error).toBeUndefined()
  else expect(`${error?.message} ${error?.hint}`).toContain(expected)
})
