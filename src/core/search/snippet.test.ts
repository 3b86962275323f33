import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { MatchedWord } from './lexical-index.ts'
import { snippet } from './snippet.ts'

function word(term: string, weight = 1): MatchedWord {
  return { spelling: term, terms: [term], match: 'exact', weight }
}

/** The snippet's text with its matches in brackets. */
function show(passage: string, words: readonly MatchedWord[], length?: number): string {
  const { start, end, matches } = snippet(passage, words, { length })
  let shown = ''
  let at = start
  for (const match of matches) {
    shown += `${passage.slice(at, match.start)}[${passage.slice(match.start, match.end)}]`
    at = match.end
  }
  return shown + passage.slice(at, end)
}

const filler = 'nothing to see here '.repeat(20)

it('shows a short passage whole', () => {
  expect(show('The kettles boil.', [word('kettl')])).toBe('The [kettles] boil.')
})

it('shows the beginning when nothing matches', () => {
  expect(show(filler, [word('kettl')], 30)).toBe('nothing to see here nothing to')
})

it('prefers the window with more of the query', () => {
  const passage = `A kettle. ${filler} Fill the kettle with fresh water. ${filler}`
  expect(show(passage, [word('kettl'), word('water')], 60)).toContain('[kettle] with fresh [water]')
})

it('prefers the rarer word when both do not fit', () => {
  const passage = `A kettle. ${filler} Some oolong. ${filler}`
  expect(show(passage, [word('kettl', 1), word('oolong', 5)], 40)).toContain('[oolong]')
})

it('marks overlapping pairs as one match', () => {
  expect(show('私は東京都に住む', [word('東京'), word('京都')])).toBe('私は[東京都]に住む')
})

it('marks an identifier found by one of its words', () => {
  expect(show('call getUserById now', [word('user')])).toBe('call [getUserById] now')
})

it('stays inside any passage', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 50 }), (text, length) => {
      const { start, end, matches } = snippet(`${text} tea ${text}`, [word('tea')], { length })
      expect(start).toBeGreaterThanOrEqual(0)
      expect(end).toBeLessThanOrEqual(text.length * 2 + 5)
      for (const match of matches) {
        expect(match.start).toBeGreaterThanOrEqual(start)
        expect(match.end).toBeLessThanOrEqual(end)
      }
    }),
  )
})
