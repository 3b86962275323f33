/** A recipe: tools that are called one after the other, and what must be true of their answers. */

export interface Condition {
  /** Where in the result, with or without `result.` in front. */
  readonly path: string
  readonly equals?: unknown
  readonly notEquals?: unknown
  readonly exists?: boolean
}

export interface ToolCall {
  readonly tool: string
  /** May hold expressions. */
  readonly params: Readonly<Record<string, unknown>>
}

export interface Capture {
  readonly name: string
  /** All of the result unless said. */
  readonly path: string | undefined
}

export interface ToolStep {
  readonly kind: 'tool'
  readonly id: string
  readonly description: string | undefined
  readonly call: ToolCall
  /** All of them, in order. */
  readonly conditions: readonly Condition[]
  readonly captures: readonly Capture[]
}

export interface WaitStep {
  readonly kind: 'wait'
  readonly id: string
  readonly description: string | undefined
  readonly call: ToolCall
  readonly until: Condition
  readonly intervalSeconds: number
  readonly timeoutSeconds: number
}

export type RecipeStep = ToolStep | WaitStep

export interface Recipe {
  readonly name: string
  readonly summary: string
  readonly variables: Readonly<Record<string, unknown>>
  /** What a run gives, as expressions. */
  readonly outputs: Readonly<Record<string, unknown>>
  readonly steps: readonly RecipeStep[]
}
