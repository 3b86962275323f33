/** Plugs in what it takes to run a base: backups, and the logs of what was done to it. */
import { join } from 'node:path'
import { openActionLog } from '../history/action-log.ts'
import type { Knowledge } from '../operations/view/knowledge.ts'
import type { Keeping } from '../surfaces/duskmantle/keeping.ts'
import { openBackups } from './backups.ts'
import type { BackupParts } from './backups.ts'

export function openKeeping(
  { sources, writing }: Pick<Knowledge, 'sources' | 'writing'>,
  config: BackupParts['config'],
): Keeping {
  return {
    actions: openActionLog(join(config.state, 'audit/mcp_actions.log')),
    backups: openBackups({ config, sources, writing }),
  }
}
