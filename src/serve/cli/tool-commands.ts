/** The commands that call native tools: one per tool, and a few that are a tool with something set. */
import type { ToolDescription } from './base.ts'
import type { Command } from './command.ts'
import { ask } from './commands/ask.ts'
import { changeDocument, deleteDocument, history, undo } from './commands/changes.ts'
import { admin, vote } from './commands/feedback.ts'
import { fetchDocuments } from './commands/fetch.ts'
import { insights, tags } from './commands/insights.ts'
import { list, outline, recent } from './commands/list.ts'
import { backlinks, neighbors } from './commands/neighbors.ts'
import { path } from './commands/path.ts'
import { relate } from './commands/relate.ts'
import { search } from './commands/search.ts'
import { toolCommand } from './tool-command.ts'
import type { ToolPresentation } from './tool-command.ts'

/** In the order help shows them. */
const PRESENTATIONS: readonly ToolPresentation[] = [
  search,
  ask,
  fetchDocuments,
  list,
  outline,
  recent,
  tags,
  neighbors,
  backlinks,
  path,
  insights,
  changeDocument,
  deleteDocument,
  history,
  undo,
  relate,
  vote,
  admin,
]

export function toolCommands(tools: readonly ToolDescription[]): readonly Command[] {
  const presented = PRESENTATIONS.flatMap((presentation) => {
    const tool = tools.find(({ name }) => name === presentation.tool)
    return tool ? [toolCommand(tool, presentation)] : []
  })
  const rest = tools.filter(({ name }) => !PRESENTATIONS.some(({ tool }) => tool === name))
  return [...presented, ...rest.map((tool) => toolCommand(tool))]
}
