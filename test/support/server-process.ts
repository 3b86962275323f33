/** A real server process over stdio, with just enough of the protocol to call tools. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { CAIRN } from './cairn-process.ts'
import { parseWhole } from './parse-whole.ts'

export interface ServerProcess {
  readonly process: ChildProcess
  /** Resolves with the structured result; rejects when the process ends before it answered. */
  call(tool: string, args: Record<string, unknown>): Promise<Record<string, any>>
  /** Any request of the protocol. */
  request(method: string, params: unknown): Promise<any>
  kill(): Promise<void>
  close(): Promise<void>
}

/** So often a write is asked for again; each time it was waited for half a minute. */
const ASKINGS = 20

/**
 * A write as a careful client makes it: where others kept the base busy for too long, which on a
 * slow machine a hundred writes at once do, it is told that nothing was changed, and asks again.
 */
export async function writeThrough(
  { call }: Pick<ServerProcess, 'call'>,
  args: Record<string, unknown>,
): Promise<Record<string, any>> {
  for (let asking = 1; ; asking++) {
    const result = await call('write', args)
    const isBusy = /kept this base busy/.test(result['error']?.message ?? '')
    if (!isBusy || asking === ASKINGS) return result
  }
}

/** Many short-lived processes share what the first one compiled. */
export const COMPILED = join(tmpdir(), 'cairn-test-compiled')

/** What is loaded first may look at its modules by name; they are one file in the built program. */
const FROM_SOURCE = fileURLToPath(new URL('./cairn.ts', import.meta.url))

export async function startServerProcess(
  args: readonly string[],
  client = 'test',
  /** What Node itself is started with. */
  node: readonly string[] = [],
): Promise<ServerProcess> {
  const program = node.length === 0 ? CAIRN : FROM_SOURCE
  const child = spawn(process.execPath, [...node, program, 'serve', ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILED },
  })
  const waiting = new Map<
    number,
    { resolve: (value: any) => void; reject: (error: Error) => void }
  >()
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => {
      for (const { reject } of waiting.values()) reject(new Error('the server is gone'))
      waiting.clear()
      resolve()
    })
  })
  child.stdin.on('error', () => {})
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = parseWhole(line)
    if (!message) return
    const call = waiting.get(message.id)
    waiting.delete(message.id)
    if (message.error) call?.reject(new Error(JSON.stringify(message.error)))
    else call?.resolve(message.result)
  })
  let next = 1
  const request = (method: string, params: unknown): Promise<any> => {
    const id = next++
    return new Promise((resolve, reject) => {
      if (child.exitCode !== null || child.signalCode !== null) {
        reject(new Error('the server is gone'))
        return
      }
      waiting.set(id, { resolve, reject })
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    })
  }
  await request('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: client, version: '1' },
  })
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`)
  return {
    process: child,
    request,
    async call(name, toolArgs) {
      const result = await request('tools/call', { name, arguments: toolArgs })
      // An error comes as text alone.
      return result.structuredContent ?? JSON.parse(result.content[0].text)
    },
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    async close() {
      child.stdin.end()
      await ended
    },
  }
}
