/** While an index is being built, every surface waits for it or says that something is missing. */
import { expect, it, onTestFinished } from 'vitest'
import { openSurfaces } from '../../src/serve/wiring/surfaces.ts'
import type { SurfaceName } from '../../src/serve/config/config.ts'
import type { Progress } from '../../src/core/indexing/indexer.ts'
import type { Knowledge } from '../../src/core/operations/view/knowledge.ts'
import type { Surface } from '../../src/serve/door/surface.ts'
import { openTestBaseAt } from '../support/open-test-base.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import type { OnFinished } from '../support/temporary-folder.ts'

const FILES = {
  'docs/tea.md': '---\nname: Tea\ndescription: A drink of leaves\n---\n# Tea\n\nLeaves in water.\n',
  'docs/pot.md': '---\nname: Pot\ndescription: Holds the water\n---\n# Pot\n\nOf iron.\n',
}
const GRAPH = {
  'knowledge/entities/concepts.jsonl':
    '{"id":"rag","type":"tech","name":"RAG","desc":"","tags":[],"updated_at":"2026-01-01T00:00:00"}\n',
}
const BUILDING: Progress = { phase: 'index', done: 1, total: 2 }
/** What a call may take, and so how long it waits. */
const LIMIT_MS = 2_000

/** A tool that finds something and one that reads something, in the words of each surface. */
const CALLS: readonly [SurfaceName, string, object][] = [
  ['native', 'search', { query: 'leaves' }],
  ['native', 'fetch', { id: 'docs/tea.md' }],
  ['roux', 'get_node', { id: 'docs/tea.md' }],
  ['roux', 'nodes_exist', { ids: ['docs/tea.md'] }],
  ['nexus', 'search', { query: 'leaves' }],
  ['nexus', 'get_page', { slug: 'tea' }],
  ['acdc', 'search', { query: 'leaves' }],
  ['acdc', 'read', { uri: 'acdc://notes/docs/tea' }],
  ['duskmantle', 'km-search', { query: 'leaves' }],
  ['duskmantle', 'km-graph-node', { node_id: 'DesignDoc:docs/tea.md' }],
]

/** Tests that run side by side name the one whose end is meant. */
async function open(name: SurfaceName, onFinished: OnFinished = onTestFinished) {
  const folder = temporaryFolder({ ...FILES, ...(name === 'cortex' && GRAPH) }, onFinished)
  const base = await openTestBaseAt(folder, {
    ...(name === 'cortex' && { kind: 'both' }),
    onFinished,
  })
  let progress: Progress | undefined = BUILDING
  let asked = 0
  const kb: Knowledge = {
    ...base.base,
    catchingUp: () => {
      asked++
      return progress
    },
  }
  const bugs: unknown[] = []
  const options = { log: () => {}, onBug: (bug: unknown) => void bugs.push(bug), state: base.state }
  const [offering] = await openSurfaces(kb, [name], { ...options, timeLimitMs: LIMIT_MS })
  return {
    surface: offering!.surface,
    bugs,
    asked: () => asked,
    async build() {
      await base.sync()
      progress = undefined
    },
  }
}

async function call(surface: Surface, tool: string, args: object) {
  const { signal } = new AbortController()
  const { texts, structured, isError } = await surface.call(tool, args, {
    signal,
    progress: () => {},
  })
  return { said: texts.join('\n') + JSON.stringify(structured ?? {}), isError: isError ?? false }
}

it.each(CALLS.filter(([name]) => name !== 'native'))(
  '%s answers %s with what is read while it waits',
  async (name, tool, args) => {
    const { surface, build, asked } = await open(name)
    const answer = call(surface, tool, args)
    await expect.poll(asked).toBeGreaterThan(2)
    await build()
    const { said, isError } = await answer
    expect(isError).toBe(false)
    expect(said).toMatch(/leaves|docs\/tea\.md/i)
    expect(said).not.toMatch(/being read|"node":null|"docs\/tea.md":false/)
  },
)

it.concurrent.for(CALLS)(
  '%s says of %s that files are still being read',
  async ([name, tool, args], { onTestFinished: onFinished }) => {
    const { surface, build, bugs } = await open(name, onFinished)
    const early = await call(surface, tool, args)
    expect(early.said).toMatch(/still being read|being read for the first time|files are indexed/)
    // Nobody knows yet that it is not there.
    expect(early.said).not.toMatch(/"not_found"/)
    await build()
    const late = await call(surface, tool, args)
    expect(late.isError).toBe(false)
    expect(late.said).not.toMatch(/being read|files are indexed/)
    expect(bugs).toEqual([])
  },
)

it('lets cortex answer at once: it reads its lines, not the index', async () => {
  const { surface, asked } = await open('cortex')
  expect((await call(surface, 'search_knowledge', { query: 'rag' })).said).toContain('RAG')
  expect(asked()).toBe(0)
})

it('keeps nobody waiting who asks for help', async () => {
  const { surface, asked } = await open('duskmantle')
  expect((await call(surface, 'km-help', {})).said).toContain('km-search')
  expect(asked()).toBe(0)
})

it('lists resources of acdc when all are known', async () => {
  const { surface, build, asked } = await open('acdc')
  const list = surface.resources!.list(undefined)
  await expect.poll(asked).toBeGreaterThan(2)
  await build()
  expect((await list).items).toHaveLength(2)
})
