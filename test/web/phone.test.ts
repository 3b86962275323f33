/** The page on a phone: one column, one bar, and everything one can do elsewhere. */
import { describe, expect, it, onTestFinished } from 'vitest'
import { SOON } from '../support/soon.ts'
import { BROWSER, NO_BROWSER } from './browser.ts'
import { serveHandbook } from './handbook.ts'
import { expectNoFaults, openPage, type Watched } from './page.ts'
import type { Served } from './served.ts'

let served: Served

serveHandbook((each) => (served = each))

async function open(path: string): Promise<Watched> {
  const viewport = { width: 390, height: 844 }
  const watched = await openPage(`${served.url}${path}`, { viewport, hasTouch: true })
  onTestFinished(() => watched.close())
  return watched
}

describe.skipIf(!BROWSER)(BROWSER ? 'on a phone' : NO_BROWSER, () => {
  it('typing over a note shows what is found, and the way back leads to the note', async () => {
    const watched = await open('/n/handbook/glossary.md')
    const { page } = watched
    await page.locator('.pane .prose').waitFor()
    await page.locator('#q').tap()
    await page.keyboard.type('roll back')
    await page.locator('[role=option]', { hasText: 'Roll back a release' }).first().waitFor()
    expect(await page.locator('#q').inputValue()).toBe('roll back')
    await expectNoFaults(watched)
    await page.locator('[role=option]', { hasText: 'Roll back a release' }).first().tap()
    await page.locator('.pane .prose', { hasText: 'never a failure' }).waitFor()
    await page.goBack()
    await page.locator('[role=option]').first().waitFor()
    await page.goBack()
    await page.locator('.pane[aria-label="Glossary"] .prose').waitFor()
  })

  it('gives a title its whole line, and the path one below', async () => {
    const watched = await open('/n/handbook/runbooks/roll-back-a-release.md')
    const { page } = watched
    await page.locator('.pane .prose').waitFor()
    const box = async (part: string) => (await page.locator(`.pane-head ${part}`).boundingBox())!
    const [title, path, tools] = [await box('h1'), await box('.path'), await box('.tools')]
    expect(title.width).toBeGreaterThan(300)
    expect(title.height).toBeLessThan(30)
    expect(path.y).toBeGreaterThan(title.y + 10)
    expect(path.height).toBeLessThan(30)
    expect(path.x + path.width).toBeLessThanOrEqual(tools.x)
    await expectNoFaults(watched)
  })

  it.each([390, 834])('has the table below the map, %i pixels wide', async (width) => {
    const { page } = await open('/graph')
    await page.setViewportSize({ width, height: 1112 })
    await page.locator('.map[data-labels]').waitFor()
    const [map, table] = [
      await page.locator('.map').boundingBox(),
      await page.locator('.map-side').boundingBox(),
    ]
    expect(map!.width).toBe(width)
    expect(table!.y).toBeGreaterThan(map!.y + map!.height)
  })

  it('says in words what Inspect weighs, and a title has the whole width', async () => {
    const { page } = await open('/inspect?q=roll%20back')
    await page.locator('.signals tbody tr').first().waitFor()
    const box = await page.locator('.signals tbody th').first().boundingBox()
    expect(box!.width).toBeGreaterThan(300)
    const wide = await page.locator('.view').evaluate((view) => view.scrollWidth)
    expect(wide).toBeLessThanOrEqual(390)
  })

  it('has one bar at the bottom, with words', async () => {
    const { page } = await open('/')
    const links = page.locator('.views a')
    expect(await links.allTextContents()).toEqual([
      'Read',
      'Graph',
      'Ask',
      'Reports',
      'History',
      'Live',
      'Inspect',
    ])
    for (const word of await links.locator('span').all()) {
      const box = await word.boundingBox()
      expect(box!.width).toBeGreaterThan(15)
      expect(box!.height).toBeGreaterThan(8)
    }
    // Nothing else lies between the bar and the content.
    const view = (await page.locator('main').boundingBox())!
    const bar = (await page.locator('.views').boundingBox())!
    expect(Math.abs(view.y + view.height - bar.y)).toBeLessThan(12)
    const colours = page.locator('.home').getByRole('button', { name: /colours/ })
    await colours.tap()
    await expect.poll(() => colours.textContent(), SOON).not.toBe('system colours')
  })
})
