import { expect, it } from 'vitest'
import type { View } from '../../core/operations/view/view.ts'
import { nativeResources } from './resources.ts'

it('lists a document whose time no calendar has', async () => {
  const document = { source: 'notes', path: 'a.md', title: 'A', size: 1, modifiedAt: 1e17 }
  const store = { list: async () => ({ documents: [document], total: 1 }) }
  const { items } = await nativeResources(() => ({ store }) as unknown as View).list(undefined)
  expect(items).toMatchObject([{ uri: 'kb://notes/a.md', size: 1 }])
  expect(items[0]).not.toHaveProperty('lastModified')
})
