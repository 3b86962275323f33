/**
 * Many clients of both eras at once, and nothing may go wrong:
 *
 *     npm run build && node bench/load.ts [--connections 64] [--requests 6400] [--seconds 120]
 *
 * Prints times of every kind of call, whether a write was lost, and how many searches a second are
 * answered compared with a constant from the same SDK handler. Ends with 1 where something failed.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openLoadClient } from './http-client.ts'
import type { LoadClient } from './http-client.ts'
import { serveConstant, serveCopy } from './served.ts'

const { values } = parseArgs({
  options: {
    connections: { type: 'string', default: '64' },
    requests: { type: 'string', default: '6400' },
    seconds: { type: 'string', default: '120' },
    folder: { type: 'string', default: 'examples/handbook' },
  },
})
const connections = Number(values.connections)
const requests = Number(values.requests)
const deadline = Number(values.seconds) * 1_000

const QUESTIONS = [
  'restore a backup',
  'who is on call',
  'how do I roll back',
  'station goes silent',
].concat(['unit of time', 'feature flags', 'hafenbetrieb', 'first week'])

interface Tally {
  readonly times: Map<string, number[]>
  readonly errors: string[]
  written: number
}

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
const shares: number[] = []
for (let round = 1; round <= 3; round++) {
  const [own, constant] = [
    await searches(() => serveCopy(values.folder)),
    await searches(serveConstant),
  ]
  shares.push(own / constant)
  console.log(
    `round ${round}: ${own.toFixed(0)} searches/s, ${constant.toFixed(0)} constants/s: ${((100 * own) / constant).toFixed(0)} %`,
  )
}
const share = shares.toSorted((a, b) => a - b)[1]!
console.log(`search answers ${(100 * share).toFixed(0)} % of the constant (median of 3)`)
process.exitCode = failed || share < 0.7 ? 1 : 0

/** Six in ten search, two fetch, one lists, one writes. */
async function mixed(client: LoadClient, number: number, turn: number): Promise<void> {
  const kind = turn % 10
  const question = QUESTIONS[(number + turn) % QUESTIONS.length]!
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

async function searches(serve: typeof serveConstant): Promise<number> {
  const searched = await serve()
  try {
    const ask = async (client: LoadClient, number: number, turn: number): Promise<void> => {
      const query = QUESTIONS[(number + turn) % QUESTIONS.length]!
      const { ok, text } = await client.call('search', { query })
      if (!ok) throw new Error(text.slice(0, 300))
    }
    await withClients(searched.url, ask)
    let answered = 0
    const took = await withClients(searched.url, async (...turn) => {
      await ask(...turn)
      answered++
    })
    return answered / (took / 1_000)
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
