/** The tools, resources and prompts of acdc: named locations, a content directory, notes. */
import { calls } from '../sequence.ts'
import type { Sequence, Step } from '../sequence.ts'

const named: Step[] = [
  { method: 'tools/list' },
  { method: 'resources/list' },
  { method: 'resources/templates/list' },
  { method: 'prompts/list' },
  ...calls(
    'search',
    { query: 'restart' },
    { query: 'error message' },
    { query: 'eror mesages' },
    { query: '*' },
    { query: 'restart', source: 'operations' },
    { query: 'restart', source: 'standards' },
    { query: 'restart', source: 'nowhere' },
    { query: 'zebra' },
    { query: 'the' },
    { query: '' },
    {},
  ),
  ...calls(
    'read',
    { uri: 'acdc://standards/error-messages' },
    { uri: 'acdc://standards/error-messages#error-messages' },
    { uri: 'acdc://operations/restarts' },
    { uri: 'acdc://operations/none' },
    { uri: 'acdc://nowhere/x' },
    { uri: 'acdc://standards/../secret' },
    { uri: 'http://example.com' },
    {},
  ),
  { method: 'resources/read', params: { uri: 'acdc://operations/restarts' } },
  { method: 'resources/read', params: { uri: 'acdc://operations/none' } },
  { method: 'prompts/get', params: { name: 'standards:review', arguments: { language: 'Go' } } },
  {
    method: 'prompts/get',
    params: { name: 'standards:review', arguments: { language: 'Go', depth: 'quick' } },
  },
  { method: 'prompts/get', params: { name: 'standards:review', arguments: {} } },
  { method: 'prompts/get', params: { name: 'none' } },
  {
    method: 'completion/complete',
    params: {
      ref: { type: 'ref/prompt', name: 'standards:review' },
      argument: { name: 'depth', value: '' },
    },
  },
  { tool: 'no_such_tool' },
]

const directory: Step[] = [
  { method: 'resources/list' },
  ...calls(
    'search',
    { query: 'retry policy' },
    { query: 'telemetry' },
    { query: 'harbour alert' },
    { query: '*' },
  ),
  ...calls(
    'read',
    { uri: 'acdc://docs/design' },
    { uri: 'acdc://docs/design#retry-policy' },
    { uri: 'acdc://docs/design#none' },
    { uri: 'acdc://README' },
  ),
]

export const acdcSequences: readonly Sequence[] = [
  {
    name: 'acdc/named',
    folders: ['curated'],
    command: ['acdc', '-c', 'curated/mcp-metadata.yaml'],
    steps: named,
  },
  {
    name: 'acdc/directory',
    folders: ['repository'],
    command: ['acdc', '-c', 'repository'],
    steps: directory,
  },
  {
    name: 'acdc/content-mode',
    folders: ['repository'],
    command: ['acdc', '-c', 'repository', '--search-result-mode', 'content', '-m', '2'],
    steps: calls('search', { query: 'pipeline' }, { query: 'gauge harbour' }),
  },
  {
    name: 'acdc/notes',
    folders: ['garden'],
    before: [['index', 'garden']],
    command: ['serve', 'garden', '--surface', 'acdc'],
    steps: [
      { method: 'resources/list' },
      { method: 'prompts/list' },
      ...calls('search', { query: 'gate' }, { query: '*' }),
      ...calls('read', { uri: 'acdc://garden/house-rules' }, { uri: 'acdc://garden/lonely' }),
      { method: 'prompts/get', params: { name: 'garden:brew', arguments: { leaf: 'mint' } } },
    ],
  },
]
