/** Over HTTP only a session has a memory: requests that stand alone are told everything, always. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, it, onTestFinished } from 'vitest'
import { messageOf, serveWorld } from '../access/world.ts'

const NOTES = { 'boat.md': '# Boat\n\nThe hull of the boat is painted blue every spring by Ada.\n' }
const PAINTED = 'painted blue every spring'
const search = { name: 'search', arguments: { query: 'who paints the hull of the boat' } }

const textOf = (result: any): string => result.content.map(({ text }: any) => text).join('')

it('names in a session what it has shown, and repeats it to requests without one', async () => {
  const world = await serveWorld({ sources: { notes: NOTES }, surfaces: ['native'] })
  const client = new Client(
    { name: 'agent', version: '1' },
    { versionNegotiation: { mode: 'legacy' } },
  )
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', world.url)))
  onTestFinished(() => client.close())
  expect(textOf(await client.callTool(search))).toContain(PAINTED)
  const again = textOf(await client.callTool(search))
  expect(again).toContain('seen:')
  expect(again).not.toContain(PAINTED)
  for (let times = 0; times < 2; times++) {
    const { result } = await messageOf(await world.rpc('native', {}, 'tools/call', search))
    expect(textOf(result)).toContain(PAINTED)
  }
})
