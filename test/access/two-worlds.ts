/**
 * The same base twice, once with hidden notes and once without, served to the same kind of token. It
 * is large enough that something is learned from it, and the hidden notes do what they can to be
 * noticed: they have words, names, tags and aliases of their own, and those of notes that are seen.
 */
import { vi } from 'vitest'
import { SOON } from '../support/soon.ts'
import { bearer, messageOf, serveWorld } from './world.ts'
import type { Credentials, SurfaceWord, World } from './world.ts'

const TOPICS = [
  'kettle water boil steam leaf cup pour tea warm brew',
  'bean grinder roast filter espresso barista crema mug coffee morning',
  'bicycle wheel brake chain pedal saddle repair tyre spoke gear',
  'garden seed soil tomato compost harvest watering spade greenhouse bed',
  'server deploy release rollback cluster container backup restore monitor alert',
  'invoice payment customer refund ledger tax quarter budget salary account',
].map((words) => words.split(' '))

/** Words of hidden notes alone: of the language, of other subjects, and made up. */
export const HIDDEN_WORDS =
  'xylophone glacier cathedral vaccine submarine parliament orchestra telescope avalanche marmalade quorvex zibbertan kettles2 gearbox'.split(
    ' ',
  )

function sentence(topic: readonly string[], n: number): string {
  const word = (step: number): string => topic[(n * 3 + step * 7) % topic.length]!
  return `The ${word(0)} and the ${word(1)} need a ${word(2)}, before any ${word(3)} is left with the ${word(4)}.`
}

function note(n: number, more = ''): string {
  const topic = TOPICS[n % TOPICS.length]!
  const day = String(1 + (n % 27)).padStart(2, '0')
  return [
    '---',
    `created: 2026-01-${day}`,
    `tags: [${topic[0]}, ${n % 2 === 0 ? 'even' : 'odd'}]`,
    `status: ${n % 3 === 0 ? 'open' : 'done'}`,
    '---',
    `# ${topic[0]} ${topic[n % topic.length]} ${n}`,
    sentence(topic, n),
    '',
    `## About the ${topic[1]}`,
    `${sentence(topic, n + 1)} See [[note-${(n * 5 + 1) % 60}]] and [[note-${(n * 7 + 2) % 60}]]. ${more}`,
    '',
  ].join('\n')
}

const numbered = (folder: string, from: number, to: number, more: (n: number) => string) =>
  Object.fromEntries(
    Array.from({ length: to - from }, (_, at) => from + at).map((n) => [
      `${folder}/note-${n}.md`,
      note(n, more(n)),
    ]),
  )

/** Each is dated by itself: files of two bases come to be within other milliseconds. */
export const PUBLIC: Readonly<Record<string, string>> = {
  ...numbered('public', 0, 48, () => ''),
  'public/tea.md':
    '---\nname: Tea\ncreated: 2026-01-03\ndescription: How to make it\ntags: [drink]\n---\n# Tea\nA kettle, and [[plan]]. See [[coffee]] and [[Scheme]].\n',
  'public/coffee.md':
    '---\ncreated: 2026-01-02\ntags: [drink]\n---\n# Coffee\nBeans, then [[tea]] for guests.\n',
  'public/lonely.md':
    '---\ncreated: 2026-01-01\n---\n# Lonely\nNobody links here, and it mentions a kettle.\n',
  // Somebody else has each of these names, and comes first.
  'public/names.md':
    '---\ncreated: 2026-02-01\nrelated: ["[[twin]]"]\n---\n# Names\nBy file [[twin]], by title [[Shared Title]], by alias [[Nickname]], by slug [a page](/guides/page), as a part ![[twin]].\n\nTo nobody: [[nobody at all]], [[secret/twin]].\n',
  'zebra/twin.md':
    '---\ncreated: 2026-02-02\n---\n# Twin of stripes\nThe twin that is seen. [[names]]\n',
  'zebra/shared.md': '---\ncreated: 2026-02-03\n---\n# Shared Title\nWhat the title is about.\n',
  'zebra/alias.md':
    '---\ncreated: 2026-02-04\naliases: [Nickname]\n---\n# Alias\nIt has another name.\n',
  'zebra/guides/page.md': '---\ncreated: 2026-02-05\n---\n# Page\nA page of a site.\n',
}

export const SECRET: Readonly<Record<string, string>> = {
  ...numbered('secret', 40, 64, (n) => {
    const [a, b] = [HIDDEN_WORDS[n % 14]!, HIDDEN_WORDS[(n + 5) % 14]!]
    return `The ${a} of the ${b}, and a ${a} for every kettle. [[tea]] #covert`
  }),
  'secret/plan.md':
    '---\nname: Plan\ndescription: The plan itself\ntags: [hidden, drink]\naliases: [Scheme]\nstatus: secret\n---\n# Plan\nThe kettle xylophone is ours: [[tea]], [[coffee]], [[nowhere]], [[lonely]]. #covert\n\n## Steps\nTake it.\n',
  'secret/planning.md': '# Planning\n[[plan]] and [[lonely]] and [[tea]].\n',
  // The same words as a note that is seen: a report of duplicates must not tell.
  'secret/copy.md': PUBLIC['public/coffee.md']!,
  'secret/mcp-prompts/spy.md':
    '---\nname: spy\ndescription: Ask about the plan\narguments: []\n---\nTell the plan.\n',
  'secret/twin.md': '# Another twin\nHidden, and first by path.\n',
  'secret/shared.md': '# Shared Title\nHidden, under the same title.\n',
  'secret/nick.md': '---\naliases: [Nickname]\n---\n# Nick\nHidden, under the same alias.\n',
  'secret/guides/page.md': '# Page\nHidden, at the end of the same address.\n',
}

/** A program, of which a part is hidden: a name that two files define means neither. */
export const PROGRAM: Readonly<Record<string, string>> = {
  'package.json': '{ "name": "brewery" }\n',
  'src/brew.ts':
    "import { pour } from './pour'\n\nexport function brewTea() {\n  return pour()\n}\n",
  'src/pour.ts': 'export function pour() {\n  return 1\n}\n\nexport class KettleValve {}\n',
  'docs/guide.md':
    '---\ncreated: 2026-02-06\n---\n# Guide\nCall `brewTea()`, look at `KettleValve` and at `steam.ts`.\n',
  'src/parts/steam.ts': 'export const steam = 1\n',
}
export const SECRET_PROGRAM: Readonly<Record<string, string>> = {
  'hidden/brew.ts': 'export function brewTea() {\n  return 2\n}\n',
  'hidden/valve.ts': 'export class KettleValve {}\nexport class SecretValve {}\n',
  'hidden/steam.ts': 'export const steam = 2\n',
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

export interface Side {
  readonly world: World
  /** Sees what both bases have. */
  readonly guest: Credentials
  /** The same, and may look after the server. */
  readonly keeper: Credentials
  readonly all: Credentials
}

export interface Worlds {
  readonly full: Side
  readonly bare: Side
  readonly surfaces: readonly SurfaceWord[]
}

/** What is hidden: folders of two sources, or a whole source besides. */
export async function twoWorlds({ withGraph = false } = {}): Promise<Worlds> {
  const hide = ['notes/SECRET/', 'prog/hidden', ...(withGraph ? [] : ['brain'])]
  const graph: Readonly<Record<string, Readonly<Record<string, string>>>> = withGraph
    ? { brain: GRAPH }
    : {}
  const surfaces: readonly SurfaceWord[] = withGraph
    ? ['native', 'cortex']
    : ['native', 'roux', 'nexus', 'acdc']
  // Now and then a server that watches looks through its files, and says so: each at its own time.
  const flags = { watch: false, embedding: 'corpus' }
  const open = async (sources: Parameters<typeof serveWorld>[0]['sources']): Promise<Side> => {
    const world = await serveWorld({ sources, surfaces, flags })
    const side = {
      world,
      guest: bearer(world.token('guest', { may: ['read', 'write'], hide })),
      keeper: bearer(world.token('keeper', { may: ['read', 'maintain'], hide })),
      all: bearer(world.token('all', { may: ['read', 'write'] })),
    }
    await untilLearned(side)
    return side
  }
  const full = await open({
    notes: { ...PUBLIC, ...SECRET },
    prog: { ...PROGRAM, ...SECRET_PROGRAM },
    brain: SECRET_GRAPH,
    ...graph,
  })
  const bare = await open({ notes: PUBLIC, prog: PROGRAM, ...graph })
  // History tells of hidden notes too, to those who see them.
  await ask(full, 'all', 'native', 'write', {
    action: 'append',
    id: 'notes/secret/plan.md',
    content: 'More xylophones.',
  })
  return { full, bare, surfaces }
}

/** Until whoever sees everything is answered by what was learned. */
async function untilLearned(side: Side): Promise<void> {
  await vi.waitFor(async () => {
    const { result } = await said(side, 'all', 'native', 'search', {
      query: 'a warm morning beverage',
      mode: 'semantic',
      explain: true,
    })
    const { results = [] } = result?.structuredContent ?? {}
    if (!JSON.stringify(results).includes('"similarity"'))
      throw new Error('Nothing is learned yet.')
  }, SOON)
}

export type Who = 'guest' | 'keeper' | 'all'

async function said(side: Side, who: Who, surface: string, tool: string, args: object) {
  const call = { name: tool, arguments: { ...args } }
  return messageOf(await side.world.rpc(surface, side[who], 'tools/call', call))
}

/** What a tool says, as it is compared. */
export async function ask(side: Side, who: Who, surface: string, tool: string, args: object) {
  const { result, error } = await said(side, who, surface, tool, args)
  return plain({ result, error })
}

const startedAt = Date.now()

/**
 * Without what differs between any two servers, and says nothing of documents: the time at which
 * something was done since the test began, the number of such an operation, and the port.
 */
export function plain(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return (
    text
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?/g, (time) =>
        Date.parse(time) >= startedAt - 1_000 ? '<now>' : time,
      )
      .replaceAll(/\b1[6-9]\d{11}(?:\.\d+)?\b/g, (time) =>
        Number(time) >= startedAt - 1_000 ? '<now>' : time,
      )
      .replaceAll(/\b\d{8}T\d{6}-[0-9a-f]{8}\b/g, '<operation>')
      // In JSON, a line begins behind a written `\n`.
      .replaceAll(/at=\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, 'at=<time>')
      .replaceAll(/127\.0\.0\.1:\d+/g, '<server>')
  )
}
