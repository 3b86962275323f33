/** search: there when something embeds, ranked by it, and harmless when it fails. */
import { expect, it } from 'vitest'
import { learnMeaning } from '../../src/core/indexing/learn-meaning.ts'
import type { Similarity } from '../../src/core/operations/view/knowledge.ts'
import { verifies } from '../support/verifies.ts'
import { GRAPH, ids, openRoux } from './open-roux.ts'
import { wordSimilarity } from './word-similarity.ts'

const names = async (options?: Parameters<typeof openRoux>[1]) => {
  const { client } = await openRoux(GRAPH, options)
  return (await client.listTools()).tools.map(({ name }) => name)
}

it('is the first tool with an embedder, and absent without', async () => {
  verifies('roux:check-1-exposure', 'roux:search-exposed', 'roux:error-not-exposed')
  const others = [
    'get_node',
    'get_neighbors',
    'find_path',
    'get_hubs',
    'search_by_tags',
    'random_node',
    'list_nodes',
    'resolve_nodes',
    'nodes_exist',
    'create_node',
    'update_node',
    'delete_node',
  ]
  expect(await names()).toEqual(others)
  expect(await names({ similar: wordSimilarity })).toEqual(['search', ...others])
  expect(await names({ readOnly: true })).toEqual(others.slice(0, 9))
})

it('returns the most similar nodes first, each with a score from 0 to 1', async () => {
  verifies('roux:check-14-search', 'roux:search-parameters', 'roux:search-scores')
  const { call } = await openRoux(GRAPH, { similar: wordSimilarity })
  const { value, structured } = await call('search', { query: 'text' })
  expect(ids(value).slice(0, 2)).toEqual(['c.md', 'e.md'])
  expect(value).toHaveLength(6)
  const scores = value.map(({ score }: { score: number }) => score)
  expect(scores.toSorted((a: number, b: number) => b - a)).toEqual(scores)
  expect(scores[0]).toBeCloseTo(1)
  expect(value[0]).toMatchObject({ id: 'c.md', title: 'C', content: 'text', tags: [], links: [] })
  expect(structured).toEqual({ nodes: value })
  expect((await call('search', { query: 'text', limit: 1 })).value).toHaveLength(1)
})

it('shows at most 10 unless told otherwise, and never more than 50', async () => {
  verifies('roux:search-parameters')
  const files = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`n${n}.md`, 'same']))
  const { call } = await openRoux(files, { similar: wordSimilarity })
  expect((await call('search', { query: 'same' })).value).toHaveLength(10)
  expect((await call('search', { query: 'same', limit: 500 })).value).toHaveLength(50)
})

it('clamps scores, and finds nothing where there is nothing', async () => {
  const beyond: Similarity = {
    rank: async () => [
      { doc: 0, score: 1.0000001 },
      { doc: 1, score: -0.5 },
      { doc: 999, score: 0.9 },
    ],
    covered: async () => 0,
    of: () => beyond,
  }
  const { call } = await openRoux(GRAPH, { similar: () => beyond })
  const { value } = await call('search', { query: 'x' })
  expect(value.map(({ score }: { score: number }) => score)).toEqual([1, 0])
  const empty = await openRoux({}, { similar: wordSimilarity })
  expect((await empty.call('search', { query: 'x' })).value).toEqual([])
})

const GARDEN = Object.fromEntries(
  [
    'Roses need pruning in spring and water in summer.',
    'Prune the apple tree in winter; water the garden beds.',
    'The garden needs compost, water and mulch for the roses.',
    'Compost heaps want leaves, grass and patience.',
    'Invoices are due within thirty days of the bill.',
    'The accountant sends the bill and the tax form in January.',
    'Tax forms and invoices belong in the blue folder.',
    'Pay each invoice by bank transfer; keep the tax receipt.',
    'The train to Lisbon leaves at nine from platform two.',
    'Book the train and the hotel for the journey early.',
    'A journey by train needs a ticket, a hotel and a map.',
    'Hotels near the station in Lisbon are noisy.',
  ].map((text, n) => [`n${String(n).padStart(2, '0')}.md`, text]),
)

it('compares by what the notes themselves teach, where nothing else is configured', async () => {
  verifies('roux:search-exposed', 'roux:search-scores', 'roux:synchronous-writes')
  const roux = await openRoux(GARDEN, { similar: ({ kb }) => kb.similar! })
  const { kb, store } = roux.base
  // Before anything is learned, by the words themselves.
  const before = await roux.call('search', { query: 'tax form' })
  expect(ids(before.value).slice(0, 2).toSorted()).toEqual(['n05.md', 'n06.md'])
  await learnMeaning({ store, sources: kb.sources })
  expect(await kb.similar!.covered([...(await store.pathOrder())])).toBe(12)
  const { value } = await roux.call('search', { query: 'invoices and bills', limit: 4 })
  expect(ids(value).toSorted()).toEqual(['n04.md', 'n05.md', 'n06.md', 'n07.md'])
  for (const { score } of value) expect(score).toBeGreaterThan(0.2)
  for (const { score } of value) expect(score).toBeLessThanOrEqual(1)
  expect((await roux.call('search', { query: 'zzzz' })).value).toEqual([])
  // What is written now is found now, though nothing has been learned again.
  const args = { title: 'Overdue', content: 'An invoice, a bill and a tax form: invoices, bills!' }
  await roux.call('create_node', args)
  const again = await roux.call('search', { query: 'invoices and bills' })
  expect(ids(again.value).slice(0, 3)).toContain('overdue.md')
  await roux.call('delete_node', { id: 'overdue.md' })
  expect(ids((await roux.call('search', { query: 'invoices' })).value)).not.toContain('overdue.md')
})

it('finds by what words mean in general, before and after anything is learned', async () => {
  verifies('roux:search-exposed', 'roux:search-scores')
  const about = 'Neural networks with many layers learn from examples. Training uses gradients.'
  const files = { ...GARDEN, 'deep-learning.md': about, 'Küche.md': 'Sauerteig braucht Ruhe.' }
  const roux = await openRoux(files, { similar: ({ kb }) => kb.similar! })
  const { kb, store } = roux.base
  const first = async (query: string) => {
    const { value } = await roux.call('search', { query, limit: 1 })
    return ids(value)
  }
  const both = async () => [await first('artificial intelligence'), await first('Sauerteig Ruhe')]
  expect(await both()).toEqual([['deep-learning.md'], ['küche.md']])
  await learnMeaning({ store, sources: kb.sources })
  expect(await both()).toEqual([['deep-learning.md'], ['küche.md']])
  await roux.call('create_node', { title: 'Robots', content: 'Machines that learn and reason.' })
  const { value } = await roux.call('search', { query: 'artificial intelligence', limit: 2 })
  expect(ids(value).toSorted()).toEqual(['deep-learning.md', 'robots.md'])
})

it.each(['  ', '', undefined, 4])('refuses the query %j', async (query) => {
  verifies('roux:check-14-search', 'roux:error-invalid')
  const { call } = await openRoux(GRAPH, { similar: wordSimilarity })
  expect((await call('search', { query })).error?.code).toBe('INVALID_PARAMS')
})

it('fails alone when the embedder fails', async () => {
  verifies('roux:check-14-search', 'roux:search-failure', 'roux:error-provider')
  const failing: Similarity = {
    rank: () => Promise.reject(new Error('model not loaded')),
    covered: async () => 0,
    of: () => failing,
  }
  const { call, base } = await openRoux(GRAPH, { similar: () => failing })
  const { error } = await call('search', { query: 'text' })
  expect(error?.code).toBe('PROVIDER_ERROR')
  expect(error?.message).toContain('model not loaded')
  expect((await call('get_node', { id: 'a.md' })).value.id).toBe('a.md')
  expect(base.bugs).toEqual([])
})
