/** Whoever sees a part is answered by meaning, too, and from what the notes say now. */
import { expect, it } from 'vitest'
import { openTestBase } from '../../../../test/support/open-test-base.ts'
import type { TestBase } from '../../../../test/support/open-test-base.ts'
import type { Place } from '../../domain/document.ts'
import { searchDocuments } from '../searching/search-documents.ts'
import { viewFor } from './view.ts'

const callerOf = (hidden: string) => ({
  principal: hidden,
  may: ['read'] as const,
  sees: ({ path }: Place) => !path.startsWith(hidden),
})
const GUEST = callerOf('secret/')
const OTHER = callerOf('garden')

async function found(base: TestBase, caller: typeof GUEST, query: string) {
  const { hits, mode } = await searchDocuments(viewFor(base.base, caller), query, {
    mode: 'semantic',
  })
  return [mode, hits[0]?.id]
}

it('follows what is written, for every set of rules', async () => {
  const base = await openTestBase({
    'tea.md': '# Tea\nBoil the water in a kettle, then pour it over the leaves.\n',
    'bike.md': '# Bicycle\nPump up the tyre and oil the chain before the ride.\n',
    'garden.md': '# Garden\nWater the tomatoes and turn the soil in spring.\n',
    'secret/cafe.md': '# Café\nEspresso, hot chocolate and other hot drinks.\n',
  })
  expect(await found(base, GUEST, 'a hot drink')).toEqual(['semantic', 'notes/tea.md'])
  expect(await found(base, OTHER, 'a hot drink')).toEqual(['semantic', 'notes/secret/cafe.md'])
  await base.call('write', {
    action: 'replace',
    id: 'tea.md',
    content: '# Tea\nThe judge told the court to rise.\n',
  })
  await base.call('write', {
    action: 'create',
    id: 'bar.md',
    content: '# Bar\nWarm punch, cocoa.\n',
  })
  expect(await found(base, GUEST, 'a hot drink')).toEqual(['semantic', 'notes/bar.md'])
  await base.call('delete', { id: 'secret/cafe.md' })
  expect(await found(base, OTHER, 'a hot drink')).toEqual(['semantic', 'notes/bar.md'])
  expect(await found(base, GUEST, 'a lawsuit')).toEqual(['semantic', 'notes/tea.md'])
})
