/** Sets of tools by what they are for, over all vocabularies, so that a list can be kept short. */
import type { ToolDescription } from './tool.ts'

export const TOOLSET_NAMES = ['search', 'documents', 'graph', 'reports', 'write', 'more'] as const
export type ToolsetName = (typeof TOOLSET_NAMES)[number]

const NAMED: Readonly<Record<Exclude<ToolsetName, 'write' | 'more'>, readonly string[]>> = {
  search: ['search', 'ask', 'search_by_tags', 'search_knowledge', 'km-search', 'read'],
  documents: ['fetch', 'list', 'get_node', 'list_nodes', 'resolve_nodes', 'nodes_exist'].concat([
    'get_page',
    'list_pages',
    'read',
    'random_node',
  ]),
  graph: ['neighbors', 'path', 'get_neighbors', 'find_path', 'get_hubs', 'get_connections'].concat([
    'search_knowledge',
    'km-graph-node',
    'km-graph-subsystem',
    'km-graph-search',
  ]),
  reports: ['insights', 'get_entropy_report', 'km-coverage-summary', 'km-lifecycle-report'],
}

/** Every tool is in a set: one that changes something in `write`, one without another in `more`. */
export function setsOf({
  name,
  access,
}: Pick<ToolDescription, 'name' | 'access'>): readonly ToolsetName[] {
  if (access !== 'read') return ['write']
  const own = (Object.keys(NAMED) as (keyof typeof NAMED)[]).filter((set) =>
    NAMED[set].includes(name),
  )
  return own.length > 0 ? own : ['more']
}
