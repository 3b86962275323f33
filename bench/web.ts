/**
 * The page in a real Chromium over a whole vault: first paint, a key until its results are painted,
 * opening a note, the map shown and moved. Medians, with the processor time of the server beside.
 *
 *     npm run bench -- --web [--set NAME]
 */
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { BROWSER, NO_BROWSER, openBrowser } from '../test/web/browser.ts'
import {
  benchOptions,
  calibrate,
  describeCalibration,
  findEvaluationSet,
  formatMs,
  headline,
  markdownTable,
  NO_EVALUATION_SETS,
  PROJECT,
  summarize,
} from './harness.ts'

const QUERIES = ['service worker', 'css grid layout', 'promise all', 'webgl texture', 'http cache']
const INDEXING_MS = 10 * 60_000

interface Row {
  readonly what: string
  readonly times: readonly number[]
  readonly aim: number
}

async function measure(documents: string): Promise<void> {
  const state = await mkdtemp(join(tmpdir(), 'cairn-bench-web-'))
  const args = [
    join(PROJECT, 'bin/cairn.js'),
    'serve',
    documents,
    '--http',
    '0',
    '--state',
    state,
    '--json',
  ]
  const server = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  try {
    const url = await new Promise<string>((resolve) => {
      let text = ''
      server.stdout.setEncoding('utf8').on('data', (part: string) => {
        text += part
        const found = /http:\/\/[^"\s/]+/.exec(text)?.[0]
        if (found) resolve(found)
      })
    })
    const facts = await untilIndexed(url)
    const before = await cpuOf(server.pid!)
    const rows = await drive(url)
    const cpu = (await cpuOf(server.pid!)) - before
    console.log(
      `## Page\n\n${describeCalibration(calibrate())} ${facts} notes; the server used ${formatMs(cpu)} of processor time for all of it.\n`,
    )
    console.log(
      markdownTable(
        ['what', 'median', 'p95', 'aim'],
        rows.map(({ what, times, aim }) => {
          const { p50, p95 } = summarize(times)
          headline({
            what: `page: ${what}`,
            measured: formatMs(p50),
            aim: `≤ ${formatMs(aim)}`,
            met: p50 <= aim,
          })
          return [what, formatMs(p50), formatMs(p95), formatMs(aim)]
        }),
      ),
    )
  } finally {
    server.kill('SIGKILL')
    await rm(state, { recursive: true, force: true })
  }
}

async function untilIndexed(url: string): Promise<number> {
  const deadline = performance.now() + INDEXING_MS
  for (;;) {
    const response = await fetch(`${url}/web/read/facts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-cairn': '1' },
      body: '{}',
    })
    const { documents, indexing } = (await response.json()) as {
      documents: number
      indexing?: string
    }
    if (documents > 0 && indexing === undefined) return documents
    if (performance.now() > deadline) throw new Error('The index is not ready.')
    await sleep(250)
  }
}

async function drive(url: string): Promise<readonly Row[]> {
  const browser = await openBrowser()
  try {
    const paints: number[] = []
    for (let round = 0; round < 5; round++) {
      const fresh = await browser.newPage({ viewport: { width: 1280, height: 800 } })
      await fresh.goto(url)
      paints.push(Number(await fresh.evaluate(FIRST_PAINT)))
      await fresh.close()
    }
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    await page.goto(url)
    await page.locator('.foot').filter({ hasText: /note/ }).waitFor()
    const keys: number[] = []
    const opens: number[] = []
    for (const query of QUERIES) {
      await page.keyboard.press('/')
      for (const key of query)
        keys.push(await timed(page, () => page.keyboard.press(key), '#results'))
      await page.locator('[role=option]').first().waitFor()
      opens.push(await timed(page, () => page.keyboard.press('Enter'), '.panes'))
      await page.goBack()
    }
    const first = await mapShown(page, url)
    const maps = [await mapShown(page, url), await mapShown(page, url), await mapShown(page, url)]
    const frames = Number(await page.evaluate(MOVING))
    return [
      { what: 'first contentful paint', times: paints, aim: 200 },
      { what: 'key until something new is painted', times: keys, aim: 50 },
      { what: 'open a note', times: opens, aim: 100 },
      { what: 'map shown the first time ever, laid out', times: [first], aim: 2_500 },
      { what: 'map shown once laid out', times: maps, aim: 500 },
      { what: 'one frame of the map in motion', times: [1_000 / frames], aim: 1_000 / 30 },
    ]
  } finally {
    await browser.close()
  }
}

const FIRST_PAINT = `new Promise((done) => new PerformanceObserver((list, own) => {
  const found = list.getEntriesByName('first-contentful-paint')[0]
  if (found) { own.disconnect(); done(found.startTime) }
}).observe({ type: 'paint', buffered: true }))`

/** From the key until what it changes inside of main has been painted. */
async function timed(page: Page, act: () => Promise<void>, inside: string): Promise<number> {
  await page.evaluate(`globalThis.painted = new Promise((done) => {
    const began = performance.now()
    const give = setTimeout(() => done(performance.now() - began), 3000)
    new MutationObserver((_, own) => {
      if (!document.querySelector(${JSON.stringify(inside)})) return
      own.disconnect()
      requestAnimationFrame(() => setTimeout(() => { clearTimeout(give); done(performance.now() - began) }))
    }).observe(document.querySelector('main'), { childList: true, subtree: true, characterData: true })
  }); undefined`)
  await act()
  return Number(await page.evaluate('globalThis.painted'))
}

async function mapShown(page: Page, url: string): Promise<number> {
  await page.goto(`${url}/reports`)
  await page.locator('.page h1').waitFor()
  const began = performance.now()
  await page.keyboard.press('2')
  await page.locator('.map[data-labels]').waitFor()
  return performance.now() - began
}

/** Frames a second while the map is moved by keys for two seconds. */
const MOVING = `new Promise((done) => {
  const began = performance.now()
  let frames = 0
  const step = () => {
    frames++
    dispatchEvent(new KeyboardEvent('keydown', { key: frames % 40 < 20 ? 'ArrowLeft' : 'ArrowRight', bubbles: true }))
    if (performance.now() - began < 2000) requestAnimationFrame(step)
    else done(frames / 2)
  }
  requestAnimationFrame(step)
})`

/** Milliseconds of processor time of a process, where the system tells (Linux). */
async function cpuOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return 10 * (Number(fields[11] ?? 0) + Number(fields[12] ?? 0))
}

const set = await findEvaluationSet(benchOptions().set)
if (!BROWSER) console.log(`## Page\n\n${NO_BROWSER}`)
else if (set) await measure(join(set, 'docs'))
else console.log(`## Page\n\n${NO_EVALUATION_SETS}`)
