/** What came after the specification: lists, names, and ids in front matter. */
import { readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { verifies } from '../support/verifies.ts'
import { GRAPH, openRoux } from './open-roux.ts'
import { wordSimilarity } from './word-similarity.ts'

describe('list_nodes', () => {
  it('lists by tag and path, a page at a time', async () => {
    verifies('roux:list-nodes')
    const { call } = await openRoux()
    const { value, structured } = await call('list_nodes', { limit: 2, offset: 1 })
    expect(value).toEqual({
      nodes: [
        { id: 'b.md', title: 'B' },
        { id: 'c.md', title: 'C' },
      ],
      total: 6,
    })
    expect(structured).toEqual(value)
    const lemon = { nodes: [{ id: 'notes/lemon.md', title: 'Lemon' }], total: 1 }
    expect((await call('list_nodes', { tag: 'FRUIT' })).value).toEqual(lemon)
    expect((await call('list_nodes', { path: 'Notes/' })).value).toEqual(lemon)
    expect((await call('list_nodes', { path: 'zzz' })).value).toEqual({ nodes: [], total: 0 })
    expect((await call('list_nodes', { limit: 0 })).error?.code).toBe('INVALID_PARAMS')
  })
})

describe('resolve_nodes', () => {
  it('finds the node by its title, by letters and by meaning', async () => {
    verifies('roux:resolve-nodes')
    const { call } = await openRoux(
      { ...GRAPH, 'night.md': '---\ntitle: Night Train\n---\nsleeper\n' },
      { similar: wordSimilarity },
    )
    const resolve = async (args: Record<string, unknown>) =>
      (await call('resolve_nodes', args)).value
    expect(await resolve({ names: ['LEMON', 'lemno', 'nihgt train', 'zebra'] })).toEqual([
      { query: 'LEMON', match: 'notes/lemon.md', score: 1 },
      { query: 'lemno', match: null, score: 0 },
      { query: 'nihgt train', match: 'night.md', score: expect.any(Number) },
      { query: 'zebra', match: null, score: 0 },
    ])
    expect(await resolve({ names: ['lemno'], threshold: 0.4 })).toMatchObject([
      { match: 'notes/lemon.md' },
    ])
    expect(await resolve({ names: ['nihgt train'], strategy: 'exact' })).toMatchObject([
      { match: null },
    ])
    expect(await resolve({ names: ['Lemon'], path: 'other/' })).toMatchObject([{ match: null }])
    expect(
      await resolve({ names: ['sleeper'], strategy: 'semantic', threshold: 0.1 }),
    ).toMatchObject([{ match: 'night.md' }])
    const bad = await call('resolve_nodes', { names: [] })
    expect(bad.error?.message).toBe('names is required and must be a non-empty array')
    const long = await call('resolve_nodes', { names: ['a'.repeat(30_000), 'b'.repeat(30_000)] })
    expect(long.error?.message).toMatch(/^names must have at most 40000 characters together/)
    const without = await openRoux()
    const semantic = { names: ['x'], strategy: 'semantic' }
    expect((await without.call('resolve_nodes', semantic)).error?.code).toBe('PROVIDER_ERROR')
  })
})

it('nodes_exist says which ids there are', async () => {
  verifies('roux:nodes-exist')
  const { call } = await openRoux()
  const { value, structured } = await call('nodes_exist', { ids: ['A.md', 'notes/lemon', 'nope'] })
  expect(value).toEqual({ 'A.md': true, 'notes/lemon': true, nope: false })
  expect(structured).toEqual({ exists: value })
})

it('an id in front matter is an id, wherever the file goes', async () => {
  verifies('roux:own-ids')
  const files = { 'a.md': '[[V7xk2Qp9Lm3a]]', 'tea.md': '---\nid: V7xk2Qp9Lm3a\n---\nHot.\n' }
  const { call, base } = await openRoux(files)
  const read = async () => (await call('get_node', { id: 'V7xk2Qp9Lm3a' })).value
  expect(await read()).toMatchObject({ id: 'tea.md', content: 'Hot.' })
  expect((await call('get_node', { id: 'a.md' })).value.links).toEqual([
    { id: 'tea.md', title: 'Tea' },
  ])
  renameSync(join(base.folder, 'tea.md'), join(base.folder, 'drink.md'))
  await base.sync()
  expect(await read()).toMatchObject({ id: 'drink.md' })
  expect((await call('nodes_exist', { ids: ['V7xk2Qp9Lm3a'] })).value).toEqual({
    V7xk2Qp9Lm3a: true,
  })
  await call('update_node', { id: 'V7xk2Qp9Lm3a', content: 'Cold.' })
  expect(readFileSync(join(base.folder, 'drink.md'), 'utf8')).toContain('Cold.')
})

it('defaults stand in the schemas', async () => {
  verifies('roux:schema-defaults')
  const { client } = await openRoux()
  const { tools } = await client.listTools()
  const defaults = (name: string) => {
    const properties = tools.find((tool) => tool.name === name)!.inputSchema.properties ?? {}
    return Object.fromEntries(
      Object.entries(properties as Record<string, { default?: unknown }>)
        .filter(([, schema]) => 'default' in schema)
        .map(([key, schema]) => [key, schema.default]),
    )
  }
  expect(defaults('get_node')).toEqual({ depth: 0 })
  expect(defaults('get_neighbors')).toEqual({ direction: 'both', limit: 20, include_content: true })
  expect(defaults('get_hubs')).toEqual({ metric: 'in_degree', limit: 10 })
  expect(defaults('search_by_tags')).toEqual({ mode: 'any', limit: 20 })
  expect(defaults('create_node')).toEqual({ tags: [] })
})
