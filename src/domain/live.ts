/** What happens on a base while people watch: calls of tools, and changes of documents. */

/** One call of one tool: who, what, how long, and which notes. */
export interface LiveCall {
  readonly key: string
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly client: string
  readonly surface: string
  readonly tool: string
  /** The beginning of the arguments. */
  readonly args: string
  /** Ids that the answer names, the first few. */
  readonly documents: readonly string[]
  readonly ms: number
  readonly outcome: 'ok' | 'error'
}

export type LiveEvent =
  | { readonly kind: 'call'; readonly call: LiveCall }
  | {
      readonly kind: 'change'
      readonly put: readonly string[]
      readonly removed: readonly string[]
      readonly listChanged: boolean
    }
