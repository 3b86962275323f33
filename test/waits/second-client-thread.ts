/** The thread of the second client: asks, notes how long it waited, asks again. */
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { workerData } from 'node:worker_threads'
import { ANSWERED, TENTHS, WAITED } from './second-client.ts'

const { url, pid, shared } = workerData as {
  readonly url: string
  readonly pid: number
  readonly shared: Int32Array
}
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const QUESTION = JSON.stringify({ id: 'notes/tea.md' })
/** Between two fetches: it is there to wait, not to be work for the server. */
const PAUSE_MS = 2

function ask(): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const headers = { 'content-type': 'application/json', 'x-cairn': '1' }
  const outgoing = request(new URL('/web/call/fetch', url), { method: 'POST', agent, headers })
  outgoing.once('response', (response) => {
    if (response.statusCode !== 200)
      reject(new Error(`The second client got ${response.statusCode}.`))
    response.resume().once('end', resolve)
  })
  outgoing.once('error', reject)
  outgoing.end(QUESTION)
  return promise
}

/** How long the main thread of a process has been at work, or NaN where nobody tells. */
function workedMs(): number {
  try {
    const [nanoseconds] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')
    return Number(nanoseconds) / 1e6
  } catch {
    return Number.NaN
  }
}

for (;;) {
  const started = performance.now()
  const worked = workedMs()
  // A server that was busy for long has given up the connection in the meantime.
  await ask().catch(() => ask())
  const atWork = workedMs() - worked
  const waitedMs = performance.now() - started
  const waited = Math.round((atWork < waitedMs ? atWork : waitedMs) * TENTHS)
  if (waited > Atomics.load(shared, WAITED)) Atomics.store(shared, WAITED, waited)
  Atomics.add(shared, ANSWERED, 1)
  await sleep(PAUSE_MS)
}
