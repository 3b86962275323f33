/** Which tools of a surface there are at all: what the operator leaves, and of that what is asked for. */
import { unknownTool } from './serve-rows.ts'
import type { Surface, ToolDefinition } from './surface.ts'
import { setsOf } from './toolsets.ts'

export interface ToolLimits {
  /** Only these, unless it is empty. */
  readonly only: readonly string[]
  /** Never these, whatever else says so. */
  readonly exclude: readonly string[]
  /** Only tools of these sets, unless it is empty; `only` names more. */
  readonly sets?: readonly string[]
  /** Only tools that change nothing. */
  readonly readOnly?: boolean
}

export function limitTools(surface: Surface, limits: ToolLimits): Surface {
  const { only, exclude, sets = [], readOnly = false } = limits
  if (only.length + exclude.length + sets.length === 0 && !readOnly) return surface
  const isMeant = (tool: ToolDefinition): boolean =>
    (only.length === 0 && sets.length === 0) ||
    only.includes(tool.name) ||
    setsOf(tool).some((set) => sets.includes(set))
  const isLeft = (tool: ToolDefinition): boolean =>
    isMeant(tool) &&
    !exclude.includes(tool.name) &&
    (!readOnly || tool.annotations.readOnlyHint === true)
  const { tools, call } = surface
  const left: Surface['tools'] = (caller) => tools(caller).filter(isLeft)
  // A tool that is not listed, because something is missing for it, can still say what.
  const isThere = (name: string): boolean => {
    const listed = tools().find((tool) => tool.name === name)
    if (listed) return isLeft(listed)
    return (
      sets.length === 0 &&
      !readOnly &&
      !exclude.includes(name) &&
      (only.length === 0 || only.includes(name))
    )
  }
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
