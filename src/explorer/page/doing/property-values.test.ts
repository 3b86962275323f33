import { describe, expect, it } from 'vitest'
import { changeOf, fieldsOf, kindOf, laidOver, type Field } from './property-values.ts'

it.each([
  ['draft', 'text'],
  ['two\nlines', 'long'],
  ['', 'text'],
  [null, 'text'],
  [4, 'number'],
  [true, 'checkbox'],
  ['2026-12-01', 'date'],
  ['2026-12-01T10:30', 'moment'],
  ['2026-12', 'text'],
  [['a', 1, false], 'list'],
  [[], 'list'],
  // Would not come out as they went in.
  [[['a']], 'other'],
  [['a\nb'], 'other'],
  [[' a'], 'other'],
  [{ a: 1 }, 'other'],
  ['[masked api key]', 'other'],
  [['[masked api key]'], 'other'],
])('%j is edited as %s', (value, kind) => {
  expect(kindOf(value)).toBe(kind)
})

const BEFORE = {
  status: 'draft',
  rating: 4,
  due: '2026-12-01',
  done: false,
  tags: ['a', 7],
  n: { a: 1 },
}

function change(edit: (fields: readonly Field[]) => readonly Field[]) {
  const before = fieldsOf(BEFORE)
  return changeOf(before, edit(before))
}

const set = (name: string, more: Partial<Field>) => (fields: readonly Field[]) =>
  fields.map((each) => (each.name === name ? { ...each, ...more } : each))

describe('a change', () => {
  it.each([
    ['nothing', (fields: readonly Field[]) => fields, { renamed: [], metadata: {} }],
    ['a text', set('status', { text: 'true' }), { renamed: [], metadata: { status: 'true' } }],
    ['a number', set('rating', { text: '-4.5' }), { renamed: [], metadata: { rating: -4.5 } }],
    ['a box', set('done', { text: 'true' }), { renamed: [], metadata: { done: true } }],
    // What was a number in it stays one.
    ['a list', set('tags', { text: '7\n\n b ' }), { renamed: [], metadata: { tags: [7, 'b'] } }],
    ['an empty list', set('tags', { text: '\n' }), { renamed: [], metadata: { tags: [] } }],
    ['a name', set('n', { name: 'more ' }), { renamed: [{ from: 'n', to: 'more' }], metadata: {} }],
    [
      'a name and a value',
      set('status', { name: 'state', text: 'x' }),
      { renamed: [{ from: 'status', to: 'state' }], metadata: { state: 'x' } },
    ],
    [
      'one less and one more',
      (fields: readonly Field[]) => [
        ...fields.slice(1),
        { name: 'who', kind: 'text', text: '' } as const,
      ],
      { renamed: [], metadata: { status: null, who: '' } },
    ],
    ['no number', set('rating', { text: 'four' }), '“rating” is no number.'],
    ['no day', set('due', { text: '' }), '“due” is no date.'],
    ['no name', set('due', { name: ' ' }), 'A property needs a name.'],
    ['a name twice', set('due', { name: 'status' }), 'There would be two properties “status”.'],
    [
      'a name that another had',
      (fields: readonly Field[]) =>
        set('due', { name: 'status' })(set('status', { name: 'state' })(fields)),
      '“status” has just got another name: save that first.',
    ],
  ])('of %s', (_, edit, expected) => {
    expect(change(edit as never)).toEqual(expected)
  })
})

describe('what was changed in a form, over what another has written meanwhile', () => {
  const before = fieldsOf(BEFORE)
  const set = (was: string, change: Partial<Field>) =>
    before.map((each) => (each.was === was ? { ...each, ...change } : each))
  const over = (now: object, mine: readonly Field[]) => {
    const there = fieldsOf({ ...BEFORE, ...now }).filter(({ value }) => value !== undefined)
    const { fields, gone } = laidOver(there, before, mine)
    return { change: changeOf(there, fields), gone }
  }

  it.each([
    ['a value', set('status', { text: 'done' }), { rating: 5 }, { metadata: { status: 'done' } }],
    [
      'one that is gone',
      set('rating', { text: '5' }),
      { rating: undefined },
      { gone: ['rating'], metadata: { rating: 5 } },
    ],
    [
      'one that is gone, by a new name',
      set('rating', { name: 'stars' }),
      { rating: undefined },
      { gone: ['rating'], metadata: { stars: 4 } },
    ],
    ['one that both took away', before.filter(({ was }) => was !== 'due'), { due: undefined }, {}],
    [
      'one that I took away and another changed',
      before.filter(({ was }) => was !== 'due'),
      { due: '2027-01-01' },
      { metadata: { due: null } },
    ],
    ['one that another took away, untouched here', before, { due: undefined }, {}],
    [
      'one that is new here',
      [...before, { name: 'x', kind: 'text', text: 'y' } as Field],
      { rating: 5 },
      { metadata: { x: 'y' } },
    ],
    ['one that is new there', before, { more: 'there' }, {}],
  ] as const)(
    '%s',
    (
      _,
      mine,
      now,
      {
        gone = [],
        metadata = {},
      }: { readonly gone?: readonly string[]; readonly metadata?: object },
    ) => {
      expect(over(now, mine)).toEqual({ change: { renamed: [], metadata }, gone })
    },
  )

  it('keeps what a form cannot edit, and nothing that is hidden', () => {
    const whole = fieldsOf({ nested: { a: [1] }, secret: { b: '[masked api key]' } })
    const mine = whole.map((each) => ({ ...each, name: `${each.name} too` }))
    const { fields, gone } = laidOver([], whole, mine)
    expect(gone).toEqual(['nested', 'secret'])
    expect(changeOf([], fields.slice(0, 1))).toEqual({
      renamed: [],
      metadata: { 'nested too': { a: [1] } },
    })
    expect(fields[1]).not.toHaveProperty('value')
  })
})
