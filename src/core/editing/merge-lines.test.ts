import fc from 'fast-check'
import { expect, it } from 'vitest'
import { mergeLines, type MergedPart } from './merge-lines.ts'

const lines = (text: string): readonly string[] => text.split('')
const shown = (parts: readonly MergedPart[]): string =>
  parts
    .map((part) =>
      part.kind === 'merged'
        ? part.lines.join('')
        : `<${[part.ours, part.base, part.theirs].map((each) => each.join('')).join('|')}>`,
    )
    .join('')

it.each([
  ['nothing', 'abc', 'abc', 'abc', 'abc'],
  ['both sides', 'abcde', 'aBcde', 'abcdE', 'aBcdE'],
  ['one line twice', 'abc', 'aBc', 'axc', 'a<B|b|x>c'],
  ['between what was merged', 'abcdefg', 'AbcXefg', 'abcYefG', 'Abc<X|d|Y>efG'],
  ['changes that reach into each other', 'abcdef', 'aXYdef', 'abUVWf', 'a<XYde|bcde|bUVW>f'],
  ['one that reaches over two', 'abcdefg', 'aBcdEfg', 'ag', 'a<BcdEf|bcdef|>g'],
  ['two in a row', 'abcdef', 'aXcYef', 'aVcWef', 'a<X|b|V>c<Y|d|W>ef'],
  ['a line added where others are gone', 'abcd', 'ad', 'abXcd', 'a<|bc|bXc>d'],
  ['everything', 'a', 'x', 'y', '<x|a|y>'],
])('puts together %s', (_what, base, ours, theirs, expected) => {
  expect(shown(mergeLines(lines(base), lines(ours), lines(theirs)))).toBe(expected)
})

it('loses no line that one side alone has written', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 10 })
  const own = (side: string) =>
    fc
      .array(fc.tuple(fc.nat(10), fc.nat(2), fc.nat(9)), { maxLength: 3 })
      .map((edits) => (base: string[]) => {
        const changed = [...base]
        for (const [at, gone, mark] of edits) changed.splice(at, gone, `${side}${mark}`)
        return changed
      })
  fc.assert(
    fc.property(text, own('x'), own('y'), (base, change, other) => {
      const [ours, theirs] = [change(base), other(base)]
      const parts = mergeLines(base, ours, theirs)
      const all = parts.flatMap((part) =>
        part.kind === 'merged' ? part.lines : [...part.ours, ...part.theirs],
      )
      for (const line of [...ours, ...theirs]) if (/\d/.test(line)) expect(all).toContain(line)
      for (const part of parts) {
        if (part.kind === 'conflict') expect(part.ours).not.toEqual(part.theirs)
      }
    }),
    { numRuns: 2_000 },
  )
})
