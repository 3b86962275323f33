/** What stands beside a note, in a real browser: sections that follow, who links to it, who names it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { SOON } from '../support/soon.ts'
import { BROWSER, NO_BROWSER } from './browser.ts'
import { closeBrowser, expectNoFaults, openPage, startBrowser, untilSaid } from './page.ts'
import { ask, serve, untilIndexed, type Served } from './served.ts'

const SECTIONS = Array.from(
  { length: 30 },
  (_, at) => `## Part ${at}\n\n${'Some words to read. '.repeat(40)}\n`,
).join('\n')

const FILES = {
  'lantern-festival.md': `# Lantern Festival\n\n${SECTIONS}`,
  'far.md': '# Interoperability of islands\n\nAn island.\n',
  'isle.md': '# Isle\n\nSee [[far]].\n',
  'linking.md': '# Linking\n\nBefore. We always go to the [[Lantern Festival]] together. After.\n',
  'naming.md': '# Naming\n\nSomething else. The Lantern Festival was *cold* this year. More.\n',
}

const finished: (() => void | Promise<void>)[] = []
let served: Served

beforeAll(async () => {
  if (!BROWSER) return
  served = await serve((clean) => finished.unshift(clean), { files: FILES, bare: true })
  await untilIndexed(served, 5)
  await startBrowser()
})

afterAll(async () => {
  await closeBrowser()
  for (const clean of finished) await clean()
})

describe.skipIf(!BROWSER)(BROWSER ? 'beside a note' : NO_BROWSER, () => {
  const WIDE = { viewport: { width: 1440, height: 900 } }
  const open = async (options: Parameters<typeof openPage>[1] = WIDE) => {
    const watched = await openPage(`${served.url}/n/handbook/lantern-festival.md`, options)
    onTestFinished(() => watched.close())
    await watched.page.locator('.prose', { hasText: 'Part 0' }).first().waitFor()
    return watched
  }

  it('the section that one reads is marked, and leads there', async () => {
    const { page, faults } = await open()
    const current = () => page.locator('.note-rail [aria-current=location]').allTextContents()
    await expect.poll(current, SOON).toEqual(['Part 0'])
    await page.locator('.note-rail button', { hasText: /^Part 20$/ }).press('Enter')
    await page.locator('.prose h2', { hasText: /^Part 20$/ }).waitFor()
    await expect.poll(current, SOON).toEqual(['Part 20'])
    await page.locator('.pane.reading .body').evaluate((body) => {
      const heading = [...body.querySelectorAll('h2')].find((each) => each.textContent === 'Part 7')
      heading!.scrollIntoView({ block: 'start' })
    })
    await expect.poll(current, SOON).toEqual(['Part 7'])
    await page.locator('.pane.reading .body').evaluate((body) => {
      body.scrollTop = body.scrollHeight
    })
    await expect.poll(current, SOON).toEqual(['Part 29'])
    // It is seen in a list that is longer than the window.
    const entry = page.locator('.note-rail [aria-current=location]')
    await expect.poll(async () => (await entry.boundingBox())!.y, SOON).toBeLessThan(900)
    expect(faults).toEqual([])
  })

  it('stands who links to it, with the words around; there is room for it once', async () => {
    const { page, faults } = await open()
    const rail = page.locator('.note-rail')
    await rail.locator('.backlinks .snippet', { hasText: 'We always go to' }).waitFor()
    expect(await page.locator('.backlinks, .backlinks-above').count()).toBe(1)
    await rail.locator('.context', { hasText: 'Linking' }).press('Enter')
    await page.locator('.pane.reading[aria-label="Linking"] .prose').waitFor()
    // Two notes beside each other leave none for it.
    await rail.waitFor({ state: 'detached' })
    expect(await page.locator('.pane').count()).toBe(2)
    expect(faults).toEqual([])
  })

  it.each([
    ['light', 1440],
    ['dark', 1440],
    ['light', 390],
    ['dark', 390],
  ] as const)('is within reach of everyone: %s, %i px', async (colorScheme, width) => {
    const watched = await open({ colorScheme, viewport: { width, height: 844 } })
    await watched.page.locator('.backlinks').first().waitFor({ state: 'attached' })
    expect(await watched.page.locator('.note-rail').count()).toBe(width > 390 ? 1 : 0)
    await expectNoFaults(watched)
  })

  it('a neighbour whose name is cut is called by all of it', async () => {
    const watched = await openPage(`${served.url}/n/handbook/isle.md`, WIDE)
    onTestFinished(() => watched.close())
    const name = 'Interoperability of islands'
    await watched.page.locator('.around').getByRole('link', { name, exact: true }).waitFor()
    const shown = watched.page.locator('.around foreignObject > div')
    expect(await shown.evaluate((element) => element.scrollWidth > element.clientWidth)).toBe(true)
    await expectNoFaults(watched)
  })

  it('who names it is found with the sentence, and becomes a link with one key', async () => {
    const { page, faults } = await open()
    const rail = page.locator('.note-rail')
    await rail.getByRole('button', { name: 'Look for mentions' }).press('Enter')
    const mention = rail.locator('.mention')
    await mention.waitFor()
    expect(await mention.locator('.snippet').textContent()).toBe(
      'The Lantern Festival was cold this year.',
    )
    expect(await mention.locator('mark').textContent()).toBe('Lantern Festival')
    await mention.getByRole('button', { name: 'Link', exact: true }).press('Enter')
    await mention.waitFor({ state: 'detached' })
    expect(readFileSync(join(served.folder, 'naming.md'), 'utf8')).toBe(
      '# Naming\n\nSomething else. The [[lantern-festival|Lantern Festival]] was *cold* this year. More.\n',
    )
    await rail.locator('.backlinks .name', { hasText: 'Naming' }).waitFor()
    // The foot has the way back, and says so to whoever does not see it.
    await page.locator('.foot').getByRole('button', { name: 'Undo', exact: true }).press('Enter')
    await untilSaid(page, 'Undone')
    expect(readFileSync(join(served.folder, 'naming.md'), 'utf8')).toBe(
      '# Naming\n\nSomething else. The Lantern Festival was *cold* this year. More.\n',
    )
    expect(faults).toEqual([])
  })

  it('those around it stand in a picture that leads to them, and what was done below it', async () => {
    const { page, faults } = await open()
    const around = page.locator('.around')
    const linking = around.locator('a', { hasText: 'Linking' })
    await linking.waitFor()
    expect(await linking.getAttribute('href')).toBe('/n/handbook/linking.md')
    // One neighbour needs one line.
    expect((await around.locator('svg').boundingBox())!.height).toBeLessThan(60)
    await ask(served.url, '/web/call/write', {
      action: 'append',
      id: 'handbook/lantern-festival.md',
      content: 'One more line.',
    })
    const changes = page.locator('.note-changes')
    await changes.locator('li', { hasText: 'append' }).waitFor()
    await changes.getByRole('button', { name: 'All its changes' }).press('Enter')
    await page.locator('.lead', { hasText: 'of handbook/lantern-festival.md' }).waitFor()
    await page.getByRole('button', { name: 'of everything' }).press('Enter')
    await expect.poll(() => page.locator('.lead').count(), SOON).toBe(0)
    await page.goBack()
    await page.goBack()
    await linking.press('Enter')
    await page.locator('.pane.reading[aria-label="Linking"] .prose').waitFor()
    expect(faults).toEqual([])
  })
})
