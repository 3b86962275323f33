/**
 * What is hidden from a caller cannot be told from what is not there. Two bases are served, one with
 * hidden notes and one without; the same questions, made up from the tables of every surface, get
 * the same answers from both, to the last digit of a score. Whoever sees everything gets different
 * ones, so the questions are good.
 */
import { expect, it } from 'vitest'
import { acdcTools } from '../../src/vocabularies/acdc/tools.ts'
import { cortexTools } from '../../src/vocabularies/cortex/tools.ts'
import { PAGE_INPUTS } from '../../src/explorer/surface/open-explorer.ts'
import { nativeTools } from '../../src/serve/native/tools.ts'
import { nexusTools } from '../../src/vocabularies/nexus/tools.ts'
import { rouxTools } from '../../src/vocabularies/roux/tools.ts'
import type { ToolDescription } from '../../src/serve/door/tool.ts'
import { noteRoutes } from '../../src/vocabularies/nexus/routes/note-routes.ts'
import { unzip } from '../support/unzip.ts'
import { callsOf } from './probes.ts'
import { ask, HIDDEN_WORDS, plain, twoWorlds } from './two-worlds.ts'
import type { Side, Who, Worlds } from './two-worlds.ts'
import { messageOf } from './world.ts'

/** By id, path, title, alias, tag, word, address; and the beginning of a name. */
const OPTIONS_TRIED = 2
const PROBES = [
  'notes/secret/plan.md',
  'plan',
  'twin',
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
  'note-50',
  'notes/public/names.md',
  'Shared Title',
  'Nickname',
  'KettleValve',
  'prog/hidden/valve.ts',
]

const TABLES: Readonly<Record<string, readonly ToolDescription[]>> = {
  native: nativeTools,
  roux: rouxTools,
  nexus: nexusTools,
  acdc: acdcTools,
  cortex: cortexTools,
}

/** Answers that are different at every call. */
const RANDOM = new Set(['random_node'])

interface Difference {
  readonly asked: unknown
  readonly hidden: string
  readonly missing: string
}

/** Asks both, and tells where they differ. */
async function compare(
  { full, bare }: Worlds,
  asked: unknown,
  read: (side: Side) => Promise<unknown>,
): Promise<Difference | undefined> {
  const [hidden, missing] = (await Promise.all([read(full), read(bare)])).map(plain)
  if (hidden === missing) return undefined
  // From a little before the first difference on.
  let at = 0
  while (hidden![at] === missing![at]) at++
  const [from, to] = [Math.max(0, at - 200), at + 400]
  return { asked, hidden: hidden!.slice(from, to), missing: missing!.slice(from, to) }
}

it.each([
  ['folders and a source', false],
  ['folders', true],
] as const)('answers as if what is hidden were not there: %s', async (_, withGraph) => {
  const worlds = await twoWorlds({ withGraph })
  let asked = 0
  const telling = new Set<string>()
  const leaks: Difference[] = []
  for (const surface of worlds.surfaces) {
    for (const row of TABLES[surface]!) {
      if (RANDOM.has(row.name)) continue
      const tool = `${surface} ${row.name}`
      for (const [place, probe] of PROBES.entries()) {
        for (const args of callsOf(row, probe, place < OPTIONS_TRIED)) {
          const call = (who: Who) => (side: Side) => ask(side, who, surface, row.name, args)
          if (args['report'] === 'random') {
            // Chance picks differently, but never what is hidden.
            expect(await call('guest')(worlds.full)).not.toContain('"notes/secret/')
            continue
          }
          if (row.access === 'read' && !telling.has(tool)) {
            if (await compare(worlds, args, call('all'))) telling.add(tool)
          }
          const leak = await compare(worlds, [tool, args], call('guest'))
          asked++
          if (leak) leaks.push(leak)
        }
      }
    }
  }
  expect(leaks.slice(0, 5)).toEqual([])
  expect(asked).toBeGreaterThan(400)
  // Each of these tells the two apart for who sees everything: the questions find what is hidden.
  const tells = [
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
  ]
  const served = tells.filter((tool) => worlds.surfaces.some((each) => tool.startsWith(each)))
  expect([...telling]).toEqual(expect.arrayContaining(served))
})

/** Words that hidden notes alone have, that both have, and what is near either. */
const QUERIES = [
  ...HIDDEN_WORDS,
  ...HIDDEN_WORDS.map((word) => `${word} kettle`),
  'xylophon',
  'glaciers of the cathedral',
  'kettle',
  'kettle water',
  'the kettle and the leaf need a cup',
  'warm drink in the morning',
  'how do I mend a flat bike',
  'who pays the bill at the end of the quarter',
  'restoring a machine after a bad rollout',
  'kettl*',
  'xyl*',
  '"kettle vault"',
  '"The xylophone of"',
  'plan',
  'plan -xylophone',
  'tea +plan',
  'note-50',
  'twin',
  'Shared Title',
  'Nickname',
  'brewTea',
  'KettleValve',
  'SecretValve',
  'symbol:KettleValve',
  'secret',
  'covert',
  'tag:covert',
]

const SEARCHES: readonly Record<string, unknown>[] = [
  ...QUERIES.flatMap((query) =>
    ['auto', 'lexical', 'semantic', 'hybrid'].map((mode) => ({ query, mode, explain: true })),
  ),
  ...QUERIES.map((query) => ({ query, limit: 50, detail: 'detailed' })),
  ...QUERIES.map((query) => ({ query, typing: true, explain_missing: 'notes/public/tea.md' })),
  ...['xylophone', 'kettle', 'twin', 'The x', 'covert'].flatMap((query) => [
    { query, match: 'text' },
    { query: `${query}|qqq`, match: 'regex' },
  ]),
  { query: '.', match: 'regex', limit: 50 },
  ...['notes/public/tea.md', 'notes/public/note-3.md', 'notes/secret/plan.md'].map((query) => ({
    query,
    match: 'similar',
    explain: true,
  })),
  ...['plan', 'notes/secret/plan.md', 'notes/public/note-3.md'].map((missing) => ({
    query: 'kettle',
    explain_missing: missing,
  })),
  { query: 'kettle', path: 'secret' },
  { query: 'kettle', path: 'notes/secret/' },
  { query: 'kettle', tags: ['covert'] },
  { query: 'kettle', tags: ['kettle', 'covert'] },
  { query: 'kettle', where: 'status = secret' },
  { query: 'kettle', where: 'status = open' },
  { query: 'kettle', updated_after: '2026-01-10' },
  { query: 'kettle', updated_before: '2026-01-10' },
  { query: 'Valve', in: 'symbols' },
  { query: 'valve', in: 'code' },
  { query: 'valve', in: 'subsystems' },
  { query: 'vault', in: 'entities' },
]

const OTHERS: readonly (readonly [string, Record<string, unknown>])[] = [
  ...[
    'tea',
    'notes/public/names.md',
    'notes/zebra/twin.md',
    'notes/public/note-3.md',
    'plan',
  ].flatMap((id): [string, Record<string, unknown>][] => [
    ['fetch', { id, include: ['links', 'backlinks', 'outline', 'metadata', 'suggestions'] }],
    ['fetch', { id }],
    ['neighbors', { id, depth: 2, limit: 50 }],
    ['neighbors', { id, direction: 'in' }],
    ['neighbors', { id, direction: 'out' }],
    ['path', { from: id, to: 'notes/public/note-7.md' }],
    ['path', { from: 'notes/public/names.md', to: id }],
    ['history', { id }],
  ]),
  ['neighbors', { id: 'prog/docs/guide.md' }],
  ['neighbors', { id: 'prog/src/brew.ts' }],
  ['fetch', { id: 'prog/docs/guide.md' }],
  ...[
    'overview',
    'orphans',
    'hubs',
    'broken_links',
    'tags',
    'duplicates',
    'stale',
    'components',
    'regions',
  ].map((report): [string, Record<string, unknown>] => ['insights', { report, limit: 50 }]),
  ['list', { limit: 100 }],
  ['list', { order: 'updated', limit: 100 }],
  ['list', { updated_after: '2026-01-05', limit: 100 }],
  ['history', {}],
  ['history', { since: '2026-01-01' }],
  ['history', { limit: 50 }],
  ...QUERIES.slice(0, 40).map((question): [string, Record<string, unknown>] => [
    'ask',
    { question },
  ]),
]

it('ranks, walks and reports by what is seen alone', async () => {
  const worlds = await twoWorlds()
  const leaks: Difference[] = []
  const calls = [...SEARCHES.map((args) => ['search', args] as const), ...OTHERS]
  let answered = 0
  for (const [tool, args] of calls) {
    const call = (side: Side) => ask(side, 'guest', 'native', tool, args)
    const leak = await compare(worlds, [tool, args], call)
    if (leak) leaks.push(leak)
    if (!(await call(worlds.bare)).includes('"isError":true')) answered++
  }
  expect(leaks.slice(0, 5)).toEqual([])
  // Most of them are no mistakes.
  expect(answered).toBeGreaterThan(0.8 * calls.length)
  // The names that hidden notes have, too, lead to the notes that are seen.
  const near = await ask(worlds.full, 'guest', 'native', 'neighbors', {
    id: 'notes/public/names.md',
    direction: 'out',
  })
  for (const id of ['twin', 'shared', 'alias', 'guides/page']) {
    expect(near).toContain(`notes/zebra/${id}.md`)
  }
})

const WEB = { 'content-type': 'application/json', 'x-cairn': '1' }

it('hides resources, prompts, completions and routes alike', async () => {
  const worlds = await twoWorlds()
  const { full, bare, surfaces } = worlds
  const leaks: Difference[] = []
  const note = (leak: Difference | undefined): void => void (leak && leaks.push(leak))
  const requests: [string, Record<string, unknown>][] = [
    ['server/discover', {}],
    ['tools/list', {}],
    ['resources/list', {}],
    ['resources/templates/list', {}],
    ['prompts/list', {}],
    ...[
      'kb://notes/secret/plan.md',
      'kb://notes/public/names.md',
      'kb://notes/zebra/twin.md',
      'kb://entities/vault',
      'kb://index',
      'kb://stats',
      'acdc://notes/secret/plan',
      'acdc://notes/public/tea',
    ].map((uri): [string, Record<string, unknown>] => ['resources/read', { uri }]),
    ['prompts/get', { name: 'notes:spy' }],
    ...(['source', 'path'] as const).flatMap((name) =>
      ['', 'sec', 'secret/', 'b', 'e', 'p', 'public/note-4'].map(
        (value): [string, Record<string, unknown>] => [
          'completion/complete',
          {
            ref: { type: 'ref/resource', uri: 'kb://{source}/{+path}' },
            argument: { name, value },
            context: { arguments: { source: name === 'path' ? 'notes' : '' } },
          },
        ],
      ),
    ),
    ...['plan', 'tw', 'x', 'cov', ''].map((value): [string, Record<string, unknown>] => [
      'completion/complete',
      { ref: { type: 'ref/prompt', name: 'research' }, argument: { name: 'topic', value } },
    ]),
  ]
  for (const surface of surfaces) {
    for (const [method, params] of requests) {
      note(
        await compare(worlds, [surface, method, params], async ({ world, guest }) => {
          const response = await world.rpc(surface, guest, method, params)
          return [response.status, await messageOf(response)]
        }),
      )
    }
  }
  const names = ['plan', 'tea', 'twin', 'names', 'note-50', 'scheme', 'shared-title']
  const routes: [string, string, unknown?][] = [
    ...names.flatMap((name): [string, string, unknown?][] => [
      ['GET', `/api/notes/${name}`],
      ['POST', '/api/mcp', { tool: 'get_page', input: { slug: name } }],
      ['POST', '/api/mcp', { tool: 'get_connections', input: { slug: name } }],
      ['POST', '/web/read/search', { query: name, titles: true, typing: true }],
    ]),
    ...Object.entries(noteRoutes).flatMap(([path, all]) =>
      all
        .filter(({ method }) => method === 'GET')
        .map(({ method }): [string, string] => [method, path.replace('*', 'secret/plan')]),
    ),
    ['GET', '/api/mcp'],
    ...['xylophone', 'kettle', 'warm drink'].map((query): [string, string, unknown] => [
      'POST',
      '/api/search',
      { query },
    ]),
    ['POST', '/api/mcp', { tool: 'list_pages', input: {} }],
    ['GET', '/web/graph'],
    ['GET', '/web/file/notes/secret/picture.png?from=secret/plan.md'],
    ['GET', '/web/file/notes/public/picture.png?from=public/tea.md'],
    ...['facts', 'home', 'labels', 'ghosts', 'prepare', 'folders', 'table', 'day'].map(
      (name): [string, string, unknown] => ['POST', `/web/read/${name}`, {}],
    ),
    ...['notes/', 'notes/secret/', 'notes/public/', 'prog/'].flatMap(
      (path): [string, string, unknown][] => [
        ['POST', '/web/read/folders', { path }],
        ['POST', '/web/read/table', { path, sort: 'updated' }],
        ['POST', '/web/read/table', { path, sort: 'secret', reverse: true }],
      ],
    ),
    ...(
      [
        ['note'],
        ['source'],
        ['backlinks'],
        ['mentions'],
        ['text'],
        ['vocabulary'],
        ['preview', { text: 'To [[plan]], [[tea]] and ![[twin]], [a](../secret/plan.md).' }],
        ['links', { text: '' }],
        ['links', { text: 'pla' }],
        ['sections', { name: 'plan' }],
        ['sections', { name: 'tea' }],
        ['template', { name: 'daily' }],
        ['template', { name: 'plan' }],
        ['mends', { line: 3, target: 'plan' }],
        ['mends', { line: 3, target: 'plann' }],
      ] satisfies [keyof typeof PAGE_INPUTS, object?][]
    ).flatMap(([name, more]) =>
      [
        'notes/secret/plan.md',
        'plan',
        'notes/public/tea.md',
        'notes/public/names.md',
        'notes/zebra/twin.md',
        'prog/docs/guide.md',
      ].map((id): [string, string, unknown] => ['POST', `/web/read/${name}`, { id, ...more }]),
    ),
    ...['plan', 'twin', 'secret/plan', ''].flatMap((name): [string, string, unknown][] => [
      ['POST', '/web/read/making', { name, today: '2026-12-01' }],
      ['POST', '/web/read/making', { name, today: '2026-12-01', folder: 'notes/secret/' }],
      ['POST', '/web/read/making', { name, today: '2026-12-01', from: 'secret/plan' }],
    ]),
    ['POST', '/web/attach?to=secret/plan.md&name=a.png', { not: 'bytes' }],
    ['POST', '/web/read/search', { query: 'xylophone' }],
    ['POST', '/web/call/fetch', { id: 'notes/secret/plan.md' }],
    ['GET', '/'],
    ['GET', '/graph'],
    ['GET', '/live'],
    ['GET', '/n/notes/secret/plan.md'],
    ['GET', '/llms.txt'],
    ['GET', '/llms-full.txt'],
    ['GET', '/llms/notes/secret/plan.md'],
    ['GET', '/llms/notes/public/tea.md'],
    ['GET', '/health'],
    ['GET', '/healthz'],
    ['GET', '/readyz'],
    ['PUT', '/api/notes/plan', { title: 'Mine' }],
    ['DELETE', '/api/notes/plan'],
  ]
  const answer = async ({ world, guest }: Side, [method, path, body]: (typeof routes)[0]) => {
    const response = await world.fetch(path, {
      method,
      headers: { ...guest, ...WEB },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    const told = ['etag', 'x-cairn-map', 'content-type', 'cache-control', 'link', 'location']
    const headers = told.map((name) => response.headers.get(name))
    const isArchive = response.headers.get('content-type') === 'application/zip'
    return [response.status, headers, isArchive ? unzip(bytes) : bytes.toString('latin1')]
  }
  for (const route of routes) note(await compare(worlds, route, (side) => answer(side, route)))
  // What a server says of itself: which calls there were, and not how long each took.
  note(
    await compare(worlds, '/metrics', async ({ world, keeper }) => {
      const text = await (await world.fetch('/metrics', { headers: keeper })).text()
      // Those who waited until something was learned asked as often as it took.
      return text
        .replaceAll(
          /^((?:cairn_(?:call_seconds|uptime)|process_resident)\w*(?:\{.*\})?) .*$/gm,
          '$1',
        )
        .replaceAll(/^.*surface="native",tool="(?:search|write)".*\n/gm, '')
    }),
  )
  expect(leaks.slice(0, 5)).toEqual([])
  expect(full.world.url).not.toBe(bare.world.url)
})

it('announces nothing of what is hidden', async () => {
  const worlds = await twoWorlds()
  const write = (side: Side, who: Who, id: string) =>
    ask(side, who, 'native', 'write', { action: 'create', id, content: '# New\nA kettle.\n' })
  const heard = async (side: Side): Promise<unknown> => {
    const stop = new AbortController()
    const stream = await side.world.rpc('native', side.guest, 'subscriptions/listen', {
      notifications: {
        resourcesListChanged: true,
        toolsListChanged: true,
        promptsListChanged: true,
      },
    })
    const page = await side.world.fetch('/web/events', { headers: side.guest, signal: stop.signal })
    // Hidden ones come and go where there are any, and then one that both see.
    if (side === worlds.full) {
      await write(side, 'all', 'notes/secret/new.md')
      await ask(side, 'all', 'native', 'delete', { id: 'notes/secret/planning.md' })
    }
    await write(side, 'all', 'notes/public/new.md')
    const [events, said] = await Promise.all([
      readUntil(page, /event: change[^]*public\/new\.md/),
      readUntil(stream, /list_changed/),
    ])
    stop.abort()
    return [
      events.replaceAll(/^id: \w+-/gm, 'id: '),
      [...said.matchAll(/notifications\/\w+\/list_changed/g)].map(([method]) => method),
    ]
  }
  const leak = await compare(worlds, 'notifications', heard)
  expect(leak).toBeUndefined()
})

async function readUntil(response: Response, wanted: RegExp): Promise<string> {
  const reader = response.body!.getReader()
  let text = ''
  while (!wanted.test(text)) {
    const { value, done } = await reader.read()
    if (done) break
    text += Buffer.from(value).toString()
  }
  await reader.cancel().catch(() => {})
  return text
}
