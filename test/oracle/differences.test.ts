import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { diffLines, differencesOf, spread } from './differences.ts'
import type { Recorded } from './differences.ts'

const recorded = (replies: Record<string, string>, more: Partial<Recorded> = {}): Recorded => ({
  name: 'native/x',
  steps: Object.entries(replies).map(([call, reply]) => ({ call, reply })),
  ...more,
})

describe('differences', () => {
  it('are none where the bytes are the same', () => {
    expect(differencesOf(recorded({ a: '1' }), recorded({ a: '1' }))).toEqual([])
  })

  it('name the call, and show the lines that differ with one around', () => {
    const before = recorded({ a: '{"result":{"one":1,"two":2,"three":3,"four":4}}' })
    const after = recorded({ a: '{"result":{"one":1,"two":2,"three":5,"four":4}}' })
    expect(differencesOf(before, after)).toEqual([
      {
        sequence: 'native/x',
        what: 'a',
        lines: ['      two: 2', '-     three: 3', '+     three: 5', '      four: 4', '  …'],
      },
    ])
  })

  it('are calls that came or went, files and history', () => {
    const before = recorded(
      { a: '1', b: '1' },
      { files: { 'x.md': 'a', 'y.md': 'b' }, history: '1' },
    )
    const after = recorded(
      { b: '1', c: '1' },
      { files: { 'x.md': 'c', 'z.md': 'b' }, history: '2' },
    )
    expect(differencesOf(before, after).map(({ what }) => what)).toEqual([
      'c',
      'a',
      'file x.md',
      'file y.md',
      'file z.md',
      'history',
    ])
    expect(differencesOf(undefined, recorded({ a: '1' }))).toHaveLength(1)
  })

  it('tell the same call twice apart', () => {
    const steps = [1, 2].map((n) => ({ call: 'undo', reply: `${n}` }))
    const now = { name: 'native/x', steps: [steps[0]!, { call: 'undo', reply: '3' }] }
    const [difference, ...others] = differencesOf({ name: 'native/x', steps }, now)
    expect(others).toEqual([])
    expect(difference).toMatchObject({ what: 'undo (2)', lines: ['- 2', '+ 3'] })
  })

  it('are bytes, even where the values are the same', () => {
    expect(diffLines('{"a":1}', '{"a": 1}')[0]).toContain('other bytes')
  })
})

it('spreads JSON, JSON inside of a text, texts, and marks in the place of numbers', () => {
  expect(
    spread('HTTP 200\n{"at":<time>,"text":"{\\"n\\":<time>}","lines":"a\\nb","none":[]}'),
  ).toEqual([
    'HTTP 200',
    '{',
    '  at: "<time>"',
    '  text: (text) {',
    '    n: "<time>"',
    '  }',
    '  lines: """',
    '    a',
    '    b',
    '  none: []',
    '}',
  ])
})

it('leaves both sides whole, and no more edits than needed', () => {
  const texts = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 8 })
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      if (before.join() === after.join()) return
      const lines = diffLines(['>', ...before, '<'].join('\n'), ['>', ...after, '<'].join('\n'))
      const edits = (sign: string) => lines.filter((line) => line.startsWith(`${sign} `))
      const common = longestCommon(before, after)
      expect(edits('-')).toHaveLength(before.length - common)
      expect(edits('+')).toHaveLength(after.length - common)
    }),
  )
})

function longestCommon(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return 0
  if (a[0] === b[0]) return 1 + longestCommon(a.slice(1), b.slice(1))
  return Math.max(longestCommon(a.slice(1), b), longestCommon(a, b.slice(1)))
}
