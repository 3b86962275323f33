/** The stream itself: keep-alives, limits and the end. */
import { expect, it, onTestFinished } from 'vitest'
import { smallSurface } from '../../../../test/transports/small-surface.ts'
import type { Surface } from '../../door/surface.ts'
import { openSseEndpoint } from './sse-endpoint.ts'
import type { SseOptions } from './sse-endpoint.ts'

function open(options: SseOptions = {}, own: Partial<Surface> = {}) {
  const surface = Object.assign(smallSurface(), own)
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
  await expect.poll(() => endpoint.streams).toBe(0)
  await expect(deaf.body!.getReader().read()).rejects.toThrow('does not read')
})

/** A client that posts, and reads only when asked to. */
async function openClient({ endpoint, stream }: ReturnType<typeof open>) {
  const reader = (await stream()).body!.getReader()
  const address = /data: (\S+)/.exec(await text(reader))![1]
  const post = async (message: object): Promise<number> => {
    const request = new Request(`http://x${address}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    })
    return (await endpoint.fetch(request, undefined)).status
  }
  const call = (id: number, name: string, args: object) =>
    post({ id, method: 'tools/call', params: { name, arguments: args } })
  const clientInfo = { name: 'test', version: '1' }
  const params = { protocolVersion: '2024-11-05', capabilities: {}, clientInfo }
  await post({ id: 0, method: 'initialize', params })
  // A keep-alive may come first.
  for (let said = ''; !said.includes('"id":0');) {
    said = await text(reader)
    if (said === '') throw new Error('the stream has ended')
  }
  await post({ method: 'notifications/initialized' })
  return { reader, post, call }
}

it('makes a client that reads slowly wait, and loses nothing', async () => {
  const { reader, call } = await openClient(open({ busyBytes: 2_000, maxBacklogBytes: 40_000 }))
  const long = 'x'.repeat(1_000)
  const posted = Array.from({ length: 60 }, (_, i) => call(i + 1, 'echo', { text: long }))
  const answered = new Set<number>()
  for (let reads = 0; answered.size < 60 && reads < 200; reads++) {
    const id = /"id":(\d+)/.exec(await text(reader))?.[1]
    if (id !== undefined) answered.add(Number(id))
  }
  expect(answered.size).toBe(60)
  expect(new Set(await Promise.all(posted))).toEqual(new Set([202]))
})

it('gives up nobody who asks for as many long answers as are worked on at once', async () => {
  const { promise: asked, resolve: answer } = Promise.withResolvers<void>()
  const long = { texts: ['x'.repeat(10_000_000)] }
  const own = { call: async () => (await asked, long) }
  const { reader, call } = await openClient(open({}, own))
  for (let id = 1; id <= 8; id++) expect(await call(id, 'echo', {})).toBe(202)
  answer()
  for (let id = 1; id <= 8; id++) expect((await text(reader)).length).toBeGreaterThan(10_000_000)
})

it('takes no more from a client than it can be told', async () => {
  // A keep-alive is no more than may wait, an answer is.
  const { call } = await openClient(open({ busyBytes: 100, keepAliveMs: 50 }))
  const posted = Array.from({ length: 130 }, (_, i) => call(i + 1, 'echo', { text: 'long enough' }))
  const counts = Map.groupBy(await Promise.all(posted), (status) => status)
  // Some were answered, some waited until the stream was given up, and the rest were refused.
  expect([...counts.keys()].toSorted()).toEqual([202, 404, 429])
})

it('gives up the slowest client when too much waits for all of them', async () => {
  const served = open({ maxWaitingBytes: 10_000 })
  const [slow, quick] = [await openClient(served), await openClient(served)]
  for (let id = 1; id <= 4; id++) await slow.call(id, 'echo', { text: 'x'.repeat(2_000) })
  let id = 0
  const streamsAfterACall = async () => {
    await quick.call(++id, 'echo', { text: 'short' })
    return served.endpoint.streams
  }
  await expect.poll(streamsAfterACall).toBe(1)
  expect(await text(quick.reader)).toContain('short')
})

it('keeps what waits for all of them within its bound when all are answered at once', async () => {
  const { promise: asked, resolve: answer } = Promise.withResolvers<void>()
  const own = { call: async () => (await asked, { texts: ['x'.repeat(2_000)] }) }
  const served = open({ maxWaitingBytes: 10_000, busyBytes: 1_000 }, own)
  const clients = await Promise.all(Array.from({ length: 4 }, () => openClient(served)))
  for (const { call } of clients) for (const id of [1, 2]) await call(id, 'echo', {})
  answer()
  await expect.poll(() => served.endpoint.streams).toBe(2)
  // Both answers of those that are left are there.
  const left = await Promise.allSettled(
    clients.map(async ({ reader }) => [await text(reader), await text(reader)]),
  )
  expect(left.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
})

it('does not wait for calls that were cancelled', async () => {
  const { reader, post, call } = await openClient(open())
  for (let id = 1; id <= 8; id++) {
    await call(id, 'slow', { ms: 60_000 })
    await post({ method: 'notifications/cancelled', params: { requestId: id } })
  }
  expect(await call(9, 'echo', { text: 'still there' })).toBe(202)
  expect(await text(reader)).toContain('still there')
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
