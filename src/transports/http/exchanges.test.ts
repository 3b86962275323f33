import { expect, it } from 'vitest'
import { openExchanges } from './exchanges.ts'

it('counts an exchange until its body was read', async () => {
  const exchanges = openExchanges()
  const response = await exchanges.run(async () => new Response('tea'))
  expect(exchanges.open).toBe(1)
  const idle = exchanges.idle()
  expect(await response.text()).toBe('tea')
  await idle
  expect(exchanges.open).toBe(0)
})

it('ends an exchange once, however it ends', async () => {
  const exchanges = openExchanges()
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
