/**
 * The page in a real Chromium over a whole vault: first paint, a key until its results are painted,
 * opening a note, the map shown and moved, and a map of 100,000 nodes. Medians, with the processor
 * time of the server and of all processes of the browser for one of each.
 *
 *     npm run bench -- --web [--quick] [--set NAME]       (quick: without the 100,000 nodes)
 *
 * `CAIRN_BENCH_STATE` names a folder in which the index is kept between runs. Times are taken inside
 * the page, from the moment the browser received the key until the frame after the change.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { BROWSER, NO_BROWSER, openBrowserServer } from '../test/web/browser.ts'
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
  randomNumbers,
  summarize,
  treeCpuMs,
} from './harness.ts'

const QUERIES = ['service worker', 'css grid layout', 'promise all', 'webgl texture', 'http cache']
const INDEXING_MS = 10 * 60_000
const WIDE = { width: 1280, height: 800 }
const MANY = { nodes: 100_000, links: 314_000 }

interface Row {
  readonly what: string
  readonly times: readonly number[]
  readonly aim: number
  /** Processor time of one, in milliseconds. */
  readonly server: number
  readonly browser: number
}

/** Both processes whose time counts. */
interface Stage {
  readonly url: string
  readonly serverPid: number
  readonly browser: Browser
  readonly browserPid: number
}

async function measure(documents: string, quick: boolean): Promise<void> {
  const kept = process.env['CAIRN_BENCH_STATE']
  const room = kept ?? (await mkdtemp(join(tmpdir(), 'cairn-bench-web-')))
  const notes = join(room, 'notes')
  const many = join(room, 'many')
  try {
    await inBrowser(async (browser, browserPid) => {
      await served([documents, '--state', notes], learned)
      // A map that was never laid out is one of the things to measure.
      await rm(join(notes, 'map.bin'), { force: true })
      const rows = await served([documents, '--state', notes], async (url, serverPid) => {
        await indexed(url)
        return drive({ url, serverPid, browser, browserPid })
      })
      print('Page', rows)
      if (quick) return
      await writeMany(join(many, 'base'))
      const source = [`notes=${join(many, 'base')}`, '--embedding', 'none']
      const large = await served(
        [...source, '--state', join(many, 'state')],
        async (url, serverPid) => {
          await indexed(url, MANY.nodes)
          return driveMany({ url, serverPid, browser, browserPid })
        },
      )
      print('Many', large)
    })
  } finally {
    if (kept === undefined) await rm(room, { recursive: true, force: true })
  }
}

function print(title: string, rows: readonly Row[]): void {
  console.log(
    `## ${title}\n\n${describeCalibration(calibrate())} Processor time is that of one of each.\n`,
  )
  console.log(
    markdownTable(
      ['what', 'median', 'p95', 'aim', 'CPU of the server', 'CPU of the browser'],
      rows.map(({ what, times, aim, server, browser }) => {
        const { p50, p95 } = summarize(times)
        headline({
          what: `page: ${what}`,
          measured: formatMs(p50),
          aim: `≤ ${formatMs(aim)}`,
          met: p50 <= aim,
        })
        return [
          what,
          formatMs(p50),
          formatMs(p95),
          formatMs(aim),
          formatMs(server),
          formatMs(browser),
        ]
      }),
    ),
  )
}

async function inBrowser(work: (browser: Browser, pid: number) => Promise<void>): Promise<void> {
  const { browser, pid, close } = await openBrowserServer()
  try {
    await work(browser, pid)
  } finally {
    await close()
  }
}

async function served<Result>(
  args: readonly string[],
  work: (url: string, pid: number) => Promise<Result>,
): Promise<Result> {
  const program = [join(PROJECT, 'bin/cairn.js'), 'serve', ...args, '--http', '0', '--json']
  const server = spawn(process.execPath, program, { stdio: ['ignore', 'pipe', 'ignore'] })
  try {
    return await work(await addressOf(server), server.pid!)
  } finally {
    const ended = new Promise((done) => server.once('close', done))
    server.kill('SIGTERM')
    await ended
  }
}

function addressOf(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    server.once('close', () => reject(new Error('The server ended.')))
    server.stdout!.setEncoding('utf8').on('data', (part: string) => {
      text += part
      const found = /http:\/\/[^"\s/]+/.exec(text)?.[0]
      if (found) resolve(found)
    })
  })
}

async function ask<Answer>(url: string, path: string, args: object): Promise<Answer> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-cairn': '1' },
    body: JSON.stringify(args),
  })
  return (await response.json()) as Answer
}

async function until(what: string, look: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + INDEXING_MS
  while (!(await look())) {
    if (performance.now() > deadline) throw new Error(`${what} within ten minutes.`)
    await sleep(250)
  }
}

function indexed(url: string, documents = 1): Promise<void> {
  return until('The index is not ready', async () => {
    const facts = await ask<{ documents: number; indexing?: string }>(url, '/web/read/facts', {})
    return facts.documents >= documents && facts.indexing === undefined
  })
}

/** Meaning is learned a moment after the words, and would be in the way. */
async function learned(url: string): Promise<void> {
  await indexed(url)
  await until('Nothing was learned', async () => {
    const query = 'how to keep what was fetched for later'
    const { hits } = await ask<{ hits: { signals: { similarity?: number } }[] }>(
      url,
      '/web/read/search',
      { query },
    )
    return hits.some(({ signals }) => signals.similarity !== undefined)
  })
}

async function drive(stage: Stage): Promise<readonly Row[]> {
  const { url, browser } = stage
  const rows: Row[] = []
  const paints: number[] = []
  const whole: number[] = []
  const context = await browser.newContext({ viewport: WIDE })
  // A browser that runs, and a page it has never seen.
  await (await context.newPage()).goto(`${url}/live`)
  const starting = await counted(stage, 7, async () => {
    const fresh = await context.newPage()
    const session = await context.newCDPSession(fresh)
    await session.send('Network.clearBrowserCache')
    await session.detach()
    await sleep(300)
    await fresh.goto(url)
    paints.push(Number(await fresh.evaluate(FIRST_PAINT)))
    whole.push(
      Number(await fresh.evaluate(whenPainted("!!document.querySelector('.cards li')", 0))),
    )
    await fresh.close()
  })
  await context.close()
  rows.push({ what: 'first contentful paint', times: paints, aim: 200, ...starting })
  rows.push({ what: 'first view complete', times: whole, aim: 400, ...starting })

  const page = await browser.newPage({ viewport: WIDE })
  await page.goto(url)
  await page.locator('.foot').filter({ hasText: /note/ }).waitFor()
  const keys: number[] = []
  const opens: number[] = []
  const typed = QUERIES.join('').length
  const typing = await counted(stage, 1, async () => {
    for (const query of QUERIES) {
      await page.locator('#q').focus()
      for (let at = 1; at <= query.length; at++) {
        keys.push(await afterKey(page, query[at - 1]!, answered(query.slice(0, at))))
      }
      // Out of the box, and then it is cleared.
      await page.keyboard.press('Escape')
      await page.keyboard.press('Escape')
      await page.locator('.home').waitFor()
    }
  })
  rows.push({
    what: 'key until its results are painted',
    times: keys,
    aim: 50,
    server: typing.server / typed,
    browser: typing.browser / typed,
  })
  const opening = await counted(stage, 1, async () => {
    for (const query of QUERIES) {
      await page.goto(`${url}/?q=${encodeURIComponent(query)}`)
      await page.locator('[role=option]').first().waitFor()
      await page.keyboard.press('/')
      opens.push(await afterKey(page, 'Enter', "!!document.querySelector('.pane .prose *')"))
    }
  })
  rows.push({
    what: 'open a note',
    times: opens,
    aim: 100,
    server: opening.server / QUERIES.length,
    browser: opening.browser / QUERIES.length,
  })
  return [...rows, ...(await driveMap(stage, page))]
}

async function driveMap(stage: Stage, page: Page): Promise<readonly Row[]> {
  const firsts: number[] = []
  const maps: number[] = []
  const frames: number[] = []
  const first = await counted(stage, 1, async () => firsts.push(await mapShown(stage, page)))
  const again = await counted(stage, 5, async () => maps.push(await mapShown(stage, page)))
  const moving = await counted(stage, 1, async () =>
    frames.push(...((await page.evaluate(MOVING)) as number[])),
  )
  return [
    { what: 'map shown the first time ever, laid out', times: firsts, aim: 2_500, ...first },
    { what: 'map shown once laid out', times: maps, aim: 500, ...again },
    {
      what: 'one frame of the map in motion',
      times: frames,
      aim: 1_000 / 30,
      server: moving.server / frames.length,
      browser: moving.browser / frames.length,
    },
  ]
}

async function driveMany(stage: Stage): Promise<readonly Row[]> {
  const page = await stage.browser.newPage({ viewport: WIDE })
  const [, shown, moving] = await driveMap(stage, page)
  await page.close()
  return [
    { ...shown!, what: '100,000 nodes shown once laid out', aim: 2_000 },
    { ...moving!, what: 'one frame of 100,000 nodes in motion', aim: 100 },
  ]
}

/** Does something several times; the processor time is that of one. */
async function counted(
  { serverPid, browserPid }: Stage,
  times: number,
  work: () => Promise<unknown>,
): Promise<Pick<Row, 'server' | 'browser'>> {
  const before = [treeCpuMs(serverPid), treeCpuMs(browserPid)] as const
  for (let round = 0; round < times; round++) await work()
  return {
    server: (treeCpuMs(serverPid) - before[0]) / times,
    browser: (treeCpuMs(browserPid) - before[1]) / times,
  }
}

async function mapShown({ url }: Stage, page: Page): Promise<number> {
  await page.goto(`${url}/reports`)
  await page.locator('.page h1').waitFor()
  return afterKey(page, '2', "!!document.querySelector('.map[data-labels]')", 120_000)
}

const FIRST_PAINT = `new Promise((done) => new PerformanceObserver((list, own) => {
  const found = list.getEntriesByName('first-contentful-paint')[0]
  if (found) { own.disconnect(); done(found.startTime) }
}).observe({ type: 'paint', buffered: true }))`

/** True once the page has said how much it found for these letters. */
function answered(query: string): string {
  return `(document.querySelector('header [role=status]')?.textContent ?? '').endsWith(${JSON.stringify(` for ${query}`)})`
}

/** Milliseconds from `since` until the frame after `condition` became true. */
function whenPainted(condition: string, since: string | number, patience = 5_000): string {
  return `new Promise((done, give) => {
    setTimeout(() => give(new Error('not painted: ' + ${JSON.stringify(condition)})), ${patience})
    const look = () => {
      if (!(${condition})) return false
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => done(performance.now() - (${since}))
        port2.postMessage(0)
      })
      return true
    }
    if (!look()) new MutationObserver((_, own) => { if (look()) own.disconnect() })
      .observe(document.body, { attributes: true, childList: true, subtree: true, characterData: true })
  })`
}

/** From the moment the browser got the key until what it brings has been painted. */
async function afterKey(
  page: Page,
  key: string,
  condition: string,
  patience?: number,
): Promise<number> {
  await page.evaluate(`addEventListener('keydown', (event) => {
    globalThis.pressedAt = event.timeStamp
    globalThis.painted = ${whenPainted(condition, 'pressedAt', patience)}
  }, { capture: true, once: true })`)
  await page.keyboard.press(key)
  return Number(await page.evaluate('globalThis.painted'))
}

/** Milliseconds between frames while the map is moved by keys for three seconds. */
const MOVING = `new Promise((done) => {
  const began = performance.now()
  const frames = []
  let last = began
  const step = () => {
    const now = performance.now()
    frames.push(now - last)
    last = now
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: frames.length % 40 < 20 ? 'ArrowLeft' : 'ArrowRight', bubbles: true }))
    if (now - began < 3000) requestAnimationFrame(step)
    else done(frames.slice(1))
  }
  requestAnimationFrame(step)
})`

/** Notes that link at random, half of the links to popular ones: a graph of the size people fear. */
async function writeMany(folder: string): Promise<void> {
  if (existsSync(folder)) return
  const random = randomNumbers(5)
  const draw = (skew: number): number => Math.floor(random() ** skew * MANY.nodes)
  const links = Array.from({ length: MANY.nodes }, (): number[] => [])
  for (let n = 0; n < MANY.links; n++) links[draw(1)]!.push(draw(random() < 0.5 ? 3 : 1))
  for (let room = 0; room < MANY.nodes; room += 1_000) {
    const beside = join(folder, `room-${room / 1_000}`)
    await mkdir(beside, { recursive: true })
    await Promise.all(
      links
        .slice(room, room + 1_000)
        .map((to, at) =>
          writeFile(
            join(beside, `note-${room + at}.md`),
            `# Note ${room + at}\n\n${to.map((other) => `[[note-${other}]]`).join(' ')}\n`,
          ),
        ),
    )
  }
}

const options = benchOptions()
const set = await findEvaluationSet(options.set)
if (!BROWSER) console.log(`## Page\n\n${NO_BROWSER}`)
else if (set) await measure(join(set, 'docs'), options.quick)
else console.log(`## Page\n\n${NO_EVALUATION_SETS}`)
