import fc from 'fast-check'
import { expect, it } from 'vitest'
import { placesIn, placesOf, TermPlaces } from './term-places.ts'

const term = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'b', 'é', '東', '😀'), maxLength: 4 }),
  fc.constantFrom('tea', 'kettle', 'größe', '__proto__'),
)

it('finds the place of every term, like a map, and of no other', () => {
  fc.assert(
    fc.property(fc.uniqueArray(term, { maxLength: 40 }), fc.array(term), (terms, asked) => {
      const map = new Map(terms.map((each, place) => [each, place]))
      const made = placesOf(terms)
      // As it lies in a file, and with the table that was kept with it.
      const { text } = made.packed
      for (const places of [made, placesIn(text, terms.length), new TermPlaces(made.packed)]) {
        expect([places.size, places.list()]).toEqual([terms.length, terms])
        for (const each of [...terms, ...asked]) {
          expect(places.placeOf(each)).toBe(map.get(each) ?? -1)
        }
      }
    }),
  )
})
