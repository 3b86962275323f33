/** When something is missing or goes wrong: each time a sentence that says what to do, and the rest works. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { SOON } from '../support/soon.ts'
import { BROWSER, NO_BROWSER } from './browser.ts'
import { serveHandbook } from './handbook.ts'
import { expectNoFaults, openPage, untilSaid, type Watched } from './page.ts'
import { ask, serve, untilIndexed, type Served } from './served.ts'

let served: Served

serveHandbook((each) => (served = each))

async function open(path: string, from = served): Promise<Watched> {
  const watched = await openPage(`${from.url}${path}`)
  onTestFinished(() => watched.close())
  return watched
}

/** Chromium reports every answer that is an error; the page has shown it. */
const unsaid = ({ faults }: Watched): string[] =>
  faults.filter((fault) => !/status of (?:400|404|409|500|503)/.test(fault))

const type = async ({ page }: Watched, words: string): Promise<void> => {
  await page.keyboard.press('/')
  await page.keyboard.type(words)
}

describe.skipIf(!BROWSER)(BROWSER ? 'trouble' : NO_BROWSER, () => {
  it('an empty base says so in every view', async () => {
    const empty = await serve(onTestFinished, { bare: true })
    await untilIndexed(empty, 0)
    for (const [path, words] of [
      ['/', 'This base is empty'],
      ['/graph', 'this base is empty'],
      ['/ask?asked=why', 'Nothing here answers'],
      ['/reports', '0'],
      ['/history', 'Nothing was changed yet'],
      ['/live', 'Live'],
      ['/inspect?q=why', 'nothing is really about this'],
    ] as const) {
      const watched = await open(path, empty)
      await watched.page.locator('main', { hasText: words }).waitFor()
      await expectNoFaults(watched)
      await watched.close()
    }
  })

  it('a part of the page that does not come is asked for again', async () => {
    const watched = await open('/')
    const { page } = watched
    let refused = 0
    await page.route('**/later-reports-*', (route) => {
      refused++
      return refused === 1 ? route.abort() : route.continue()
    })
    await page.getByRole('link', { name: 'Reports' }).first().click()
    await page.getByRole('alert').filter({ hasText: 'could not be loaded' }).waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    expect(refused).toBe(2)
    await watched.close()
  })

  it('what nobody knows by that name is said, and the view works', async () => {
    for (const [path, words] of [
      ['/n/no/such/note.md', 'There is no document'],
      ['/n/%00', 'is not an id'],
      ['/graph?node=nobody&to=no-one&depth=9&colour=none&link=none', '33 notes'],
      ['/graph?notes=nobody', 'None of these notes is on the map'],
      ['/reports/nonsense', 'Overview'],
      ['/history?by=nobody', 'Nothing was changed'],
      ['/inspect?q=release&missing=nobody', 'nobody'],
      ['/nonsense', 'There is nothing at this address'],
      ['/nonsense/deeper?q=release', 'There is nothing at this address'],
      ['/n/handbook/glossary.md#%E0', 'Glossary'],
    ] as const) {
      const watched = await open(path)
      await watched.page.locator('main', { hasText: words }).waitFor()
      expect([path, unsaid(watched)]).toEqual([path, []])
      await watched.close()
    }
  })

  it('a call that fails is said, and the next one works', async () => {
    const watched = await open('/')
    const { page } = watched
    const error = { code: 'unavailable', message: 'The index is locked.', hint: 'Try again soon.' }
    await page.route('**/web/read/search', (route) =>
      route.fulfill({ status: 503, json: { error } }),
    )
    await type(watched, 'release')
    await page.locator('.problem', { hasText: 'The index is locked.' }).waitFor()
    await page.locator('.problem', { hasText: 'Try again soon.' }).waitFor()
    await page.unroute('**/web/read/search')
    await page.keyboard.type('s')
    await page.locator('[role=option]').first().waitFor()
    expect(unsaid(watched)).toEqual([])
  })

  it('a call that hangs does not keep the next one waiting', async () => {
    const watched = await open('/')
    const { page } = watched
    let hung = 0
    await page.route('**/web/read/search', (route) => (hung++ === 0 ? undefined : route.continue()))
    await type(watched, 'r')
    await expect.poll(() => hung).toBeGreaterThan(0)
    // Whoever goes on typing gets an answer, a little later than usual.
    const letters = [...'elease of a version that has to be rolled back']
    await expect
      .poll(
        async () => {
          await page.keyboard.type(letters.shift() ?? ' ')
          return page.locator('[role=option]').count()
        },
        { ...SOON, interval: 300 },
      )
      .toBeGreaterThan(0)
    expect(unsaid(watched)).toEqual([])
  })

  it('an answer that is cut off, or is none of ours, is said', async () => {
    const watched = await open('/')
    const { page } = watched
    await page.route('**/web/read/note', (route) =>
      route.fulfill({ contentType: 'application/json', body: '{"id":"handbook/ind' }),
    )
    await page.route('**/web/graph', (route) => route.fulfill({ body: 'not a map' }))
    await type(watched, 'glossary')
    await page.locator('[role=option]').first().waitFor()
    await page.keyboard.press('Enter')
    await page.locator('.problem', { hasText: 'was cut off' }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await page.keyboard.press('2')
    await page.locator('.problem', { hasText: 'do not belong together' }).waitFor()
    await page.unroute('**/web/read/note')
    await page.goto(`${served.url}/n/handbook/glossary.md`)
    await page.locator('.prose').first().waitFor()
    expect(unsaid(watched)).toEqual([])
  })

  it('an old page offers to be loaded again by a newer server', async () => {
    const { page } = await open('/')
    await page.route('**/web/read/**', async (route) => {
      // A question that is given up meanwhile has no answer.
      const response = await route.fetch().catch(() => undefined)
      if (!response) return
      const headers = { ...response.headers(), 'x-cairn-build': 'a-newer-one' }
      await route.fulfill({ response, headers }).catch(() => undefined)
    })
    await page.keyboard.press('/')
    await page.keyboard.type('release')
    const banner = page.locator('.banner', { hasText: 'The server was updated' })
    await banner.waitFor()
    // It goes on working meanwhile.
    await page.locator('[role=option]').first().waitFor()
    await page.unroute('**/web/read/**')
    await banner.getByRole('button', { name: 'Reload this page' }).press('Enter')
    await banner.waitFor({ state: 'detached' })
    await expect.poll(() => page.locator('#q').inputValue()).toBe('release')
  })

  it('an undo that was done already says how to have the change back', async () => {
    const file = join(served.folder, 'index.md')
    const before = readFileSync(file)
    const change = { action: 'append', id: 'handbook/index.md', content: 'Twice.' }
    await ask(served.url, '/web/call/write', change)
    const pages = [await open('/history'), await open('/history')]
    for (const { page } of pages) await page.locator('.changes li.chosen').waitFor()
    const [first, second] = pages.map(({ page }) => page)
    await first!.keyboard.press('u')
    await first!.locator('.confirm .danger').press('Enter')
    await untilSaid(first!, '1 change undone')
    expect(readFileSync(file).equals(before)).toBe(true)
    await second!.keyboard.press('u')
    await second!.locator('.problem', { hasText: 'was already undone' }).waitFor()
    await second!.locator('.problem .hint', { hasText: 'to have the change back' }).waitFor()
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  it('a base that may only be read offers nothing that writes', async () => {
    const safe = await serve(onTestFinished, { flags: ['--read-only'] })
    await untilIndexed(safe, 33)
    const history = await open('/history', safe)
    await history.page.locator('.empty', { hasText: 'may only be read' }).waitFor()
    await expectNoFaults(history)
    const note = await open('/n/handbook/glossary.md', safe)
    await note.page.getByRole('button', { name: 'Look for mentions without a link' }).press('Enter')
    await note.page.locator('.backlinks h2').nth(1).waitFor()
    expect(await note.page.getByRole('button', { name: 'Link', exact: true }).count()).toBe(0)
    expect(unsaid(note)).toEqual([])
  })
})
