/** Plugs in what it takes to run a base: the logs of what was done to it. */
import { join } from 'node:path'
import { openActionLog } from '../history/action-log.ts'
import type { Keeping } from '../surfaces/duskmantle/keeping.ts'

export function openKeeping(state: string): Keeping {
  return { actions: openActionLog(join(state, 'audit/mcp_actions.log')) }
}
