/** A plain conversation with the built program over stdio: every line on stdout must be protocol. */
import { vi } from 'vitest'
import { type CairnProcess, type StartOptions, startCairn } from './cairn-process.ts'
import { SOON } from './soon.ts'

export interface Session extends CairnProcess {
  /** Every message so far; a stray byte on stdout throws. */
  messages(): any[]
  request(method: string, params?: object): Promise<any>
  /** Calls a tool and returns its structured answer, errors included. */
  call(tool: string, args?: object): Promise<Record<string, any>>
  /** Ids of the documents that have the words; meaning would find others too. */
  found(query: string, args?: object): Promise<string[]>
  /** Waits until the index has caught up with the files. */
  caughtUp(): Promise<void>
}

/** Starts `cairn serve` with these words and shakes hands. */
export async function openSession(
  words: readonly string[],
  options: StartOptions = {},
): Promise<Session> {
  const started = startCairn(['serve', ...words], options)
  const session = converse(started)
  await session.request('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'session', version: '1' },
  })
  started.child.stdin.write(
    `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`,
  )
  return session
}

export function converse(started: CairnProcess): Session {
  let last = 0
  const messages = () =>
    started
      .stdout()
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))
  const request = async (method: string, params: object = {}): Promise<any> => {
    const id = ++last
    started.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    const mark = `"id":${id}`
    return vi.waitFor(
      () => {
        const line = started
          .stdout()
          .split('\n')
          .slice(0, -1)
          // The mark may also stand in a longer number, or inside of another answer.
          .findLast((text) => text.includes(mark) && JSON.parse(text).id === id)
        if (line === undefined) throw new Error(`no answer to ${method} yet: ${started.stderr()}`)
        const answer = JSON.parse(line)
        return answer.result ?? answer
      },
      { ...SOON, interval: 5 },
    )
  }
  const call = async (name: string, args: object = {}) => {
    const result = await request('tools/call', { name, arguments: args })
    return result.structuredContent ?? JSON.parse(result.content[0].text)
  }
  return {
    ...started,
    messages,
    request,
    call,
    found: async (query, args = {}) => {
      const { results } = await call('search', { query, mode: 'lexical', ...args })
      return results.map((each: { id: string }) => each.id)
    },
    caughtUp: () =>
      vi.waitFor(async () => {
        const { indexing } = await call('list', { limit: 1 })
        if (indexing !== undefined) throw new Error(`still catching up: ${indexing}`)
      }, SOON),
  }
}
