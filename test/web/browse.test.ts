/** Browsing, in a real browser: folders, lists of notes with what they say of themselves, the day. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { SOON } from '../support/soon.ts'
import { BROWSER, NO_BROWSER } from './browser.ts'
import { closeBrowser, expectNoFaults, openPage, startBrowser } from './page.ts'
import { ask, serve, untilIndexed, type Served } from './served.ts'

const today = new Date().toISOString().slice(0, 10)
const daysAhead = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

const FILES = {
  'teas/green/sencha.md': '---\nprice: 9\norigin: Japan\n---\n# Sencha\n\nGreen. #drink\n',
  'teas/green/longjing.md': '---\nprice: 10\norigin: China\n---\n# Longjing\n\nGreen. #drink\n',
  'teas/black.md': '---\nprice: 4\n---\n# Black tea\n\nSee [[Sencha]] and [[Nobody]].\n',
  'teas[1]/odd.md': '# Odd name\n\nA folder that looks like a pattern.\n',
  [`daily/${today}.md`]: '# The day\n\n- [ ] water the plants\n',
  'work.md':
    `# Work\n\n- [ ] call Ada 📅 ${daysAhead(-2)}\n- [ ] send it due: ${today}\n` +
    `- [x] done long ago 📅 ${daysAhead(-9)}\n- [ ] far away 📅 ${daysAhead(40)}\n`,
}

const finished: (() => void | Promise<void>)[] = []
let served: Served

beforeAll(async () => {
  if (!BROWSER) return
  served = await serve((clean) => finished.unshift(clean), { files: FILES, bare: true })
  await untilIndexed(served, 6)
  await startBrowser()
})

afterAll(async () => {
  await closeBrowser()
  for (const clean of finished) await clean()
})

describe.skipIf(!BROWSER)(BROWSER ? 'browsing' : NO_BROWSER, () => {
  const open = async (path: string, options: Parameters<typeof openPage>[1] = {}) => {
    const watched = await openPage(`${served.url}${path}`, { timezoneId: 'UTC', ...options })
    onTestFinished(() => watched.close())
    return watched
  }

  it('goes through folders by keys alone, and back', async () => {
    const { page, faults } = await open('/')
    const rail = page.locator('.rail')
    const teas = rail.locator('a', { hasText: /^teas3$/ })
    await teas.waitFor()
    await rail.getByRole('button', { name: 'Folders in teas' }).press('Enter')
    await rail.locator('a', { hasText: 'green' }).press('Enter')
    await page.locator('.notes tbody tr').first().waitFor()
    expect(decodeURI(new URL(page.url()).pathname)).toBe('/browse/handbook/teas/green/')
    expect(await page.locator('.notes tbody .opens').allTextContents()).toEqual([
      'Longjing',
      'Sencha',
    ])
    await page.locator('.notes .opens', { hasText: 'Sencha' }).press('Enter')
    await page.locator('.pane.reading[aria-label="Sencha"] .prose').waitFor()
    expect(await rail.locator('.recent [aria-current]').textContent()).toBe('Sencha')
    await page.goBack()
    await page.locator('.notes tbody tr').first().waitFor()
    await page.keyboard.press('f')
    await expect.poll(() => page.locator('.listed h1').textContent(), SOON).toBe('All notes')
    await expect.poll(() => page.locator('.notes tbody tr').count(), SOON).toBe(6)
    expect(faults).toEqual([])
  })

  it('puts notes in order by what they say, numbers as numbers, and who says nothing last', async () => {
    const { page, faults } = await open('/browse/handbook/teas/')
    const rows = async (): Promise<string[]> => page.locator('.notes .opens').allTextContents()
    const price = page.locator('.notes thead th', { hasText: 'price' })
    await price.getByRole('button').press('Enter')
    await expect.poll(rows, SOON).toEqual(['Black tea', 'Sencha', 'Longjing'])
    expect(await price.getAttribute('aria-sort')).toBe('ascending')
    await price.getByRole('button').press('Enter')
    await expect.poll(rows, SOON).toEqual(['Longjing', 'Sencha', 'Black tea'])
    await page.locator('.notes thead button', { hasText: 'origin' }).press('Enter')
    await expect.poll(rows, SOON).toEqual(['Longjing', 'Sencha', 'Black tea'])
    await page.locator('.notes thead button', { hasText: 'origin' }).press('Enter')
    await expect.poll(rows, SOON).toEqual(['Sencha', 'Longjing', 'Black tea'])
    await page.locator('.columns summary').press('Enter')
    await page.getByRole('checkbox', { name: 'origin' }).press('Space')
    await expect
      .poll(() => page.locator('.notes thead th').allTextContents(), SOON)
      .toEqual(['title', 'price', 'updated'])
    expect(new URL(page.url()).searchParams.get('columns')).toBe('price')
    expect(faults).toEqual([])
  })

  it('takes the name of a folder as it is, and lists the notes of a tag', async () => {
    const { page } = await open('/')
    await page.locator('.rail a', { hasText: 'teas[1]' }).press('Enter')
    await expect
      .poll(() => page.locator('.notes .opens').allTextContents(), SOON)
      .toEqual(['Odd name'])
    await page.locator('.rail a.tag', { hasText: '#drink' }).press('Enter')
    await expect
      .poll(() => page.locator('.notes .opens').allTextContents(), SOON)
      .toEqual(['Longjing', 'Sencha'])
    await page.locator('#q').focus()
    await page.keyboard.type('odd ')
    await page.locator('[role=option]', { hasText: 'Odd name' }).first().waitFor()
    await page.goBack()
    await page.locator('.listed h1', { hasText: '#drink' }).waitFor()
  })

  it('begins with the day: its note, what is due, what changed, what needs care', async () => {
    const { page, faults } = await open('/')
    await page.locator('.home .card', { hasText: 'The day' }).first().waitFor()
    const tasks = page.locator('.tasks li')
    await expect.poll(() => tasks.count(), SOON).toBe(2)
    expect(await tasks.nth(0).textContent()).toMatch(/^late · .*call Ada/)
    expect(await tasks.nth(1).textContent()).toMatch(/^today · .*send it/)
    // The day is said once.
    expect(await tasks.locator('.what').allTextContents()).toEqual(['call Ada', 'send it'])
    await page.locator('.chip', { hasText: '1 broken link' }).waitFor()
    // What is ticked elsewhere is gone here, and who did it is named.
    const { json } = await ask(served.url, '/web/call/write', {
      action: 'find_replace',
      id: 'handbook/work.md',
      find: '- [ ] call Ada',
      replace: '- [x] call Ada',
    })
    expect(json.error).toBeUndefined()
    await expect.poll(() => tasks.count(), SOON).toBe(1)
    await tasks.first().getByRole('button').press('Enter')
    await page.locator('.pane.reading[aria-label="Work"] .flash').waitFor()
    expect(faults).toEqual([])
  })

  it.each(['/', '/browse/handbook/teas/?sort=price'])(
    'is within reach of everyone: %s',
    async (path) => {
      for (const colorScheme of ['light', 'dark'] as const) {
        for (const width of [1440, 390]) {
          const viewport = { width, height: 844 }
          const watched = await open(path, { colorScheme, viewport })
          await watched.page.locator('.tasks li, .notes tbody tr').first().waitFor()
          await expectNoFaults(watched)
        }
      }
    },
  )
})

it('tells nothing of a folder that is not there', async () => {
  if (!BROWSER) return
  for (const path of ['nowhere/', 'handbook/nowhere/', '../', '/']) {
    expect((await ask(served.url, '/web/read/folders', { path })).json).toEqual({
      notes: 0,
      folders: [],
      more: 0,
    })
    const { json } = await ask(served.url, '/web/read/table', { path })
    expect(json).toMatchObject({ total: 0, rows: [] })
  }
})
