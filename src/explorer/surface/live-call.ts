/** A call as whoever watches is shown it, made from what the door records. */
import type { LiveCall } from '../../core/domain/live.ts'
import { masked } from '../../core/domain/safe-text.ts'
import type { CallRecord, Said } from '../../serve/door/observer.ts'

const ARGUMENT_CHARS = 200
const DOCUMENTS = 20

export interface LiveCallOptions {
  /** One of its own for every call. */
  readonly key: string
  /** Whether the operator lets others see what was asked. */
  readonly withArguments: boolean
}

export function liveCallOf(
  { surface, tool, client, principal, startedAt, durationMs, outcome }: CallRecord,
  { args, reply }: Said,
  { key, withArguments }: LiveCallOptions,
): LiveCall {
  return {
    key,
    at: startedAt,
    client: client ?? 'unknown',
    who: principal ?? '',
    surface,
    tool: tool ?? 'unknown',
    args: withArguments && args !== undefined ? shortened(args) : '',
    documents: documentsIn(reply),
    ms: Math.round(durationMs * 10) / 10,
    outcome: outcome === 'ok' ? 'ok' : 'error',
  }
}

/** What looks like a secret, or is called one, is not written down; it is masked before it is cut. */
export function shortened(args: unknown): string {
  const text = JSON.stringify(args ?? {}, safely) ?? ''
  return text.length > ARGUMENT_CHARS ? `${text.slice(0, ARGUMENT_CHARS)}…` : text
}

/** No secret is longer, and nothing behind it is shown. */
const LOOKED_AT = 10_000
const CALLED_SECRET = /passw|secret|token$|api_?key|authorization|credential/i

function safely(key: string, value: unknown): unknown {
  if (typeof value !== 'string') return value
  return CALLED_SECRET.test(key) ? '[masked]' : masked(value.slice(0, LOOKED_AT))
}

/** Ids stand at the top, and in the rows of lists. */
function documentsIn(reply: unknown): string[] {
  if (typeof reply !== 'object' || reply === null) return []
  const found = new Set<string>()
  const take = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || found.size >= DOCUMENTS) return
    const { id } = value as { id?: unknown }
    if (typeof id === 'string') found.add(id.slice(0, 300))
  }
  take(reply)
  for (const value of Object.values(reply)) if (Array.isArray(value)) value.forEach(take)
  return [...found]
}
