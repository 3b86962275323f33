/**
 * Many clients of both eras at once, and nothing may go wrong:
 *
 *     npm run build && node bench/load.ts [--connections 64] [--requests 6400] [--seconds 120] [--quick]
 *
 * Prints times of every kind of call, whether a write was lost, and how many searches a second are
 * answered compared with a constant from the same SDK handler: for questions that repeat, for a mix
 * in which some do, and for questions that nobody asked before; compared with a short constant and
 * with one as long as a real reply. Ends with 1 where something failed.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { goal, type GoalKey } from './goals.ts'
import { benchOptions, formatMs, GATHERING } from './harness.ts'
import { openLoadClient } from './http-client.ts'
import type { LoadClient } from './http-client.ts'
import { askedAgain, askedMixed, askedOnce, FEW } from './load-questions.ts'
import type { Asked } from './load-questions.ts'
import { serveConstant, serveCopy } from './served.ts'
import type { ServedProcess } from './served.ts'

const { values } = parseArgs({
  options: {
    connections: { type: 'string', default: '64' },
    requests: { type: 'string', default: benchOptions().quick ? '800' : '6400' },
    seconds: { type: 'string', default: '120' },
    folder: { type: 'string', default: 'examples/handbook' },
    quick: { type: 'boolean', default: false },
  },
})
const connections = Number(values.connections)
const requests = Number(values.requests)
const deadline = Number(values.seconds) * 1_000

interface Tally {
  readonly times: Map<string, number[]>
  readonly errors: string[]
  written: number
}

const ROUNDS = benchOptions().quick ? 1 : 3

console.log('## HTTP, many clients of the sample handbook\n')
const server = await serveCopy(values.folder)
const tally: Tally = { times: new Map(), errors: [], written: 0 }
let failed = false
try {
  await withClients(server.url, (client, number, turn) => mixed(client, number, turn))
  report()
  failed ||= tally.errors.length > 0 || lostWrites() > 0
} finally {
  await server.stop()
}
const AGAIN = 'few questions, again and again'
const ONCE = 'every question once'
const ways = {
  [AGAIN]: askedAgain(),
  'a mix, some often and most hardly ever': askedMixed(values.folder),
  [ONCE]: askedOnce(values.folder),
}
const reply = await realReply()
const rounds: Throughput[] = []
for (let round = 1; round <= ROUNDS; round++) {
  const short = await rateOf(() => serveConstant(), askedAgain())
  const long = await rateOf(() => serveConstant(reply), askedAgain())
  for (const [way, asked] of Object.entries(ways)) {
    const own = await rateOf(() => serveCopy(values.folder), asked)
    rounds.push({ way, own, short, long })
  }
}
const shares = new Map<string, number>()
for (const way of Object.keys(ways)) {
  const same = rounds.filter((each) => each.way === way)
  const told = (of: (each: Throughput) => number): string =>
    `${(100 * median(same.map(of))).toFixed(0)} %`
  const ownMs = median(same.map(({ own }) => own.cpuMs))
  console.log(
    `${way}: ${median(same.map(({ own }) => own.perSecond)).toFixed(0)} searches/s,`,
    `${ownMs.toFixed(2)} ms of processor each;`,
    `of a short constant ${told(({ own, short }) => own.perSecond / short.perSecond)}`,
    `(by processor time ${told(({ own, short }) => short.cpuMs / own.cpuMs)}),`,
    `of one as long as a reply ${told(({ own, long }) => own.perSecond / long.perSecond)}`,
    `(${told(({ own, long }) => long.cpuMs / own.cpuMs)})\n`,
  )
  shares.set(way, median(same.map(({ own, short }) => short.cpuMs / own.cpuMs)))
  const key = { [AGAIN]: 'httpAgain', [ONCE]: 'httpNew' }[way] as GoalKey | undefined
  if (key) goal(key, 100 * shares.get(way)!, `${formatMs(ownMs)} each`)
}
for (const [name, of] of [
  ['short constant', (each: Throughput) => each.short],
  [`constant of ${reply.length} bytes`, (each: Throughput) => each.long],
] as const) {
  const perSecond = median(rounds.map((each) => of(each).perSecond))
  const cpuMs = median(rounds.map((each) => of(each).cpuMs))
  console.log(`${name}: ${perSecond.toFixed(0)}/s, ${cpuMs.toFixed(2)} ms of processor each`)
}
// The clock is unfair on a machine that others use as well: the processor’s time decides.
const share = shares.get(AGAIN)!
console.log(
  `search answers ${(100 * share).toFixed(0)} % of the short constant (median of ${ROUNDS})`,
)
// Among all benchmarks a missed aim is news and not an error.
process.exitCode = failed || (!process.env[GATHERING] && share < 0.7) ? 1 : 0

interface Rate {
  readonly perSecond: number
  /** Time of the server's processor for each, whatever else the machine was doing. */
  readonly cpuMs: number
}

interface Throughput {
  readonly way: string
  readonly own: Rate
  readonly short: Rate
  readonly long: Rate
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN
}

/** Six in ten search, two fetch, one lists, one writes. */
async function mixed(client: LoadClient, number: number, turn: number): Promise<void> {
  const kind = turn % 10
  const question = FEW[(number + turn) % FEW.length]!
  if (kind < 6) await timed('search', () => client.call('search', { query: question }))
  else if (kind < 8) await timed('fetch', () => client.call('fetch', { id: 'index' }))
  else if (kind < 9) await timed('list', () => client.call('list', { limit: 20 }))
  else {
    const id = `notes/load/client-${number}.md`
    const action = turn < 10 ? 'create' : 'append'
    const content = `line ${number} ${turn}`
    await timed('write', () => client.call('write', { action, id, content }))
    tally.written++
  }
}

async function timed(
  kind: string,
  work: () => Promise<{ readonly ok: boolean; readonly text: string }>,
): Promise<void> {
  const started = performance.now()
  try {
    const { ok, text } = await work()
    if (!ok) tally.errors.push(`${kind}: ${text.slice(0, 300)}`)
  } catch (error) {
    tally.errors.push(`${kind}: ${String(error)}`)
  }
  const times = tally.times.get(kind) ?? []
  times.push(performance.now() - started)
  tally.times.set(kind, times)
}

/** Half of the clients speak each era; together they send so many requests. Returns the time it took. */
async function withClients(
  url: string,
  turn: (client: LoadClient, number: number, turn: number) => Promise<void>,
): Promise<number> {
  const clients = await Promise.all(
    Array.from({ length: connections }, (_, number) =>
      openLoadClient(url, number % 2 === 0 ? 'modern' : 'legacy'),
    ),
  )
  const started = performance.now()
  const each = Math.ceil(requests / connections)
  await Promise.all(
    clients.map(async (client, number) => {
      for (let n = 0; n < each && performance.now() - started < deadline; n++) {
        await turn(client, number, n)
      }
    }),
  )
  const took = performance.now() - started
  await Promise.all(clients.map((client) => client.close()))
  return took
}

/** Asked as often again before it counts: a program gets faster while it runs. */
async function rateOf(serve: () => Promise<ServedProcess>, asked: Asked): Promise<Rate> {
  const searched = await serve()
  try {
    let turn = 0
    const ask = async (client: LoadClient): Promise<void> => {
      const { ok, text } = await client.call('search', { query: asked(turn++) })
      if (!ok) throw new Error(text.slice(0, 300))
    }
    await withClients(searched.url, ask)
    const before = searched.measure().cpuMs
    const begun = turn
    const took = await withClients(searched.url, ask)
    const answered = turn - begun
    return {
      perSecond: answered / (took / 1_000),
      cpuMs: (searched.measure().cpuMs - before) / answered,
    }
  } finally {
    await searched.stop()
  }
}

/** What a search really replies, for a constant that is as long. */
async function realReply(): Promise<string> {
  const searched = await serveCopy(values.folder)
  try {
    const client = await openLoadClient(searched.url, 'modern')
    const { text } = await client.call('search', { query: FEW[0]! })
    await client.close()
    const { result } = JSON.parse(text) as {
      readonly result: { readonly content: unknown; readonly structuredContent: unknown }
    }
    return JSON.stringify({ content: result.content, structured: result.structuredContent })
  } finally {
    await searched.stop()
  }
}

/** Every line that was acknowledged stands in its file. */
function lostWrites(): number {
  let found = 0
  for (let number = 0; number < connections; number++) {
    try {
      const text = readFileSync(join(server.folder, 'load', `client-${number}.md`), 'utf8')
      found += text.match(/^line \d+ \d+$/gm)?.length ?? 0
    } catch {
      // Nothing was written by this one.
    }
  }
  return tally.written - found
}

function report(): void {
  console.log(`${connections} connections, half of them of each era`)
  for (const [kind, times] of tally.times) {
    const sorted = times.toSorted((a, b) => a - b)
    const at = (share: number): string =>
      (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1)
    console.log(
      `${kind}: ${times.length} calls, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms`,
    )
  }
  console.log(`${tally.errors.length} errors, ${tally.written} writes, ${lostWrites()} lost`)
  for (const error of tally.errors.slice(0, 5)) console.log(error)
  const { mebibytes, descriptors } = server.measure()
  console.log(`server: ${mebibytes} MiB, ${descriptors} descriptors`)
}
