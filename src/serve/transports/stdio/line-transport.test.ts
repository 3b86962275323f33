import { PassThrough } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { takeMs } from '../../../../test/support/turns-during.ts'
import { LineTransport } from './line-transport.ts'

it('gives the last answers on a machine that has no time for it in between', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const wire = new LineTransport(input, output)
  const work = async (): Promise<void> => {
    await delay(1)
    takeMs(1_100)
    for (let step = 0; step < 3; step++) await delay(1)
    await wire.send({ jsonrpc: '2.0', id: 1, result: {} })
  }
  const { promise: answered, resolve } = Promise.withResolvers<unknown>()
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it is no EventTarget
  wire.onmessage = () => resolve(work())
  await wire.start()
  input.end('{"jsonrpc":"2.0","id":1,"method":"ping"}')
  await answered
  await wire.closed
  expect(String(output.read())).toBe('{"jsonrpc":"2.0","id":1,"result":{}}\n')
})
