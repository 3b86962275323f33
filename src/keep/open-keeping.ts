/** Plugs in what it takes to run a base: backups, recipes, feedback, and the logs of what was done to it. */
import { join } from 'node:path'
import { openActionLog } from '../core/history/action-log.ts'
import { openFeedbackLog } from '../core/history/feedback-log.ts'
import { openLearning } from '../core/operations/keeping/feedback.ts'
import type { Keeping } from '../core/operations/keeping/keeping.ts'
import type { Knowledge } from '../core/operations/view/knowledge.ts'
import type { BackupParts } from './backup/backups.ts'
import { openRecipes } from './recipes/open-recipes.ts'

export function openKeeping(
  { sources, writing }: Pick<Knowledge, 'sources' | 'writing'>,
  config: BackupParts['config'],
): Keeping {
  const feedback = openFeedbackLog(config.state)
  const folders = [...sources.values()].map(({ root }) => join(root, 'recipes'))
  // Most processes never make a backup, and start faster without.
  const backups = async () =>
    (await import('./backup/backups.ts')).openBackups({ config, sources, writing })
  return {
    actions: openActionLog(join(config.state, 'audit/mcp_actions.log')),
    backups: {
      create: async (request) => (await backups()).create(request),
      list: async () => (await backups()).list(),
      plan: async (archive, into) =>
        (await import('./backup/restore.ts')).planRestore(archive, into),
    },
    recipes: openRecipes(config.state, folders),
    feedback,
    learned: openLearning(feedback),
  }
}
