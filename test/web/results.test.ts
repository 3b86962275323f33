/** What was found, in a real browser: narrowed by chips, looked at before it is opened, to the last. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { SOON } from '../support/soon.ts'
import { BROWSER, NO_BROWSER } from './browser.ts'
import { closeBrowser, expectNoFaults, openPage, startBrowser } from './page.ts'
import { serve, untilIndexed, type Served } from './served.ts'

const MANY = 60
const LONG = Array.from({ length: 120 }, (_, at) => `Line ${at} of something else.\n\n`).join('')

const FILES = {
  ...Object.fromEntries(
    Array.from({ length: MANY }, (_, at) => [
      `${at % 2 === 0 ? 'even' : 'odd'}/n${at}.md`,
      `---\nmood: ${at % 4 === 0 ? 'in awe' : 'calm'}\n---\n# Note ${at}\n\nA badger was seen. ${at % 3 === 0 ? '#third' : '#other'}\n`,
    ]),
  ),
  'deep.md': `# Deep\n\n## Deep inside\n\n${'Ordinary wording without anything. '.repeat(6)}%%hidden%% Then an ==aardvark== came by. ^the-block\n`,
  'set.md': '---\ntitle: Set\n---\n\n## Setup of nests\n\nA kestrel hovers.\n',
  'long.md': `# Long\n\n${LONG}Two wombats dig a burrow, and a wombat sleeps in [[wombat-hole|it (2+2)]].\n\n${LONG}`,
}

const finished: (() => void | Promise<void>)[] = []
let served: Served

beforeAll(async () => {
  if (!BROWSER) return
  served = await serve((clean) => finished.unshift(clean), { files: FILES, bare: true })
  await untilIndexed(served, MANY + 3)
  await startBrowser()
})

afterAll(async () => {
  await closeBrowser()
  for (const clean of finished) await clean()
})

describe.skipIf(!BROWSER)(BROWSER ? 'results' : NO_BROWSER, () => {
  const open = async (path: string, options: Parameters<typeof openPage>[1] = {}) => {
    const watched = await openPage(`${served.url}${path}`, options)
    onTestFinished(() => watched.close())
    if (path !== '/') await watched.page.locator('[role=option]').first().waitFor()
    return watched
  }
  const litIn = `[...(CSS.highlights.get('asked') ?? [])].map((range) => range.toString())`

  it('are narrowed by chips that say how many they leave', async () => {
    const { page, faults } = await open('/?q=badger%20')
    const chips = page.locator('.narrow .chip')
    await chips.filter({ hasText: 'even 30' }).press('Enter')
    await expect
      .poll(() => new URL(page.url()).searchParams.get('folder'), SOON)
      .toBe('handbook/even/')
    await chips.filter({ hasText: '#third 10' }).press('Enter')
    await expect.poll(() => page.locator('.results .hit').count(), SOON).toBe(10)
    expect(await page.locator('.narrow [aria-pressed=true]').allTextContents()).toEqual([
      'even ×',
      '#third ×',
    ])
    await page.getByRole('button', { name: 'clear' }).press('Enter')
    await chips.filter({ hasText: 'odd 30' }).waitFor()
    expect(faults).toEqual([])
  })

  it('are narrowed by what they say of themselves', async () => {
    const { page, faults } = await open('/?q=badger%20')
    const mood = page.getByRole('combobox', { name: 'Property mood' })
    await mood.waitFor()
    expect(await mood.locator('option').allTextContents()).toEqual([
      'mood',
      'calm (45)',
      'in awe (15)',
    ])
    await mood.selectOption('in awe (15)')
    await expect.poll(() => page.locator('.results .hit').count(), SOON).toBe(15)
    expect(new URL(page.url()).searchParams.get('where')).toBe('mood = "in awe"')
    await page.getByRole('button', { name: 'mood = in awe' }).press('Enter')
    await expect.poll(() => page.locator('.results .hit').count(), SOON).toBe(20)
    expect(faults).toEqual([])
  })

  it('go on beyond the first twenty', async () => {
    const { page, faults } = await open('/?q=badger%20')
    const hits = page.locator('.results .hit')
    await expect.poll(() => hits.count(), SOON).toBe(20)
    await page.getByRole('button', { name: 'More (40)' }).press('Enter')
    await expect.poll(() => hits.count(), SOON).toBe(MANY)
    expect(await page.getByRole('button', { name: /^More/ }).count()).toBe(0)
    expect(faults).toEqual([])
  })

  it('are previewed at their place, and their words are lit there and in the opened note', async () => {
    const { page, faults } = await open('/?q=wombat%20', {
      viewport: { width: 1440, height: 900 },
    })
    const place = page.locator('.preview .prose p', { hasText: 'dig a burrow' })
    await place.waitFor()
    await expect.poll(async () => (await place.boundingBox())!.y, SOON).toBeLessThan(900)
    await expect.poll(() => page.evaluate(litIn), SOON).toEqual(['wombats', 'wombat'])
    expect(await page.locator('.pane.reading').count()).toBe(0)
    await page.locator('#q').focus()
    await page.keyboard.press('Enter')
    await page.locator('.pane.reading .prose').waitFor()
    await expect.poll(() => page.evaluate(litIn), SOON).toEqual(['wombats', 'wombat'])
    expect(await page.locator('.preview').count()).toBe(0)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await expect.poll(() => page.evaluate(litIn), SOON).toEqual([])
    expect(faults).toEqual([])
  })

  it('that are previewed are opened without reading them again, unless they have changed', async () => {
    const { page } = await open('/?q=badger%20')
    await page.locator('.preview .prose', { hasText: 'badger' }).waitFor()
    const read: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/web/read/note')) read.push(request.postData() ?? '')
    })
    await page.locator('#q').press('Enter')
    const text = page.locator('.pane.reading .prose')
    await text.filter({ hasText: 'badger' }).waitFor()
    const { id } = (await page.evaluate(
      "({ id: document.querySelector('.pane.reading .path').textContent })",
    )) as { id: string }
    expect(read).toEqual([])
    const file = join(served.folder, id.slice(id.indexOf('/') + 1))
    const before = readFileSync(file, 'utf8')
    writeFileSync(file, before.replace('was seen', 'was heard'))
    await text.filter({ hasText: 'was heard' }).waitFor()
    expect(read.length).toBeGreaterThan(0)
    writeFileSync(file, before)
    await text.filter({ hasText: 'was seen' }).waitFor()
  })

  it('say on one line where they are, and show the words that were found', async () => {
    const { page } = await open('/?q=aardvark%20')
    const hit = page.locator('.results .hit').first()
    expect(await hit.locator('.as').textContent()).toBe('Deep inside · handbook/deep.md')
    const { height } = (await hit.locator('.as').boundingBox())!
    expect(height).toBeLessThan(26)
    const [row, mark] = [await hit.boundingBox(), await hit.locator('mark').first().boundingBox()]
    expect(mark!.y + mark!.height).toBeLessThan(row!.y + row!.height)
    expect(await hit.locator('.snippet').textContent()).not.toMatch(/%%|\^the-block|==/)
  })

  it('name a heading that begins as the title does in full', async () => {
    const { page } = await open('/?q=kestrel%20')
    const where = page.locator('.results .hit').first().locator('.as')
    expect(await where.textContent()).toBe('Setup of nests · handbook/set.md')
  })

  it('keep the one that was opened chosen', async () => {
    const { page } = await open('/')
    await page.keyboard.press('/')
    await page.keyboard.type('badger')
    const options = page.locator('[role=option]')
    await expect.poll(() => options.count(), SOON).toBeGreaterThan(5)
    for (let at = 0; at < 3; at++) await page.keyboard.press('ArrowDown')
    const chosen = page.locator('[role=option][aria-selected=true] .path')
    const before = await chosen.textContent()
    const asked = page.waitForResponse((response) => response.url().endsWith('/web/read/search'))
    await page.keyboard.press('Enter')
    await page.locator('.pane.reading .prose').waitFor()
    await (await asked).finished()
    await expect.poll(() => options.count(), SOON).toBeGreaterThan(15)
    expect(await chosen.textContent()).toBe(before)
    expect(await page.locator('.pane.reading .pane-head .path').textContent()).toBe(before)
  })

  it('lets the arrows show one after the other', async () => {
    const { page } = await open('/?q=badger%20')
    const name = () => page.locator('.preview h2').textContent()
    await page.locator('.preview .prose').waitFor()
    const first = await name()
    await page.locator('#q').focus()
    await page.keyboard.press('ArrowDown')
    await expect.poll(name, SOON).not.toBe(first)
    expect(await page.locator('#q').inputValue()).toBe('badger ')
  })

  it.each([
    ['light', 1440],
    ['dark', 1440],
    ['light', 390],
    ['dark', 390],
  ] as const)('are within reach of everyone: %s, %i px', async (colorScheme, width) => {
    const watched = await open('/?q=badger%20&tag=third', {
      colorScheme,
      viewport: { width, height: 844 },
    })
    if (width > 390) await watched.page.locator('.preview .prose').waitFor()
    await expectNoFaults(watched)
  })
})
