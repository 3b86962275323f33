/**
 * Every view looks as it did, seen from afar: 64 × 40 shades of grey beside those kept in
 * `pictures.json`. Fonts differ between machines, so all letters are bars of our own font; what is
 * left of a difference between machines is small beside a part that a view lost. After a change that
 * is meant: `CAIRN_KEEP_PICTURES=1 npx vitest run test/web/pictures`. Firefox draws the first view
 * too, where it is installed.
 */
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { SOON } from '../support/soon.ts'
import { BROWSER, NO_BROWSER } from './browser.ts'
import { serveHandbook } from './handbook.ts'
import { openPage, startBrowser } from './page.ts'
import { PICTURED } from './pictured.ts'
import { usePlainFont } from './plain-font.ts'
import { difference, greyGrid } from './pictures.ts'
import { type Served } from './served.ts'

const KEPT = join(import.meta.dirname, 'pictures.json')
/** Less than this of a picture is different on another machine; a part that is lost is more. */
const ALIKE = 0.02
/** Rows come and go in Live. Two views differ in a sixth or more. */
const ALIKE_IN_LIVE = 0.1
const alike = (name: string): number => (name === 'live' ? ALIKE_IN_LIVE : ALIKE)

const kept = JSON.parse(existsSync(KEPT) ? readFileSync(KEPT, 'utf8') : '{}') as Record<
  string,
  string
>
const keeping = process.env['CAIRN_KEEP_PICTURES'] !== undefined

let served: Served

serveHandbook((each) => (served = each))

afterAll(() => {
  if (keeping) writeFileSync(KEPT, `${JSON.stringify(kept, undefined, 2)}\n`)
})

const packed = (grid: readonly number[]): string => Buffer.from(grid).toString('base64')
const unpacked = (text: string): number[] => [...Buffer.from(text, 'base64')]

async function pictureOf(name: string, colorScheme: 'light' | 'dark', width: number) {
  const [path, ready, ...keys] = PICTURED[name]!
  const height = width === 390 ? 844 : 800
  const { page, close } = await openPage(`${served.url}${path}`, {
    colorScheme,
    viewport: { width, height },
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
  })
  onTestFinished(close)
  await usePlainFont(page)
  await page.locator(ready).first().waitFor({ state: 'attached' })
  await page.locator('.foot').filter({ hasText: /note/ }).waitFor({ state: 'attached' })
  for (const [key, brings] of keys) {
    await page.keyboard.press(key)
    await page.locator(brings).first().waitFor({ state: 'attached' })
  }
  return page
}

it('tells every view from every other, at the same size', () => {
  for (const [name, picture] of Object.entries(kept)) {
    for (const [other, another] of Object.entries(kept)) {
      if (name === other || name.split('-')[1] !== other.split('-')[1]) continue
      expect(
        difference(unpacked(picture), unpacked(another)),
        `${name} and ${other}`,
      ).toBeGreaterThan(ALIKE_IN_LIVE)
    }
  }
})

describe.skipIf(!BROWSER)(BROWSER ? 'a view' : NO_BROWSER, () => {
  for (const name of Object.keys(PICTURED)) {
    it.each([
      ['light', 1280],
      ['light', 390],
    ] as const)(`looks as it did: ${name}, %s, %i px`, async (colorScheme, width) => {
      const page = await pictureOf(name, colorScheme, width)
      const browser = await startBrowser()
      const key = `${name}-${width}-${colorScheme}`
      const look = async () => greyGrid(browser, await page.screenshot())
      if (keeping) {
        await page.waitForTimeout(1_000)
        kept[key] = packed(await look())
        return
      }
      const before = unpacked(kept[key] ?? '')
      expect(before.length, `${key} is not in pictures.json`).toBeGreaterThan(0)
      // What comes a moment later, such as a row in Live, is waited for.
      await expect
        .poll(async () => difference(await look(), before), { ...SOON, interval: 300 })
        .toBeLessThan(alike(name))
    })
  }
})

/** What may not be missing, by view: without it, the picture is another. */
const PARTS: Readonly<Record<string, string>> = {
  home: '.cards',
  search: '.prose',
  edit: '.editor-room',
  graph: '.map',
  around: '.chosen',
  ask: '.claims',
  table: '.notes',
  board: '.board-room',
  calendar: '.calendar',
  reports: '.figures',
  history: '.page',
  live: '.page',
  inspect: '.signals',
  making: '.doing',
  moving: '.doing',
  properties: '.doing',
}

describe.skipIf(!BROWSER || keeping)(BROWSER ? 'a view that lost a part' : NO_BROWSER, () => {
  it.each(Object.keys(PICTURED))('is told: %s', async (name) => {
    const page = await pictureOf(name, 'light', 1280)
    const browser = await startBrowser()
    const part = page.locator(PARTS[name]!).first()
    await part.evaluate((element) => ((element as HTMLElement).style.visibility = 'hidden'))
    const grid = await greyGrid(browser, await page.screenshot())
    const before = unpacked(kept[`${name}-1280-light`]!)
    expect(difference(grid, before)).toBeGreaterThan(alike(name))
  })
})

const FIREFOX = (process.env['PATH'] ?? '')
  .split(delimiter)
  .flatMap((folder) => ['firefox-esr', 'firefox'].map((name) => join(folder, name)))
  .find((file) => existsSync(file))

describe.skipIf(!BROWSER || !FIREFOX)(
  FIREFOX ? 'Firefox' : 'no Firefox here: install firefox-esr to see the page in it',
  () => {
    it('draws the page much as Chromium does', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'cairn-firefox-'))
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
      const file = join(folder, 'page.png')
      const args = ['--headless', '--no-remote', '--profile', folder, '--window-size=1280,800']
      await promisify(execFile)(
        FIREFOX!,
        [...args, '--screenshot', file, `${served.url}/n/handbook/glossary.md`],
        { timeout: 150_000, env: { ...process.env, HOME: folder, MOZ_HEADLESS: '1' } },
      )
      const browser = await startBrowser()
      const { page, close } = await openPage(`${served.url}/n/handbook/glossary.md`)
      onTestFinished(close)
      await page.locator('.prose').waitFor()
      const theirs = await greyGrid(browser, readFileSync(file))
      const ours = await greyGrid(browser, await page.screenshot())
      // A page whose script did not run is one colour.
      expect(new Set(theirs).size).toBeGreaterThan(20)
      expect(difference(theirs, ours)).toBeLessThan(0.5)
    })
  },
)
