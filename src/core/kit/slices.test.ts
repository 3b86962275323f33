import fc from 'fast-check'
import { expect, it } from 'vitest'
import { takeMs, turnsDuring } from '../../../test/support/turns-during.ts'
import {
  atOnce,
  eachInSteps,
  inSlices,
  Slices,
  sortInSteps,
  sortNumbersInSteps,
  stepsInSlices,
} from './slices.ts'

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

it('sorts a column of numbers in many short steps, and leaves it as it is', () => {
  for (const length of [0, 1, 32_768, 32_769, 300_001]) {
    const numbers = Float64Array.from({ length }, (_, at) => ((at * 7_919) % 100_003) - 50_000)
    const given = numbers.slice()
    const steps = sortNumbersInSteps(numbers)
    let stops = 0
    let last = steps.next()
    for (; !last.done; last = steps.next()) stops++
    expect(last.value).toEqual(given.toSorted())
    expect(numbers).toEqual(given)
    expect(stops).toBeGreaterThanOrEqual(Math.floor(length / 32_768))
  }
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

it('lets one go on in each turn, however many are at work', async () => {
  const turnOf: number[] = []
  let turn = 0
  let counting = true
  const count = (): void => {
    turn++
    if (counting) setImmediate(count)
  }
  setImmediate(count)
  const work = async (): Promise<void> => {
    const slices = new Slices()
    for (let times = 0; times < 5; times++) {
      await slices.pause()
      turnOf.push(turn)
    }
  }
  await Promise.all(Array.from({ length: 20 }, work))
  counting = false
  expect(turnOf).toHaveLength(100)
  expect(new Set(turnOf).size).toBe(100)
})

it('lets all of them come to their end, one after the other in turn', async () => {
  const order: number[] = []
  const work = async (name: number): Promise<void> => {
    const slices = new Slices()
    for (let times = 0; times < 3; times++) {
      await slices.pause()
      order.push(name)
    }
  }
  await Promise.all([work(1), work(2), work(3)])
  expect(order).toEqual([1, 2, 3, 1, 2, 3, 1, 2, 3])
})

it('shares the time of a turn among all who are at work in it', async () => {
  const one = new Slices()
  takeMs(10)
  const another = new Slices()
  expect([one.over, another.over]).toEqual([true, true])
  await another.pause()
})

it('lets others have a turn between many short pieces of work, each in slices of its own', async () => {
  const turns = await turnsDuring(async () => {
    for (let piece = 0; piece < 100; piece++) await inSlices([1, 2], () => takeMs(0.5))
  })
  expect(turns).toBeGreaterThan(3)
})
