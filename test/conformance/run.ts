/**
 * Runs the official conformance suite for both protocol eras:
 *
 *     npm run test:conformance
 *
 * Each is run without authentication and with it. The wires with the suite's fixtures must pass every required scenario of both revisions. The built
 * program, serving the sample handbook as a user would, must pass those that need no fixtures.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { removeFolder } from '../support/remove-folder.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const SUITE = resolve(ROOT, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')
const CAIRN = resolve(ROOT, 'bin/cairn.js')
const FIXTURES = resolve(import.meta.dirname, 'serve-fixtures.ts')

/** Required scenarios that say something about a server which has nothing the suite knows. */
const WITHOUT_FIXTURES: Record<string, readonly string[]> = {
  '2025-11-25': [
    'server-initialize',
    'ping',
    'tools-list',
    'resources-list',
    'prompts-list',
    'resources-subscribe',
    'resources-unsubscribe',
    'server-sse-multiple-streams',
    'server-session-lifecycle',
    'dns-rebinding-protection',
  ],
  '2026-07-28': [
    'tools-list',
    'resources-list',
    'prompts-list',
    'server-sse-multiple-streams',
    'dns-rebinding-protection',
    'caching',
    'sep-2164-resource-not-found',
    'http-header-validation',
  ],
}

const START_MS = 120_000
const SUITE_MS = 180_000

/** Whatever the servers leave behind goes with it. */
const scratch = mkdtempSync(join(tmpdir(), 'cairn-conformance-'))
const failures: string[] = []
try {
  const state = join(scratch, 'state')
  const served = [CAIRN, 'serve', 'examples/handbook', '--http', '0', '--state', state]
  failures.push(
    ...(await withServer([FIXTURES], requireEverything)),
    ...(await withServer(served, requireTheRest)),
  )
  // The same with authentication: every request has to show who sends it.
  const key = randomBytes(16).toString('hex')
  const words = `token create suite --may read,write,maintain --folder examples/handbook`
  const token = execFileSync(process.execPath, [CAIRN, ...words.split(' '), '--state', state])
    .toString()
    .trim()
  failures.push(
    ...(await withServer([FIXTURES, key], showing({ 'x-api-key': key }, requireEverything))),
    ...(await withServer(served, showing({ authorization: `Bearer ${token}` }, requireTheRest))),
  )
} finally {
  removeFolder(scratch)
}
for (const failure of failures) console.error(`FAILED ${failure}`)
console.log(failures.length === 0 ? 'Conformance: passed.' : 'Conformance: failed.')
process.exitCode = failures.length === 0 ? 0 : 1

type Trial = (url: string) => Promise<string[]>

/**
 * The suite has no credentials, so somebody stands between who adds them. That they are needed is
 * tried first.
 */
function showing(credentials: Readonly<Record<string, string>>, trial: Trial): Trial {
  return async (url) => {
    const bare = await fetch(url, { method: 'POST', body: '{}' })
    if (bare.status !== 401) return [`a request without credentials was answered ${bare.status}`]
    const { port } = new URL(url)
    const between = createServer((incoming, outgoing) => {
      const { method, url: path, headers } = incoming
      const onward = request(
        { host: '127.0.0.1', port, method, path, headers: { ...headers, ...credentials } },
        (answer) => {
          outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
          answer.pipe(outgoing)
        },
      )
      onward.on('error', () => outgoing.destroy())
      outgoing.on('close', () => onward.destroy())
      incoming.pipe(onward)
    })
    await new Promise<void>((ready) => between.listen(0, '127.0.0.1', ready))
    try {
      const own = new URL(url)
      own.port = String((between.address() as AddressInfo).port)
      console.log('With authentication:')
      return (await trial(own.href)).map((failure) => `${failure} (with authentication)`)
    } finally {
      between.closeAllConnections()
      between.close()
    }
  }
}

async function requireEverything(url: string): Promise<string[]> {
  const failures: string[] = []
  for (const revision of Object.keys(WITHOUT_FIXTURES)) {
    const { exitCode, results, notScored, output } = await runSuite(url, revision)
    const scored = results.filter(({ scenario }) => !notScored.has(scenario))
    report(`${revision} with fixtures`, scored)
    const extras = results.filter(({ scenario }) => notScored.has(scenario))
    report(`${revision} not scored`, extras)
    // The suite's own verdict counts, and the count guards against a suite that ran nothing.
    if (exitCode !== 0 || scored.length < 30) {
      console.error(output)
      failures.push(`${revision} with fixtures: the suite ended with ${exitCode}`)
    }
  }
  return failures
}

async function requireTheRest(url: string): Promise<string[]> {
  const failures: string[] = []
  for (const [revision, scenarios] of Object.entries(WITHOUT_FIXTURES)) {
    const { results } = await runSuite(url, revision)
    const found = results.filter(({ scenario }) => scenarios.includes(scenario))
    report(`${revision} without fixtures`, found)
    for (const scenario of scenarios) {
      const result = found.find((one) => one.scenario === scenario)
      if (!result || result.failed > 0 || result.passed === 0) {
        failures.push(`${revision} without fixtures: ${scenario}`)
      }
    }
  }
  return failures
}

interface ScenarioResult {
  readonly scenario: string
  readonly passed: number
  readonly failed: number
}

async function runSuite(url: string, revision: string) {
  const args = [SUITE, 'server', '--url', url, '--requirements', revision]
  const suite = spawn(process.execPath, args, { timeout: SUITE_MS })
  let output = ''
  const collect = (text: string) => (output += text)
  suite.stdout.setEncoding('utf8').on('data', collect)
  suite.stderr.setEncoding('utf8').on('data', collect)
  const [exitCode] = await once(suite, 'close')
  const lines = /^[✓✗] (\S+): (\d+) passed, (\d+) failed/gm
  const results: ScenarioResult[] = [...output.matchAll(lines)].map(
    ([, scenario = '', passed, failed]) => ({
      scenario,
      passed: Number(passed),
      failed: Number(failed),
    }),
  )
  const unscored = /^ {2}[✓✗] (\S+) \(/gm
  const notScored = new Set([...output.matchAll(unscored)].map(([, scenario]) => scenario ?? ''))
  return { exitCode: exitCode as number | null, results, notScored, output }
}

function report(title: string, results: readonly ScenarioResult[]): void {
  const good = results.filter(({ failed }) => failed === 0).length
  const passed = results.reduce((sum, result) => sum + result.passed, 0)
  const failed = results.reduce((sum, result) => sum + result.failed, 0)
  const scenarios = `${good} of ${results.length} scenarios`
  console.log(`${title}: ${scenarios}; ${passed} checks passed, ${failed} failed`)
}

async function withServer(
  words: readonly string[],
  test: (url: string) => Promise<string[]>,
): Promise<string[]> {
  const server = spawn(process.execPath, words, {
    cwd: ROOT,
    env: { ...process.env, TMPDIR: scratch },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  try {
    return await test(await announcedUrl(server))
  } finally {
    await stop(server)
  }
}

/** The first URL the server prints that has a path. */
async function announcedUrl(server: ChildProcess): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let output = ''
  const look = (text: string) => {
    output += text
    const url = /http:\/\/[^\s"'/]+\/[\w/-]+(?=[\s"'])/.exec(output)?.[0]
    if (url) resolve(url)
  }
  server.stdout?.setEncoding('utf8').on('data', look)
  server.stderr?.setEncoding('utf8').on('data', look)
  server.once('error', reject)
  server.once('exit', (code) => reject(new Error(`The server ended with ${code}:\n${output}`)))
  const late = () => reject(new Error(`The server printed no URL:\n${output}`))
  const timer = setTimeout(late, START_MS)
  return promise.finally(() => clearTimeout(timer))
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const ended = once(server, 'exit')
  server.kill('SIGTERM')
  const timer = setTimeout(() => server.kill('SIGKILL'), 5_000)
  await ended
  clearTimeout(timer)
}
