/** What it takes to run a base besides reading and writing it. `app/` plugs it in. */
import type { ActionLog } from './action-log.ts'
import type { Backups } from './backups.ts'
import type { FeedbackLog } from './feedback.ts'
import type { LearnedFeedback } from './learn-feedback.ts'
import type { Recipes } from './recipes.ts'

export interface Keeping {
  /** A line for everything that was put into the content root. */
  readonly actions: ActionLog
  readonly backups: Backups
  readonly recipes: Recipes
  readonly feedback: FeedbackLog
  /** What votes teach. */
  readonly learned: () => LearnedFeedback
}
