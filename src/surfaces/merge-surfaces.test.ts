import { expect, it } from 'vitest'
import { mergeSurfaces } from './merge-surfaces.ts'
import type { Surface, SurfaceEvent, ToolDefinition } from './surface.ts'

const CALL = { signal: new AbortController().signal, progress: () => {} }

function surface(name: string, tools: readonly string[], more: Partial<Surface> = {}): Surface {
  const listeners = new Set<(event: SurfaceEvent) => void>()
  return {
    name,
    serverInfo: { name, version: '1' },
    tools: () => tools.map((tool) => ({ name: tool, description: name }) as ToolDefinition),
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
