/** The operator's upper bound: which tools of a surface there are at all. */
import { unknownTool } from './serve-rows.ts'
import type { Surface } from './surface.ts'

export interface ToolLimits {
  /** Only these, unless it is empty. */
  readonly only: readonly string[]
  /** Never these, whatever else says so. */
  readonly exclude: readonly string[]
}

export function limitTools(surface: Surface, { only, exclude }: ToolLimits): Surface {
  if (only.length === 0 && exclude.length === 0) return surface
  const isThere = (name: string): boolean =>
    (only.length === 0 || only.includes(name)) && !exclude.includes(name)
  const { tools, call } = surface
  const left: Surface['tools'] = (caller) => tools(caller).filter(({ name }) => isThere(name))
  return {
    ...surface,
    tools: left,
    async call(name, args, context) {
      if (isThere(name)) return call(name, args, context)
      throw unknownTool(
        name,
        left(context.caller).map((tool) => tool.name),
      )
    },
  }
}
