import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { DocumentRecord } from '../../core/domain/document.ts'
import { fieldsOf, parseCondition } from '../../core/operations/reading/parse-condition.ts'
import { propertyFacets } from './property-facets.ts'

const note = (properties: object): DocumentRecord =>
  ({ properties, tags: [], inlineTags: [], aliases: [] }) as unknown as DocumentRecord

const shown = (...notes: readonly object[]): readonly string[] =>
  propertyFacets(notes.map(note)).flatMap(({ key, values }) =>
    values.map(({ value, count }) => `${key}: ${value} ${count}`),
  )

describe('facets of properties', () => {
  it.each([
    ['nothing, where nothing is said', [{}, {}], []],
    [
      'the most frequent value first',
      [{ status: 'open' }, { status: 'done' }, { status: 'done' }],
      ['status: done 2', 'status: open 1'],
    ],
    ['not what is the same everywhere', [{ kind: 'a' }, { kind: 'a' }], []],
    ['not what every note has one of its own', [{ isbn: '1' }, { isbn: '2' }], []],
    ['not what has chips already', [{ type: 'a' }, { type: 'a' }, { type: 'b' }], []],
    [
      'each of a list, once a note',
      [{ team: ['red', 'red', 'blue'] }, { team: 'red' }],
      ['team: red 2', 'team: blue 1'],
    ],
    [
      'numbers and yes or no',
      [{ done: true }, { done: true }, { done: false }],
      ['done: true 2', 'done: false 1'],
    ],
    ['no long texts and no objects', [{ a: 'x'.repeat(41) }, { a: { b: 1 } }, { a: null }], []],
  ] as const)('%s', (_, notes, expected) => {
    expect(shown(...notes)).toEqual(expected)
  })

  it('says the condition that leaves just these, whatever they are called', () => {
    const word = fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }).filter((text) => {
      const plain = text.trim()
      return plain !== '' && !/[.]/.test(text) && !/^[+-]?\d|\d$/.test(plain)
    })
    const value = fc.oneof(word, fc.boolean(), fc.constantFrom('and', 'true', 'in review', 'a"b\\'))
    fc.assert(
      fc.property(word, fc.uniqueArray(value, { minLength: 2, maxLength: 5 }), (key, values) => {
        const notes = [...values, values[0]!].map((each) => note({ [key]: each }))
        for (const { values: found } of propertyFacets(notes)) {
          for (const { where, value: text } of found) {
            const held = notes.filter((each) => parseCondition(where).holds(fieldsOf(each)))
            expect(held.length).toBeGreaterThan(0)
            const saying = held.map((each) => String(Object.values(each.properties)[0]))
            expect(saying.map((each) => each.trim().toLowerCase().normalize('NFC'))).toContain(
              text.toLowerCase().normalize('NFC'),
            )
          }
        }
      }),
    )
  })
})
