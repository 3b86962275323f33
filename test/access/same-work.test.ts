/**
 * How long an answer takes may tell what it does not say. For whoever does not see a note, the server
 * does the same work whether it is there or not: as many questions to the store, files and history.
 * Asked in two bases, one with the hidden notes and one without, and in one base about a hidden note
 * and one that never was.
 */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type * as Sources from '../../src/serve/parts/sources.ts'
import type * as Stores from '../../src/serve/parts/stores.ts'
import type * as Writing from '../../src/serve/wiring/writing.ts'
import type * as Listener from '../../src/serve/transports/http/node-listener.ts'
import { acdcTools } from '../../src/vocabularies/acdc/tools.ts'
import { cortexTools } from '../../src/vocabularies/cortex/tools.ts'
import { duskmantleTools } from '../../src/vocabularies/duskmantle/tools.ts'
import { nativeTools } from '../../src/serve/native/tools.ts'
import { nexusTools } from '../../src/vocabularies/nexus/tools.ts'
import { rouxTools } from '../../src/vocabularies/roux/tools.ts'
import type { ToolDescription } from '../../src/serve/door/tool.ts'
import { countedHistory, countedSource, countedStore, takeWork, whileAnswering } from './counted.ts'
import { callsOf } from './probes.ts'
import { bearer, serveWorld, SURFACES } from './world.ts'
import type { Credentials, SurfaceWord, World } from './world.ts'

vi.mock('../../src/serve/parts/stores.ts', async (original) => {
  const whole = await original<typeof Stores>()
  return {
    ...whole,
    openStore: async (...config: Parameters<typeof whole.openStore>) => {
      const opened = await whole.openStore(...config)
      return { ...opened, store: countedStore(opened.store) }
    },
  }
})
vi.mock('../../src/serve/parts/sources.ts', async (original) => {
  const whole = await original<typeof Sources>()
  return {
    ...whole,
    openSources: (...config: Parameters<typeof whole.openSources>) =>
      new Map([...whole.openSources(...config)].map(([name, each]) => [name, countedSource(each)])),
  }
})
vi.mock('../../src/serve/wiring/writing.ts', async (original) => {
  const whole = await original<typeof Writing>()
  return {
    openWriting: async (...config: Parameters<typeof whole.openWriting>) => {
      const writing = await whole.openWriting(...config)
      return { ...writing, history: countedHistory(writing.history) }
    },
  }
})
vi.mock('../../src/serve/transports/http/node-listener.ts', async (original) => {
  const whole = await original<typeof Listener>()
  return {
    ...whole,
    nodeListener: (...parts: Parameters<typeof whole.nodeListener>) => {
      const listener = whole.nodeListener(...parts)
      return (...exchange: Parameters<typeof listener>) =>
        whileAnswering(() => listener(...exchange))
    },
  }
})

const TABLES: Readonly<Record<SurfaceWord, readonly ToolDescription[]>> = {
  native: nativeTools,
  roux: rouxTools,
  nexus: nexusTools,
  acdc: acdcTools,
  cortex: cortexTools,
  duskmantle: duskmantleTools,
}

const SEEN = {
  'public/tea.md': '---\nname: Tea\ndescription: How to\n---\n# Tea\nA kettle, and [[coffee]].\n',
  'public/coffee.md': '---\ntags: [drink]\n---\n# Coffee\nBeans, then [[tea]].\n',
}
const HIDDEN = {
  'secret/plan.md':
    '---\nname: Plan\ndescription: Ours\naliases: [Scheme]\ntags: [covert]\n---\n# Plan\nA xylophone: [[tea]]. ![](secret.png)\n\n## Steps\nTake it.\n',
  'secret/mcp-prompts/spy.md': '---\nname: spy\ndescription: Ask\narguments: []\n---\nTell.\n',
}
const GRAPH = {
  'knowledge/entities/concepts.jsonl':
    '{"id":"cup","type":"concept","name":"Cup","desc":"Holds tea","tags":[],"updated_at":"2026-02-14T09:00:00.000Z"}\n',
}
const GUEST = { may: ['read', 'write'], hide: ['notes/secret'] } as const

async function open(notes: Readonly<Record<string, string>>) {
  const world = await serveWorld({
    sources: { notes, brain: GRAPH },
    flags: { watch: false },
  })
  const guest = bearer(world.token('guest', GUEST))
  // What is seen is remembered before it counts.
  for (const query of ['tea', 'kettle coffee', 'tea beans', 'kettle', 'coffee beans tea']) {
    await world.rpc('native', guest, 'tools/call', { name: 'search', arguments: { query } })
  }
  return { world, guest }
}

/**
 * A file that was written a moment ago is not remembered yet, and with every write that moment would
 * end during one question or another: by this clock it is long over.
 */
const LATER_MS = 3_600_000
const rightNow = Date.now
beforeEach(() => void vi.spyOn(Date, 'now').mockImplementation(() => rightNow() + LATER_MS))
afterEach(() => void vi.restoreAllMocks())

interface Question {
  readonly what: string
  readonly ask: (world: World, who: Credentials) => Promise<Response>
}

function callTo(surface: string, row: ToolDescription, args: object): Question {
  const params = { name: row.name, arguments: args }
  return {
    what: `${surface} ${row.name} ${JSON.stringify(args)}`,
    ask: (world, who) => world.rpc(surface, who, 'tools/call', params),
  }
}

/** Everything besides tools that takes an id, a path or a name. */
function otherQuestions(id: string, path: string, name: string): Question[] {
  const json = { 'content-type': 'application/json', 'x-cairn': '1' }
  const route = (method: string, to: string, body?: object): Question => ({
    what: `${method} ${to} ${JSON.stringify(body ?? '')}`,
    ask: (world, who) =>
      world.fetch(to, {
        method,
        headers: { ...who, ...json },
        ...(body && { body: JSON.stringify(body) }),
      }),
  })
  const rpc = (surface: string, method: string, params: Record<string, unknown>): Question => ({
    what: `${surface} ${method} ${JSON.stringify(params)}`,
    ask: (world, who) => world.rpc(surface, who, method, params),
  })
  return [
    ...['GET', 'DELETE'].map((method) => route(method, `/api/notes/${name}`)),
    route('PUT', `/api/notes/${name}`, { title: 'Mine' }),
    route('POST', '/api/mcp', { tool: 'get_page', input: { slug: name } }),
    route('POST', '/api/search', { query: name }),
    ...['note', 'source', 'backlinks', 'mentions'].flatMap((read) =>
      [id, name].map((each) => route('POST', `/web/read/${read}`, { id: each })),
    ),
    route('POST', '/web/read/search', { query: name, titles: true, typing: true }),
    route('GET', `/web/file/notes/${path.replace(/\w+\.md$/, 'secret.png')}?from=${path}`),
    route('POST', '/web/call/fetch', { id }),
    route('GET', `/api/v1/graph/nodes/${encodeURIComponent(`DesignDoc:${path}`)}`),
    route('GET', `/api/v1/graph/search?q=${name}`),
    rpc('native', 'resources/read', { uri: `kb://${id}` }),
    rpc('acdc', 'resources/read', { uri: `acdc://${id.replace(/\.md$/, '')}` }),
    rpc('cortex', 'resources/read', { uri: `knowledge://entities/${name}` }),
    rpc('acdc', 'prompts/get', { name: 'notes:spy' }),
    rpc('native', 'completion/complete', {
      ref: { type: 'ref/resource', uri: 'kb://{source}/{+path}' },
      argument: { name: 'path', value: path.slice(0, -4) },
      context: { arguments: { source: 'notes' } },
    }),
  ]
}

/**
 * What is done for an answer once everything that is kept in memory is there: the same as before. A
 * reply is kept when its question comes a second time, and given again from the third on.
 */
async function observe({ world, guest }: Awaited<ReturnType<typeof open>>, { ask }: Question) {
  let work = {}
  for (let time = 0; time < 8; time++) {
    takeWork()
    await (await ask(world, guest)).text()
    const before = work
    work = takeWork()
    if (time > 2 && JSON.stringify(before) === JSON.stringify(work)) break
  }
  return { work }
}

it('does the same work for a hidden note as where it is missing', async () => {
  const hidden = await open({ ...SEEN, ...HIDDEN })
  const missing = await open(SEEN)
  const questions: Question[] = otherQuestions('notes/secret/plan.md', 'secret/plan.md', 'plan')
  for (const surface of SURFACES) {
    for (const row of TABLES[surface]) {
      // What concerns the server is not done twice in a moment.
      if (row.access === 'maintain') continue
      for (const probe of ['notes/secret/plan.md', 'plan', 'secret/plan', 'Scheme']) {
        for (const args of callsOf(row, probe, probe === 'plan')) {
          questions.push(callTo(surface, row, args))
        }
      }
    }
  }
  const telling: unknown[] = []
  let worked = 0
  for (const question of questions) {
    const a = await observe(hidden, question)
    const b = await observe(missing, question)
    if (Object.keys(a.work).length > 0) worked++
    if (JSON.stringify(a.work) !== JSON.stringify(b.work)) {
      telling.push({ what: question.what, hidden: a.work, missing: b.work })
    }
  }
  expect(telling.slice(0, 10)).toEqual([])
  expect(worked).toBeGreaterThan(200)
})

it('does the same work for a hidden note as for one that never was', async () => {
  const served = await open({ ...SEEN, ...HIDDEN })
  const pairs = pairsOf(
    otherQuestions('notes/secret/plan.md', 'secret/plan.md', 'plan'),
    otherQuestions('notes/absent/plan.md', 'absent/plan.md', 'plaq'),
  )
  // Where one may write is told, so only what reads is asked.
  for (const surface of SURFACES) {
    for (const row of TABLES[surface].filter(({ access }) => access === 'read')) {
      for (const [hidden, missing] of [
        ['notes/secret/plan.md', 'notes/absent/plan.md'],
        ['plan', 'plaq'],
        ['Scheme', 'Schema'],
      ] as const) {
        const asked = (probe: string) =>
          [...callsOf(row, probe, probe.startsWith('notes'))].map((args) =>
            callTo(surface, row, args),
          )
        pairs.push(...pairsOf(asked(hidden), asked(missing)))
      }
    }
  }
  const telling: unknown[] = []
  for (const [hidden, missing] of pairs) {
    const a = await observe(served, hidden)
    const b = await observe(served, missing)
    if (JSON.stringify(a.work) !== JSON.stringify(b.work)) {
      telling.push({ hidden: hidden.what, a: a.work, missing: missing.what, b: b.work })
    }
  }
  expect(telling.slice(0, 10)).toEqual([])
  expect(pairs.length).toBeGreaterThan(200)
})

function pairsOf(questions: readonly Question[], others: readonly Question[]) {
  return questions.map((each, index): [Question, Question] => [each, others[index]!])
}
