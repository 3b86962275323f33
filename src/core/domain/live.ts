/** What happens on a base while people watch: calls of tools, and changes of documents. */

/** One call of one tool: who, what, how long, and which notes. */
export interface LiveCall {
  readonly key: string
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly client: string
  /** How the caller is called in history; empty where nobody signs in. */
  readonly who: string
  readonly surface: string
  readonly tool: string
  /** The beginning of the arguments; empty unless the operator lets them be seen. */
  readonly args: string
  /** Ids that the answer names, the first few. */
  readonly documents: readonly string[]
  readonly ms: number
  readonly outcome: 'ok' | 'error'
}

/** A call as somebody else wrote it down; undefined for what is none. Every field is what it says. */
export function liveCallIn(value: unknown): LiveCall | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const said = value as Readonly<Record<string, unknown>>
  const { key, at, tool, documents, ms } = said
  const whole = typeof key === 'string' && typeof at === 'number' && typeof tool === 'string'
  if (!whole || !Number.isFinite(at)) return undefined
  const text = (name: string): string => (typeof said[name] === 'string' ? said[name] : '')
  return {
    key,
    at,
    tool,
    client: text('client'),
    who: text('who'),
    surface: text('surface'),
    args: text('args'),
    documents: Array.isArray(documents)
      ? documents.filter((each) => typeof each === 'string').slice(0, MOST_DOCUMENTS)
      : [],
    ms: typeof ms === 'number' && Number.isFinite(ms) ? ms : 0,
    outcome: said['outcome'] === 'error' ? 'error' : 'ok',
  }
}

const MOST_DOCUMENTS = 100

export type LiveEvent =
  | { readonly kind: 'call'; readonly call: LiveCall }
  | {
      readonly kind: 'change'
      readonly put: readonly string[]
      readonly removed: readonly string[]
      readonly listChanged: boolean
    }
