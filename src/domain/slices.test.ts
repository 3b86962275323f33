import fc from 'fast-check'
import { expect, it } from 'vitest'
import { atOnce, eachInSteps, sortInSteps, stepsInSlices } from './slices.ts'

it('sorts in steps as at once, and keeps equal ones in their order', () => {
  const items = fc.array(fc.tuple(fc.nat(50), fc.nat()), { maxLength: 4_000, size: 'max' })
  fc.assert(
    fc.property(items, (given) => {
      const compare = ([a]: [number, number], [b]: [number, number]): number => a - b
      expect(atOnce(sortInSteps(given, compare))).toEqual(given.toSorted(compare))
    }),
    { numRuns: 20 },
  )
})

it('stops now and then, however long the list', async () => {
  const numbers = Array.from({ length: 10_000 }, (_, index) => -index)
  const steps = sortInSteps(numbers, (a, b) => a - b)
  let stops = 0
  while (!steps.next().done) stops++
  expect(stops).toBeGreaterThan(20)
  const seen: number[] = []
  await stepsInSlices(eachInSteps(numbers, (each) => seen.push(each)))
  expect(seen).toEqual(numbers)
})
