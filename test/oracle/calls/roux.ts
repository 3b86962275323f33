/** The tools of roux over the handbook, and its writes on fresh copies. */
import { calls } from '../sequence.ts'
import type { Sequence, Step } from '../sequence.ts'

const reading: Step[] = [
  { method: 'tools/list' },
  ...calls(
    'search',
    { query: 'roll back a release' },
    { query: 'the station is silent', limit: 3 },
    { query: 'people who are asked first', limit: 50 },
    {},
    { query: '' },
    { query: 'x', limit: 51 },
    { query: 'x', limit: 'many' },
  ),
  ...calls(
    'get_node',
    { id: 'runbooks/release.md' },
    { id: 'RUNBOOKS/Release' },
    { id: 'index.md', depth: 1 },
    { id: 'none.md' },
    { id: 'none.md', depth: 1 },
    {},
    { id: 'index.md', depth: 2 },
    { id: '../secret.md' },
  ),
  ...calls(
    'get_neighbors',
    { id: 'index.md' },
    { id: 'glossary.md', direction: 'in' },
    { id: 'index.md', direction: 'out', limit: 3 },
    { id: 'index.md', include_content: false },
    { id: 'none.md' },
    { id: 'index.md', direction: 'up' },
    {},
  ),
  ...calls(
    'find_path',
    { source: 'index.md', target: 'people/mara-lind.md' },
    { source: 'glossary.md', target: 'index.md' },
    { source: 'index.md', target: 'index.md' },
    { source: 'index.md', target: 'none.md' },
    { source: 'index.md' },
  ),
  ...calls(
    'get_hubs',
    {},
    { metric: 'out_degree' },
    { metric: 'pagerank', limit: 3 },
    { metric: 'fame' },
    { limit: 0 },
  ),
  ...calls(
    'search_by_tags',
    { tags: ['runbook'] },
    { tags: ['Runbook', 'release'], mode: 'all' },
    { tags: ['people', 'release'], mode: 'any', limit: 2 },
    { tags: ['none'] },
    { tags: [] },
    {},
  ),
  ...calls('random_node', { seed: 7 }, { seed: 7, tags: ['runbook'] }, { tags: ['none'] }),
  ...calls(
    'list_nodes',
    {},
    { tag: 'people' },
    { path: 'Runbooks/' },
    { limit: 3 },
    { limit: 3, offset: 3 },
    { offset: 9_999 },
    { offset: -1 },
  ),
  ...calls(
    'resolve_nodes',
    { names: ['Roll back a releese', 'Glossary', 'no such thing at all'] },
    { names: ['glossary'], strategy: 'exact' },
    { names: ['undo a deployment'], strategy: 'semantic', threshold: 0.2 },
    { names: ['release'], threshold: 0.3 },
    { names: ['release'], tag: 'runbook' },
    { names: ['release'], path: 'decisions/' },
    { names: ['x'], strategy: 'guess' },
    {},
  ),
  ...calls('nodes_exist', { ids: ['index.md', 'INDEX', 'none.md'] }, { ids: [] }, {}),
  { tool: 'no_such_tool' },
]

/** Read while indexing too: alone, this surface shows files that others leave out. */
const env = { CAIRN_SURFACES: 'roux' }
const INDEX = [['index', 'handbook']]
const HANDBOOK = ['handbook'] as const

function writing(name: string, steps: readonly Step[]): Sequence {
  return {
    name: `roux/${name}`,
    folders: HANDBOOK,
    env,
    before: INDEX,
    command: ['serve', 'handbook', '--no-watch'],
    steps,
    writes: true,
  }
}

export const rouxSequences: readonly Sequence[] = [
  {
    name: 'roux/read',
    folders: HANDBOOK,
    env,
    before: INDEX,
    command: ['serve', 'handbook'],
    steps: reading,
  },
  {
    name: 'roux/model',
    folders: HANDBOOK,
    env,
    before: INDEX,
    command: ['serve', 'handbook'],
    model: true,
    steps: [
      ...calls(
        'summarize_node',
        { id: 'runbooks/roll-back-a-release.md' },
        { id: 'index.md', max_words: 20 },
        { id: 'none.md' },
        {},
      ),
      ...calls(
        'suggest_tags',
        { id: 'runbooks/roll-back-a-release.md' },
        { id: 'index.md', limit: 1 },
        { id: 'none.md' },
        {},
      ),
      ...calls(
        'extract_entities',
        { id: 'people/who-does-what.md' },
        { id: 'index.md', limit: 1 },
        { id: 'none.md' },
        {},
      ),
    ],
  },
  {
    name: 'roux/odd-notes',
    folders: ['garden'],
    env,
    before: [['index', 'garden']],
    command: ['serve', 'garden'],
    steps: [
      ...calls(
        'get_node',
        { id: 'broken-front.md' },
        { id: 'garden/garden-03.md', depth: 1 },
        { id: 'start-of-all' },
        { id: 'ünïcode/straße 東京' },
        { id: 'keys.md' },
        { id: 'private.md' },
        { id: 'long.md' },
      ),
      ...calls('search', { query: 'how bread is made', limit: 5 }, { query: '東京', limit: 2 }),
      ...calls('list_nodes', { limit: 1_000 }),
      ...calls('get_hubs', { metric: 'pagerank' }),
      ...calls('resolve_nodes', { names: ['Twin', 'tea kettle 0'] }),
    ],
  },
  writing('create', [
    ...calls(
      'create_node',
      {
        title: 'Meeting Notes',
        content: 'See [[glossary]] and [[nobody here]].',
        tags: ['meeting'],
        directory: 'meetings',
      },
      { title: 'Meeting Notes', content: 'Again.', directory: 'meetings' },
      { title: 'deep/Folder Note', content: 'x' },
      { title: 'Über Größe 東京', content: 'x' },
      { title: '', content: 'x' },
      { title: 'Out', content: 'x', directory: '../out' },
      { title: 'No content' },
      {},
    ),
    ...calls('get_node', { id: 'meetings/meeting-notes.md', depth: 1 }),
    ...calls('nodes_exist', { ids: ['meetings/meeting-notes.md', 'deep/folder-note.md'] }),
    ...calls('get_neighbors', { id: 'glossary.md', direction: 'in', include_content: false }),
    ...calls('list_nodes', { tag: 'meeting' }),
  ]),
  writing('update', [
    ...calls(
      'update_node',
      { id: 'glossary.md', tags: ['words'] },
      { id: 'index.md', content: '# All new\n\nOnly [[glossary]].\n' },
      { id: 'glossary.md', title: 'Dictionary' },
      { id: 'glossary.md', title: 'Dictionary', update_links: true },
      { id: 'meetings/2026-02-03-planning.md', title: 'Planning of spring' },
      { id: 'glossary.md' },
      { id: 'none.md', content: 'x' },
      { id: '../x.md', content: 'x' },
      {},
    ),
    ...calls('get_node', { id: 'glossary.md' }, { id: 'index.md', depth: 1 }),
    ...calls('find_path', { source: 'index.md', target: 'people/mara-lind.md' }),
  ]),
  writing('delete', [
    ...calls('delete_node', { id: 'glossary.md' }, { id: 'glossary.md' }, { id: '../x.md' }, {}),
    ...calls('get_node', { id: 'glossary.md' }, { id: 'index.md' }),
    ...calls('get_hubs', {}),
    ...calls('list_nodes', { limit: 5 }),
  ]),
]
