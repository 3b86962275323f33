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
    '> [!tip]- Folded\n> Hidden at first.\n\n> [!question] **Is** [[Ada#Work|her work]] done?\n> Who knows.\n\n' +
    '```sh\necho hello\n```\n\nBack to [[#^first-block|the first]].\n',
  'gone.md': '# Gone\n\n![[nowhere.png]]\n\n![[no film.mp4]]\n\n![A drawing](gone/drawing.svg)\n',
  'no film.mp4': 'words',
  'Ada.md': '# Ada\n\nBorn.\n\n## Work\n\nEngines. #project/garden\n',
}

const finished: (() => void | Promise<void>)[] = []
let served: Served

beforeAll(async () => {
  if (!BROWSER) return
  served = await serve((clean) => finished.unshift(clean), { files: FILES, bare: true })
  await untilIndexed(served, 3)
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

  it('shows titles of callouts as text, each kind in its colour, and boxes on one line', async () => {
    const { page } = await open()
    const title = page.locator('.callout-question .callout-title')
    await title.locator('a.note', { hasText: 'her work' }).waitFor()
    expect(await title.locator('strong').textContent()).toBe('Is')
    const colour = (kind: string) =>
      page
        .locator(`.callout-${kind} > .callout-title`)
        .evaluate((element) => getComputedStyle(element).color)
    expect(await colour('question')).not.toBe(await colour('tip'))
    // A box with a sign in it stands as high as one without.
    const heights = await page.locator('li.task').evaluateAll((items) =>
      items.map((item) => {
        const box = item.querySelector('.box')!.getBoundingClientRect()
        return Math.round(box.top - item.getBoundingClientRect().top)
      }),
    )
    expect(new Set(heights).size).toBe(1)
  })

  it('names pictures and films that cannot be shown', async () => {
    const { page, close } = await openPage(`${served.url}/n/handbook/gone.md`)
    onTestFinished(close)
    const named = page.locator('.prose .refused')
    await expect
      .poll(() => named.allTextContents(), SOON)
      .toEqual(['nowhere.png', 'no film.mp4', 'A drawing'])
    expect(await page.locator('.prose :is(img, video)').count()).toBe(0)
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
