import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatRoute, parseRoute, withoutPane, withPane, VIEWS, type Route } from './route.ts'

const NOWHERE: Route = {
  view: 'search',
  q: '',
  filters: {},
  panes: [],
  focus: 0,
  lines: '',
  quote: '',
  fragment: '',
  more: {},
}

const text = fc
  .string({ minLength: 1, maxLength: 12, unit: 'grapheme' })
  .filter((each) => each.isWellFormed() && !/^\.{1,2}$/.test(each))
const id = fc
  .array(
    text.filter((each) => !each.includes('/')),
    { minLength: 1, maxLength: 3 },
  )
  .map((parts) => parts.join('/'))

const route: fc.Arbitrary<Route> = fc
  .record({
    view: fc.constantFrom(...VIEWS),
    q: fc.oneof(fc.constant(''), text),
    filters: fc.record({ tag: text, since: fc.constant('2026-01-01') }, { requiredKeys: [] }),
    panes: fc.uniqueArray(fc.record({ id, pinned: fc.boolean() }), {
      maxLength: 4,
      selector: (pane) => pane.id,
    }),
    focus: fc.nat(3),
    lines: fc.constantFrom('', '3', '3-5'),
    quote: fc.oneof(fc.constant(''), text),
    fragment: fc.oneof(fc.constant(''), text),
    more: fc.constant({}),
  })
  .map((each) => ({
    ...each,
    focus: each.view === 'search' ? Math.max(0, Math.min(each.focus, each.panes.length - 1)) : 0,
  }))

describe('the address', () => {
  it('says everything that matters', () => {
    fc.assert(
      fc.property(route, (each) => {
        expect(parseRoute(formatRoute(each))).toEqual(each)
      }),
    )
  })

  it.each(['/', '/n/', '/n/%', '/n/a.md#%E0', '/nonsense', '/graph?p=&pin=x', '/reports/'])(
    'can be read: %s',
    (url) => {
      expect(() => parseRoute(url)).not.toThrow()
    },
  )
})

describe('panes', () => {
  const stack = ['a', 'b', 'c'].map((each) => ({ id: each, pinned: false }))

  it('open to the right of where the link was', () => {
    const opened = withPane({ ...NOWHERE, panes: stack }, 'd', 0)
    expect(opened.panes.map((pane) => pane.id)).toEqual(['a', 'd'])
    expect(opened.focus).toBe(1)
  })

  it('are used again', () => {
    const opened = withPane({ ...NOWHERE, panes: stack }, 'c', 0)
    expect(opened.panes).toEqual(stack)
    expect(opened.focus).toBe(2)
  })

  it('stay when they are pinned', () => {
    const pinned = [stack[0]!, stack[1]!, { id: 'c', pinned: true }]
    expect(withPane({ ...NOWHERE, panes: pinned }, 'd', 0).panes.map((pane) => pane.id)).toEqual([
      'a',
      'd',
      'c',
    ])
    expect(
      withPane({ ...NOWHERE, panes: pinned }, 'd', undefined).panes.map((pane) => pane.id),
    ).toEqual(['c', 'd'])
  })

  it('close, and the next one is read', () => {
    expect(withoutPane({ ...NOWHERE, panes: stack, focus: 1 }, 1).focus).toBe(1)
    expect(withoutPane({ ...NOWHERE, panes: stack, focus: 2 }, 2).focus).toBe(1)
    expect(withoutPane({ ...NOWHERE, panes: stack.slice(0, 1), focus: 0 }, 0).panes).toEqual([])
  })
})
