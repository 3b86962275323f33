/** How does a person start and inspect it? The table of commands, in the order help shows them. */
import type { App } from './base.ts'
import { COMMAND_GROUPS } from './command.ts'
import type { Command } from './command.ts'
import { add } from './commands/add.ts'
import { backup, backupList, restore } from './commands/backup.ts'
import { feedbackReport } from './commands/feedback.ts'
import { recipeList, recipeRun } from './commands/recipe.ts'
import { bases } from './commands/bases.ts'
import { buildIndex } from './commands/build-index.ts'
import { complete, completion } from './commands/completion.ts'
import { connect } from './commands/connect.ts'
import { doctor } from './commands/doctor.ts'
import { evaluateSearch } from './commands/evaluate.ts'
import { exportFiles } from './commands/export.ts'
import { explore } from './commands/explore.ts'
import { grep } from './commands/grep.ts'
import { hookInstall, hookRemove } from './commands/hook.ts'
import { importFiles } from './commands/import.ts'
import { importMemory } from './commands/import-memory.ts'
import { init } from './commands/init.ts'
import { move } from './commands/move.ts'
import { openDocument } from './commands/open.ts'
import { pruneHistory } from './commands/prune-history.ts'
import { recall } from './commands/recall.ts'
import { serve } from './commands/serve.ts'
import { showConfig } from './commands/show-config.ts'
import { status } from './commands/status.ts'
import { tokenCreate, tokenList, tokenRevoke } from './commands/token.ts'
import { trust } from './commands/trust.ts'
import { tasks } from './commands/tasks.ts'
import { VOCABULARIES, vocabularyOf } from '../../vocabularies/vocabularies.ts'

/** Those that are written by hand. The others are made from the native tools, or of vocabularies. */
const OWN_COMMANDS: readonly Command[] = [
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
  add,
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
]

/** Those that a command beginning with this word may be, unless it is one of a tool. */
export async function commandsFor(word: string): Promise<readonly Command[]> {
  return (await vocabularyOf(word)?.commands()) ?? OWN_COMMANDS
}

/** All of them. The tools are loaded for it, so whoever needs one command asks for its own first. */
export async function allCommands(app: Pick<App, 'tools'>): Promise<readonly Command[]> {
  const { toolCommands } = await import('./tool-commands.ts')
  const groups = Object.keys(COMMAND_GROUPS)
  const others = await Promise.all(Object.values(VOCABULARIES).map((each) => each.commands()))
  return [...toolCommands(await app.tools()), ...OWN_COMMANDS, ...others.flat()].toSorted(
    (a, b) => groups.indexOf(a.group) - groups.indexOf(b.group),
  )
}
