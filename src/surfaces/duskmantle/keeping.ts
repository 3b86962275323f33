/** What the tools that run a base need besides the repository. `app/` plugs it in. */
import type { ActionLog } from '../../operations/keeping/action-log.ts'
import type { Backups } from '../../operations/keeping/backups.ts'
import type { FeedbackLog } from '../../operations/keeping/feedback.ts'
import type { LearnedFeedback } from '../../operations/keeping/learn-feedback.ts'
import type { Recipes } from '../../operations/keeping/recipes.ts'

export interface Keeping {
  /** A line for everything that was put into the content root. */
  readonly actions: ActionLog
  readonly backups: Backups
  readonly recipes: Recipes
  readonly feedback: FeedbackLog
  /** What votes teach. */
  readonly learned: () => LearnedFeedback
}
