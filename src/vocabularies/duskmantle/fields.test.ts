import { expect, it } from 'vitest'
import { readFilters } from './fields.ts'

it('says again what was asked for, and therefore takes no book', () => {
  expect(readFilters({}, { symbol: 'brew, pour' }, 0).applied).toEqual({
    symbols: ['brew', 'pour'],
  })
  expect(() => readFilters({}, { symbol: 'a'.repeat(20_000) }, 0)).toThrow('longer than')
  expect(() => readFilters({ tags: ['a'.repeat(20_000)] }, {}, 0)).toThrow('longer than')
})
