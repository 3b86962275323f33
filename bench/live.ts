/**
 * An hour of Live at twenty calls a second, in a minute or two: what a page in a real Chromium holds
 * after garbage was collected, at intervals, and what the server does. Calls are written as other
 * processes on the base write them; every hundredth also changes a note.
 *
 *     npm run build && node bench/live.ts [CALLS]        (default: 72,000)
 */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { openCallFile } from '../src/explorer/live/live-files.ts'
import { BROWSER, NO_BROWSER, openBrowser } from '../test/web/browser.ts'
import { markdownTable, PROJECT, treeMemory } from './harness.ts'

const CALLS = Number(process.argv[2] ?? 72_000)
/** So many at once, twice a second: more would be gone from the file before the server looks. */
const BATCH = 500
const PAUSE_MS = 500
const ROWS = 12
const NOTES = 300

interface Heap {
  readonly used: number
  readonly nodes: number
  readonly listeners: number
}

async function watchAnHour(): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'cairn-bench-live-'))
  const folder = join(root, 'notes')
  const state = join(root, 'state')
  mkdirSync(folder)
  const writeNote = (n: number, text: string): void =>
    writeFileSync(join(folder, `note-${n % NOTES}.md`), `# Note ${n % NOTES}\n\n${text}\n`)
  for (let n = 0; n < NOTES; n++) writeNote(n, `See [[note-${(n * 7) % NOTES}]].`)
  const args = [join(PROJECT, 'bin/cairn.js'), 'serve', folder, '--http', '0', '--json']
  const server = spawn(process.execPath, [...args, '--state', state], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const browser = await openBrowser()
  try {
    const url = await new Promise<string>((done) => {
      let text = ''
      server.stdout.setEncoding('utf8').on('data', (part: string) => {
        text += part
        const found = /http:\/\/[^"\s/]+/.exec(text)?.[0]
        if (found) done(found)
      })
    })
    const page = await browser.newPage()
    await page.goto(`${url}/live`)
    await page.locator('.lead', { hasText: 'Following' }).waitFor()
    const file = openCallFile(state)
    const rows: string[][] = []
    const look = async (calls: number): Promise<void> => {
      const { used, nodes, listeners } = await heapOf(page)
      rows.push([
        calls.toLocaleString('en'),
        `${(used / 2 ** 20).toFixed(1)} MB`,
        String(nodes),
        String(listeners),
        `${(treeMemory(server.pid!).bytes / 2 ** 20).toFixed(0)} MB`,
      ])
    }
    for (let n = 0; n < CALLS; n++) {
      file.add(callOf(n))
      if (n % 100 === 0) writeNote(n, `Changed ${n} times.`)
      if (n % BATCH === BATCH - 1) await sleep(PAUSE_MS)
      if (n % Math.ceil(CALLS / ROWS) === 0) await look(n)
    }
    await page.locator('.calls li', { hasText: `question ${CALLS - 1}` }).waitFor()
    await look(CALLS)
    console.log(
      `## An hour of Live\n\n${markdownTable(['calls', 'heap of the page', 'DOM nodes', 'listeners', 'memory of the server'], rows)}`,
    )
  } finally {
    await browser.close()
    server.kill('SIGTERM')
    await new Promise((done) => server.once('close', done))
    rmSync(root, { recursive: true, force: true })
  }
}

function callOf(n: number) {
  return {
    key: `hour-${n}`,
    at: Date.now(),
    client: `agent-${n % 5}/1`,
    who: '',
    surface: 'native',
    tool: n % 3 === 0 ? 'search' : 'fetch',
    args: JSON.stringify({ query: `question ${n}` }),
    documents: [`notes/note-${n % NOTES}.md`],
    ms: n % 40,
    outcome: n % 50 === 0 ? 'error' : 'ok',
  } as const
}

async function heapOf(page: Page): Promise<Heap> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  await session.send('HeapProfiler.collectGarbage')
  await session.send('Performance.enable')
  const { metrics } = await session.send('Performance.getMetrics')
  await session.detach()
  const of = (name: string): number => metrics.find((each) => each.name === name)?.value ?? 0
  return { used: of('JSHeapUsedSize'), nodes: of('Nodes'), listeners: of('JSEventListeners') }
}

if (BROWSER) await watchAnHour()
else console.log(NO_BROWSER)
