/** How does a person start and inspect it? The table of commands, in the order help shows them. */
import type { App } from './base.ts'
import { COMMAND_GROUPS } from './command.ts'
import type { Command } from './command.ts'
import { acdc } from '../../vocabularies/acdc/commands/acdc.ts'
import { backup, backupList, restore } from './commands/backup.ts'
import { feedbackReport } from './commands/feedback.ts'
import { recipeList, recipeRun } from './commands/recipe.ts'
import { bases } from './commands/bases.ts'
import { buildIndex } from './commands/build-index.ts'
import { complete, completion } from './commands/completion.ts'
import { connect } from './commands/connect.ts'
import {
  cortexAdd,
  cortexClean,
  cortexConnect,
} from '../../vocabularies/cortex/commands/cortex-change.ts'
import {
  cortexEvolve,
  cortexSearch,
  cortexStatus,
  cortexVisualize,
} from '../../vocabularies/cortex/commands/cortex-read.ts'
import { cortexServe } from '../../vocabularies/cortex/commands/cortex-serve.ts'
import { doctor } from './commands/doctor.ts'
import { duskmantle } from '../../vocabularies/duskmantle/commands/duskmantle.ts'
import { evaluateSearch } from './commands/evaluate.ts'
import { exportFiles } from './commands/export.ts'
import { explore } from './commands/explore.ts'
import { grep } from './commands/grep.ts'
import { hookInstall, hookRemove } from './commands/hook.ts'
import { importFiles } from './commands/import.ts'
import { importMemory } from './commands/import-memory.ts'
import { init } from './commands/init.ts'
import { move } from './commands/move.ts'
import { nexus } from '../../vocabularies/nexus/commands/nexus.ts'
import { openDocument } from './commands/open.ts'
import { pruneHistory } from './commands/prune-history.ts'
import { recall } from './commands/recall.ts'
import { rouxInit } from '../../vocabularies/roux/commands/roux-init.ts'
import { rouxServe } from '../../vocabularies/roux/commands/roux-serve.ts'
import { rouxStatus } from '../../vocabularies/roux/commands/roux-status.ts'
import { rouxViz } from '../../vocabularies/roux/commands/roux-viz.ts'
import { serve } from './commands/serve.ts'
import { showConfig } from './commands/show-config.ts'
import { status } from './commands/status.ts'
import { tokenCreate, tokenList, tokenRevoke } from './commands/token.ts'
import { trust } from './commands/trust.ts'
import { tasks } from './commands/tasks.ts'

/** Those that are written by hand. The others are made from the native tools. */
export const OWN_COMMANDS: readonly Command[] = [
  init,
  connect,
  hookInstall,
  hookRemove,
  serve,
  explore,
  openDocument,
  grep,
  tasks,
  recall,
  pruneHistory,
  importMemory,
  importFiles,
  status,
  doctor,
  buildIndex,
  bases,
  evaluateSearch,
  showConfig,
  trust,
  tokenCreate,
  tokenList,
  tokenRevoke,
  backup,
  backupList,
  restore,
  move,
  exportFiles,
  feedbackReport,
  recipeList,
  recipeRun,
  completion,
  complete,
  rouxInit,
  rouxServe,
  rouxStatus,
  rouxViz,
  acdc,
  nexus,
  duskmantle,
  cortexServe,
  cortexStatus,
  cortexSearch,
  cortexVisualize,
  cortexEvolve,
  cortexConnect,
  cortexAdd,
  cortexClean,
]

/** All of them. The tools are loaded for it, so whoever needs one command asks for its own first. */
export async function allCommands(app: Pick<App, 'tools'>): Promise<readonly Command[]> {
  const { toolCommands } = await import('./tool-commands.ts')
  const groups = Object.keys(COMMAND_GROUPS)
  return [...toolCommands(await app.tools()), ...OWN_COMMANDS].toSorted(
    (a, b) => groups.indexOf(a.group) - groups.indexOf(b.group),
  )
}
