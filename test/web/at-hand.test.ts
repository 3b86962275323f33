/** Bookmarks and saved searches, and where a link leads before one goes there, in a real browser. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { SOON } from '../support/soon.ts'
import { BROWSER, NO_BROWSER } from './browser.ts'
import { closeBrowser, expectNoFaults, openPage, startBrowser, untilSaid } from './page.ts'
import { serve, untilIndexed, type Served } from './served.ts'

const FILES = {
  'kettle.md':
    '# Kettle\n\nPour it over [[Sencha#Brewing|the leaves]], never [[Nobody|cold]].\n\nMore about water. #drink\n',
  'sencha.md': `# Sencha\n\nGreen.\n\n${'Filler about leaves.\n\n'.repeat(30)}## Brewing\n\nAt seventy degrees, see [[Kettle]].\n`,
}

const finished: (() => void | Promise<void>)[] = []
let served: Served

beforeAll(async () => {
  if (!BROWSER) return
  served = await serve((clean) => finished.unshift(clean), { files: FILES, bare: true })
  await untilIndexed(served, 2)
  await startBrowser()
})

afterAll(async () => {
  await closeBrowser()
  for (const clean of finished) await clean()
})

describe.skipIf(!BROWSER)(BROWSER ? 'at hand' : NO_BROWSER, () => {
  const open = async (path: string, options: Parameters<typeof openPage>[1] = {}) => {
    const watched = await openPage(`${served.url}${path}`, options)
    onTestFinished(() => watched.close())
    return watched
  }

  it('a note is bookmarked by a key, found in every tab, and let go again', async () => {
    const { page, faults } = await open('/n/handbook/sencha.md')
    await page.locator('.prose', { hasText: 'Green.' }).waitFor()
    const other = await page.context().newPage()
    await other.goto(`${served.url}/`)
    await other.locator('.rail').waitFor()
    expect(await other.locator('.bookmarks').count()).toBe(0)
    await page.keyboard.press('m')
    await untilSaid(page, 'Bookmarked')
    const link = other.locator('.bookmarks a', { hasText: 'Sencha' })
    await link.press('Enter')
    await other.locator('.pane.reading[aria-label="Sencha"] .prose').waitFor()
    await expect.poll(() => link.getAttribute('aria-current'), SOON).toBe('page')
    await other.reload()
    await other.locator('.bookmarks').getByRole('button', { name: 'Forget Sencha' }).press('Enter')
    await page.locator('.bookmarks').waitFor({ state: 'detached' })
    expect(
      await page.getByRole('button', { name: 'Bookmark (m)' }).getAttribute('aria-pressed'),
    ).toBe('false')
    expect(faults).toEqual([])
  })

  it('a search is saved with what narrows it', async () => {
    const { page, faults } = await open('/?q=water%20&tag=drink')
    await page.locator('[role=option]').first().waitFor()
    await page.getByRole('button', { name: 'Save this search' }).press('Enter')
    await page.getByRole('button', { name: 'Forget this search' }).waitFor()
    await page.locator('.brand').press('Enter')
    await page.locator('.bookmarks a', { hasText: 'water · drink' }).press('Enter')
    await page.locator('[role=option]', { hasText: 'Kettle' }).first().waitFor()
    expect(new URL(page.url()).search).toBe('?q=water+&tag=drink')
    expect(faults).toEqual([])
  })

  it('what is no bookmark is not shown, whoever wrote it there', async () => {
    const { page, faults } = await open('/')
    await page.locator('.rail').waitFor()
    await page.evaluate(() => {
      const written = [
        { url: 'https://elsewhere.example/', name: 'elsewhere' },
        { url: '//elsewhere.example/', name: 'elsewhere' },
        { url: 'javascript:alert(1)', name: 'elsewhere' },
        { url: '/n/handbook/kettle.md', name: '<img src=x onerror=alert(1)>' },
        7,
        null,
      ]
      for (const key of Object.keys(localStorage)) localStorage.removeItem(key)
      localStorage.setItem('first', JSON.stringify(written))
    })
    // Under the name that the page itself uses for this base.
    await page.goto(`${served.url}/n/handbook/sencha.md`)
    await page.locator('.prose').first().waitFor()
    await page.keyboard.press('m')
    await untilSaid(page, 'Bookmarked')
    await page.evaluate(() => {
      const key = Object.keys(localStorage).find((each) => each.startsWith('cairn-bookmarks'))!
      localStorage.setItem(key, localStorage.getItem('first')!)
    })
    await page.reload()
    await page.locator('.bookmarks li').first().waitFor()
    expect(await page.locator('.bookmarks li').allTextContents()).toEqual([
      '<img src=x onerror=alert(1)>',
    ])
    expect(faults).toEqual([])
  })

  it('a link shows where it leads while one points at it, and Escape takes that away', async () => {
    const { page, faults } = await open('/n/handbook/kettle.md')
    await page.locator('.prose a', { hasText: 'the leaves' }).hover()
    const card = page.locator('.hover-card')
    await card.locator('.prose h2', { hasText: 'Brewing' }).waitFor()
    // It stands at the section that is meant, not at the beginning.
    await expect
      .poll(() => card.locator('.body').evaluate((body) => body.scrollTop), SOON)
      .toBeGreaterThan(0)
    await page.keyboard.press('Escape')
    await card.waitFor({ state: 'detached' })
    expect(await page.locator('.pane.reading').count()).toBe(1)
    // One may go into it, and on from there.
    await page.mouse.move(2, 2)
    await page.locator('.prose a', { hasText: 'the leaves' }).hover()
    await card.locator('a', { hasText: 'Kettle' }).click()
    await card.waitFor({ state: 'detached' })
    expect(await page.locator('.pane').count()).toBe(1)
    expect(faults).toEqual([])
  })

  it.each(['light', 'dark'] as const)('is within reach of everyone: %s', async (colorScheme) => {
    const watched = await open('/n/handbook/kettle.md', {
      colorScheme,
      viewport: { width: 1440, height: 900 },
    })
    const { page } = watched
    await page.locator('.prose').first().waitFor()
    await page.keyboard.press('m')
    await page.locator('.bookmarks li').waitFor()
    await page.locator('.prose a', { hasText: 'the leaves' }).hover()
    await page.locator('.hover-card .prose').waitFor()
    await expectNoFaults(watched)
  })
})
