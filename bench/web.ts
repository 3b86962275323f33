/**
 * The page in a real Chromium over a copy of a whole vault: what a first visit loads and paints, a key
 * until its results are painted, opening a note, saving one, what 200 openings leave in memory, the
 * map shown and moved, and a map of 100,000 nodes. Medians and 95 of 100, with the processor time of
 * the server and of all processes of the browser for one of each.
 *
 *     npm run bench -- --web [--quick] [--set NAME]       (quick: without the 100,000 nodes)
 *
 * `CAIRN_BENCH_STATE` names a folder in which the copy and its index are kept between runs. Times are
 * taken inside the page, from the moment the browser received the key until the frame after the change.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { Browser, CDPSession, Page } from 'playwright-core'
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
  treeMemory,
} from './harness.ts'

const QUERIES = ['service worker', 'css grid layout', 'promise all', 'webgl texture', 'http cache']
/** Whose first results are opened, one after the other: 200 in all. */
const OPENED = `${QUERIES.join()},array sort,fetch request,canvas path,regular expression,
form validation,media query,web audio node,indexed database,aria role,content security,svg filter,
typed array,custom element,drag and drop,date format`.split(/,\s*/)
const OPENED_EACH = 10
const SAVED = 20
/** Longer than the page takes to read what it shows besides. */
const REST_MS = 700
const MIB = 2 ** 20
const INDEXING_MS = 10 * 60_000
const WIDE = { width: 1280, height: 800 }
const MANY = { nodes: 100_000, links: 314_000 }

interface Row {
  readonly what: string
  readonly times: readonly number[]
  /** Of the median; of 95 of 100, and of the server's processor time, where there is one. */
  readonly aim: number
  readonly p95?: number
  readonly cpu?: number
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
  // Some of them are written.
  const vault = join(room, 'vault')
  if (!existsSync(vault)) await cp(documents, vault, { recursive: true })
  const base = [vault, '--state', notes]
  try {
    await inBrowser(async (browser, browserPid) => {
      await served(base, learned)
      // A map that was never laid out is one of the things to measure.
      await rm(join(notes, 'map.bin'), { force: true })
      const { rows, visit } = await served(base, async (url, serverPid) => {
        await indexed(url)
        const stage = { url, serverPid, browser, browserPid }
        return { visit: await firstVisit(stage), rows: await drive(stage) }
      })
      print('Page', rows)
      printVisit(visit)
      printKept(
        await served(base, async (url, serverPid, server) => {
          await indexed(url)
          return kept200({ url, serverPid, browser, browserPid }, server)
        }),
      )
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
      ['what', 'times', 'median', 'p95', 'CPU of the server', 'CPU of the browser'],
      rows.map(({ what, times, aim, p95: aim95, cpu, server, browser }) => {
        const { p50, p95 } = summarize(times)
        tell(what, p50, aim)
        if (aim95 !== undefined) tell(`${what}, 95 of 100`, p95, aim95)
        if (cpu !== undefined) tell(`${what}, processor of the server`, server, cpu)
        return [
          what,
          String(times.length),
          `${formatMs(p50)} (≤ ${formatMs(aim)})`,
          `${formatMs(p95)}${aim95 === undefined ? '' : ` (≤ ${formatMs(aim95)})`}`,
          `${formatMs(server)}${cpu === undefined ? '' : ` (≤ ${formatMs(cpu)})`}`,
          formatMs(browser),
        ]
      }),
    ),
  )
}

function tell(what: string, ms: number, aim: number): void {
  headline({
    what: `page: ${what}`,
    measured: formatMs(ms),
    aim: `≤ ${formatMs(aim)}`,
    met: ms <= aim,
  })
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
  work: (url: string, pid: number, server: ChildProcess) => Promise<Result>,
): Promise<Result> {
  const collecting = ['--expose-gc', '--import', join(PROJECT, 'bench/collect-on-signal.ts')]
  const program = [join(PROJECT, 'bin/cairn.js'), 'serve', ...args, '--http', '0', '--json']
  const server = spawn(process.execPath, [...collecting, ...program], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  try {
    server.stderr.resume()
    return await work(await addressOf(server), server.pid!, server)
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
  const opens: number[] = []
  const first = await driveTyping(stage, page)
  // As everything is that a server does for the first time: its code is compiled beside it.
  rows.push({ what: 'key until its results are painted, first of a server', aim: 50, ...first })
  rows.push({
    what: 'key until its results are painted',
    aim: 50,
    p95: 100,
    cpu: 12,
    ...(await driveTyping(stage, page)),
  })
  const opening = await counted(stage, 1, async () => {
    for (const query of QUERIES) opens.push(...(await openResults(stage, page, query)))
  })
  rows.push({
    what: 'open a note',
    times: opens,
    aim: 100,
    p95: 100,
    server: opening.server / opens.length,
    browser: opening.browser / opens.length,
  })
  rows.push(await driveSaving(stage, page))
  return [...rows, ...(await driveMap(stage, page))]
}

/** Every letter of some questions, each as soon as what the last one found is painted. */
async function driveTyping(
  stage: Stage,
  page: Page,
): Promise<Pick<Row, 'times' | 'server' | 'browser'>> {
  const times: number[] = []
  let [server, browser] = [0, 0]
  for (const query of QUERIES) {
    await page.locator('#q').focus()
    const cost = await counted(stage, 1, async () => {
      for (let at = 1; at <= query.length; at++) {
        times.push(await afterKey(page, query[at - 1]!, answered(query.slice(0, at))))
      }
    })
    server += cost.server
    browser += cost.browser
    // Out of the box, and then it is cleared.
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await page.locator('.home').waitFor()
    // What the beginning reads is no part of the next key.
    await sleep(REST_MS)
  }
  return { times, server: server / times.length, browser: browser / times.length }
}

/** Opens what was found for a question, one after the other, by keys. */
async function openResults({ url }: Stage, page: Page, query: string): Promise<readonly number[]> {
  const asked = { query, typing: false, titles: true, limit: OPENED_EACH }
  const { titles = [], hits } = await ask<{
    titles?: readonly { readonly id: string }[]
    hits: readonly { readonly id: string }[]
  }>(url, '/web/read/search', asked)
  await page.locator('#q').fill(query)
  // A space behind it says that the last word is whole.
  await page.locator('#q').press('Space')
  await page.evaluate(whenPainted(answered(`${query} `), 0))
  const times: number[] = []
  const ids = [...titles, ...hits].map(({ id }) => id).slice(0, OPENED_EACH)
  for (const [index, id] of ids.entries()) {
    await page.locator('#q').focus()
    if (index > 0) await page.keyboard.press('ArrowDown')
    // As a reader who looks at what is chosen before he opens it.
    await sleep(50)
    const text = `.pane.reading .body[data-scroll=${JSON.stringify(`note ${id}`)}] .prose *`
    times.push(await afterKey(page, 'Enter', `!!document.querySelector(${JSON.stringify(text)})`))
  }
  return times
}

/** A word more at the end of notes: from the keys that save until the text that is read has it. */
async function driveSaving(stage: Stage, page: Page): Promise<Row> {
  const asked = { query: 'css property', titles: false, limit: SAVED }
  const { hits } = await ask<{ hits: readonly { readonly id: string }[] }>(
    stage.url,
    '/web/read/search',
    asked,
  )
  const times: number[] = []
  const cost = { server: 0, browser: 0 }
  for (const [index, { id }] of hits.entries()) {
    await page.goto(`${stage.url}/n/${id.split('/').map(encodeURIComponent).join('/')}`)
    await page.locator('.pane [data-tool=edit]').click()
    await page.locator('.cm-content').waitFor()
    await page.keyboard.press('Control+End')
    const word = `savedword${index}x${times.length}`
    await page.keyboard.type(`\n\n${word}`)
    // What is written is drawn beside it and kept before one saves.
    await page.locator('.editor .prose', { hasText: word }).waitFor()
    await sleep(300)
    const condition = `!document.querySelector('.editor') &&
      (document.querySelector('.pane.reading .body')?.textContent ?? '').includes('${word}')`
    const { server, browser } = await counted(stage, 1, async () =>
      times.push(await afterKey(page, 'Control+Enter', condition)),
    )
    cost.server += server / hits.length
    cost.browser += browser / hits.length
  }
  return { what: 'save until it is painted', times, aim: 150, p95: 150, ...cost }
}

interface Visit {
  readonly what: string
  readonly bytes: number
}

/**
 * What the network brings until the page is at rest. What a browser on this machine gets as it is, one
 * elsewhere gets compressed: it counts as that, with its headers.
 */
async function firstVisit({ url, browser }: Stage): Promise<readonly Visit[]> {
  const context = await browser.newContext({ viewport: WIDE })
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  const names = new Map<string, { readonly what: string; readonly isPlain: boolean }>()
  const visits: Promise<Visit>[] = []
  session.on('Network.responseReceived', ({ requestId, response }) =>
    names.set(requestId, {
      what: new URL(response.url).pathname,
      isPlain: !Object.keys(response.headers).some((name) => /^content-encoding$/i.test(name)),
    }),
  )
  const weighed = async (requestId: string, bytes: number): Promise<Visit> => {
    const { what = '?', isPlain = false } = names.get(requestId) ?? {}
    if (!isPlain) return { what, bytes }
    const { body } = await session.send('Network.getResponseBody', { requestId })
    return { what, bytes: bytes - Buffer.byteLength(body) + gzipSync(body, { level: 1 }).length }
  }
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength: bytes }) =>
    visits.push(weighed(requestId, bytes)),
  )
  await page.goto(url)
  await page.locator('.cards li').first().waitFor()
  await sleep(1_500)
  const all = await Promise.all(visits)
  await context.close()
  return all
}

const FIRST_VISIT = 60_000

function printVisit(visits: readonly Visit[]): void {
  const files = visits.filter(({ what }) => !/^\/web\/(?:read|call)\//.test(what))
  const sum = (of: readonly Visit[]): number => of.reduce((all, { bytes }) => all + bytes, 0)
  const kb = (bytes: number): string => `${(bytes / 1_000).toFixed(1)} KB`
  const measured = `${kb(sum(files))}, ${kb(sum(visits))} with what it reads`
  headline({
    what: 'page: first visit, compressed',
    measured,
    aim: `≤ ${kb(FIRST_VISIT)}`,
    met: sum(visits) <= FIRST_VISIT,
  })
  const rows = visits
    .toSorted((a, b) => b.bytes - a.bytes)
    .map(({ what, bytes }) => [what.replace(/-[\w-]{8,}\./, '.'), kb(bytes)])
  console.log(
    `\nA first visit to the beginning, as it comes over the network: ${measured}.\n\n${markdownTable(['what', 'bytes'], rows)}`,
  )
}

/** What is left after garbage was collected. */
interface Left {
  readonly opened: number
  readonly server: number
  readonly resident: number
  readonly page: number
  readonly nodes: number
  readonly listeners: number
}

/** The same 200 notes are opened twice: what is kept for each of them is there after the first. */
async function kept200(stage: Stage, server: ChildProcess): Promise<readonly Left[]> {
  const page = await stage.browser.newPage({ viewport: WIDE })
  await page.goto(stage.url)
  await page.locator('.foot').filter({ hasText: /note/ }).waitFor()
  const session = await page.context().newCDPSession(page)
  const left: Left[] = []
  let opened = 0
  const look = async (): Promise<void> => {
    left.push({ opened, ...(await heapOfPage(session)), ...(await heapOfServer(server)) })
  }
  await look()
  for (let round = 0; round < 2; round++) {
    for (const query of OPENED) opened += (await openResults(stage, page, query)).length
    await look()
  }
  await page.close()
  return left
}

async function heapOfPage(
  session: CDPSession,
): Promise<Pick<Left, 'page' | 'nodes' | 'listeners'>> {
  for (let times = 0; times < 3; times++) await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  const { nodes, jsEventListeners } = await session.send('Memory.getDOMCounters')
  return { page: usedSize / MIB, nodes, listeners: jsEventListeners }
}

/** Once what was asked has been settled. */
async function heapOfServer(server: ChildProcess): Promise<Pick<Left, 'server' | 'resident'>> {
  await sleep(3_000)
  const said = new Promise<string>((done) => {
    let text = ''
    const hear = (part: Buffer): void => {
      text += part.toString()
      const [line] = /left: .* besides/.exec(text) ?? []
      if (line === undefined) return
      server.stderr!.off('data', hear)
      done(line)
    }
    server.stderr!.on('data', hear)
  })
  server.kill('SIGUSR2')
  const [heap = 0, besides = 0] = ((await said).match(/[\d.]+/g) ?? []).map(Number)
  return { server: heap + besides, resident: treeMemory(server.pid!).bytes / MIB }
}

/** Of heaps of tens of megabytes; what 200 leaked notes would be is a multiple. */
const FLAT_MB = 3

function printKept(left: readonly Left[]): void {
  const mb = (value: number): string => `${value.toFixed(1)} MB`
  const [, first, last] = left
  for (const [what, grown] of [
    ['page', last!.page - first!.page],
    ['server', last!.server - first!.server],
  ] as const) {
    headline({
      what: `page: 200 notes opened once more, heap of the ${what}`,
      measured: `${grown < 0 ? '−' : '+'}${mb(Math.abs(grown))}`,
      aim: `≤ ${mb(FLAT_MB)}`,
      met: grown <= FLAT_MB,
    })
  }
  const rows = left.map(({ opened, page, nodes, listeners, server, resident }) => [
    String(opened),
    mb(page),
    String(nodes),
    String(listeners),
    mb(server),
    mb(resident),
  ])
  console.log(
    `\nWhat is left after garbage was collected, ${OPENED.length * OPENED_EACH} notes opened, and once more:\n\n${markdownTable(['opened', 'heap of the page', 'DOM nodes', 'listeners', 'heap of the server', 'resident'], rows)}`,
  )
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
