/**
 * Runs the official conformance suite for both protocol eras:
 *
 *     npm run test:conformance
 *
 * The wires with the suite's fixtures must pass every required scenario of both revisions. The built
 * program, serving the sample handbook as a user would, must pass those that need no fixtures.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

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

const START_MS = 30_000
const SUITE_MS = 180_000

/** Whatever the servers leave behind goes with it. */
const scratch = mkdtempSync(join(tmpdir(), 'cairn-conformance-'))
const failures: string[] = []
try {
  failures.push(
    ...(await withServer([FIXTURES], requireEverything)),
    ...(await withServer(
      [CAIRN, 'serve', 'examples/handbook', '--http', '0', '--state', join(scratch, 'state')],
      requireTheRest,
    )),
  )
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
for (const failure of failures) console.error(`FAILED ${failure}`)
console.log(failures.length === 0 ? 'Conformance: passed.' : 'Conformance: failed.')
process.exitCode = failures.length === 0 ? 0 : 1

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
    const url = /http:\/\/[^\s"'/]+\/[\w/-]+/.exec(output)?.[0]
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
