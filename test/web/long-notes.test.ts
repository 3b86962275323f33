/** A note of five megabytes: it opens at any place of it, and no more of it is loaded than one reads. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { SOON } from '../support/soon.ts'
import { BROWSER, NO_BROWSER } from './browser.ts'
import {
  closeBrowser,
  expectNoFaults,
  openPage,
  startBrowser,
  untilSaid,
  type Watched,
} from './page.ts'
import { ask, serve, untilIndexed, type Served } from './served.ts'

const SECTIONS = 6_161
const FILLER = 'Walls stand because every stone leans on its neighbours. '.repeat(14)
const HUGE = 'handbook/huge.md'

function sectionOf(number: number): string {
  const word = number === 5_000 ? ' The zanzibar lantern hangs here. ^lantern' : ''
  return `## Section ${number}\n\nThis is what section ${number} says.${word}\n\n${FILLER}\n\n`
}

const LONGISH = Array.from({ length: 100 }, (_, at) => `## Part ${at + 1}\n\n${FILLER}\n\n`).join(
  '',
)
const FILES = {
  'huge.md': Array.from({ length: SECTIONS }, (_, number) => sectionOf(number + 1)).join(''),
  'longish.md': LONGISH,
  'changing.md': LONGISH,
  'pointer.md':
    '# Pointer\n\nTo [[huge#Section 4000|the middle]], to [[huge#^lantern|a block]] and to [[huge#Nothing of this|nothing]].\n',
}

const finished: (() => void | Promise<void>)[] = []
let served: Served

beforeAll(async () => {
  served = await serve((clean) => finished.unshift(clean), { files: FILES, bare: true })
  await untilIndexed(served, 4)
  if (BROWSER) await startBrowser()
})

afterAll(async () => {
  await closeBrowser()
  for (const clean of finished) await clean()
})

async function open(path: string, options: Parameters<typeof openPage>[1] = {}): Promise<Watched> {
  const watched = await openPage(`${served.url}${path}`, options)
  onTestFinished(() => watched.close())
  return watched
}

/** Letters of the note that are in the page, and whether these words can be seen there. */
const lookAt = ({ page }: Watched, words: string) =>
  page.evaluate((words) => {
    const body = document.querySelector('.pane.reading .body')!
    const frame = body.getBoundingClientRect()
    const prose = [...body.querySelectorAll('.prose')]
    const seen = prose
      .flatMap((each) => [...each.children])
      .some((block) => {
        const box = block.getBoundingClientRect()
        const isSeen = box.bottom > frame.top && box.top < frame.bottom
        return isSeen && block.textContent.includes(words)
      })
    return { seen, loaded: prose.reduce((sum, { textContent }) => sum + textContent.length, 0) }
  }, words)

const sees = (watched: Watched, words: string) =>
  expect.poll(async () => (await lookAt(watched, words)).seen, SOON).toBe(true)

/** A window of some parts, however long the note. */
const LOADED = 6 * 50_000

describe('a part of a long note', () => {
  const read = (args: object) => ask(served.url, '/web/read/note', { id: HUGE, ...args })

  it('is the one that holds the place', async () => {
    expect(FILES['huge.md'].length).toBeGreaterThan(5_000_000)
    const { json: whole } = await read({})
    expect(whole.headings).toHaveLength(SECTIONS)
    expect(whole.html.length).toBeLessThan(100_000)
    for (const number of [1, 2, 60, 3_000, SECTIONS]) {
      const { line } = whole.headings[number - 1]
      const name = `Section ${number}`
      for (const at of [{ line }, { fragment: `h-section-${number}` }, { fragment: name }]) {
        const { json } = await read({ at })
        expect(json.place).toBe(line)
        expect(json.first).toBeLessThanOrEqual(line)
        expect(json.last).toBeGreaterThanOrEqual(line)
        expect(json.html).toContain(`>${name}</h2>`)
      }
    }
    const { json: block } = await read({ at: { fragment: '^lantern' } })
    expect(block.html).toContain('zanzibar')
    expect((await read({ at: { fragment: 'h-no-such' } })).json.place).toBeUndefined()
    expect((await read({ at: { fragment: '^no-such' } })).json.place).toBeUndefined()
  })

  it('goes on where the one before it ends, without what is known of the whole', async () => {
    let lines = 0
    const { json: first } = await read({})
    for (let part = 0; part < first.parts; part += 1) {
      const { json } = await read({ part })
      expect(json.first).toBe(lines + 1)
      expect(json.headings).toEqual([])
      lines = json.last
    }
    expect(lines).toBe(FILES['huge.md'].split('\n').length)
  })

  it('of its source is a window around a line', async () => {
    const { json } = await ask(served.url, '/web/read/source', { id: HUGE, line: 20_000 })
    expect(json.first).toBeLessThan(20_000)
    const all = FILES['huge.md'].split('\n')
    expect(json.lines).toBe(all.length)
    const shown = json.text.split('\n')
    expect(shown).toEqual(all.slice(json.first - 1, json.first - 1 + shown.length))
    expect(shown.length).toBeGreaterThan(20_000 - json.first)
  })
})

describe.skipIf(!BROWSER)(BROWSER ? 'a long note' : NO_BROWSER, () => {
  it('is printed as a whole, and only then', async () => {
    const { page, faults } = await open('/n/handbook/longish.md')
    await page.locator('.pane.reading .prose').first().waitFor()
    const parts = () => page.locator('.pane.reading .prose[data-part]').count()
    expect(await parts()).toBe(1)
    await page.evaluate(() => {
      Object.assign(globalThis, {
        print() {
          const last = [...document.querySelectorAll('.pane.reading .prose h2')].at(-1)
          Object.assign(globalThis, { printed: last?.textContent })
          dispatchEvent(new Event('afterprint'))
        },
      })
    })
    await page.keyboard.press('Control+p')
    await expect
      .poll(() => page.evaluate(() => (globalThis as { printed?: string }).printed), SOON)
      .toBe('Part 100')
    // What one reads is as it was.
    await expect.poll(parts, SOON).toBe(1)
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('.only-print').isVisible()).toBe(true)
    expect(faults).toEqual([])
  })

  it('is not printed as it was before it changed', async () => {
    const { page } = await open('/n/handbook/changing.md')
    const prose = page.locator('.pane.reading .prose')
    await prose.first().waitFor()
    await page.evaluate(() => {
      const said = globalThis as { printed?: number }
      Object.assign(globalThis, { print: () => (said.printed = (said.printed ?? 0) + 1) })
    })
    let release = (): void => {}
    const isHeld = new Promise<void>((resolve) => (release = resolve))
    let asked = 0
    await page.route('**/web/read/note*', async (route) => {
      const request = route.request()
      if (/\bpart\b/.test(`${request.url()} ${request.postData()}`)) {
        asked++
        // As it was, but late.
        const response = await route.fetch()
        await isHeld
        await route.fulfill({ response })
      } else await route.continue()
    })
    await page.keyboard.press('Control+p')
    await expect.poll(() => asked, SOON).toBe(1)
    writeFileSync(join(served.folder, 'changing.md'), `It is another one.\n\n${LONGISH}`)
    await expect.poll(() => prose.first().textContent(), SOON).toContain('It is another one.')
    release()
    await untilSaid(page, 'This note has just changed: print it again')
    expect(await page.evaluate(() => (globalThis as { printed?: number }).printed)).toBe(undefined)
    expect(await prose.first().textContent()).toContain('It is another one.')
    await page.keyboard.press('Control+p')
    await expect
      .poll(() => page.evaluate(() => (globalThis as { printed?: number }).printed), SOON)
      .toBe(1)
  })

  it('opens at the hit of a search, with the keys in its text', async () => {
    const watched = await open('/')
    const { page, faults } = watched
    await page.keyboard.press('/')
    await page.keyboard.type('zanzibar lantern ')
    await page.locator('[role=option]', { hasText: 'zanzibar' }).first().waitFor()
    await page.keyboard.press('Enter')
    await sees(watched, 'The zanzibar lantern hangs here')
    expect((await lookAt(watched, '')).loaded).toBeLessThan(LOADED)
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.className), SOON)
      .toBe('body')
    expect(faults).toEqual([])
  })

  it.each([
    ['a line', '?l=8997', 'what section 1500 says'],
    ['a section', '#h-section-3456', 'Section 3456'],
    ['a section as it is called', '#Section%20789', 'Section 789'],
    ['a block', '#%5Elantern', 'zanzibar lantern'],
  ])('opens at %s of its address', async (_, place, words) => {
    const watched = await open(`/n/${HUGE}${place}`)
    const text = await watched.page.locator('.prose').first().textContent()
    expect(text).not.toContain('what section 1 says')
    await sees(watched, words)
  })

  it('opens at what a link names, and says where there is no such place', async () => {
    const watched = await open('/n/handbook/pointer.md', {
      viewport: { width: 1700, height: 900 },
    })
    const { page } = watched
    const pointer = page.locator('.pane', {
      has: page.locator('.prose', { hasText: 'To the mid' }),
    })
    await pointer.locator('a.note', { hasText: 'the middle' }).press('Enter')
    await sees(watched, 'Section 4000')
    await page.keyboard.press('h')
    await pointer.locator('a.note', { hasText: 'a block' }).press('Enter')
    await sees(watched, 'zanzibar lantern')
    await page.keyboard.press('h')
    await pointer.locator('a.note', { hasText: 'nothing' }).press('Enter')
    await expect
      .poll(() =>
        page.evaluate(() => (globalThis as never as { saidInPassing: string[] }).saidInPassing),
      )
      .toContainEqual(expect.stringMatching(/no section/))
  })

  it('lists all its sections, and goes to any of them', async () => {
    const watched = await open(`/n/${HUGE}`)
    const { page } = watched
    await page.locator('.prose').first().waitFor()
    await page.keyboard.press('o')
    const sections = page.locator('.outline li')
    await expect.poll(() => sections.count(), SOON).toBe(SECTIONS)
    expect((await lookAt(watched, '')).loaded).toBeLessThan(LOADED)
    await sections.last().getByRole('button').press('Enter')
    await sees(watched, `what section ${SECTIONS} says`)
    expect((await lookAt(watched, '')).loaded).toBeLessThan(LOADED)
    await page.goBack()
    await sees(watched, 'what section 1 says')
  })

  it('loads further parts as one scrolls, both ways, and what one reads stays', async () => {
    const watched = await open(`/n/${HUGE}?l=20000`)
    const { page } = watched
    const body = page.locator('.pane.reading .body')
    const parts = () =>
      page
        .locator('.prose')
        .evaluateAll((all) => all.map((each) => Number((each as HTMLElement).dataset['part'])))
    await expect.poll(async () => (await parts()).length, SOON).toBeGreaterThan(0)
    const [first] = await parts()
    const step = async (by: number): Promise<void> => {
      const before = await parts()
      await expect
        .poll(async () => {
          await body.evaluate((element, by) => element.scrollBy({ top: by }), by)
          return parts()
        }, SOON)
        .not.toEqual(before)
    }
    for (let times = 0; times < 8; times++) await step(20_000)
    const late = await parts()
    expect(late.at(-1)).toBeGreaterThanOrEqual(first! + 8)
    expect(late.length).toBeLessThanOrEqual(6)
    expect((await lookAt(watched, '')).loaded).toBeLessThan(LOADED)
    for (let times = 0; times < 10; times++) await step(-20_000)
    const early = await parts()
    expect(early[0]).toBeLessThan(first!)
    // Without a gap.
    expect(early).toEqual(early.map((_, at) => early[0]! + at))
  })

  it('does not move while a part before it is loaded', async () => {
    const watched = await open(`/n/${HUGE}?l=20000`)
    const { page } = watched
    const all = FILES['huge.md'].split('\n')
    const heading = all.slice(19_990, 20_003).findLast((each) => each.startsWith('## '))!
    await sees(watched, heading.slice(3))
    const parts = () => page.locator('.prose').count()
    await expect.poll(parts, SOON).toBeGreaterThan(0)
    // To the beginning of what is loaded: what comes before it is put above.
    const moved = await page.evaluate(async () => {
      const body = document.querySelector('.pane.reading .body')!
      body.scrollTop = 300
      const first = body.querySelector('.prose > [data-line]')!
      const before = first.getBoundingClientRect().top
      const count = body.querySelectorAll('.prose').length
      const number = () => (body.querySelector('.prose') as HTMLElement).dataset['part']
      const at = number()
      while (number() === at && body.querySelectorAll('.prose').length === count)
        await new Promise((done) => requestAnimationFrame(done))
      await new Promise((done) => requestAnimationFrame(done))
      return Math.abs(first.getBoundingClientRect().top - before)
    })
    expect(moved).toBeLessThan(2)
  })

  it('is read anew where one is when its file changes', async () => {
    const { url, folder } = served
    const watched = await open(`/n/${HUGE}#h-section-3000`)
    await sees(watched, 'Section 3000')
    writeFileSync(
      `${folder}/huge.md`,
      FILES['huge.md'].replace('what section 3000 says.', 'what section 3000 says now.'),
    )
    onTestFinished(async () => {
      writeFileSync(`${folder}/huge.md`, FILES['huge.md'])
      await expect
        .poll(async () => JSON.stringify(await ask(url, '/web/read/note', { id: HUGE, part: 50 })))
        .not.toContain('says now')
    })
    await sees(watched, 'what section 3000 says now')
  })

  it('shows its source at the line', async () => {
    const { page } = await open(`/n/${HUGE}?l=20000`)
    await page.locator('.prose').first().waitFor()
    await page.keyboard.press('s')
    const here = page.locator('.source .here')
    await here.waitFor()
    expect(await here.getAttribute('data-number')).toBe('20000')
    await page.getByRole('button', { name: /^Further lines/ }).press('Enter')
    await page.locator('.source li[data-number="22000"]').waitFor()
  })

  it.each([1280, 390])('is within reach of everyone: %i px', async (width) => {
    const watched = await open('/n/handbook/longish.md#h-part-80', {
      viewport: { width, height: 844 },
    })
    await sees(watched, 'Part 80')
    await watched.page.keyboard.press('o')
    await expect.poll(() => watched.page.locator('.outline li').count(), SOON).toBe(100)
    await watched.page.locator('.outline summary').scrollIntoViewIfNeeded()
    await expectNoFaults(watched)
  })
})
