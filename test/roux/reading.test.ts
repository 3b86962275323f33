/** The reading tools of the roux surface, called as a client calls them. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { verifies } from '../support/verifies.ts'
import { writeFiles } from '../support/temporary-folder.ts'
import { GRAPH, ids, openRoux } from './open-roux.ts'

const INVALID = 'INVALID_PARAMS'

describe('introduction', () => {
  it('is called what the original is called, and offers tools only', async () => {
    verifies('roux:official-sdk')
    const { client } = await openRoux()
    expect(client.getServerVersion()).toEqual({ name: 'roux', version: '0.1.0' })
    expect(client.getServerCapabilities()).toEqual({ tools: { listChanged: true } })
  })

  it('calls an unknown tool invalid', async () => {
    verifies('roux:error-not-exposed')
    const { call } = await openRoux()
    for (const name of ['search', 'nonsense']) {
      const { isError, error } = await call(name, { query: 'x' })
      expect(isError).toBe(true)
      expect(error).toEqual({ code: INVALID, message: `Unknown tool: ${name}` })
    }
  })

  it('writes texts with two spaces of indent', async () => {
    const { call } = await openRoux()
    const { texts } = await call('find_path', { source: 'a.md', target: 'b.md' })
    expect(texts).toEqual(['[\n  "a.md",\n  "b.md"\n]'])
    const failed = await call('get_hubs', { limit: 0 })
    expect(failed.texts[0]).toBe(
      '{\n  "error": {\n    "code": "INVALID_PARAMS",\n    "message": "limit must be at least 1"\n  }\n}',
    )
  })
})

describe('get_node', () => {
  it('accepts any case, and .md may be left off', async () => {
    verifies('roux:check-2-id-case', 'roux:canonical-id', 'roux:get-node-parameters')
    const { call } = await openRoux()
    const lemon = {
      id: 'notes/lemon.md',
      title: 'Lemon',
      content: 'Sour.',
      tags: ['Fruit', 'citrus'],
      links: [],
      properties: { origin: 'IT' },
    }
    for (const id of ['NOTES/lemon.md', 'notes/lemon.md', 'Notes\\Lemon', 'notes/lemon']) {
      const { value, structured, isError } = await call('get_node', { id })
      expect(value).toEqual(lemon)
      expect(structured).toEqual({ node: lemon })
      expect(isError).toBeUndefined()
    }
  })

  it('is null for what is not there', async () => {
    verifies('roux:check-2-id-case', 'roux:get-node-missing', 'roux:error-not-found')
    const { call } = await openRoux()
    for (const id of ['nope.md', '../../etc/passwd', '/a.md', 'notes', 'a.md\0']) {
      const { value, structured, isError, texts } = await call('get_node', { id })
      expect([value, structured, isError, texts]).toEqual([
        null,
        { node: null },
        undefined,
        ['null'],
      ])
    }
  })

  it.each([[undefined], [''], ['  '], [7], [['a.md']]])('refuses the id %j', async (id) => {
    verifies('roux:error-invalid')
    const { call } = await openRoux()
    const { error } = await call('get_node', { id })
    expect(error).toEqual({
      code: INVALID,
      message: 'id is required and must be a non-empty string',
    })
  })

  it('adds neighbors and counts with depth 1', async () => {
    verifies('roux:check-3-depth', 'roux:get-node-depth')
    const { call } = await openRoux()
    const { value, structured } = await call('get_node', { id: 'e.md', depth: 1 })
    expect(value).toMatchObject({ id: 'e.md', incomingCount: 2, outgoingCount: 0 })
    expect(ids(value.neighbors)).toEqual(['b.md', 'd.md'])
    expect(ids(value.incomingNeighbors)).toEqual(['b.md', 'd.md'])
    expect(value.outgoingNeighbors).toEqual([])
    expect(structured.node).toEqual(value)
  })

  it('says on which side a neighbor is, outgoing first', async () => {
    const { call } = await openRoux({
      'hub.md': '[[z]] [[both]] [[hub]]',
      'z.md': '',
      'both.md': '[[hub]]',
      'in.md': '[[hub]]',
    })
    const { value } = await call('get_node', { id: 'hub', depth: '2' })
    expect(value.neighbors.map((each: any) => [each.id, each.direction])).toEqual([
      ['z.md', 'out'],
      ['both.md', 'both'],
      ['hub.md', 'both'],
      ['in.md', 'in'],
    ])
    expect([value.incomingCount, value.outgoingCount]).toEqual([3, 3])
  })

  it('lists at most 20 neighbors of a side, and counts them all', async () => {
    const files = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`n${n}.md`, '[[hub]]']))
    const { call } = await openRoux({ ...files, 'hub.md': 'x' })
    const { value } = await call('get_node', { id: 'hub.md', depth: 1 })
    expect(value.incomingNeighbors).toHaveLength(20)
    expect(value.incomingCount).toBe(30)
  })

  it.each([
    [0, false],
    [1, true],
    [7, true],
    ['1', true],
    [-3, false],
    ['x', false],
    [null, false],
    [1.9, true],
    [0.9, false],
  ])('takes depth %j for %j', async (depth, expected) => {
    const { call } = await openRoux({ 'a.md': 'x' })
    const { value } = await call('get_node', { id: 'a.md', depth })
    expect('neighbors' in value).toBe(expected)
  })

  it('takes title and tags from the front matter, the title else from the path', async () => {
    const { call } = await openRoux({
      'notes/my-note.md': '# A heading\n\ntext #inline',
      'a--b---c.md': '---\ntags: one\ntitle: 12\n---\n',
      'FOLDER/MY-FILE.MD': '---\ntags: [x, 3, true, "y"]\nid: zz\n---\nhello',
      'broken.md': '---\ntitle: [\n---\nbody',
    })
    const node = async (id: string) => (await call('get_node', { id })).value
    expect(await node('notes/my-note.md')).toMatchObject({ title: 'My Note', tags: [] })
    expect(await node('a--b---c.md')).toEqual({
      id: 'a--b---c.md',
      title: 'A B C',
      content: '',
      tags: [],
      links: [],
    })
    expect(await node('folder/my-file.md')).toEqual({
      id: 'folder/my-file.md',
      title: 'My File',
      content: 'hello',
      tags: ['x', 'y'],
      links: [],
    })
    expect(await node('broken.md')).toMatchObject({
      title: 'Broken',
      tags: [],
      content: '---\ntitle: [\n---\nbody',
    })
  })

  it('cuts long content at exactly 10,000 characters, never inside a character', async () => {
    verifies('roux:check-12-truncation')
    const { call } = await openRoux({
      'long.md': 'x'.repeat(10_001),
      'fits.md': 'x'.repeat(10_000),
      'emoji.md': `${'x'.repeat(9_984)}${'😀'.repeat(20)}`,
      'links.md': '[[long]] [[fits]]',
    })
    const content = async (id: string) => (await call('get_node', { id })).value.content as string
    expect(await content('long.md')).toHaveLength(10_000)
    expect(await content('long.md')).toMatch(/x\.\.\. \[truncated\]$/)
    expect(await content('fits.md')).toBe('x'.repeat(10_000))
    expect(await content('emoji.md')).toBe(`${'x'.repeat(9_984)}... [truncated]`)
    const { value } = await call('get_neighbors', { id: 'links.md' })
    expect(value.map((each: any) => each.content.length)).toEqual([500, 500])
    const around = await call('get_node', { id: 'links.md', depth: 1 })
    expect(around.value.neighbors[0].content).toHaveLength(200)
  })

  it('answers null once the file is gone, though the index does not know yet', async () => {
    const { call, base } = await openRoux()
    rmSync(join(base.folder, 'c.md'))
    expect((await call('get_node', { id: 'c.md' })).value).toBe(null)
    expect(ids((await call('get_neighbors', { id: 'b.md', direction: 'out' })).value)).toEqual([
      'e.md',
    ])
  })
})

describe('links', () => {
  const links = async (files: Record<string, string>, id: string) => {
    const { call } = await openRoux(files)
    return (await call('get_node', { id })).value.links
  }

  it('collapse in all their forms to one target', async () => {
    verifies('roux:check-11-links')
    const text = '[[LEMON]] [[lemon|x]] [[Lemon#Peel]] `[[lemon]]`\n\n```\n[[b]]\n```\n'
    expect(await links({ ...GRAPH, 'x.md': text }, 'x.md')).toEqual([
      { id: 'notes/lemon.md', title: 'Lemon' },
    ])
  })

  it('get .md unless they have an extension, and stay when nobody is there', async () => {
    verifies('roux:check-11-links')
    const text = '[[archive.2024]] [[meeting.notes.draft]] [[doc.txt]] [[Some\\Where]] [[ ]] [[|x]]'
    expect(await links({ 'x.md': text }, 'x.md')).toEqual([
      { id: 'archive.2024.md', title: 'archive.2024.md' },
      { id: 'meeting.notes.draft.md', title: 'meeting.notes.draft.md' },
      { id: 'doc.txt', title: 'doc.txt' },
      { id: 'some/where.md', title: 'some/where.md' },
    ])
  })

  it('lead to the alphabetically first of several', async () => {
    verifies('roux:check-11-links')
    const files = { 'a/item.md': '', 'b/item.md': '', 'x.md': '[[item]]' }
    expect(await links(files, 'x.md')).toEqual([{ id: 'a/item.md', title: 'Item' }])
  })

  it('find titles, spaces for hyphens and slugs; a path is taken literally', async () => {
    const files = {
      'meeting-notes-2024-01-15.md': '',
      'deep/folder/target.md': '',
      'y.md': '---\ntitle: The Answer\n---\n',
      'x.md': '[[Meeting Notes 2024-01-15]] [[the answer]] [[folder/target]] [[x]]',
    }
    expect(await links(files, 'x.md')).toEqual([
      { id: 'meeting-notes-2024-01-15.md', title: 'Meeting Notes 2024 01 15' },
      { id: 'y.md', title: 'The Answer' },
      { id: 'folder/target.md', title: 'folder/target.md' },
      { id: 'x.md', title: 'X' },
    ])
  })

  it('are wiki links: Markdown links make no edge', async () => {
    const { call } = await openRoux({ 'a.md': '[b](b.md) ![[c]]', 'b.md': '', 'c.md': '' })
    expect(ids((await call('get_neighbors', { id: 'a.md' })).value)).toEqual(['c.md'])
    expect((await call('get_hubs', {})).value).toMatchObject([
      { id: 'c.md', score: 1 },
      { id: 'a.md', score: 0 },
      { id: 'b.md', score: 0 },
    ])
  })

  it('are listed up to 100 per node', async () => {
    const text = Array.from({ length: 120 }, (_, n) => `[[n${n}]]`).join(' ')
    expect(await links({ 'x.md': text }, 'x.md')).toHaveLength(100)
  })

  it('heal when their target appears', async () => {
    const { call, base } = await openRoux({ 'a.md': '[[later]]' })
    expect((await call('get_neighbors', { id: 'a.md' })).value).toEqual([])
    writeFiles(base.folder, { 'deep/later.md': 'now' })
    await base.sync()
    expect(ids((await call('get_neighbors', { id: 'a.md' })).value)).toEqual(['deep/later.md'])
  })
})

describe('get_neighbors', () => {
  it('follows links in the direction asked for', async () => {
    verifies('roux:check-4-neighbors', 'roux:get-neighbors-parameters')
    const { call } = await openRoux()
    const neighbors = async (args: object) => ids((await call('get_neighbors', { ...args })).value)
    expect(await neighbors({ id: 'b.md' })).toEqual(['c.md', 'e.md', 'a.md'])
    expect(await neighbors({ id: 'b.md', direction: 'both' })).toEqual(['c.md', 'e.md', 'a.md'])
    expect(await neighbors({ id: 'B', direction: 'in' })).toEqual(['a.md'])
    expect(await neighbors({ id: 'b.md', direction: 'out' })).toEqual(['c.md', 'e.md'])
    expect(await neighbors({ id: 'b.md', limit: 1 })).toEqual(['c.md'])
    expect(await neighbors({ id: 'unknown.md' })).toEqual([])
  })

  it('refuses another direction', async () => {
    verifies('roux:check-4-neighbors', 'roux:error-invalid')
    const { call } = await openRoux()
    const { error } = await call('get_neighbors', { id: 'b.md', direction: 'sideways' })
    expect(error).toEqual({ code: INVALID, message: 'direction must be one of: in, out, both' })
  })

  it('keeps the order of the text, then of ids, and each node once', async () => {
    const { call } = await openRoux({
      'x.md': '[[z]] [[m]] [[z]]',
      'z.md': '',
      'm.md': '[[x]]',
      'b.md': '[[x]]',
      'A.md': '[[x]]',
    })
    const { value, structured } = await call('get_neighbors', {
      id: 'x.md',
      include_content: false,
    })
    expect(ids(value)).toEqual(['z.md', 'm.md', 'a.md', 'b.md'])
    expect(value[0]).toEqual({ id: 'z.md', title: 'Z', tags: [], links: [] })
    expect(structured).toEqual({ nodes: value })
  })
})

describe('find_path', () => {
  it('follows links forwards', async () => {
    verifies('roux:check-5-path', 'roux:find-path-parameters', 'roux:find-path-result')
    const { call } = await openRoux()
    const path = (source: string, target: string) => call('find_path', { source, target })
    const found = await path('a.md', 'E')
    expect(found.value).toEqual(['a.md', 'b.md', 'e.md'])
    expect(found.structured).toEqual({ path: found.value, length: 2 })
    expect((await path('a.md', 'a.md')).value).toEqual(['a.md'])
    expect((await path('a.md', 'a.md')).structured).toEqual({ path: ['a.md'], length: 0 })
    for (const [from, to] of [
      ['c.md', 'a.md'],
      ['a.md', 'zzz.md'],
      ['zzz.md', 'a.md'],
    ] as const) {
      const none = await path(from, to)
      expect([none.value, none.structured, none.isError]).toEqual([null, { path: null }, undefined])
    }
    expect((await call('find_path', { source: 'a.md' })).error).toEqual({
      code: INVALID,
      message: 'target is required and must be a non-empty string',
    })
  })
})

describe('get_hubs', () => {
  it('ranks by links in, links out and PageRank', async () => {
    verifies('roux:check-6-hubs', 'roux:get-hubs-parameters', 'roux:get-hubs-result')
    const { call } = await openRoux()
    expect((await call('get_hubs', { limit: 1 })).value).toEqual([
      { id: 'e.md', title: 'E', score: 2 },
    ])
    expect((await call('get_hubs', { metric: 'out_degree', limit: 2 })).value).toMatchObject([
      { id: 'a.md', score: 2 },
      { id: 'b.md', score: 2 },
    ])
    const { value: ranks, structured } = await call('get_hubs', { metric: 'pagerank' })
    expect(ranks).toHaveLength(6)
    expect(ranks[0].id).toBe('e.md')
    const sum = ranks.reduce((total: number, { score }: { score: number }) => total + score, 0)
    expect(Math.abs(sum - 1)).toBeLessThan(1e-6)
    expect(structured).toEqual({ hubs: ranks })
    expect((await call('get_hubs', { metric: 'x' })).error).toEqual({
      code: INVALID,
      message: 'metric must be one of: in_degree, out_degree, pagerank',
    })
  })

  it.each([
    ['3', 3],
    [2.9, 2],
    ['abc', 10],
    [null, 10],
    [99, 12],
    [{}, 10],
  ])('takes the limit %j for %j', async (limit, expected) => {
    const files = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`n${n}.md`, 'x']))
    const { call } = await openRoux(files)
    expect((await call('get_hubs', { limit })).value).toHaveLength(expected)
  })

  it.each([0, -5, '0', 0.5])('refuses the limit %j', async (limit) => {
    const { call } = await openRoux({ 'a.md': 'x' })
    for (const [tool, args] of Object.entries({
      get_hubs: {},
      get_neighbors: { id: 'a.md' },
      search_by_tags: { tags: ['x'] },
    })) {
      const { error } = await call(tool, { ...args, limit })
      expect(error).toEqual({ code: INVALID, message: 'limit must be at least 1' })
    }
  })
})

describe('search_by_tags and random_node', () => {
  it('find by any or all tags, whatever the case', async () => {
    verifies('roux:check-7-tags', 'roux:search-by-tags-parameters', 'roux:search-by-tags-mode')
    const { call } = await openRoux()
    const tagged = async (args: object) => ids((await call('search_by_tags', { ...args })).value)
    expect(await tagged({ tags: ['fruit'] })).toEqual(['notes/lemon.md'])
    expect(await tagged({ tags: ['fruit', 'nope'], mode: 'all' })).toEqual([])
    expect(await tagged({ tags: ['fruit', 'nope'], mode: 'any' })).toEqual(['notes/lemon.md'])
    expect(await tagged({ tags: ['FRUIT', 'Citrus'], mode: 'all' })).toEqual(['notes/lemon.md'])
  })

  it('say what is wrong with tags', async () => {
    verifies('roux:check-7-tags', 'roux:error-invalid')
    const { call } = await openRoux()
    const required = 'tags is required and must be a non-empty array'
    for (const [tags, message] of [
      [[], required],
      [undefined, required],
      ['fruit', required],
      [['fruit', 3], 'tags must contain only strings'],
    ]) {
      expect((await call('search_by_tags', { tags })).error).toEqual({ code: INVALID, message })
    }
    const { error } = await call('search_by_tags', { tags: ['x'], mode: 'none' })
    expect(error?.message).toBe('mode must be one of: any, all')
  })

  it('count tags of the front matter only, by id', async () => {
    const { call } = await openRoux({
      'z.md': '---\ntags: [T]\n---\n',
      'B.md': '---\ntags: [t, u]\n---\n',
      'inline.md': '#t',
      'text.md': '---\ntags: t\n---\n',
    })
    expect(ids((await call('search_by_tags', { tags: ['t'] })).value)).toEqual(['b.md', 'z.md'])
  })

  it('pick by chance, or nothing', async () => {
    verifies('roux:check-7-tags', 'roux:random-node-parameters', 'roux:error-not-found')
    const { call } = await openRoux()
    const none = await call('random_node', { tags: ['zzz'] })
    expect([none.value, none.structured]).toEqual([null, { node: null }])
    expect((await call('random_node', { tags: ['fruit', 'zzz'] })).value.id).toBe('notes/lemon.md')
    const picked = new Set<string>()
    for (let seed = 0; seed < 60; seed++) {
      picked.add((await call('random_node', { seed })).value.id)
    }
    expect(picked.size).toBe(6)
    const twice = [await call('random_node', { seed: 5 }), await call('random_node', { seed: 5 })]
    expect(twice[0]!.value).toEqual(twice[1]!.value)
    expect((await call('random_node', { tags: 'fruit' })).error?.code).toBe(INVALID)
  })

  it('have nothing to say about an empty folder', async () => {
    const { call } = await openRoux({})
    expect((await call('random_node')).value).toBe(null)
    expect((await call('get_hubs', { metric: 'pagerank' })).value).toEqual([])
    expect((await call('get_node', { id: 'a' })).value).toBe(null)
  })
})

describe('what is seen', () => {
  it('is Markdown with the extension md, of the first folder', async () => {
    const { call } = await openRoux({ 'a.md': '[[b]] [[c]]', 'b.txt': 'x', 'c.markdown': 'x' })
    expect((await call('get_hubs')).value).toMatchObject([{ id: 'a.md', score: 0 }])
    expect((await call('get_neighbors', { id: 'a.md' })).value).toEqual([])
    expect((await call('get_node', { id: 'b.txt' })).value).toBe(null)
  })

  it('keeps the first of two files whose paths differ in case only, and says so once', async () => {
    const { call } = await openRoux({ 'Note.md': 'upper', 'note.md': 'lower', 'x.md': '[[note]]' })
    const first = await call('get_node', { id: 'note.md' })
    expect(first.value.content).toBe('upper')
    expect(first.warnings).toEqual(['Sync: note.md has the same id as Note.md and is left out'])
    expect((await call('get_hubs')).value).toMatchObject([
      { id: 'note.md', score: 1 },
      { id: 'x.md' },
    ])
    expect((await call('get_node', { id: 'note.md' })).warnings).toEqual([])
  })
})
