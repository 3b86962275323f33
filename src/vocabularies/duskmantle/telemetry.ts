/**
 * What those who run a server want to know of every call: which tool, how long, how it went. One line
 * each for the log, in which nothing stands that must not be read there, and numbers for a monitor.
 */
import type { Surface, ToolResult } from '../../serve/door/surface.ts'

export interface CallReport {
  /** Undefined for a tool that there is not: callers make up any number of names. */
  readonly tool: string | undefined
  readonly parameters: Readonly<Record<string, unknown>>
  readonly durationMs: number
  /** One of the surface's codes; undefined where all went well. */
  readonly error: string | undefined
  readonly warnings: readonly string[]
  readonly args: unknown
  readonly payload: Readonly<Record<string, unknown>>
}

export interface Telemetry {
  /** Told of every call when it is over. Never breaks a call. */
  call(report: CallReport): void
  /** The graph was asked for: whether it was there already, and how long that took. */
  graph?(look: { readonly hit: boolean; readonly durationMs: number }): void
}

export function watchCalls(
  call: Surface['call'],
  tools: readonly { readonly name: string; readonly input: { readonly shape: object } }[],
  { call: tell }: Telemetry,
): Surface['call'] {
  const known = new Map(tools.map(({ name, input }) => [name, Object.keys(input.shape)]))
  return async (name, args, context) => {
    const started = performance.now()
    const done = (result: ToolResult | undefined): void => {
      const payload = result?.structured ?? {}
      const { code } = (payload['error'] ?? {}) as { code?: string }
      try {
        tell({
          tool: known.has(name) ? name : undefined,
          parameters: summarize(args, known.get(name) ?? []),
          durationMs: performance.now() - started,
          error:
            result === undefined ? 'not_found' : result.isError ? (code ?? 'unknown') : undefined,
          warnings: warningsIn(payload),
          args,
          payload,
        })
      } catch {
        // Who watches must never disturb who works.
      }
    }
    try {
      const result = await call(name, args, context)
      done(result)
      return result
    } catch (error) {
      done(undefined)
      throw error
    }
  }
}

const LONGEST = 80
const MOST_KEYS = 20
/** What is written for others to read; it may hold anything, and its length says enough. */
const TEXTS = ['content', 'note', 'content_base64']
const SECRET = /token|secret|password|passwd|credential|authorization|api_?key/i

/** Known arguments alone, cut short; of objects only which keys they have. */
export function summarize(
  args: unknown,
  known: readonly string[],
): Readonly<Record<string, unknown>> {
  if (typeof args !== 'object' || args === null) return {}
  const given = Object.entries(args)
  const summary = given
    .filter(([key, value]) => known.includes(key) && value !== undefined)
    .map(([key, value]) => [key, valueOf(key, value)])
  const others = given.filter(([key]) => !known.includes(key)).length
  return { ...Object.fromEntries(summary), ...(others > 0 && { unknown_parameters: others }) }
}

function valueOf(key: string, value: unknown): unknown {
  if (SECRET.test(key)) return '***'
  if (typeof value === 'string') {
    if (TEXTS.includes(key)) return `${value.length} characters`
    const clean = value.replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
    return clean.length > LONGEST ? `${clean.slice(0, LONGEST)}…` : clean
  }
  if (Array.isArray(value)) return `${value.length} values`
  if (typeof value === 'object' && value !== null) {
    const keys = Object.keys(value).slice(0, MOST_KEYS)
    return { keys: keys.map((each) => each.slice(0, LONGEST)) }
  }
  return value
}

function warningsIn(payload: Readonly<Record<string, unknown>>): readonly string[] {
  const { warnings } = (payload['metadata'] ?? payload) as { warnings?: unknown }
  if (!Array.isArray(warnings)) return []
  return warnings.filter((each) => typeof each === 'string').slice(0, MOST_KEYS)
}
