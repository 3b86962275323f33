/** Which tools there are at all: what the operator leaves, and of that what is asked for. */
import type { ToolDescription } from './tool.ts'
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

export function leaves(
  { only, exclude, sets = [], readOnly = false }: ToolLimits,
  tool: Pick<ToolDescription, 'name' | 'access'>,
): boolean {
  const isMeant =
    (only.length === 0 && sets.length === 0) ||
    only.includes(tool.name) ||
    setsOf(tool).some((set) => sets.includes(set))
  return isMeant && !exclude.includes(tool.name) && (!readOnly || tool.access === 'read')
}
