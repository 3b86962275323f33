/** A start that begins with what was kept has the order and the graph that it would have read. */
import { expect, it } from 'vitest'
import { openTestBase } from '../../../../test/support/open-test-base.ts'
import type { Store } from '../../store/store.ts'
import { keepLinks } from './kept-links.ts'
import { loadLinkGraph, loadPathOrder } from './link-graph.ts'
import { openIndex } from './open-index.ts'

const FILES = {
  'a.md': 'To [[b]] and ![[c]], again to [[b]].\n',
  'b.md': '---\nrelated:\n  - "[[a]]"\n---\nTo [[c]] and [c](sub/c.md).\n',
  'sub/c.md': 'To [[nobody]] and [[a]].\n',
}

async function openKept() {
  const base = await openTestBase(FILES)
  const { store } = base
  await keepLinks(store)
  /** What a start reads of all links and all paths, when it has come to the same as everybody. */
  const started = async () => {
    const reads = { edges: 0, paths: 0 }
    const counted: Store = Object.create(store, {
      edges: { value: (among?: Uint32Array) => (among ? 0 : reads.edges++, store.edges(among)) },
      pathOrder: { value: () => (reads.paths++, store.pathOrder()) },
    })
    const moment = await openIndex(counted, async () => undefined, { keepsLinks: true }).look()
    const { graph, docs, types } = await moment.links()
    const order = await loadPathOrder(store)
    const loaded = await loadLinkGraph(store, order)
    expect([...docs]).toEqual([...order.docs])
    expect((await moment.pathOrder()).docs).toBe(docs)
    expect(types.slice(0, loaded.types.length)).toEqual(loaded.types)
    expect(graph).toEqual(loaded.graph)
    return reads
  }
  return { ...base, started }
}

const NOTHING = { edges: 0, paths: 0 }
const ALL = { edges: 1, paths: 1 }

it('reads neither paths nor links when they are as they were kept', async () => {
  const { started, call } = await openKept()
  expect(await started()).toEqual(NOTHING)
  await call('write', { action: 'append', id: 'a.md', content: 'No link here.' })
  expect(await started()).toEqual(NOTHING)
})

it('follows what came, went and was linked since', async () => {
  const { started, call } = await openKept()
  await call('write', { action: 'create', id: 'nobody.md', content: 'To [[b]].' })
  expect(await started()).toEqual(NOTHING)
  await call('write', { action: 'replace', id: 'b.md', content: 'To [[nobody]] alone.' })
  await call('write', { action: 'delete', id: 'sub/c.md' })
  expect(await started()).toEqual(NOTHING)
})

it('is kept anew only where too much has changed to be followed', async () => {
  const { store, call } = await openKept()
  const before = await store.getMeta('links')
  await call('write', { action: 'create', id: 'd.md', content: 'To [[a]].' })
  await keepLinks(store)
  expect(await store.getMeta('links')).toBe(before)
  for (let n = 0; n < 60; n++) {
    await call('write', { action: 'create', id: `n${n}.md`, content: 'To [[a]].' })
  }
  await keepLinks(store)
  expect(await store.getMeta('links')).not.toBe(before)
})

it.each([
  ['damaged', (text: string) => text.replace(/^(.{60})./, '$1*')],
  ['cut off', (text: string) => text.slice(0, 40)],
  ['empty', () => ''],
])('reads all when what was kept is %s', async (_, harm) => {
  const { store, started } = await openKept()
  const text = await store.getMeta('links')
  await store.putMeta('links', harm(text!))
  expect(await started()).toEqual(ALL)
})
