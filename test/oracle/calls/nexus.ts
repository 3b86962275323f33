/** The tools of nexus over standard streams, and its routes over HTTP. */
import { calls } from '../sequence.ts'
import type { RouteStep, Sequence, Step } from '../sequence.ts'

const tools: Step[] = [
  { method: 'tools/list' },
  ...calls('list_pages', {}, { surplus: true }),
  ...calls(
    'get_page',
    { slug: 'release' },
    { slug: 'Roll back a release' },
    { slug: 'GLOSSARY' },
    { slug: 'none' },
    { slug: '' },
    { slug: '../index' },
    {},
  ),
  ...calls(
    'search',
    { query: 'release' },
    { query: 'when the station is silent' },
    { query: '100%_*' },
    { query: '' },
    {},
  ),
  ...calls(
    'get_connections',
    { slug: 'glossary' },
    { slug: 'index' },
    { slug: 'handbook' },
    { slug: 'none' },
    {},
  ),
  ...calls('ask', { question: 'Who approves?' }, {}),
  { tool: 'no_such_tool' },
]

const route = (words: string, body?: unknown): RouteStep => ({ route: words, body })
const post = (tool: unknown, input?: unknown): RouteStep => route('POST /api/mcp', { tool, input })

const routes: Step[] = [
  route('GET /api/mcp'),
  post('list_pages'),
  post('get_page', { slug: 'tea-00' }),
  post('search', { query: 'kettle' }),
  post('search', { query: '東京' }),
  post('get_connections', { slug: 'twin' }),
  post('ask', { question: 'Who?' }),
  post('none'),
  post('get_page', {}),
  route('GET /api/notes'),
  route('GET /api/notes?limit=3&offset=2'),
  route('GET /api/notes?limit=many'),
  route('GET /api/notes/tea-00'),
  route('GET /api/notes/none'),
  route('GET /api/notes/..%2Fsecret'),
  route('POST /api/search', { query: 'frost' }),
  route('POST /api/search', { query: 'how bread is made' }),
  route('POST /api/search', {}),
  route('POST /api/search', { query: 'x', includeAI: true }),
  route('GET /api/auth'),
  route('DELETE /api/search'),
  route('GET /health'),
  route('GET /api/none'),
]

const writes: Step[] = [
  route('POST /api/notes', {
    title: 'A new page',
    content: 'See [[glossary]].',
    tags: ['new'],
    section: 'first',
    order: 2,
  }),
  route('POST /api/notes', { title: 'A new page', content: 'Again.' }),
  route('POST /api/notes', { title: 'Named', slug: 'own-slug' }),
  route('POST /api/notes', { content: 'No title.' }),
  route('POST /api/notes', { title: 'Bad', slug: '../bad' }),
  route('GET /api/notes/a-new-page'),
  route('PUT /api/notes/a-new-page', { content: 'Changed.', title: 'Renamed' }),
  route('PUT /api/notes/a-new-page', {}),
  route('PUT /api/notes/none', { content: 'x' }),
  route('PUT /api/notes/glossary', { tags: ['words'] }),
  route('DELETE /api/notes/own-slug'),
  route('DELETE /api/notes/own-slug'),
  route('GET /api/notes/glossary'),
  post('get_connections', { slug: 'glossary' }),
  post('list_pages'),
]

export const nexusSequences: readonly Sequence[] = [
  {
    name: 'nexus/tools',
    folders: ['handbook'],
    before: [['index', 'handbook']],
    command: ['serve', 'handbook', '--surface', 'nexus'],
    steps: tools,
  },
  {
    name: 'nexus/ask',
    folders: ['handbook'],
    files: {
      'nexus.config.yaml': 'features: { ai_search: true }\nsearch: { ai: { enabled: true } }\n',
    },
    before: [['index', 'handbook']],
    command: ['nexus', 'handbook', '--config', 'nexus.config.yaml', '--port', '0', '--no-watch'],
    http: true,
    model: true,
    steps: [
      post('ask', { question: 'When do we roll back a release?' }),
      post('ask', { question: 'quoxal?' }),
      post('ask', { question: '' }),
      post('ask', {}),
      route('POST /api/search', { query: 'roll back', includeAI: true }),
    ],
  },
  {
    name: 'nexus/routes',
    folders: ['garden'],
    before: [['index', 'garden']],
    command: ['nexus', 'garden', '--port', '0', '--no-watch'],
    http: true,
    steps: routes,
  },
  {
    name: 'nexus/write',
    folders: ['handbook'],
    before: [['index', 'handbook']],
    command: ['nexus', 'handbook', '--port', '0', '--no-watch'],
    http: true,
    steps: writes,
    writes: true,
  },
]
