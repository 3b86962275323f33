/** The tools and resources of cortex over a graph in JSON lines. */
import { calls } from '../sequence.ts'
import type { Sequence, Step } from '../sequence.ts'

const read = (uri: string): Step => ({ method: 'resources/read', params: { uri } })

const reading: Step[] = [
  { method: 'tools/list' },
  { method: 'resources/list' },
  { method: 'resources/templates/list' },
  ...calls(
    'search_knowledge',
    { query: 'rag' },
    { query: 'Knowledge' },
    { query: 'retreival' },
    { query: 'agent' },
    { query: 'looks functions' },
    { query: 'zebra' },
    { query: '' },
    { query: 'x'.repeat(1_001) },
    {},
  ),
  ...calls('get_entropy_report', {}, { surplus: 1 }),
  read('knowledge://entities/concept/tool_use'),
  read('knowledge://entities/concepts/tool_use'),
  read('knowledge://entities/concept/none'),
  read('knowledge://relations/2026/02'),
  read('knowledge://relations/2026/13'),
  read('knowledge://relations/2020/01'),
  read('knowledge://stats/entropy'),
  read('knowledge://entities/../../etc/passwd'),
  {
    method: 'completion/complete',
    params: {
      ref: { type: 'ref/resource', uri: 'knowledge://entities/{type}/{id}' },
      argument: { name: 'id', value: 't' },
      context: { arguments: { type: 'concept' } },
    },
  },
  { tool: 'no_such_tool' },
]

const writing: Step[] = [
  ...calls(
    'add_entity',
    {
      category: 'concepts',
      id: 'graph-walk',
      type: 'concept',
      name: 'Graph walk',
      desc: 'Steps along edges',
      tags: ['graph'],
    },
    { category: 'concepts', id: 'graph-walk', type: 'concept', name: 'Again', desc: 'x' },
    { category: 'people', id: 'rag', type: 'person', name: 'Taken', desc: 'x' },
    {
      category: 'tech_stack',
      id: 'sqlite',
      type: 'tech',
      name: 'SQLite',
      desc: 'A database in a file',
    },
    { category: 'gossip', id: 'a', type: 'x', name: 'x', desc: 'x' },
    { category: 'concepts', id: '../x', type: 'x', name: 'x', desc: 'x' },
    { category: 'concepts', id: 'two-lines', type: 'x', name: 'a\nb', desc: 'x' },
    { category: 'concepts', id: 'no-name', type: 'x' },
    {},
  ),
  ...calls(
    'connect_entities',
    { src: 'graph-walk', rel: 'uses', dst: 'knowledge-graph', context: 'By name' },
    { src: 'graph-walk', rel: 'uses', dst: 'knowledge-graph' },
    { src: 'graph-walk', rel: 'uses', dst: 'none' },
    { src: 'none', rel: 'uses', dst: 'rag' },
    { src: 'rag', rel: '', dst: 'graph-walk' },
    { src: 'rag' },
  ),
  ...calls('search_knowledge', { query: 'graph-walk' }, { query: 'edges' }),
  ...calls('get_entropy_report', {}),
  read('knowledge://entities/concept/graph-walk'),
]

export const cortexSequences: readonly Sequence[] = [
  {
    name: 'cortex/read',
    folders: ['brain'],
    command: ['cortex', 'serve', '--root', 'brain'],
    steps: reading,
  },
  {
    name: 'cortex/write',
    folders: ['brain'],
    command: ['cortex', 'serve', '--root', 'brain'],
    steps: writing,
    writes: true,
  },
  {
    name: 'cortex/beside-notes',
    folders: ['garden'],
    before: [['index', 'garden']],
    command: ['serve', 'garden', '--surface', 'native,cortex', '--no-governor'],
    steps: [
      { method: 'tools/list' },
      ...calls(
        'search_knowledge',
        { query: 'team' },
        { query: 'greenhouse' },
        { query: 'tomatos' },
      ),
      ...calls('get_entropy_report', {}),
      read('knowledge://entities/person/ada'),
      ...calls('fetch', { id: 'ada' }),
    ],
  },
]
