/** A query over notes or their tasks, whatever language it was written in. */
import type { Expression } from './expression.ts'
import type { Language } from './parse-expression.ts'

/** Where rows come from; nothing said means all notes. */
export type From =
  | { readonly kind: 'all' }
  /** The note of the query alone. */
  | { readonly kind: 'here' }
  /** Also those below: `project` means `project/alpha` too. */
  | { readonly kind: 'tag'; readonly tag: string }
  /** A folder with all below it, or one note by its path. */
  | { readonly kind: 'folder'; readonly path: string }
  /** What links there, or what is linked from there; an empty name is the note of the query. */
  | { readonly kind: 'links'; readonly way: 'to' | 'from'; readonly note: string }
  | { readonly kind: 'not'; readonly of: From }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly From[] }

export interface Sorting {
  readonly by: Expression
  readonly down: boolean
}

/** Done in the order in which they are written. */
export type Step =
  | { readonly kind: 'where'; readonly test: Expression }
  | { readonly kind: 'sort'; readonly by: readonly Sorting[] }
  | { readonly kind: 'group'; readonly by: Expression; readonly name: string }
  | { readonly kind: 'flatten'; readonly of: Expression; readonly name: string }
  | { readonly kind: 'limit'; readonly count: number }

export interface Column {
  readonly name: string
  readonly of: Expression
  /** The property that it shows, where it is one that a note can be given. */
  readonly key?: string
}

/** One value for all rows of a column. */
export interface ColumnSummary {
  /** Which column, from 0. */
  readonly column: number
  readonly name: string
  /** Of `values`, the list of all that the column has; unless it is one that has a name. */
  readonly of?: Expression
}

export const SHAPES = ['table', 'list', 'tasks', 'cards', 'board', 'calendar'] as const
export type Shape = (typeof SHAPES)[number]

export interface Query {
  readonly language: Language
  readonly rows: 'notes' | 'tasks'
  readonly from: From
  readonly steps: readonly Step[]
  readonly columns: readonly Column[]
  /** Whether the first column is the note, or what it was grouped by. */
  readonly leads: boolean
  readonly shape: Shape
  /** By what the rows shown are put together, after everything else. */
  readonly groups?: Sorting & { readonly name: string }
  readonly summaries?: readonly ColumnSummary[]
  readonly formulas?: ReadonlyMap<string, Expression>
  /** Of a view that has one. */
  readonly name?: string
  /** What was left out of it. */
  readonly notes: readonly string[]
}

/** Everything in it that is worked out. */
export function expressionsOf({
  steps,
  columns,
  groups,
  summaries,
  formulas,
}: Query): readonly Expression[] {
  return [
    ...steps.flatMap((step) => {
      switch (step.kind) {
        case 'where':
          return [step.test]
        case 'sort':
          return step.by.map(({ by }) => by)
        case 'group':
          return [step.by]
        case 'flatten':
          return [step.of]
        case 'limit':
          return []
      }
    }),
    ...columns.map(({ of }) => of),
    ...(groups ? [groups.by] : []),
    ...(summaries ?? []).flatMap(({ of }) => of ?? []),
    ...(formulas?.values() ?? []),
  ]
}
