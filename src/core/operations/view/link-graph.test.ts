/** Order and graph in memory follow what changes without reading every path and link again. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { openTestBase } from '../../../../test/support/open-test-base.ts'
import { openIndex } from './open-index.ts'
import { loadLinkGraph, loadPathOrder } from './link-graph.ts'
import type { Store } from '../../store/store.ts'

const NAMES = ['a', 'b', 'Z', 'ä', '\u{ff5e}', '😀', 'sub/a', 'sub/b', 'other/c', 'm']

async function openCounted(files: Record<string, string>) {
  const base = await openTestBase(files)
  const reads = { edges: 0, paths: 0 }
  const { store } = base
  const counted: Store = Object.create(store, {
    edges: { value: (among?: Uint32Array) => (among ? 0 : reads.edges++, store.edges(among)) },
    pathOrder: { value: () => (reads.paths++, store.pathOrder()) },
  })
  const index = openIndex(counted, async () => undefined)
  const same = async (): Promise<void> => {
    const moment = await index.look()
    const { graph, docs, types } = await moment.links()
    const order = await loadPathOrder(store)
    const loaded = await loadLinkGraph(store, order)
    expect([...docs]).toEqual([...order.docs])
    expect([...(await moment.pathOrder()).docs]).toEqual([...order.docs])
    expect(types.slice(0, loaded.types.length)).toEqual(loaded.types)
    expect(graph).toEqual(loaded.graph)
  }
  return { ...base, reads, same }
}

it('is what it would be if it were loaded, whatever comes, goes and links', async () => {
  const { call, reads, same } = await openCounted({
    'a.md': 'To [[b]].\n',
    'b.md': 'To [[c]] and ![[c]].\n',
    'c.md': 'To [[nobody]].\n',
  })
  const edit = (action: string, id: string, content?: string) =>
    call('write', { action, id, ...(content !== undefined && { content }) })

  await same()
  await edit('append', 'a.md', 'And [[c]], [[a]] and [[b]] again.')
  await same()
  await edit('replace', 'b.md', 'To nobody at all.\n')
  await same()
  await edit('append', 'c.md', 'To ![[a]].')
  await edit('replace', 'a.md', '[b](b.md)\n')
  await same()
  // The link to nobody leads somewhere now, and to nobody afterwards.
  await edit('create', 'nobody.md', 'Here, see [[a]].')
  await same()
  await call('write', { action: 'set_metadata', id: 'b.md', metadata: { aliases: ['nobody'] } })
  await same()
  await edit('delete', 'nobody.md')
  await same()
  await call('write', { action: 'move', id: 'c.md', to: 'zz/c.md' })
  await same()
  expect(reads).toEqual({ edges: 1, paths: 1 })
})

it('follows random changes of many documents', async () => {
  const { folder, sync, reads, same } = await openCounted({ 'a.md': 'To [[b]].\n' })
  await same()
  let seed = 7
  const next = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below
  for (let round = 0; round < 40; round++) {
    for (let change = 0; change <= next(3); change++) {
      const place = join(folder, `${NAMES[next(NAMES.length)]!}.md`)
      mkdirSync(dirname(place), { recursive: true })
      const links = NAMES.filter(() => next(4) === 0).map((name) => `[[${name}]]`)
      if (next(4) === 0) rmSync(place, { force: true })
      else writeFileSync(place, `Round ${round} ${links.join(' ')}\n`)
    }
    await sync()
    await same()
  }
  expect(reads).toEqual({ edges: 1, paths: 1 })
})
