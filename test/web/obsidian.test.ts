/** What Obsidian's users write, in a real browser: seen, or unseen, as they know it. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { SOON } from '../support/soon.ts'
import { BROWSER, NO_BROWSER } from './browser.ts'
import { closeBrowser, expectNoFaults, openPage, startBrowser, untilSaid } from './page.ts'
import { serve, untilIndexed, type Served } from './served.ts'

const FILES = {
  'everything.md':
    '---\nauthor: "[[Ada]]"\nsee: ["[[Ada#Work|her work]]", "https://ada.example/x", "[[Nobody]]"]\nrating: 5\n---\n\n' +
    '# Everything\n\nSeen %%unseen%% text. ^first-block\n\n%%\nA whole paragraph unseen.\n%%\n\n' +
    'Some ==marked words== and a #project/garden tag.^[A note in place.] At https://plain.example/a too.\n\n' +
    '- [ ] open\n- [/] begun\n- [-] dropped\n- [!] urgent\n- [x] done\n\n' +
    '> [!tip]- Folded\n> Hidden at first.\n\n```sh\necho hello\n```\n\nBack to [[#^first-block|the first]].\n',
  'Ada.md': '# Ada\n\nBorn.\n\n## Work\n\nEngines. #project/garden\n',
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

describe.skipIf(!BROWSER)(BROWSER ? 'a note from Obsidian' : NO_BROWSER, () => {
  const open = async (options: Parameters<typeof openPage>[1] = {}) => {
    const watched = await openPage(`${served.url}/n/handbook/everything.md`, options)
    onTestFinished(() => watched.close())
    await watched.page.locator('.prose', { hasText: 'marked words' }).waitFor()
    return watched
  }

  it('hides what is not for readers', async () => {
    const { page } = await open()
    const text = (await page.locator('.prose').textContent()) ?? ''
    expect(text).not.toMatch(/unseen|%%|first-block/)
    expect(await page.locator('.prose mark').textContent()).toBe('marked words')
    expect(text).toContain('A note in place.')
    const folded = page.getByText('Hidden at first.')
    expect(await folded.isVisible()).toBe(false)
    await page.locator('.callout summary').press('Enter')
    await folded.waitFor()
    await page.locator('.prose a', { hasText: 'the first' }).press('Enter')
    await page.locator('.prose .flash', { hasText: 'Seen' }).waitFor()
  })

  it('follows tags and links of properties', async () => {
    const { page, faults } = await open({ viewport: { width: 1700, height: 900 } })
    await page.locator('.properties summary').press('Enter')
    const see = page.locator('.properties tr', { hasText: 'see' })
    expect(await see.locator('a').getAttribute('href')).toBe('https://ada.example/x')
    expect(await see.locator('.ghost').textContent()).toBe('Nobody')
    await see.getByRole('button', { name: 'her work' }).press('Enter')
    await page.locator('.pane.reading[aria-label="Ada"] .flash', { hasText: 'Work' }).waitFor()
    await page.goBack()
    await page.locator('.prose a.tag').first().press('Enter')
    await expect.poll(() => page.locator('#q').inputValue(), SOON).toBe('tag:project/garden')
    await page.locator('[role=option]', { hasText: 'Ada' }).first().waitFor()
    expect(faults).toEqual([])
  })

  it('copies code', async () => {
    const { page } = await open({ permissions: ['clipboard-read', 'clipboard-write'] })
    await page.getByRole('button', { name: 'Copy', exact: true }).press('Enter')
    await untilSaid(page, 'Copied')
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('echo hello\n')
  })

  it.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 390],
  ] as const)('is within reach of everyone: %s, %i px', async (colorScheme, width) => {
    const watched = await open({ colorScheme, viewport: { width, height: 844 } })
    await watched.page.locator('.properties summary').press('Enter')
    await watched.page.locator('.callout summary').press('Enter')
    await expectNoFaults(watched)
  })
})
