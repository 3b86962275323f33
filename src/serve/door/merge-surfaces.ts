/** Several vocabularies behind one connection. */
import { mergePrompts } from './merge-prompts.ts'
import { unknownTool } from './serve-rows.ts'
import type { Surface, ToolDefinition } from './surface.ts'

/**
 * One surface with the tools of all, in order. A name that is taken already gets the name of its
 * surface in front: `search` of the second one becomes `roux_search`. The first surface introduces
 * the server; resources are those of the first surface that has some.
 */
export function mergeSurfaces(surfaces: readonly Surface[]): Surface {
  const [first] = surfaces
  if (!first) throw new RangeError('there is no surface to merge')
  if (surfaces.length === 1) return first
  const owners = new Map<
    string,
    { readonly surface: Surface; readonly definition: ToolDefinition }
  >()
  for (const surface of surfaces) {
    for (const definition of surface.tools()) {
      const { name } = definition
      owners.set(owners.has(name) ? `${surface.name}_${name}` : name, { surface, definition })
    }
  }
  const tools = [...owners].map(([name, { definition }]) => ({ ...definition, name }))
  const withResources = surfaces.find(({ resources }) => resources)
  const prompts = mergePrompts(
    surfaces.flatMap((each) =>
      each.prompts ? [{ surface: each.name, prompts: each.prompts }] : [],
    ),
  )
  const listen: Surface['subscribe'] = (listener, caller) => {
    const stops = surfaces.map((surface) => surface.subscribe(listener, caller))
    return () => stops.forEach((stop) => stop())
  }
  return {
    ...first,
    tools: () => tools,
    names: () => [...owners.keys()],
    async call(name, args, call) {
      const owner = owners.get(name)
      // Each surface knows its own tools only, and some of them under other names.
      if (!owner) throw unknownTool(name, [...owners.keys()])
      return owner.surface.call(owner.definition.name, args, call)
    },
    ...(withResources && { resources: withResources.resources }),
    ...(prompts && { prompts }),
    subscribe: listen,
  }
}
