/**
 * What those who run a server want to know of every call: which tool, how long, how it went. One line
 * each for the log, in which nothing stands that must not be read there, and numbers for a monitor.
 */
import { named, withoutSecrets } from '../../core/domain/secrets.ts'
import type { Observer } from '../../serve/door/observer.ts'

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

/** The graph was asked for: whether it was there already, and how long that took. */
export interface GraphLook {
  readonly hit: boolean
  readonly durationMs: number
}

/** Tells of the calls of these tools, as the door has seen them. */
export function observeCalls(
  tools: readonly { readonly name: string; readonly input: { readonly shape: object } }[],
  tell: (report: CallReport) => void,
): Observer {
  const known = new Map(tools.map(({ name, input }) => [name, Object.keys(input.shape)]))
  return {
    surface: 'duskmantle',
    ended({ tool, durationMs }, { args, reply }) {
      const payload = (reply ?? {}) as CallReport['payload']
      const { code } = (payload['error'] ?? {}) as { code?: string }
      tell({
        tool,
        parameters: summarize(args, known.get(tool ?? '') ?? []),
        durationMs,
        error: tool === undefined ? 'not_found' : code,
        warnings: warningsIn(payload),
        args,
        payload,
      })
    },
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
    const clean = named(withoutSecrets(value)).replaceAll(
      /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g,
      ' ',
    )
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
