import { expect, it } from 'vitest'
import { BoundedMap } from './bounded-map.ts'

it('forgets what was used longest ago', () => {
  const map = new BoundedMap<string, number>(2)
  map.set('a', 1)
  map.set('b', 2)
  expect(map.get('a')).toBe(1)
  map.set('c', 3)
  expect([map.has('a'), map.has('b'), map.has('c'), map.size]).toEqual([true, false, true, 2])
})

it('counts what its entries weigh, also when one is replaced', () => {
  const map = new BoundedMap<string, string>(10, (text) => text.length)
  map.set('a', '12345')
  map.set('a', '123')
  map.set('b', '1234567')
  expect([map.weight, map.size]).toEqual([10, 2])
  map.set('c', '1')
  expect([map.has('a'), map.weight]).toEqual([false, 8])
  map.set('d', '12345678901')
  expect([map.size, map.weight]).toEqual([0, 0])
  map.clear()
  expect(map.get('d')).toBeUndefined()
})
