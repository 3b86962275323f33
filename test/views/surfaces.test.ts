/** Every surface looks at the same base: what one does, the others see, and none sees more. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openSurfaces } from '../../src/serve/wiring/surfaces.ts'
import type { SurfaceName } from '../../src/serve/config/config.ts'
import type { Knowledge } from '../../src/core/operations/view/knowledge.ts'
import type { Surface } from '../../src/serve/door/surface.ts'
import { openTestBase } from '../support/open-test-base.ts'

const RAG =
  '{"id":"rag","type":"tech","name":"RAG","desc":"","tags":[],"updated_at":"2026-01-01T00:00:00"}\n'
const NOTES = { 'a.md': '# A\n\nSee [[b]].\n', 'b.md': '# B\n' }
const GRAPH = { 'knowledge/entities/concepts.jsonl': RAG, 'a.md': '# A\n' }

async function open(kb: Knowledge, name: SurfaceName): Promise<Surface> {
  const log = (error: unknown): never => {
    throw error
  }
  return (await openSurfaces(kb, [name], { log, onBug: log, state: '' }))[0]!.surface
}

async function call(surface: Surface, tool: string, args: object) {
  const { signal } = new AbortController()
  const result = await surface.call(tool, args, { signal, progress: () => {} })
  expect(result.isError ?? false).toBe(false)
  return { ...result.structured } as Record<string, any>
}

it.each<[SurfaceName, string, object, object]>([
  ['roux', 'get_node', { id: 'a.md' }, { node: { id: 'a.md' } }],
  ['nexus', 'get_page', { slug: 'a' }, { slug: 'a', outlinks: ['b'] }],
  ['native', 'fetch', { id: 'a' }, { id: 'notes/a.md' }],
])('%s goes on when the index is deleted and built anew', async (name, tool, args, expected) => {
  const base = await openTestBase(NOTES)
  const surface = await open(base.base, name)
  expect(await call(surface, tool, args)).toMatchObject(expected)
  for (const suffix of ['', '-wal', '-shm']) {
    rmSync(join(base.state, `index.db${suffix}`), { force: true })
  }
  await base.sync()
  expect(await call(surface, tool, args)).toMatchObject(expected)
})

it('finds an entity that cortex has added with the very next call', async () => {
  const base = await openTestBase(GRAPH, { kind: 'both' })
  const cortex = await open(base.base, 'cortex')
  await call(cortex, 'add_entity', {
    category: 'concepts',
    id: 'graph-db',
    type: 'tech',
    name: 'Graph DB',
    desc: 'A database for graphs',
  })
  await call(cortex, 'connect_entities', { src: 'rag', rel: 'uses', dst: 'graph-db' })
  const { results } = await base.call('search', { query: 'database for graphs' })
  expect(results[0]).toMatchObject({ id: 'entity:graph-db' })
  const { neighbors } = await base.call('neighbors', { id: 'entity:graph-db' })
  expect(neighbors).toMatchObject([{ id: 'entity:rag', types: ['RELATES:uses'] }])
})

it.each<SurfaceName>(['native', 'roux', 'cortex', 'acdc', 'nexus'])(
  'lists no tool of %s that writes where nothing may be written',
  async (name) => {
    const { base } = await openTestBase(GRAPH, { kind: 'both', readOnly: true })
    const writing = (await open(base, name))
      .tools()
      .filter(({ annotations }) => !annotations.readOnlyHint)
    expect(writing.map((tool) => tool.name)).toEqual([])
  },
)

it('picks a document by any seed, in every surface that does', async () => {
  const base = await openTestBase(NOTES)
  for (const seed of [1e308, -1e308, 0, 0.5, 1]) {
    const { node } = await call(await open(base.base, 'roux'), 'random_node', { seed })
    const { items } = await base.call('insights', { report: 'random', seed })
    expect([`notes/${node.id}`]).toEqual(items.map(({ id }: { id: string }) => id))
  }
})
