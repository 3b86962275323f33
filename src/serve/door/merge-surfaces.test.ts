import { expect, it } from 'vitest'
import { mergeSurfaces } from './merge-surfaces.ts'
import type { Prompts, Surface, SurfaceEvent, ToolDefinition } from './surface.ts'

const CALL = { signal: new AbortController().signal, progress: () => {} }

function surface(name: string, tools: readonly string[], more: Partial<Surface> = {}): Surface {
  const listeners = new Set<(event: SurfaceEvent) => void>()
  return {
    name,
    serverInfo: { name, version: '1' },
    tools: () => tools.map((tool) => ({ name: tool, description: name }) as ToolDefinition),
    names: () => tools,
    call: async (tool) => {
      listeners.forEach((tell) => tell({ kind: 'tools_changed' }))
      return { texts: [`${name} ${tool}`] }
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    ...more,
  }
}

it('is the surface itself when there is only one', () => {
  const only = surface('native', ['search'])
  expect(mergeSurfaces([only])).toBe(only)
})

it('keeps names and order, and puts the surface in front of a name that is taken', async () => {
  const merged = mergeSurfaces([
    surface('native', ['search', 'fetch']),
    surface('roux', ['search', 'get_node']),
    surface('acdc', ['search', 'read']),
  ])
  const names = ['search', 'fetch', 'roux_search', 'get_node', 'acdc_search', 'read']
  expect(merged.tools().map(({ name }) => name)).toEqual(names)
  const answers = await Promise.all(names.map((name) => merged.call(name, {}, CALL)))
  expect(answers.map(({ texts }) => texts[0])).toEqual([
    'native search',
    'native fetch',
    'roux search',
    'roux get_node',
    'acdc search',
    'acdc read',
  ])
  await expect(merged.call('nobody', {}, CALL)).rejects.toMatchObject({
    code: 'not_found',
    hint: `The tools are: ${names.join(', ')}.`,
  })
  expect(merged.serverInfo.name).toBe('native')
})

it('offers the resources of whoever has some, and passes on what all have to tell', async () => {
  const resources = { templates: [] } as unknown as Surface['resources']
  const merged = mergeSurfaces([surface('roux', ['a']), surface('native', ['b'], { resources })])
  expect(merged.resources).toBe(resources)
  const told: SurfaceEvent[] = []
  const stop = merged.subscribe((event) => told.push(event))
  await merged.call('a', {}, CALL)
  await merged.call('b', {}, CALL)
  stop()
  await merged.call('b', {}, CALL)
  expect(told).toHaveLength(2)
})

it('offers the prompts of all', async () => {
  const prompts = (name: string, names: readonly string[]): Prompts => ({
    list: async () => ({ items: names.map((each) => ({ name: each, arguments: [] })) }),
    get: async (own) => ({ messages: [{ role: 'user', text: `${name} ${own}` }] }),
    complete: async (own) => ({ values: [`${name} ${own}`], total: 1 }),
  })
  const merged = mergeSurfaces([
    surface('native', ['a'], { prompts: prompts('native', ['review', 'answer']) }),
    surface('roux', ['b']),
    surface('acdc', ['c'], { prompts: prompts('acdc', ['review', 'guide']) }),
  ]).prompts!
  const names = ['review', 'answer', 'acdc_review', 'guide']
  expect((await merged.list(undefined)).items.map(({ name }) => name)).toEqual(names)
  const said = await Promise.all(names.map((name) => merged.get(name, {}, CALL)))
  expect(said.map(({ messages }) => messages[0]!.text)).toEqual([
    'native review',
    'native answer',
    'acdc review',
    'acdc guide',
  ])
  expect((await merged.complete('guide', 'x', '', {})).values).toEqual(['acdc guide'])
  await expect(merged.get('nobody', {}, CALL)).rejects.toMatchObject({ code: 'not_found' })
  await expect(merged.list('x')).rejects.toMatchObject({ code: 'invalid' })
})
