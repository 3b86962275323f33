/** What changes while one looks: notes that come, change and go, servers that stop, ways back. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { SOON } from '../support/soon.ts'
import { endCairn } from '../support/cairn-process.ts'
import { writeFiles } from '../support/temporary-folder.ts'
import { BROWSER, NO_BROWSER } from './browser.ts'
import { serveHandbook } from './handbook.ts'
import { expectNoFaults, openPage, type Watched } from './page.ts'
import { ask, serve, serveAgain, untilIndexed, type Served } from './served.ts'

let served: Served

serveHandbook((each) => (served = each))

async function open(path: string, from = served): Promise<Watched> {
  const watched = await openPage(`${from.url}${path}`)
  onTestFinished(() => watched.close())
  return watched
}

const poll = <Value>(look: () => Value | Promise<Value>) => expect.poll(look, SOON)
const write = (path: string, text: string): void => writeFiles(served.folder, { [path]: text })

describe.skipIf(!BROWSER)(BROWSER ? 'the page' : NO_BROWSER, () => {
  // First, while nothing changes.
  it('loads the map once', async () => {
    const watched = await open('/history')
    const { page } = watched
    const asked: string[] = []
    page.on('request', (request) => {
      if (/\/web\/(?:graph|read\/labels)$/.test(request.url())) asked.push(request.url())
    })
    await page.goto(`${served.url}/graph`)
    await page.locator('.map[data-labels]').waitFor()
    await page.locator('.foot').filter({ hasText: /note/ }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(asked).toHaveLength(2)
  })

  it('says that a note is gone and shows nothing of it; what may be meant is a link', async () => {
    write('passing.md', '# Passing\n\nHere today, quokka.\n')
    const { page } = await open('/?q=passing')
    await page.locator('[role=option]', { hasText: 'Passing' }).first().waitFor()
    await page.keyboard.press('/')
    await page.keyboard.press('Enter')
    await page.locator('.prose', { hasText: 'quokka' }).waitFor()
    await poll(() => page.title()).toBe('Passing · Cairn')
    rmSync(join(served.folder, 'passing.md'))
    await page.locator('.pane .problem', { hasText: 'There is no document' }).waitFor()
    expect(await page.locator('.pane').textContent()).not.toContain('quokka')
    expect(await page.locator('.about, .backlinks').count()).toBe(0)
    expect(await page.locator('.pane .problem').textContent()).toContain(
      'renamed, moved or deleted',
    )
    // What would show or mark it is not offered.
    expect(await page.locator('.pane-head [data-tool]').count()).toBe(2)

    await page.goto(`${served.url}/n/handbook/glosary.md`)
    const meant = page.locator('.candidates button', { hasText: 'handbook/glossary.md' })
    await meant.press('Enter')
    await page.locator('.pane[aria-label="Glossary"] .prose').waitFor()
    await poll(() => page.locator('.pane').count()).toBe(1)
  })

  it('follows what happens: results, first page and history', async () => {
    const results = await open('/?q=wombats')
    const home = await open('/')
    const history = await open('/history')
    await results.page.locator('.results').waitFor()
    await home.page.locator('.cards li').first().waitFor()
    await history.page.locator('.page h1').waitFor()
    const change = { action: 'create', id: 'handbook/wombats.md', content: '# Wombats\n\nDig.\n' }
    expect((await ask(served.url, '/web/call/write', change)).status).toBe(200)
    await results.page.locator('[role=option]', { hasText: 'Wombats' }).first().waitFor()
    await home.page.locator('.cards li', { hasText: 'Wombats' }).waitFor()
    await history.page.locator('.changes li', { hasText: 'wombats.md' }).first().waitFor()
    for (const { faults } of [results, home, history]) expect(faults).toEqual([])
  })

  it('asks again what it could not ask while there was no server', async () => {
    const finished: (() => void | Promise<void>)[] = []
    onTestFinished(async () => {
      for (const clean of finished) await clean()
    })
    const first = await serve((clean) => finished.unshift(clean))
    await untilIndexed(first, 33)
    const { page } = await open('/', first)
    await endCairn(first.cairn)
    await page.keyboard.press('/')
    await page.keyboard.type('roll back')
    await page.locator('.problem', { hasText: 'does not answer' }).waitFor()
    await serveAgain((clean) => finished.unshift(clean), first)
    await page.locator('[role=option]', { hasText: 'Roll back a release' }).first().waitFor()
    await page.locator('.banner').waitFor({ state: 'detached' })
  })

  it('goes back to where one was in a note, and in the list', async () => {
    const text = Array.from({ length: 80 }, (_, at) => `Paragraph ${at + 1}.\n\n`).join('')
    write('tall.md', `# Tall\n\n${text}See [[glossary]].\n\n${text}`)
    write('other.md', '# Other\n\nShort.\n')
    await untilIndexed(served, 35)
    const { page } = await open('/n/handbook/tall.md')
    const body = page.locator('.pane.reading .body')
    const top = () => body.evaluate((element) => element.scrollTop)
    await page.locator('.prose a.note').scrollIntoViewIfNeeded()
    const before = await top()
    expect(before).toBeGreaterThan(500)
    // Another note instead of this one, and back.
    await page.keyboard.press('/')
    await page.keyboard.type('other')
    await page.locator('[role=option]', { hasText: 'Other' }).first().waitFor()
    await page.keyboard.press('Enter')
    await page.locator('.pane[aria-label="Other"] .prose').waitFor()
    expect(await top()).toBe(0)
    await page.goBack()
    await page.locator('.pane[aria-label="Tall"] .prose').waitFor()
    await poll(async () => Math.abs((await top()) - before) < 3).toBe(true)
    // And where the page is loaded again; who opens the address anew begins at the top.
    await page.reload()
    await poll(async () => Math.abs((await top()) - before) < 3).toBe(true)
    await page.goto(`${served.url}/n/handbook/glossary.md`)
    await page.goto(`${served.url}/n/handbook/tall.md`)
    await page.locator('.pane[aria-label="Tall"] .prose').waitFor()
    expect(await top()).toBe(0)
  })

  it('writes from the right what is written from the right', async () => {
    write(
      'arabic.md',
      '# ملاحظة\n\nهذا نص عربي.\n\nAnd this is English.\n\n- عنصر\n\n```\ncode\n```\n',
    )
    const watched = await open('/n/handbook/arabic.md')
    const { page } = watched
    const side = (words: string) =>
      page
        .locator('.prose > *', { hasText: words })
        .first()
        .evaluate((element) => getComputedStyle(element).direction)
    await page.locator('.prose', { hasText: 'English' }).waitFor()
    expect(await side('هذا')).toBe('rtl')
    expect(await side('English')).toBe('ltr')
    expect(await side('عنصر')).toBe('rtl')
    expect(await side('code')).toBe('ltr')
    const title = page.locator('.pane-head h1')
    expect(await title.evaluate((element) => getComputedStyle(element).direction)).toBe('rtl')
    await expectNoFaults(watched)
  })

  it('keeps the order of links, folders and tags that are written from the right', async () => {
    write('ערב/שלום.md', '# שלום\n\n#תגית\n')
    write('ערב/בוקר.md', '# בוקר\n\nטוב.\n')
    write('mixed.md', '# Mixed\n\nFirst [[שלום]], [[בוקר]] then.\n')
    const { page } = await open('/n/handbook/mixed.md')
    const links = page.locator('.prose a.note')
    await poll(() => links.count()).toBe(2)
    const left = async (index: number) => (await links.nth(index).boundingBox())!.x
    expect(await left(0)).toBeLessThan(await left(1))
    await links.nth(0).press('Enter')
    const pane = page.locator('.pane.reading[aria-label="שלום"]')
    const names = pane.locator('.path bdi')
    await names.filter({ hasText: 'שלום.md' }).waitFor()
    expect(await names.allTextContents()).toEqual(['handbook', 'ערב', 'שלום.md'])
    expect((await names.nth(1).boundingBox())!.x).toBeLessThan(
      (await names.nth(2).boundingBox())!.x,
    )
    // The sign of a tag stands where one begins to read.
    const [sign, tag] = await pane.locator('.about .tag').evaluate((element) => {
      const text = element.firstChild!
      return [0, 1].map((at) => {
        const range = new Range()
        range.setStart(text, at)
        range.setEnd(text, at + 1)
        return range.getBoundingClientRect().left
      })
    })
    expect(sign).toBeGreaterThan(tag!)
  })

  it('is called what one looks at', async () => {
    const { page } = await open('/n/handbook/glossary.md')
    await poll(() => page.title()).toBe('Glossary · Cairn')
    await page.keyboard.press('5')
    await poll(() => page.title()).toBe('History · Cairn')
    await page.goto(`${served.url}/?q=alerts`)
    await poll(() => page.title()).toBe('alerts · Cairn')
    await page.goto(served.url)
    await poll(() => page.title()).toBe('Cairn')
  })

  it('prints the note one reads, and nothing else', async () => {
    const { page } = await open('/n/handbook/glossary.md?q=release')
    await page.locator('.prose').waitFor()
    await page.locator('.results').waitFor()
    await page.emulateMedia({ media: 'print' })
    for (const part of ['.top', '.foot', '.left', '.backlinks', '.pane-head .tools'])
      expect([part, await page.locator(part).first().isVisible()]).toEqual([part, false])
    // All of it, not what fits the window.
    const { text, shown } = await page.locator('.pane.reading').evaluate((pane) => ({
      text: pane.querySelector('.prose')!.scrollHeight,
      shown: document.documentElement.scrollHeight,
    }))
    expect(shown).toBeGreaterThanOrEqual(text)
  })
})
