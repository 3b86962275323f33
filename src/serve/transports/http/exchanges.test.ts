import { expect, it } from 'vitest'
import { takeMs, turnsDuring } from '../../../../test/support/turns-during.ts'
import { createExchanges } from './exchanges.ts'

it('counts an exchange until its body was read', async () => {
  const exchanges = createExchanges()
  const response = await exchanges.run(async () => new Response('tea'))
  expect(exchanges.open).toBe(1)
  const idle = exchanges.idle()
  expect(await response.text()).toBe('tea')
  await idle
  expect(exchanges.open).toBe(0)
})

it('ends an exchange once, however it ends', async () => {
  const exchanges = createExchanges()
  await exchanges.run(async () => new Response(null, { status: 202 }))
  await expect(exchanges.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')

  const endless = new ReadableStream({ start: (stream) => stream.enqueue(Buffer.from('tea')) })
  const abandoned = await exchanges.run(async () => new Response(endless))
  const reader = abandoned.body?.getReader()
  await reader?.read()
  // A read is under way while the client leaves.
  const pending = reader?.read()
  await reader?.cancel()
  await pending
  expect(exchanges.open).toBe(0)
  await exchanges.idle()
})

it('sends something else in the place of a part, with turns for others', async () => {
  const exchanges = createExchanges()
  const slowly = function* (): Iterable<Uint8Array> {
    for (let cup = 0; cup < 100; cup++) {
      takeMs(1)
      yield Buffer.from(`${cup} `)
    }
  }
  const turns = await turnsDuring(async () => {
    const response = await exchanges.run(
      async () => new Response('tea'),
      (part) => (Buffer.from(part).equals(Buffer.from('tea')) ? slowly() : undefined),
    )
    const cups = Array.from({ length: 100 }, (_, cup) => `${cup} `)
    expect(await response.text()).toBe(cups.join(''))
  })
  expect(turns).toBeGreaterThan(3)
  expect(exchanges.open).toBe(0)
})
