import { Client } from '@modelcontextprotocol/client'
import { InMemoryTransport } from '@modelcontextprotocol/server'
import { afterEach, expect, it, vi } from 'vitest'
import { KnowledgeError } from '../../../core/domain/error.ts'
import type { CallContext, Surface, ToolResult } from '../../door/surface.ts'
import { type SurfaceServer, buildMcpServer } from './mcp-server.ts'

let server: SurfaceServer | undefined
afterEach(() => server?.close())

/** A surface with one tool and nothing else. */
function surfaceThat(call: (call: CallContext) => Promise<ToolResult>): Surface {
  return {
    name: 'one',
    serverInfo: { name: 'one', version: '1' },
    tools: () => [],
    names: () => [],
    call: (_name, _args, context) => call(context),
    subscribe: () => () => {},
  }
}

async function connect(surface: Surface, onBug?: (bug: unknown) => void): Promise<Client> {
  server = buildMcpServer(surface, { era: 'legacy', onBug })
  const client = new Client({ name: 'me\n', version: '1' })
  const [near, far] = InMemoryTransport.createLinkedPair()
  await Promise.all([server.connect(far), client.connect(near)])
  return client
}

it('promises only what the surface has', async () => {
  const client = await connect(surfaceThat(async () => ({ texts: [] })))
  expect(client.getServerCapabilities()).toEqual({ tools: { listChanged: true } })
  const unknown = { code: -32601 }
  for (const method of ['resources/list', 'prompts/get', 'resources/subscribe'] as const) {
    const request = { method, params: { uri: 'kb://x', name: 'x' } }
    await expect(client.request(request)).rejects.toMatchObject(unknown)
  }
  // Many ask for prompts whatever is announced.
  expect(await client.request({ method: 'prompts/list' })).toEqual({ prompts: [] })
})

it('works out what tools take when they are listed, and not before', async () => {
  const tools = vi.fn(() => [])
  const client = await connect({ ...surfaceThat(async () => ({ texts: [] })), tools })
  await client.callTool({ name: 'any' })
  expect(tools).not.toHaveBeenCalled()
  await client.listTools()
  expect(tools).toHaveBeenCalledOnce()
})

it('repeats structured facts as text when a surface gives no text', async () => {
  const client = await connect(surfaceThat(async () => ({ texts: [], structured: { a: 1 } })))
  const { content } = await client.callTool({ name: 'any' })
  expect(content).toEqual([{ type: 'text', text: '{"a":1}' }])
})

it('names the client on one line', async () => {
  const client = await connect(surfaceThat(async ({ client: name }) => ({ texts: [name ?? ''] })))
  const { content } = await client.callTool({ name: 'any' })
  expect(content).toEqual([{ type: 'text', text: 'me /1' }])
})

it('keeps progress growing and rare', async () => {
  const client = await connect(
    surfaceThat(async ({ progress }) => {
      progress(1, 1_000)
      progress(1, 1_000)
      progress(0, 1_000)
      for (let step = 2; step <= 1_000; step++) progress(step, 1_000)
      return { texts: [] }
    }),
  )
  const steps: number[] = []
  await client.callTool({ name: 'any' }, { onprogress: ({ progress }) => steps.push(progress) })
  expect(steps[0]).toBe(1)
  expect(steps.at(-1)).toBe(1_000)
  expect(steps.length).toBeLessThan(50)
})

it('reports bugs to the log and not to the client', async () => {
  const bug = new TypeError('a secret detail')
  const onBug = vi.fn()
  const client = await connect(
    surfaceThat(() => Promise.reject(bug)),
    onBug,
  )
  const failure = await client.callTool({ name: 'any' }).catch((error) => error)
  expect(failure).toMatchObject({ code: -32603, message: 'Internal error' })
  expect(onBug).toHaveBeenCalledExactlyOnceWith(bug)
})

it('passes on what a caller can act on', async () => {
  const error = new KnowledgeError('unavailable', 'The index is being rebuilt.', 'Try again soon.')
  const onBug = vi.fn()
  const client = await connect(
    surfaceThat(() => Promise.reject(error)),
    onBug,
  )
  await expect(client.callTool({ name: 'any' })).rejects.toMatchObject({
    code: -32603,
    message: 'The index is being rebuilt. Try again soon.',
    data: { code: 'unavailable', hint: 'Try again soon.' },
  })
  expect(onBug).not.toHaveBeenCalled()
})
