import fc from 'fast-check'
import { expect, it } from 'vitest'
import { afterBlankStart, beforeBlankEnd } from './blank-lines.ts'

const text = fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\r\n', '\r', 'a') })

it('finds the same places as the patterns that say what they are', () => {
  fc.assert(
    fc.property(text, (each) => {
      expect(afterBlankStart(each)).toBe(/^(?:[ \t]*\r?\n)*/.exec(each)![0].length)
      expect(beforeBlankEnd(each)).toBe(each.length - /(?:\r?\n[ \t]*)*$/.exec(each)![0].length)
    }),
  )
})
