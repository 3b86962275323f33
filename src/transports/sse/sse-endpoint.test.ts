/** The stream itself: keep-alives, limits and the end. */
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { smallSurface } from '../../../test/transports/small-surface.ts'
import { openSseEndpoint } from './sse-endpoint.ts'
import type { SseOptions } from './sse-endpoint.ts'

function open(options: SseOptions = {}) {
  const surface = smallSurface()
  const endpoint = openSseEndpoint(surface, options)
  onTestFinished(() => endpoint.close())
  const stream = () => endpoint.fetch(new Request('http://x/sse'), undefined)
  return { surface, endpoint, stream }
}

async function text(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  const { value } = await reader.read()
  return new TextDecoder().decode(value)
}

it('keeps a quiet stream alive', async () => {
  const { stream } = open({ keepAliveMs: 10 })
  const reader = (await stream()).body!.getReader()
  expect(await text(reader)).toMatch(/^event: endpoint\n/)
  expect(await text(reader)).toBe(': keep-alive\n\n')
})

it('refuses one stream too many, and forgets those that end', async () => {
  const { stream, endpoint } = open({ maxStreams: 2 })
  const first = await stream()
  await stream()
  const third = await stream()
  expect([third.status, third.headers.get('retry-after')]).toEqual([503, '10'])
  await first.body!.cancel()
  expect(endpoint.streams).toBe(1)
  expect((await stream()).status).toBe(200)
})

it('ends a stream that nobody reads', async () => {
  const { stream, endpoint } = open({ keepAliveMs: 5 })
  const deaf = await stream()
  for (let tries = 0; endpoint.streams > 0 && tries < 200; tries++) await delay(10)
  expect(endpoint.streams).toBe(0)
  await expect(deaf.body!.getReader().read()).rejects.toThrow('does not read')
})

it('ends every stream when it closes', async () => {
  const { stream, endpoint, surface } = open()
  const reader = (await stream()).body!.getReader()
  await text(reader)
  await endpoint.idle()
  await endpoint.close()
  expect((await reader.read()).done).toBe(true)
  expect([endpoint.streams, surface.listeners]).toEqual([0, 0])
})
