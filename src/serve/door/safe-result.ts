/**
 * Sanitising: the texts of an answer, wherever in it they stand, each made safe. The rest stays what
 * it is.
 */
import { safe, visible } from '../../core/domain/safe-text.ts'
import { jsonInSlices } from '../../core/kit/json-parts.ts'
import { inSlices, Slices } from '../../core/kit/slices.ts'
import type { CallContext, Reply, ToolResult } from './surface.ts'

export type Safely = (text: string) => string

/**
 * What is hidden in a text is shown to everybody, what is secret to those who may and ask for it.
 * Documents have been without their secrets since they were read; names, questions and what other
 * programs say have not.
 */
export function safely({ showSecrets }: Pick<CallContext, 'showSecrets'>): Safely {
  return showSecrets ? visible : safe
}

/** A reply that says nothing of its own to models gives them its value, which is safe by then. */
export async function safeReply(reply: Reply, safely: Safely): Promise<ToolResult> {
  const { texts, structured, under, ...rest } = reply
  const slices = new Slices()
  const safeTexts = texts?.map(safely)
  if (slices.over) await slices.pause()
  if (structured === undefined) return { ...rest, texts: safeTexts ?? [] }
  const value = await safeInSlices(structured, safely)
  return {
    ...rest,
    texts: safeTexts ?? [await jsonInSlices(value)],
    structured: (under === undefined ? value : { [under]: value }) as ToolResult['structured'],
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
