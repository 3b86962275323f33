/** What the tools that run a base need besides the repository. `app/` plugs it in. */
import type { ActionLog } from '../../operations/keeping/action-log.ts'
import type { Backups } from '../../operations/keeping/backups.ts'

export interface Keeping {
  /** A line for everything that was put into the content root. */
  readonly actions: ActionLog
  readonly backups: Backups
}
