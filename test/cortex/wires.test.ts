/** Standard streams, SSE and streamable HTTP, with old and new clients, and several servers at once. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client as ClientV2, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js'
import { expect, it, onTestFinished, vi } from 'vitest'
import { CAIRN, startCairn } from '../support/cairn-process.ts'
import { converse } from '../support/stdio-session.ts'
import { verifies } from '../support/verifies.ts'
import { CONCEPTS, openCortex, serve, sseClient } from './open-cortex.ts'

// More than the usual minute, for a machine that has much else to do.
vi.setConfig({ testTimeout: 300_000 })

function command(root: string) {
  const args = [CAIRN, 'cortex', '--root', root, 'serve']
  return { command: process.execPath, args, stderr: 'ignore' as const }
}

it('is the same for old and new clients over every wire', async () => {
  verifies('cortex:every-client', 'cortex:transport-sse', 'cortex:transport-stdio')
  const { url, root, client } = await openCortex()
  const old = new ClientV1({ name: 'old', version: '1' })
  await old.connect(new StdioV1(command(root)))
  onTestFinished(() => old.close())
  const clients: Pick<ClientV2, 'listTools' | 'listResources' | 'readResource' | 'callTool'>[] = [
    client as unknown as ClientV2,
    old as unknown as ClientV2,
  ]
  for (const mode of ['legacy', 'auto'] as const) {
    for (const transport of [
      new StreamableHTTPClientTransport(new URL(`${url}/mcp`)),
      new StdioV2(command(root)),
    ]) {
      const fresh = new ClientV2({ name: 'new', version: '1' }, { versionNegotiation: { mode } })
      await fresh.connect(transport)
      onTestFinished(() => fresh.close())
      clients.push(fresh)
    }
  }
  const [first] = clients
  const { tools } = await first!.listTools()
  const { resources } = await first!.listResources()
  for (const [n, each] of clients.entries()) {
    expect((await each.listTools()).tools).toEqual(tools)
    const listed = (await each.listResources()).resources
    expect(listed).toEqual(expect.arrayContaining(resources))
    const uri = 'knowledge://entities/tech/mcp'
    const { contents } = await each.readResource({ uri })
    expect(contents[0]).toMatchObject({ mimeType: 'application/json' })
    const added = await each.callTool({
      name: 'add_entity',
      arguments: { category: 'people', id: `p-${n}`, type: 'person', name: `名 ${n}`, desc: 'd' },
    })
    expect(added.structuredContent).toMatchObject({ entity: { id: `p-${n}` } })
    const refused = await each.callTool({
      name: 'add_entity',
      arguments: { category: 'people', id: 'P', type: 'person', name: 'P', desc: 'd' },
    })
    expect(refused.isError).toBe(true)
    const found = await each.callTool({ name: 'search_knowledge', arguments: { query: '名' } })
    const { results } = found.structuredContent as { results: unknown[] }
    expect(results).toHaveLength(n + 1)
  }
})

it('writes nothing but JSON-RPC to standard output', async () => {
  verifies('cortex:check-15-stdio', 'cortex:transport-stdio')
  const { root } = await openCortex()
  const started = startCairn(['cortex', '--root', root, 'serve'])
  const session = converse(started)
  const { serverInfo } = await session.request('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'raw', version: '1' },
  })
  expect(serverInfo).toMatchObject({ name: 'nexus-cortex' })
  await session.call('add_entity', {
    category: 'concepts',
    id: 'pure',
    type: 'concept',
    name: 'Pure',
    desc: 'Nothing else',
  })
  expect(await session.call('search_knowledge', { query: 'pure' })).toMatchObject({
    results: [{ id: 'pure' }],
  })
  started.child.stdin.write('not json\n')
  await session.request('ping')
  for (const message of session.messages()) expect(message).toMatchObject({ jsonrpc: '2.0' })
  started.child.stdin.end()
  expect((await started.ended).code).toBe(0)
})

it('shares a root with other servers', async () => {
  verifies('cortex:several-servers')
  const { root, call } = await openCortex()
  const others = await Promise.all(
    [serve(root), serve(root)].map(async (url) => sseClient(await url)),
  )
  const processes = [0, 1].map(async () => {
    const fresh = new ClientV1({ name: 'process', version: '1' })
    await fresh.connect(new StdioV1(command(root)))
    onTestFinished(() => fresh.close())
    return fresh
  })
  const clients = [...others, ...(await Promise.all(processes))]
  const entity = { category: 'concepts', type: 't', name: 'n', desc: 'd' }
  const results = await Promise.all(
    clients.flatMap((client, n) => [
      client.callTool({ name: 'add_entity', arguments: { ...entity, id: 'same' } }),
      ...Array.from({ length: 10 }, (_, each) =>
        client.callTool({ name: 'add_entity', arguments: { ...entity, id: `c${n}-${each}` } }),
      ),
    ]),
  )
  expect(results.filter(({ isError }) => isError)).toHaveLength(clients.length - 1)
  const ids = readFileSync(join(root, CONCEPTS), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids).toHaveLength(2 + 1 + 10 * clients.length)
  expect((await call('get_entropy_report')).data['total_nodes']).toBe(ids.length + 1)
  const link = { src: 'same', rel: 'uses', dst: 'c0-0' }
  const linked = await Promise.all(
    clients.map((client) => client.callTool({ name: 'connect_entities', arguments: link })),
  )
  const created = linked.map(({ structuredContent }) => (structuredContent as any).created)
  expect(created.filter(Boolean)).toHaveLength(1)
})
