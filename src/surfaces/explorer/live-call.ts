/** Tells every call of a surface to people who watch. */
import type { LiveCall } from '../../domain/live.ts'
import { masked } from '../../domain/safe-text.ts'
import type { Surface, ToolResult } from '../surface.ts'

const ARGUMENT_CHARS = 200
const DOCUMENTS = 20

/** The same surface; every call is told to `tell` when it is over. Telling never breaks a call. */
export function watchedSurface(surface: Surface, tell: (call: LiveCall) => void): Surface {
  let calls = 0
  const call: Surface['call'] = async (name, args, context) => {
    const at = Date.now()
    const started = performance.now()
    const done = (outcome: LiveCall['outcome'], result?: ToolResult): void => {
      try {
        tell({
          key: `${process.pid}-${at}-${calls++}`,
          at,
          client: context.client ?? 'unknown',
          surface: surface.name,
          tool: name.slice(0, 100),
          args: shortened(args),
          documents: documentsIn(result?.structured),
          ms: Math.round((performance.now() - started) * 10) / 10,
          outcome,
        })
      } catch {
        // Who watches must never disturb who works.
      }
    }
    try {
      const result = await surface.call(name, args, context)
      done(result.isError ? 'error' : 'ok', result)
      return result
    } catch (error) {
      done('error')
      throw error
    }
  }
  // A surface may have getters and private parts: what is not replaced stays where it is.
  return new Proxy(surface, {
    get: (target, name) => {
      if (name === 'call') return call
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? (value as () => unknown).bind(target) : value
    },
  })
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
function documentsIn(structured: Readonly<Record<string, unknown>> | undefined): string[] {
  if (!structured) return []
  const found = new Set<string>()
  const take = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const { id } = value as { id?: unknown }
    if (typeof id === 'string') found.add(id.slice(0, 300))
  }
  take(structured)
  for (const value of Object.values(structured)) if (Array.isArray(value)) value.forEach(take)
  return [...found].slice(0, DOCUMENTS)
}
