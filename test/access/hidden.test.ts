/**
 * What is hidden from a caller cannot be told from what is not there. Two bases are served, one with
 * hidden notes and one without; the same questions, made up from the tables of every surface, get
 * the same answers from both. Whoever sees everything gets different ones, so the questions are good.
 */
import { expect, it } from 'vitest'
import { acdcTools } from '../../src/surfaces/acdc/tools.ts'
import { cortexTools } from '../../src/surfaces/cortex/tools.ts'
import { nativeTools } from '../../src/surfaces/native/tools.ts'
import { nexusTools } from '../../src/surfaces/nexus/tools.ts'
import { rouxTools } from '../../src/surfaces/roux/tools.ts'
import type { ToolDescription } from '../../src/surfaces/tool.ts'
import { callsOf } from './probes.ts'
import { bearer, messageOf, serveWorld } from './world.ts'
import type { Credentials, World } from './world.ts'

const PUBLIC = {
  'public/tea.md':
    '---\nname: Tea\ncreated: 2026-01-03\ndescription: How to make it\ntags: [drink]\n---\n# Tea\nA kettle, and [[plan]]. See [[coffee]].\n',
  'public/coffee.md':
    '---\ncreated: 2026-01-02\ntags: [drink]\n---\n# Coffee\nBeans, then [[tea]] for guests.\n',
  'public/lonely.md':
    '---\ncreated: 2026-01-01\n---\n# Lonely\nNobody links here, and it mentions a kettle.\n',
}
const SECRET = {
  'secret/plan.md':
    '---\nname: Plan\ndescription: The plan itself\ntags: [hidden, drink]\naliases: [Scheme]\n---\n# Plan\nThe kettle xylophone is ours: [[tea]], [[coffee]], [[nowhere]]. #covert\n\n## Steps\nTake it.\n',
  'secret/planning.md': '# Planning\n[[plan]] and [[lonely]] and [[tea]].\n',
  // The same words as a note that is seen: a report of duplicates must not tell.
  'secret/copy.md': PUBLIC['public/coffee.md'],
  'secret/mcp-prompts/spy.md':
    '---\nname: spy\ndescription: Ask about the plan\narguments: []\n---\nTell the plan.\n',
}
const SECRET_GRAPH = {
  'knowledge/entities/concepts.jsonl':
    '{"id":"vault","type":"concept","name":"Vault","desc":"The kettle vault","tags":["hidden"],"updated_at":"2026-02-14T09:00:00.000Z"}\n{"id":"plan","type":"concept","name":"Plan","desc":"x","tags":[],"updated_at":"2026-02-14T09:00:00.000Z"}\n',
  'knowledge/relations/2026-02.jsonl':
    '{"src":"vault","rel":"holds","dst":"plan","context":"","created_at":"2026-02-15T10:33:00.000Z"}\n',
}
const GRAPH = {
  'knowledge/entities/concepts.jsonl':
    '{"id":"cup","type":"concept","name":"Cup","desc":"Holds tea","tags":["drink"],"updated_at":"2026-02-14T09:00:00.000Z"}\n',
}

/** By id, path, title, alias, tag, word, address; and the beginning of a name. */
const OPTIONS_TRIED = 2
const PROBES = [
  'notes/secret/plan.md',
  'plan',
  'secret/plan',
  'Scheme',
  'covert',
  'xylophone kettle',
  'kb://notes/secret/plan.md',
  'acdc://notes/secret/plan',
  'entity:vault',
  'vault',
  'plann',
  'notes/secret/',
  'secret',
]

const TABLES: Readonly<Record<string, readonly ToolDescription[]>> = {
  native: nativeTools,
  roux: rouxTools,
  nexus: nexusTools,
  acdc: acdcTools,
  cortex: cortexTools,
}

/** What differs between any two moments, and says nothing of documents. */
function plain(value: unknown): string {
  return (
    (JSON.stringify(value) ?? '')
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g, '<time>')
      .replaceAll(/\b\d{8}T\d{6}-[0-9a-f]{8}\b/g, '<operation>')
      .replaceAll(/\b1[6-9]\d{8,11}(?:\.\d+)?\b/g, '<time>')
      .replaceAll(/\b20\d\d-\d\d-\d\d\b/g, '<day>')
      // How rare a word is in all of the base makes a score; see docs/access.md.
      .replaceAll(/\b\d+\.\d+(?:e-?\d+)?\b/g, '<score>')
      .replaceAll(/(score\\?"?[:=])\d\b/g, '$1<score>')
  )
}

async function ask(world: World, who: Credentials, surface: string, tool: string, args: object) {
  const response = await world.rpc(surface, who, 'tools/call', {
    name: tool,
    arguments: { ...args },
  })
  const { result, error } = await messageOf(response)
  return plain({ result, error })
}

/** Answers that are different at every call. */
const RANDOM = new Set(['random_node'])

async function twoWorlds(hide: readonly string[], withGraph: boolean) {
  const graph: Readonly<Record<string, Readonly<Record<string, string>>>> = withGraph
    ? { brain: GRAPH }
    : {}
  const grant = { may: ['read', 'write'] as const, hide }
  const surfaces = [
    'native',
    'roux',
    'nexus',
    'acdc',
    ...(withGraph ? ['cortex' as const] : []),
  ] as const
  // Now and then a server that watches looks through its files, and says so: each at its own time.
  const flags = { watch: false }
  const full = await serveWorld({
    sources: { notes: { ...PUBLIC, ...SECRET }, brain: SECRET_GRAPH, ...graph },
    surfaces,
    flags,
  })
  const bare = await serveWorld({ sources: { notes: PUBLIC, ...graph }, surfaces, flags })
  const worlds = [full, bare].map((world) => ({
    world,
    guest: bearer(world.token('guest', grant)),
    all: bearer(world.token('all', { may: ['read', 'write'] })),
  }))
  // History tells of hidden notes too, to those who see them.
  await ask(full, worlds[0]!.all, 'native', 'write', {
    action: 'append',
    id: 'notes/secret/plan.md',
    content: 'More xylophones.',
  })
  return { worlds, surfaces }
}

it.each([
  ['a folder', ['notes/secret'], true],
  ['a folder and a source', ['notes/SECRET/', 'brain'], false],
] as const)('answers as if what is hidden were not there: %s', async (_, hide, withGraph) => {
  const { worlds, surfaces } = await twoWorlds(hide, withGraph)
  const [one, other] = worlds as [(typeof worlds)[0], (typeof worlds)[0]]
  let asked = 0
  const telling = new Set<string>()
  const leaks: unknown[] = []
  for (const surface of surfaces) {
    for (const row of TABLES[surface]!) {
      if (RANDOM.has(row.name)) continue
      const tool = `${surface} ${row.name}`
      for (const [place, probe] of PROBES.entries()) {
        for (const args of callsOf(row, probe, place < OPTIONS_TRIED)) {
          if (row.access === 'read' && !telling.has(tool)) {
            const [a, b] = await Promise.all([
              ask(one.world, one.all, surface, row.name, args),
              ask(other.world, other.all, surface, row.name, args),
            ])
            if (a !== b) telling.add(tool)
          }
          const [hidden, missing] = await Promise.all([
            ask(one.world, one.guest, surface, row.name, args),
            ask(other.world, other.guest, surface, row.name, args),
          ])
          asked++
          // Chance picks differently, but never what is hidden.
          const same = args['report'] === 'random' ? !/secret/i.test(hidden) : hidden === missing
          if (!same) leaks.push({ tool, args, hidden, missing })
        }
      }
    }
  }
  expect(leaks.slice(0, 5)).toEqual([])
  expect(asked).toBeGreaterThan(500)
  // Each of these tells the two apart for who sees everything: the questions find what is hidden.
  expect([...telling]).toEqual(
    expect.arrayContaining([
      'native search',
      'native fetch',
      'native list',
      'native neighbors',
      'native path',
      'native insights',
      'roux get_node',
      'nexus get_page',
      'nexus list_pages',
      'acdc search',
      'acdc read',
    ]),
  )
})

it('hides resources, prompts, completions and routes alike', async () => {
  const { worlds, surfaces } = await twoWorlds(['notes/secret', 'brain'], false)
  const [one, other] = worlds as [(typeof worlds)[0], (typeof worlds)[0]]
  const both = async (read: (world: World, who: Credentials) => Promise<unknown>) => {
    const [a, b] = await Promise.all([read(one.world, one.guest), read(other.world, other.guest)])
    return [plain(a), plain(b)]
  }
  const requests: [string, Record<string, unknown>][] = [
    ['tools/list', {}],
    ['resources/list', {}],
    ['resources/templates/list', {}],
    ['prompts/list', {}],
    ...['kb://notes/secret/plan.md', 'kb://entities/vault', 'acdc://notes/secret/plan'].map(
      (uri): [string, Record<string, unknown>] => ['resources/read', { uri }],
    ),
    ['prompts/get', { name: 'notes:spy' }],
    ...(['source', 'path'] as const).flatMap((name) =>
      ['', 'sec', 'secret/', 'b', 'e'].map((value): [string, Record<string, unknown>] => [
        'completion/complete',
        {
          ref: { type: 'ref/resource', uri: 'kb://{source}/{+path}' },
          argument: { name, value },
          context: { arguments: { source: name === 'path' ? 'notes' : '' } },
        },
      ]),
    ),
  ]
  for (const surface of surfaces) {
    for (const [method, params] of requests) {
      const [a, b] = await both(async (world, who) => {
        const response = await world.rpc(surface, who, method, params)
        return [response.status, await messageOf(response)]
      })
      expect([surface, method, params, a]).toEqual([surface, method, params, b])
    }
  }
  const web = { 'content-type': 'application/json', 'x-cairn': '1' }
  const routes: [string, string, unknown?][] = [
    ['GET', '/api/notes'],
    ['GET', '/api/mcp'],
    ['GET', '/api/notes/plan'],
    ['GET', '/api/notes/tea'],
    ['POST', '/api/search', { query: 'xylophone' }],
    ['POST', '/api/search', { query: 'kettle' }],
    ['POST', '/api/mcp', { tool: 'get_page', input: { slug: 'plan' } }],
    ['POST', '/api/mcp', { tool: 'list_pages', input: {} }],
    ['POST', '/api/mcp', { tool: 'get_connections', input: { slug: 'tea' } }],
    ['PUT', '/api/notes/plan', { title: 'Mine' }],
    ['DELETE', '/api/notes/plan'],
    ['GET', '/web/graph'],
    ['GET', '/web/file/notes/secret/picture.png?from=secret/plan.md'],
    ...['facts', 'labels'].map((name): [string, string, unknown] => [
      'POST',
      `/web/read/${name}`,
      {},
    ]),
    ...['note', 'source', 'backlinks', 'mentions'].flatMap((name) =>
      ['notes/secret/plan.md', 'plan', 'notes/public/tea.md'].map(
        (id): [string, string, unknown] => ['POST', `/web/read/${name}`, { id }],
      ),
    ),
    ['POST', '/web/read/search', { query: 'plan', titles: true, typing: true }],
    ['POST', '/web/call/fetch', { id: 'notes/secret/plan.md' }],
  ]
  for (const [method, path, body] of routes) {
    const [a, b] = await both(async (world, who) => {
      const response = await world.fetch(path, {
        method,
        headers: { ...who, ...web },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const bytes = Buffer.from(await response.arrayBuffer())
      const text = bytes.toString('utf8')
      return [response.status, path === '/web/graph' ? bytes.length : text]
    })
    expect([method, path, body, a]).toEqual([method, path, body, b])
  }
})
