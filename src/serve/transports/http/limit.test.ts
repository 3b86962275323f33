import { expect, it } from 'vitest'
import { createLimit } from './limit.ts'

it('lets so many in at once, keeps some waiting, and sends the rest away', async () => {
  const limit = createLimit({ atOnce: 1, waiting: 1 })
  const begun: number[] = []
  const answer = (number: number) => async () => {
    begun.push(number)
    return new Response(`answer ${number}`)
  }
  const first = await limit.run(answer(1))
  const second = limit.run(answer(2))
  expect(await limit.run(answer(3))).toBeUndefined()
  expect(begun).toEqual([1])
  // The place is free once the answer was read.
  expect(await first?.text()).toBe('answer 1')
  expect(await (await second)?.text()).toBe('answer 2')
  await expect(limit.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await (await limit.run(answer(4)))?.text()).toBe('answer 4')
})
