import { expect, it } from 'vitest'
import { TermNumbers } from './span-table.ts'

it('numbers terms as they come, however many and whatever they are', () => {
  const numbers = new TermNumbers()
  const known = new Map<string, number>()
  for (let n = 0; n < 60_000; n++) {
    const term = n % 3 === 0 ? `term${n % 20_000}` : n % 3 === 1 ? String(n * 7919) : `茶${n}é`
    if (!known.has(term)) known.set(term, known.size)
    expect(numbers.numberOf(term)).toBe(known.get(term))
  }
  expect(numbers.numberOf('')).toBe(known.size)
  expect(numbers.texts.slice(0, -1)).toEqual([...known.keys()])
})
