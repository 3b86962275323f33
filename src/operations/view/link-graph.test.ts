/** The graph in memory follows edits without reading every link again. */
import { expect, it } from 'vitest'
import { openTestBase } from '../../../test/support/open-test-base.ts'
import { openIndex } from './open-index.ts'
import { loadLinkGraph, loadPathOrder } from './link-graph.ts'
import type { Store } from '../../store/store.ts'

it('is what it would be if it were loaded, and is loaded only when documents come or go', async () => {
  const { store, call } = await openTestBase({
    'a.md': 'To [[b]].\n',
    'b.md': 'To [[c]] and ![[c]].\n',
    'c.md': 'To [[nobody]].\n',
  })
  let reads = 0
  const counted: Store = Object.create(store, {
    edges: { value: () => (reads++, store.edges()) },
  })
  const index = openIndex(counted, async () => undefined)
  const same = async (): Promise<void> => {
    const { graph } = await (await index.look()).links()
    expect(graph).toEqual((await loadLinkGraph(store, await loadPathOrder(store))).graph)
  }
  const edit = (action: string, id: string, content: string) =>
    call('write', { action, id, content })

  await same()
  expect(reads).toBe(1)
  await edit('append', 'a.md', 'And [[c]], [[a]] and [[b]] again.')
  await same()
  await edit('replace', 'b.md', 'To nobody at all.\n')
  await same()
  await edit('append', 'c.md', 'To ![[a]].')
  await edit('replace', 'a.md', '[b](b.md)\n')
  await same()
  expect(reads).toBe(1)
  // The link to nobody leads somewhere now.
  await edit('create', 'nobody.md', 'Here.')
  await same()
  expect(reads).toBe(2)
  await call('write', { action: 'set_metadata', id: 'b.md', metadata: { aliases: ['nobody'] } })
  await same()
})
