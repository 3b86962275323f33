/** Plugs in what it takes to run a base: backups, recipes, feedback, and the logs of what was done to it. */
import { join } from 'node:path'
import { openActionLog } from '../history/action-log.ts'
import { openFeedbackLog } from '../history/feedback-log.ts'
import { openLearning } from '../operations/keeping/feedback.ts'
import type { Knowledge } from '../operations/view/knowledge.ts'
import type { Keeping } from '../surfaces/duskmantle/keeping.ts'
import { openBackups } from './backups.ts'
import type { BackupParts } from './backups.ts'
import { openRecipes } from './recipes.ts'

export function openKeeping(
  { sources, writing }: Pick<Knowledge, 'sources' | 'writing'>,
  config: BackupParts['config'],
): Keeping {
  const feedback = openFeedbackLog(config.state)
  const folders = [...sources.values()].map(({ root }) => join(root, 'recipes'))
  return {
    actions: openActionLog(join(config.state, 'audit/mcp_actions.log')),
    backups: openBackups({ config, sources, writing }),
    recipes: openRecipes(config.state, folders),
    feedback,
    learned: openLearning(feedback),
  }
}
