/** The texts of an answer, wherever in it they stand, each made safe. The rest stays what it is. */
import { inSlices, Slices } from '../../core/kit/slices.ts'
import type { ToolResult } from './surface.ts'

type Safely = (text: string) => string

export async function safeResult(result: ToolResult, safely: Safely): Promise<ToolResult> {
  const { texts, structured } = result
  const slices = new Slices()
  const safeTexts = texts.map(safely)
  if (slices.over) await slices.pause()
  return {
    ...result,
    texts: safeTexts,
    ...(structured && {
      structured: (await safeInSlices(structured, safely)) as typeof structured,
    }),
  }
}

/** Lists of so many are gone through in slices: who lists a large base keeps nobody waiting. */
const MANY = 1_000
/** Long lists stand near the top of an answer. */
const DEEPEST = 3

export async function safeInSlices(
  value: unknown,
  safely: Safely,
  depth = DEEPEST,
): Promise<unknown> {
  if (typeof value !== 'object' || value === null || depth === 0) return safeValue(value, safely)
  if (Array.isArray(value)) {
    if (value.length < MANY) return safeValue(value, safely)
    const safe = await inSlices(value, (each) => safeValue(each, safely))
    return safe.some((each, index) => each !== value[index]) ? safe : value
  }
  let changed: Record<string, unknown> | undefined
  for (const [key, each] of Object.entries(value)) {
    const safe = await safeInSlices(each, safely, depth - 1)
    if (safe !== each) (changed ??= { ...value })[key] = safe
  }
  return changed ?? value
}

export function safeValue(value: unknown, safely: Safely): unknown {
  if (typeof value === 'string') return safely(value)
  if (typeof value !== 'object' || value === null) return value
  // Most answers need nothing: what did not change is not copied.
  if (Array.isArray(value)) {
    let changed: unknown[] | undefined
    for (let at = 0; at < value.length; at++) {
      const safe = safeValue(value[at], safely)
      if (safe !== value[at]) (changed ??= [...value])[at] = safe
    }
    return changed ?? value
  }
  const fields = value as Readonly<Record<string, unknown>>
  let changed: Record<string, unknown> | undefined
  for (const key of Object.keys(fields)) {
    const safe = safeValue(fields[key], safely)
    if (safe !== fields[key]) (changed ??= { ...fields })[key] = safe
  }
  return changed ?? value
}
