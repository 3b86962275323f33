import fc from 'fast-check'
import { expect, it } from 'vitest'
import { diffLines } from './diff-lines.ts'
import { mergeText } from './merge-text.ts'

function merge(base: string, ours: string, theirs: string): string | undefined {
  const merged = mergeText(Buffer.from(base), Buffer.from(ours), Buffer.from(theirs))
  return merged && Buffer.from(merged).toString()
}

it.each([
  ['edits in different places', 'a\nb\nc\n', 'A\nb\nc\n', 'a\nb\nC\n', 'A\nb\nC\n'],
  ['edits of neighbouring lines', 'a\nb\n', 'A\nb\n', 'a\nB\n', 'A\nB\n'],
  ['lines added by both at the end', 'a\n', 'a\nours\n', 'a\ntheirs\n', 'a\ntheirs\nours\n'],
  ['a line taken away before one that was added', 'a\none\n', 'a\none\ntwo\n', 'a\n', 'a\ntwo\n'],
  ['the same change on both sides', 'a\nb\n', 'a\nB\n', 'a\nB\n', 'a\nB\n'],
  ['the same lines added by both', 'a\n', 'a\nb\n', 'a\nb\n', 'a\nb\n'],
  ['lines of which both add the first', 'a\n', 'a\nb\nc\n', 'a\nb\n', 'a\nb\nc\n'],
  ['a text that had no line end', 'a', 'a\nours\n', 'a\ntheirs', 'a\ntheirs\nours\n'],
  ['characters of several bytes', 'ä\n茶\n', 'ä!\n茶\n', 'ä\n緑茶\n', 'ä!\n緑茶\n'],
  ['an empty text', '', 'ours', '', 'ours'],
])('puts together %s', (_what, base, ours, theirs, expected) => {
  expect(merge(base, ours, theirs)).toBe(expected)
})

it.each([
  ['the same line', 'a\nb\nc\n', 'a\nB\nc\n', 'a\nbb\nc\n'],
  ['a line inside a part that is gone', 'a\nb\nc\nd\n', 'a\nd\n', 'a\nb\nC\nd\n'],
  ['a line added inside a part that is gone', 'a\nb\nc\nd\n', 'a\nd\n', 'a\nb\nnew\nc\nd\n'],
])('refuses where both changed %s', (_what, base, ours, theirs) => {
  expect(merge(base, ours, theirs)).toBeUndefined()
})

const text = fc.array(fc.constantFrom('a', 'b', 'c', '', 'd\r'), { maxLength: 12 })

it('finds differences that turn one text into the other', () => {
  fc.assert(
    fc.property(text, text, (a, b) => {
      const made: string[] = []
      let at = 0
      for (const { from, to, start, end } of diffLines(a, b)) {
        made.push(...a.slice(at, from), ...b.slice(start, end))
        at = to
      }
      expect([...made, ...a.slice(at)]).toEqual(b)
    }),
    { numRuns: 2_000 },
  )
})

it('changes nothing where only one side changed', () => {
  fc.assert(
    fc.property(text, text, (a, b) => {
      const [base, other] = [a.join('\n'), b.join('\n')]
      expect(merge(base, base, other)).toBe(other)
      expect(merge(base, other, base)).toBe(other)
      expect(merge(base, other, other)).toBe(other)
    }),
    { numRuns: 2_000 },
  )
})

it('compares very different texts as one block, in bounded time', () => {
  const a = Array.from({ length: 20_000 }, (_, line) => `a${line}`)
  const b = Array.from({ length: 20_000 }, (_, line) => `b${line}`)
  expect(diffLines(a, b)).toEqual([{ from: 0, to: 20_000, start: 0, end: 20_000 }])
})
