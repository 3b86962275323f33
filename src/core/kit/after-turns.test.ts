import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { takeMs } from '../../../test/support/turns-during.ts'
import { afterTurns } from './after-turns.ts'

it('gives up nobody who was only not looked at', async () => {
  const { promise: late, resolve } = Promise.withResolvers<string>()
  const stop = afterTurns(100, () => resolve('late'))
  const answer = delay(1).then(() => delay(1, 'answer'))
  takeMs(200)
  expect(await Promise.race([answer, late])).toBe('answer')
  stop()
})

it('calls back once when the time is over, unless it is called off', async () => {
  const calls: string[] = []
  const stop = afterTurns(10, () => calls.push('never'))
  stop()
  await new Promise<void>((resolve) => {
    afterTurns(20, () => {
      calls.push('once')
      resolve()
    })
  })
  await new Promise<void>((resolve) => void afterTurns(40, resolve))
  expect(calls).toEqual(['once'])
})
