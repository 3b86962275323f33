/** Content changes under a running server. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  PromptListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { expect, it, vi } from 'vitest'
import { SOON } from '../support/soon.ts'
import { verifies } from '../support/verifies.ts'
import { openAcdc, resource } from './open-acdc.ts'

it('shows what was added, changed and removed, and tells clients', async () => {
  verifies('acdc:live-updates')
  const { folder, client, call, names, log } = await openAcdc()
  const told: string[] = []
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => {
    told.push('resources')
  })
  client.setNotificationHandler(PromptListChangedNotificationSchema, () => {
    told.push('prompts')
  })
  await client.listResources()
  const docs = join(folder, 'docs-src')
  const uri = 'acdc://docs/guides/getting-started'

  const edited = resource('Beginning', 'Edited about kettles.\n')
  writeFileSync(join(docs, 'mcp-resources/guides/getting-started.md'), edited)
  expect(await call('read', { uri })).toBe('Edited about kettles.\n')
  await vi.waitFor(async () => expect(await names('kettle')).toEqual(['Beginning']), SOON)

  writeFileSync(join(docs, 'mcp-resources/new.md'), resource('New', 'A teapot.\n'))
  await vi.waitFor(async () => expect(await names('teapot')).toEqual(['New']), SOON)
  const { resources } = await client.listResources()
  expect(resources.map(({ name }) => name)).toEqual(['Beginning', 'New', 'Ops Start'])
  await vi.waitFor(() => expect(told).toContain('resources'), SOON)

  rmSync(join(docs, 'mcp-resources/new.md'))
  expect(await call('read', { uri: 'acdc://docs/new' })).toBe('!unknown resource: acdc://docs/new')
  await vi.waitFor(async () => {
    expect((await client.listResources()).resources).toHaveLength(2)
    expect(await names('teapot')).toEqual([])
  }, SOON)

  writeFileSync(join(docs, 'mcp-prompts/more.md'), resource('more', 'Hello {{.x}}.'))
  await vi.waitFor(async () => expect((await client.listPrompts()).prompts).toHaveLength(2), SOON)
  await vi.waitFor(() => expect(told).toContain('prompts'), SOON)

  writeFileSync(join(docs, 'mcp-resources/guides/getting-started.md'), 'no front matter\n')
  await vi.waitFor(async () => {
    expect((await client.listResources()).resources).toHaveLength(1)
    expect(log.join('\n')).toContain('getting-started.md: It is left out')
  }, SOON)
})
