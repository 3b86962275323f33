/** The recipes of a base, by name. `app/` knows in which folders they are. */
import type { Recipe } from '../../domain/recipe.ts'
import type { ActionLog } from './action-log.ts'

export interface ListedRecipe {
  readonly name: string
  readonly summary: string
  /** Whether it came with the program. */
  readonly bundled: boolean
  /** What is wrong with its file. */
  readonly problem?: string
}

export interface Recipes {
  /** Undefined where there is none of that name. Throws `invalid` for a file that cannot be used. */
  find(name: string): Recipe | undefined
  list(): readonly ListedRecipe[]
  /** A line for every run. */
  readonly log: ActionLog
}
