/**
 * How soon is a new document found by every one of several servers? Each write goes to the next
 * server; from its acknowledgement on, all are asked for it until they find it.
 *
 *     node bench/replicas.ts --folder DIR --store postgres://… [--servers 3] [--writes 60]
 *
 * The folder gets notes in `replicas-…/`, and loses them at the end.
 */
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { percentile, PROJECT } from './harness.ts'
import { runningMs } from './stores/database.ts'

const { values } = parseArgs({
  options: {
    folder: { type: 'string' },
    store: { type: 'string' },
    servers: { type: 'string', default: '3' },
    writes: { type: 'string', default: '60' },
    pause: { type: 'string', default: '300' },
  },
})
if (!values.folder || !values.store) throw new Error('--folder DIR and --store URL are needed')
const { folder, store } = values
const CALL_MS = 120_000
const PATIENCE_MS = 30_000

const state = mkdtempSync(join(tmpdir(), 'cairn-bench-replicas-'))
const pids: number[] = []
const clients = await Promise.all(
  Array.from({ length: Number(values.servers) }, (_, no) => openServer(join(state, String(no)))),
)

async function openServer(own: string): Promise<Client> {
  const client = new Client({ name: 'bench', version: '1' })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(PROJECT, 'bin/cairn.js'), 'serve', folder, '--state', own, '--store', store],
  })
  await client.connect(transport)
  pids.push(transport.pid!)
  return client
}

/** Of all servers together, their threads included; undefined where nobody can tell. */
function processorMs(): number | undefined {
  const each = pids.map(runningMs)
  return each.includes(undefined) ? undefined : each.reduce((sum, ms) => sum! + ms!, 0)
}

async function call(client: Client, name: string, args: Record<string, unknown>): Promise<any> {
  const reply = await client.callTool({ name, arguments: args }, { timeout: CALL_MS })
  if (reply.isError) throw new Error(JSON.stringify(reply.structuredContent ?? reply.content))
  return reply.structuredContent
}

/** When the server first answers with the document, on the clock of `performance.now()`. */
async function findsAt(client: Client, word: string, id: string): Promise<number> {
  const until = performance.now() + PATIENCE_MS
  while (performance.now() < until) {
    const { results } = await call(client, 'search', { query: word, limit: 3 })
    const at = performance.now()
    if ((results as { id: string }[]).some((found) => found.id.includes(id))) return at
    await sleep(2)
  }
  throw new Error(`${id} was not found within ${PATIENCE_MS} ms`)
}

// Everything is in memory before the first write.
for (const client of clients) {
  for (const query of ['array map', 'css grid layout', 'fetch request headers']) {
    await call(client, 'search', { query })
  }
}

const run = `replicas-${process.pid}`
const ids: string[] = []
const times: Record<'write' | 'one' | 'all', number[]> = { write: [], one: [], all: [] }
const processor: number[] = []
try {
  // What a first change makes a server load is not what is measured.
  for (let no = -clients.length; no < Number(values.writes); no++) {
    const word = `qx${process.pid}z${no + clients.length}w`
    const id = `${run}/${word}.md`
    const busy = processorMs()
    const begun = performance.now()
    const writer = clients[(no + clients.length) % clients.length]!
    await call(writer, 'write', { action: 'create', id, content: `# ${word}\n\nThe ${word}.` })
    const acknowledged = performance.now()
    ids.push(id)
    const found = await Promise.all(clients.map((client) => findsAt(client, word, word)))
    if (no < 0) continue
    times.write.push(acknowledged - begun)
    times.one.push(...found.map((at) => at - acknowledged))
    times.all.push(Math.max(...found) - acknowledged)
    processor.push((processorMs() ?? NaN) - (busy ?? NaN))
    await sleep(Number(values.pause))
  }
} finally {
  for (const id of ids) await call(clients[0]!, 'delete', { id }).catch(console.error)
  await Promise.all(clients.map((client) => client.close()))
  rmSync(state, { recursive: true, force: true })
}
const shown = (name: keyof typeof times): string => {
  const sorted = times[name].toSorted((a, b) => a - b)
  return `${percentile(sorted, 0.5).toFixed(0)} / ${percentile(sorted, 0.95).toFixed(0)} ms`
}
console.log(`p50 / p95 of ${times.all.length} documents, ${clients.length} servers`)
console.log(`write ${shown('write')}, found by one ${shown('one')}, by all ${shown('all')}`)
const each =
  percentile(
    processor.toSorted((a, b) => a - b),
    0.5,
  ) / clients.length
console.log(`processor of a server from write to answer, p50: ${each.toFixed(1)} ms`)
