/** Surfaces in the words of others see notes as before: entities are not among them. */
import { expect, it } from 'vitest'
import { openSurfaces } from '../../src/serve/wiring/surfaces.ts'
import type { Knowledge } from '../../src/core/operations/view/knowledge.ts'
import type { Surface } from '../../src/serve/door/surface.ts'
import { openTestBase } from '../support/open-test-base.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const lines = (...objects: object[]) => objects.map((each) => `${JSON.stringify(each)}\n`).join('')

const GRAPH = {
  'knowledge/entities/x.jsonl': lines(
    { id: 'a.md', name: 'A', desc: 'words' },
    { id: 'tea', name: 'Tea', desc: 'words', description: 'said', tags: ['hot'] },
  ),
  'knowledge/relations/2026-01.jsonl': lines({ src: 'tea', rel: 'uses', dst: 'b.md' }),
}

const call = { signal: new AbortController().signal, progress: () => {} }

async function open(kb: Knowledge, name: 'roux' | 'acdc' | 'nexus'): Promise<Surface> {
  const log = () => {}
  return (await openSurfaces(kb, [name], { log, onBug: log, state: '' }))[0]!.surface
}

async function textsOf(surface: Surface, tool: string, args: object): Promise<string> {
  return (await surface.call(tool, args, call)).texts.join('\n')
}

it('roux sees the notes of the first folder and the links among them', async () => {
  const brain = temporaryFolder(GRAPH)
  const inside = await openTestBase(
    { ...GRAPH, 'b.md': '[[tea]] [[c]]\n', 'c.md': '' },
    { kind: 'both' },
  )
  const beside = await openTestBase(
    { ...GRAPH, 'b.md': '[[tea]] [[c]]\n', 'c.md': '' },
    { more: [{ name: 'brain', path: brain, kind: 'graph' }] },
  )
  for (const { base: kb } of [inside, beside]) {
    const roux = await open(kb, 'roux')
    const ids = async (metric: string) =>
      JSON.parse(await textsOf(roux, 'get_hubs', { metric, limit: 9 }))
    expect((await ids('out_degree')).map(({ id }: { id: string }) => id)).toEqual(['b.md', 'c.md'])
    const node = JSON.parse(await textsOf(roux, 'get_node', { id: 'b.md', depth: 1 }))
    expect(node).toMatchObject({ id: 'b.md' })
    expect(JSON.stringify(node)).not.toContain('entity:')
    expect(await textsOf(roux, 'get_node', { id: 'a.md' })).toBe('null')
    expect(JSON.parse(await textsOf(roux, 'search_by_tags', { tags: ['hot'] }))).toEqual([])
  }
})

it('acdc sees notes that say what they are', async () => {
  const note = '---\nname: Brew\ndescription: How to\n---\nHot words.\n'
  const { base: kb } = await openTestBase({ ...GRAPH, 'b.md': note }, { kind: 'both' })
  const acdc = await open(kb, 'acdc')
  const { items } = await acdc.resources!.list(undefined)
  expect(items.map(({ name }) => name)).toEqual(['Brew'])
  expect(await textsOf(acdc, 'search', { query: 'words' })).not.toContain('Tea')
})

it('nexus sees the pages', async () => {
  const { base: kb } = await openTestBase({ ...GRAPH, 'b.md': '[[tea]]\n' }, { kind: 'both' })
  const nexus = await open(kb, 'nexus')
  const pages = JSON.parse(await textsOf(nexus, 'list_pages', {}))
  expect(JSON.stringify(pages)).toContain('"slug":"b"')
  expect(JSON.stringify(pages)).not.toContain('tea')
  expect(await textsOf(nexus, 'search', { query: 'words' })).toBe('[]')
})
