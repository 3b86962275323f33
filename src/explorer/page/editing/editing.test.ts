import { EditorState } from '@codemirror/state'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changesTo } from './changes-to.ts'
import { markerAfter } from './markdown-keys.ts'
import { windowOf } from './preview-window.ts'

describe('the marker of the next line', () => {
  it.each([
    ['- one', '- '],
    ['  * one', '  * '],
    ['9. one', '10. '],
    ['3) one', '4) '],
    ['- [x] one', '- [ ] '],
    ['> said', '> '],
    ['> > said', '> > '],
    ['plain', undefined],
    ['-one', undefined],
    ['# head', undefined],
  ])('below %j is %j', (line, marker) => {
    expect(markerAfter(line)?.marker).toBe(marker)
  })

  it.each(['- ', '  - [ ] ', '1. ', '> '])('is none below an empty one: %j', (line) => {
    expect(markerAfter(line)?.isEmpty).toBe(true)
  })
})

it('changes a text into any other, and only the lines that are different', () => {
  const text = fc.array(fc.constantFrom('a', 'b', '', 'c\r', '  d'), { maxLength: 8 })
  fc.assert(
    fc.property(text, text, (before, after) => {
      const [old, next] = [before.join('\n'), after.join('\n')]
      const extensions = EditorState.lineSeparator.of('\n')
      const state = EditorState.create({ doc: old, extensions })
      const { state: made } = state.update({ changes: changesTo(state, next) })
      expect(made.doc.toString()).toBe(next)
    }),
    { numRuns: 2_000 },
  )
})

it('shows a window of whole lines around the cursor of a long text', () => {
  const lines = Array.from({ length: 20_000 }, (_, at) => `line ${at + 1}`)
  for (const line of [1, 7_000, 20_000]) {
    const { text, line: first } = windowOf({ text: lines.join('\n'), line }, 101)
    expect(text.length).toBeLessThanOrEqual(48 * 1024)
    const shown = text.split('\n')
    expect(shown[0]).toBe(`line ${first - 100}`)
    expect(shown).toContain(`line ${line}`)
  }
  expect(windowOf({ text: 'a\nb', line: 2 }, 5)).toEqual({ text: 'a\nb', line: 5 })
})
