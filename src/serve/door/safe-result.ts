/**
 * Sanitising: the texts of an answer, wherever in it they stand, each made safe. The rest stays what
 * it is.
 */
import { safe, visible } from '../../core/domain/safe-text.ts'
import { inSlices } from '../../core/kit/slices.ts'
import type { CallContext } from './surface.ts'

export type Safely = (text: string) => string

/**
 * What is hidden in a text is shown to everybody, what is secret to those who may and ask for it.
 * Documents have been without their secrets since they were read; names, questions and what other
 * programs say have not.
 */
export function safely({ showSecrets }: Pick<CallContext, 'showSecrets'>): Safely {
  return showSecrets ? visible : safe
}

/** Lists of so many are gone through in slices: who lists a large base keeps nobody waiting. */
const MANY = 1_000
/** Long lists stand near the top of an answer. */
const DEEPEST = 3
const LONG_TEXT = 64 * 1024

/** Whether others would wait while it is gone through, or written down. */
export function isLong(value: unknown, depth = DEEPEST): boolean {
  if (typeof value === 'string') return value.length > LONG_TEXT
  if (typeof value !== 'object' || value === null || depth === 0) return false
  if (Array.isArray(value)) return value.length >= MANY
  return Object.values(value).some((each) => isLong(each, depth - 1))
}

/** At once where that takes no time. */
export function safeInSlices(value: unknown, safely: Safely): unknown {
  return isLong(value) ? sliceBySlice(value, safely) : safeValue(value, safely)
}

async function sliceBySlice(value: unknown, safely: Safely): Promise<unknown> {
  // A long text is one pass over it, and no list of its letters.
  if (typeof value === 'string' || !isLong(value)) return safeValue(value, safely)
  if (Array.isArray(value)) {
    const safe = await inSlices(value, (each) => safeValue(each, safely))
    return safe.some((each, index) => each !== value[index]) ? safe : value
  }
  const fields = value as Readonly<Record<string, unknown>>
  let changed: Record<string, unknown> | undefined
  for (const [key, each] of Object.entries(fields)) {
    const safe = await sliceBySlice(each, safely)
    if (safe !== each) (changed ??= { ...fields })[key] = safe
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
