/** The native tools, in the order in which they are listed: one row each. */
import { askTool } from './ask.ts'
import { fetchTool } from './fetch-tool.ts'
import { insightsTool } from './insights.ts'
import { listTool } from './list-tool.ts'
import { relateTool } from './relate-tool.ts'
import { searchTool } from './search-tool.ts'
import { neighborsTool, pathTool } from './walking-tools.ts'
import { deleteTool, historyTool, writeTool } from './write-tools.ts'

export const nativeTools = [
  searchTool,
  fetchTool,
  listTool,
  neighborsTool,
  pathTool,
  insightsTool,
  askTool,
  writeTool,
  deleteTool,
  historyTool,
  relateTool,
] as const
