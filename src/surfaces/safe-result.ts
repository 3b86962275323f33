/** The texts of an answer, wherever in it they stand, each made safe. The rest stays what it is. */
import type { ToolResult } from './surface.ts'

type Safely = (text: string) => string

export function safeResult(result: ToolResult, safely: Safely): ToolResult {
  const { texts, structured } = result
  return {
    ...result,
    texts: texts.map(safely),
    ...(structured && { structured: safeValue(structured, safely) as typeof structured }),
  }
}

export function safeValue(value: unknown, safely: Safely): unknown {
  if (typeof value === 'string') return safely(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const safe = value.map((each) => safeValue(each, safely))
    return safe.some((each, index) => each !== value[index]) ? safe : value
  }
  // Most answers need nothing: what did not change is not copied.
  let changed: Record<string, unknown> | undefined
  for (const [key, each] of Object.entries(value)) {
    const safe = safeValue(each, safely)
    if (safe !== each) (changed ??= { ...value })[key] = safe
  }
  return changed ?? value
}
