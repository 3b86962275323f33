import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterEach, expect, it, vi } from 'vitest'
import { nodeListener } from './node-listener.ts'

afterEach(() => void vi.useRealTimers())

it('hears out who sends too much, however long it takes, and not who pauses', async () => {
  vi.useFakeTimers()
  const socket = { destroyed: false, remoteAddress: '127.0.0.1' }
  const headers = { 'content-length': '100' }
  const about = { url: '/mcp', method: 'POST', headers, rawHeaders: [], socket }
  const incoming = Object.assign(new EventEmitter(), about)
  const writeHead = vi.fn()
  const ignore = (): boolean => true
  const outgoing = Object.assign(new EventEmitter(), {
    writeHead,
    setHeader: ignore,
    flushHeaders: ignore,
    write: ignore,
    end: ignore,
  })
  const listener = nodeListener(() => new Response('never'), {
    maxBodyBytes: () => 10,
    senderOf: () => ({ peer: '127.0.0.1', asked: 'http://127.0.0.1', origin: 'http://127.0.0.1' }),
    admit: async () => ({ kind: 'welcome', caller: undefined }),
    onBug: (error) => expect.fail(String(error)),
  })
  listener(incoming as unknown as IncomingMessage, outgoing as unknown as ServerResponse)
  for (let part = 0; part < 10; part++) {
    await vi.advanceTimersByTimeAsync(800)
    incoming.emit('data', Buffer.from('part'))
  }
  expect(writeHead).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(writeHead).toHaveBeenCalledExactlyOnceWith(413)
})
