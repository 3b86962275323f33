/** The access matrix: the same calls by callers with different rules, over HTTP, in every vocabulary. */
import type { Sequence, Step } from '../sequence.ts'

/** Name → words for `cairn token create`. Nobody has no token, and a stranger one of nobody's. */
const CALLERS = {
  all: ['--may', 'read,write,maintain'],
  reader: ['--may', 'read'],
  'by-source': ['--see', 'handbook'],
  'by-path': ['--may', 'read,write', '--hide', 'handbook/runbooks', '--hide', 'garden/tea'],
  deep: ['--see', 'garden/bread', '--see', 'brain'],
  'writes-in': ['--may', 'read,write', '--write-in', 'handbook/people'],
} as const

const EVERYBODY = ['nobody', 'stranger', ...Object.keys(CALLERS)]
const SURFACES = ['native', 'roux', 'nexus', 'acdc', 'cortex', 'duskmantle'] as const

const on = (surface: string, tool: string, args: unknown): Step => ({ surface, tool, args })

const READING: readonly Step[] = [
  ...SURFACES.map((surface): Step => ({ surface, method: 'tools/list' })),
  on('native', 'search', { query: 'roll back a release', limit: 4 }),
  on('native', 'search', { query: 'how does dough rise in the oven', limit: 4 }),
  on('native', 'search', { query: 'kettle', mode: 'lexical', limit: 4 }),
  on('native', 'search', { query: 'incident', mode: 'semantic', limit: 4 }),
  on('native', 'search', { query: 'release', match: 'text', limit: 4 }),
  on('native', 'search', { query: 'tool', in: 'entities' }),
  on('native', 'fetch', { id: 'handbook/runbooks/release.md' }),
  on('native', 'fetch', { id: 'Rollback' }),
  on('native', 'fetch', { id: 'garden/bread/bread-01.md', include: ['links', 'backlinks'] }),
  on('native', 'list', { limit: 5 }),
  on('native', 'list', { tags: ['runbook'] }),
  on('native', 'list', { of: 'tasks' }),
  on('native', 'neighbors', { id: 'handbook/index.md' }),
  on('native', 'path', { from: 'garden/index.md', to: 'garden/bread/bread-01.md' }),
  on('native', 'insights', {}),
  on('native', 'insights', { report: 'tags' }),
  on('native', 'insights', { report: 'broken_links', limit: 5 }),
  on('native', 'ask', { question: 'When do we roll back a release?' }),
  on('native', 'history', {}),
  { surface: 'native', method: 'resources/list' },
  { surface: 'native', method: 'resources/read', params: { uri: 'kb://handbook/glossary.md' } },
  on('roux', 'search', { query: 'roll back a release', limit: 3 }),
  on('roux', 'get_node', { id: 'runbooks/release.md' }),
  on('roux', 'get_node', { id: 'index.md', depth: 1 }),
  on('roux', 'get_hubs', { limit: 3 }),
  on('roux', 'list_nodes', { limit: 4 }),
  on('nexus', 'list_pages', {}),
  on('nexus', 'get_page', { slug: 'release' }),
  on('nexus', 'get_connections', { slug: 'glossary' }),
  on('nexus', 'search', { query: 'release' }),
  on('acdc', 'search', { query: '*' }),
  on('acdc', 'read', { uri: 'acdc://garden/house-rules' }),
  on('cortex', 'search_knowledge', { query: 'graph' }),
  on('cortex', 'get_entropy_report', {}),
  on('duskmantle', 'km-search', { query: 'release', limit: 2, include_graph: false }),
  on('duskmantle', 'km-graph-search', { term: 'release' }),
  { route: 'GET /api/notes?limit=2' },
  { route: 'GET /api/notes/release' },
  { route: 'POST /api/search', body: { query: 'kettle' } },
  { route: 'GET /api/v1/graph/search?q=release' },
  { route: 'GET /health' },
  { route: 'GET /mcp/none' },
]

const WRITING: readonly Step[] = [
  on('native', 'write', { action: 'append', id: 'handbook/glossary.md', content: 'One more.' }),
  on('native', 'write', {
    action: 'append',
    id: 'handbook/people/mara-lind.md',
    content: 'One more.',
  }),
  on('native', 'write', {
    action: 'append',
    id: 'handbook/runbooks/release.md',
    content: 'One more.',
  }),
  on('native', 'delete', { id: 'garden/tea/tea-00.md', dry_run: true }),
  on('native', 'history', {}),
  on('native', 'history', { action: 'undo', dry_run: true }),
  on('roux', 'update_node', { id: 'onboarding/first-day.md', tags: ['changed'] }),
  on('cortex', 'connect_entities', { src: 'rag', rel: 'uses', dst: 'knowledge-graph' }),
  on('duskmantle', 'km-ingest-status', {}),
  { route: 'PUT /api/notes/first-week', body: { tags: ['changed'] } },
]

function byEverybody(steps: readonly Step[]): Step[] {
  return steps.flatMap((step) => EVERYBODY.map((as) => ({ ...step, as })))
}

const FOLDERS = ['handbook', 'garden', 'brain'] as const
const base = {
  folders: FOLDERS,
  before: [['index', ...FOLDERS]],
  command: ['serve', ...FOLDERS, '--surface', SURFACES.join(','), '--http', '0', '--no-watch'],
  http: true,
  callers: CALLERS,
} as const

export const accessSequences: readonly Sequence[] = [
  { ...base, name: 'access/read', steps: byEverybody(READING) },
  { ...base, name: 'access/write', steps: byEverybody(WRITING), writes: true },
]
