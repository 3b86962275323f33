/** A real server of this repository's sources that says what a call takes: code passed, promises, bytes. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { PathCounts } from './count-preload.ts'

export type { PathCounts }

export interface CountedServer {
  readonly process: ChildProcess
  /** Lines that are no protocol, such as the address of a server over HTTP. */
  readonly said: () => string
  request(method: string, params: object): Promise<any>
  call(tool: string, args: object): Promise<any>
  /** The middle of what each of these calls took by itself. */
  count(calls: readonly (() => Promise<unknown>)[]): Promise<PathCounts & { names: string[] }>
  /** The middle of the bytes that each of these calls put on a heap that is rarely collected. */
  allocated(calls: readonly (() => Promise<unknown>)[]): Promise<number>
  close(): Promise<void>
}

const PROGRAM = fileURLToPath(new URL('../support/cairn.ts', import.meta.url))
const PRELOAD = new URL('./count-preload.ts', import.meta.url).href
/** MB of young objects before they are collected. */
const YOUNG = 64

export async function startCountedServer(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<CountedServer> {
  const node = [`--min-semi-space-size=${YOUNG}`, `--max-semi-space-size=${YOUNG}`]
  const child = spawn(process.execPath, [...node, '--import', PRELOAD, PROGRAM, ...args], {
    stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
    env: { PATH: process.env['PATH'] ?? '', HOME: '/nobody', ...env },
  })
  let said = ''
  child.stderr!.setEncoding('utf8').on('data', (text: string) => (said += text))
  const ended = once(child, 'exit')
  const waiting = new Map<number, (answer: any) => void>()
  createInterface({ input: child.stdout! }).on('line', (line) => {
    const message = JSON.parse(line)
    waiting.get(message.id)?.(message.result ?? message)
    waiting.delete(message.id)
  })
  let last = 0
  const request = (method: string, params: object): Promise<any> => {
    const id = ++last
    child.stdin!.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    return new Promise((resolve, reject) => {
      waiting.set(id, resolve)
      void ended.then(() => reject(new Error(`the server is gone: ${said}`)))
    })
  }
  const tell = async (message: string): Promise<any> => {
    child.send(message)
    const [answer] = await once(child, 'message')
    return answer
  }
  let covered = false
  return {
    process: child,
    said: () => said,
    request,
    call: (name, given) => request('tools/call', { name, arguments: given }),
    async count(calls) {
      if (!covered) await tell('cover')
      covered = true
      const counts: (PathCounts & { names: string[] })[] = []
      for (const call of calls) {
        await tell('begin')
        await call()
        counts.push(await tell('end'))
      }
      return {
        files: middleOf(counts.map(({ files }) => files)),
        functions: middleOf(counts.map(({ functions }) => functions)),
        calls: middleOf(counts.map((each) => each.calls)),
        promises: middleOf(counts.map(({ promises }) => promises)),
        names: counts.toSorted((a, b) => a.functions - b.functions)[counts.length >> 1]!.names,
      }
    },
    async allocated(calls) {
      const each: number[] = []
      for (const call of calls) {
        const before: number = await tell('heap')
        await call()
        each.push((await tell('heap')) - before)
      }
      return middleOf(each)
    },
    async close() {
      child.stdin!.end()
      child.kill('SIGTERM')
      await ended
    },
  }
}

function middleOf(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!
}
