/** The stdio server as a process: what it does with bad lines, and when it ends. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, expect, it, vi } from 'vitest'
import { STDIO_COMMAND } from './drivers.ts'
import { INITIALIZE, rpc } from './http-raw.ts'
import { SOON } from '../support/soon.ts'

interface Served {
  readonly process: ChildProcessWithoutNullStreams
  /** Every line on stdout so far, parsed: a stray byte would throw. */
  readonly answers: () => any[]
  readonly stderr: () => string
  readonly say: (...lines: (string | Buffer)[]) => void
  /** Resolves to the exit code. */
  readonly ended: () => Promise<number | null>
}

let served: Served | undefined
afterEach(() => {
  if (served?.process.exitCode === null) served.process.kill('SIGKILL')
})

function start(): Served {
  const child = spawn(STDIO_COMMAND.command, STDIO_COMMAND.args)
  let out = ''
  let err = ''
  child.stdout.setEncoding('utf8').on('data', (text) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text) => (err += text))
  child.stdin.on('error', () => {})
  const exit = once(child, 'close')
  served = {
    process: child,
    answers: () => out.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)])),
    stderr: () => err,
    say: (...lines) => {
      for (const line of lines) {
        child.stdin.write(line)
        child.stdin.write('\n')
      }
    },
    ended: async () => (await exit)[0] as number | null,
  }
  return served
}

async function answerTo({ answers }: Served, id: unknown): Promise<any> {
  return vi.waitFor(() => {
    const answer = answers().find((message) => message.id === id)
    if (!answer) throw new Error(`No answer to ${id} yet`)
    return answer
  }, SOON)
}

it('answers lines it cannot read, and goes on', async () => {
  const server = start()
  server.say(INITIALIZE, 'garbage', '', '{"jsonrpc":"2.0"}', '"text"', `[${rpc('ping')}]`)
  server.say('['.repeat(10_000), Buffer.from([0xff, 0xfe, 0x00]), rpc('ping', {}, 'alive'))
  expect(await answerTo(server, 'alive')).toMatchObject({ result: {} })
  const codes = server
    .answers()
    .filter(({ id }) => id === null)
    .map(({ error }) => error.code)
  expect(codes).toEqual([-32700, -32600, -32600, -32600, -32700, -32700])
})

it('bounds the length of a line', async () => {
  const server = start()
  server.say(INITIALIZE)
  await answerTo(server, 1)
  const long = { name: 'echo', arguments: { text: 'x'.repeat(5 * 1024 * 1024) } }
  const fits = { name: 'echo', arguments: { text: 'x'.repeat(3 * 1024 * 1024) } }
  const call = { method: 'tools/call', params: long }
  server.say(JSON.stringify({ id: 'middle', jsonrpc: '2.0', ...call }))
  server.say(rpc('tools/call', long, 'first'), rpc('tools/call', fits, 'fits'))
  server.say(JSON.stringify({ ...call, jsonrpc: '2.0', id: 7 }))
  const { result } = await answerTo(server, 'fits')
  expect(result.structuredContent.text).toHaveLength(3 * 1024 * 1024)
  // Where the id can be told, the caller is told; nobody waits for an answer that never comes.
  expect(await answerTo(server, 'first')).toMatchObject({ error: { code: -32600 } })
  expect(await answerTo(server, 7)).toMatchObject({ error: { code: -32600 } })
  expect(server.answers().filter(({ id }) => id === null)).toMatchObject([
    { error: { code: -32600 } },
  ])
})

it('reads messages in whatever pieces they arrive', async () => {
  const server = start()
  const bytes = Buffer.from(`${INITIALIZE}\r\n${rpc('ping', {}, 'ünïcödé ✓')}\n`)
  for (let at = 0; at < bytes.length; at += 7) {
    server.process.stdin.write(bytes.subarray(at, at + 7))
    if (at % 70 === 0) await delay(1)
  }
  expect(await answerTo(server, 'ünïcödé ✓')).toMatchObject({ result: {} })
})

it('keeps stdout for the protocol', async () => {
  const server = start()
  server.say(INITIALIZE, rpc('tools/call', { name: 'chatty' }, 2), rpc('ping', {}, 3))
  await answerTo(server, 2)
  await answerTo(server, 3)
  expect(server.answers()).toHaveLength(3)
  await vi.waitFor(() => {
    expect(server.stderr()).toContain('a stray line')
    expect(server.stderr()).toContain('and a stray write')
  }, SOON)
})

it('ends when stdin closes', async () => {
  const server = start()
  server.say(INITIALIZE)
  await answerTo(server, 1)
  server.process.stdin.end()
  expect(await server.ended()).toBe(0)
  expect(server.stderr()).toContain('closed')
})

it('answers what was asked before stdin closed, even without a last newline', async () => {
  const server = start()
  const slow = rpc('tools/call', { name: 'slow', arguments: { ms: 10 } }, 2)
  server.process.stdin.end([INITIALIZE, slow, rpc('ping', {}, 3)].join('\n'))
  expect(await server.ended()).toBe(0)
  expect(server.answers().map(({ id }) => id)).toEqual([1, 3, 2])
})

it('does not wait for a long call when stdin closes', async () => {
  const server = start()
  server.say(INITIALIZE, rpc('tools/call', { name: 'slow' }, 2))
  await answerTo(server, 1)
  server.process.stdin.end()
  expect(await server.ended()).toBe(0)
  // The call would have taken a minute, and been answered.
  expect(server.answers().filter(({ result }) => result?.content !== undefined)).toEqual([])
})

it('ends when nobody ever says a word', async () => {
  const server = start()
  server.process.stdin.end()
  expect(await server.ended()).toBe(0)
  expect(server.answers()).toEqual([])
})

it.each(['SIGINT', 'SIGTERM'] as const)('ends cleanly on %s', async (signal) => {
  const server = start()
  server.say(INITIALIZE, rpc('tools/call', { name: 'slow' }, 2))
  await answerTo(server, 1)
  server.process.kill(signal)
  expect(await server.ended()).toBe(0)
  expect(server.stderr()).toContain('closed')
})

it('ends when the client stops reading', async () => {
  const server = start()
  server.say(INITIALIZE)
  await answerTo(server, 1)
  server.process.stdout.destroy()
  server.say(rpc('ping', {}, 2), rpc('ping', {}, 3))
  expect(await server.ended()).toBe(0)
})

it('ends a modern subscription with an answer', async () => {
  const server = start()
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const params = { notifications: { toolsListChanged: true }, _meta: meta }
  server.say(rpc('subscriptions/listen', params, 'listen'))
  await vi.waitFor(() => expect(server.answers()).toHaveLength(1), SOON)
  server.process.kill('SIGTERM')
  expect(await server.ended()).toBe(0)
  expect(server.answers().at(-1)).toMatchObject({ id: 'listen', result: expect.anything() })
})

it('never sends a character that some readers take for the end of a line', async () => {
  const { say, process, answers } = start()
  let bytes = ''
  process.stdout.on('data', (text) => (bytes += text))
  say(
    INITIALIZE,
    rpc('tools/call', { name: 'echo', arguments: { text: 'a\u2028b\u2029c\u0085d' } }, 2),
  )
  await vi.waitFor(() => expect(answers().map(({ id }) => id)).toContain(2), SOON)
  expect(JSON.stringify(answers())).toContain('a\u2028b\u2029c\u0085d')
  expect(/[\u2028\u2029\u0085]/.test(bytes)).toBe(false)
})
