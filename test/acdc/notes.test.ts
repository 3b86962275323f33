/** The acdc surface over an ordinary base, beside the others. */
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, it, onTestFinished } from 'vitest'
import { serveFolder } from '../support/serve-folder.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { verifies } from '../support/verifies.ts'
import { resource, sseClient } from './open-acdc.ts'

const NOTES = {
  'notes/plain.md': '# Plain\n\nA kettle without front matter.\n',
  'notes/guide.md': resource('Tea guide', '# How we do it\n\nHeat the kettle.\n', {
    description: 'Making tea',
    keywords: '[brewing]',
  }),
  'notes/mcp-resources/deep/cup.md': resource('Cups', 'Clean ones.\n'),
  'notes/mcp-prompts/ask.md': resource('ask', 'Ask {{.who}}.'),
  'notes/mcp-prompts/bad.md': resource('bad', '{{range .x}}'),
}

async function serve(...surfaces: readonly string[]): Promise<string> {
  const folder = temporaryFolder(NOTES)
  const given = { folders: [join(folder, 'notes')] }
  const flags = { surface: surfaces, state: join(folder, 'state') }
  const server = await serveFolder(folder, flags, { given })
  return new URL(server.url!).origin
}

it('shows the notes that say what they are, at an address of its own and over SSE', async () => {
  verifies('acdc:on-notes')
  const url = await serve('native', 'acdc')
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp/acdc', url)))
  onTestFinished(() => client.close())
  const { resources } = await client.listResources()
  expect(resources.map(({ uri, name }) => [uri, name])).toEqual([
    ['acdc://notes/guide', 'Tea guide'],
    ['acdc://notes/deep/cup', 'Cups'],
  ])
  const { prompts } = await client.listPrompts()
  expect(prompts.map(({ name }) => name)).toEqual(['notes:ask'])
  const rendered = await client.getPrompt({ name: 'notes:ask', arguments: { who: 'Ann' } })
  expect(rendered.messages[0]?.content).toMatchObject({ text: 'Ask Ann.' })

  const old = await sseClient(url)
  for (const each of [client, old as unknown as Client]) {
    const call = async (name: string, args: Record<string, unknown>) => {
      const { content } = await each.callTool({ name, arguments: args })
      return (content as { text: string }[])[0]!.text
    }
    expect(await call('read', { uri: 'acdc://notes/guide' })).toBe(
      '# How we do it\n\nHeat the kettle.\n',
    )
    // By its text, its name and its keywords; never the note that is no resource.
    for (const query of ['kettles', 'tea', 'brewing']) {
      const found = (await call('search', { query })).match(/\]\(acdc:[^)]+\)/g)
      expect([query, found]).toEqual([query, ['](acdc://notes/guide)']])
    }
  }
})
