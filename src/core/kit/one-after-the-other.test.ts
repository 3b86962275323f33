import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { oneAfterTheOther } from './one-after-the-other.ts'

it('runs once more for all that was asked for meanwhile, and goes on after a failure', async () => {
  const gates: PromiseWithResolvers<void>[] = []
  const ask = oneAfterTheOther(() => {
    const gate = Promise.withResolvers<void>()
    gates.push(gate)
    return gate.promise
  })
  ask()
  ask()
  ask()
  expect(gates).toHaveLength(1)
  gates[0]!.reject(new Error('out of reach'))
  await turn()
  expect(gates).toHaveLength(2)
  gates[1]!.resolve()
  await turn()
  expect(gates).toHaveLength(2)
  ask()
  expect(gates).toHaveLength(3)
})
