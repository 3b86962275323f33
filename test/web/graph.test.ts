/** The map in a real browser: what is missing, typed relations, colours, ways, and bases of any size. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { BROWSER, NO_BROWSER } from './browser.ts'
import { closeBrowser, expectNoFaults, openPage, type Watched } from './page.ts'
import { ask, serve, untilIndexed, type Served } from './served.ts'

afterAll(closeBrowser)

const line = (...values: object[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('')

const FILES = {
  'start.md': '# Start\n\nSee [[gauge]], [[second]] and [[Not yet written]].\n',
  'second.md': '# Second\n\n[third](third.md) and [[not yet written]].\n',
  'third.md': '# Third\n\n[[fourth]]\n',
  'fourth.md': '# Fourth\n\nThe end.\n',
  'alone.md': '# Alone\n\nNobody links here.\n',
  'knowledge/entities/concepts.jsonl': line(
    { id: 'gauge', name: 'Gauge', desc: 'Measures' },
    { id: 'tide', name: 'Tide', desc: 'Comes and goes' },
    { id: 'moon', name: 'Moon', desc: 'Pulls' },
  ),
  'knowledge/relations/2026-01.jsonl': line(
    { src: 'gauge', rel: 'measures', dst: 'tide' },
    { src: 'moon', rel: 'moves', dst: 'tide' },
  ),
}

async function open(served: Served, path: string): Promise<Watched> {
  const watched = await openPage(`${served.url}${path}`)
  onTestFinished(() => watched.close())
  return watched
}

const names = ({ page }: Watched): Promise<string[]> =>
  page.locator('.map-table .opens').allTextContents()

describe.skipIf(!BROWSER)(BROWSER ? 'the map' : NO_BROWSER, () => {
  it('shows what is missing, relations by type, and what is near', async () => {
    const served = await serve(onTestFinished, { bare: true, files: FILES })
    await untilIndexed(served, 8)
    const watched = await open(served, '/graph')
    const { page } = watched
    await page.locator('.map[data-labels]').waitFor()
    const everything = ['Alone', 'Fourth', 'Gauge', 'Moon', 'Second', 'Start', 'Third', 'Tide']
    await expect.poll(async () => (await names(watched)).toSorted()).toEqual(everything)

    // Two notes name it differently, and it is one.
    await page.getByLabel('missing notes').press('Space')
    await expect.poll(async () => (await names(watched)).length).toBe(9)
    await page.locator('.map-table .opens', { hasText: /Not yet written/i }).press('Enter')
    await page.locator('.chosen', { hasText: '2 notes link to it' }).waitFor()
    await page.locator('.links summary').press('Enter')
    await expect.poll(() => page.locator('.links li').count()).toBe(2)
    await expectNoFaults(watched)
    await page.getByRole('button', { name: 'Search for it' }).press('Enter')
    await expect.poll(() => page.locator('#q').inputValue()).toMatch(/not yet written/i)
    await page.goBack()

    // Only relations of one type, and what they join.
    await page.getByLabel('missing notes').press('Space')
    await expect.poll(async () => (await names(watched)).toSorted()).toEqual(everything)
    await page
      .locator('.map-tools label', { hasText: /^Links/ })
      .locator('select')
      .selectOption('moves')
    await expect.poll(async () => (await names(watched)).toSorted()).toEqual(['Moon', 'Tide'])
    await page.locator('.map-table .opens', { hasText: 'Tide' }).press('Enter')
    await page.locator('.links summary').press('Enter')
    await expect.poll(() => page.locator('.links li').allTextContents()).toEqual(['←movesMoon'])
    await page
      .locator('.map-tools label', { hasText: /^Links/ })
      .locator('select')
      .selectOption('')
    await expect.poll(() => page.locator('.links li').count()).toBe(2)

    // Around it, to depth 3; the way to another.
    const near = async (depth: number, all: readonly string[]): Promise<void> => {
      await page
        .getByRole('group', { name: 'Around this note' })
        .getByRole('button', { name: String(depth) })
        .press('Enter')
      await page.locator('.map-side [role=status]', { hasText: 'lit' }).waitFor()
      await expect.poll(async () => (await names(watched)).toSorted()).toEqual(all)
    }
    await near(1, ['Gauge', 'Moon', 'Tide'])
    await near(2, ['Gauge', 'Moon', 'Start', 'Tide'])
    await near(3, ['Gauge', 'Moon', 'Second', 'Start', 'Tide'])
    await page.getByPlaceholder('title of a note').fill('fourth')
    await page.keyboard.press('Enter')
    await expect
      .poll(() => page.locator('.way li').allTextContents())
      .toEqual(['Tide', 'Gauge', 'Start', 'Second', 'Third', 'Fourth'])
    await page.getByPlaceholder('title of a note').fill('alone')
    await page.keyboard.press('Enter')
    await page.locator('.chosen .remark', { hasText: 'No links lead from here to Alone' }).waitFor()
    await page.getByPlaceholder('title of a note').fill('nothing is called so')
    await page.keyboard.press('Enter')
    await page.locator('.chosen .remark', { hasText: 'No note is called' }).waitFor()

    await page
      .locator('.map-tools label', { hasText: /^Colour/ })
      .locator('select')
      .selectOption('kind')
    await expect
      .poll(() => page.locator('.legend button').allTextContents())
      .toEqual(['note', 'entity'])
    await page.goto(`${served.url}/graph?colour=kind`)
    await expect.poll(async () => (await names(watched)).toSorted()).toEqual(everything)
    await page.locator('.legend button', { hasText: 'entity' }).press('Enter')
    await expect
      .poll(async () => (await names(watched)).toSorted())
      .toEqual(['Gauge', 'Moon', 'Tide'])
    await page.goto(page.url())
    await expect
      .poll(async () => (await names(watched)).toSorted())
      .toEqual(['Gauge', 'Moon', 'Tide'])
    await page.getByRole('button', { name: 'show all' }).press('Enter')
    await expect.poll(async () => (await names(watched)).toSorted()).toEqual(everything)
    expect(watched.faults).toEqual([])
  })

  it('finds a way over names in prose where somebody wants it, and shows the sentences', async () => {
    const files = {
      'hub.md': '# Hub\n\nSee [[green samovar]].\n',
      'green samovar.md': '# Green samovar\n\nBought at the Harbour Market.\n',
      'harbour market.md': '# Harbour Market\n\nOpen on Sundays.\n',
      'diary.md': '# Diary\n\nMet Ada. We went to the Harbour Market. It rained.\n',
      'alone.md': '# Alone\n\nNothing.\n',
    }
    const served = await serve(onTestFinished, { bare: true, files })
    await untilIndexed(served, 5)
    const watched = await open(served, '/graph')
    const { page } = watched
    await page.locator('.map-table .opens', { hasText: 'Hub' }).press('Enter')
    const to = page.getByPlaceholder('title of a note')
    const remark = (text: string) => page.locator('.chosen .remark', { hasText: text }).waitFor()
    await to.fill('Diary')
    await page.keyboard.press('Enter')
    await remark('No links lead from here to Diary')
    await page.getByLabel('names count too').press('Space')
    const way = page.locator('.way li')
    await expect
      .poll(() => way.locator('> .opens').allTextContents())
      .toEqual(['Hub', 'Green samovar', 'Harbour Market', 'Diary'])
    await expect
      .poll(() => way.locator('.context').allTextContents())
      .toEqual([
        'Green samovar:3Bought at the Harbour Market.',
        'Diary:3We went to the Harbour Market.',
      ])
    // They are what is lit, and the address says so.
    await expect
      .poll(async () => (await names(watched)).toSorted())
      .toEqual(['Diary', 'Green samovar', 'Harbour Market', 'Hub'])
    await page.goto(page.url())
    await expect.poll(() => way.count()).toBe(4)
    await to.fill('Alone')
    await page.keyboard.press('Enter')
    await remark('No links or names lead from here to Alone')
    await to.fill('Diary')
    await page.keyboard.press('Enter')
    await way.locator('.context').last().press('Enter')
    await page.locator('.pane.reading', { hasText: 'It rained' }).waitFor()
    expect(watched.faults).toEqual([])
  })

  it('names its regions, and what the pointer is on with what is around it', async () => {
    const files: Record<string, string> = {}
    for (const subject of ['Tea', 'Ships', 'Stars']) {
      for (let note = 0; note < 12; note++) {
        const links = note === 0 ? [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] : [0, (note % 11) + 1]
        const text = links.map((link) => `[[${subject} ${link}]]`).join(' ')
        files[`all/${subject} ${note}.md`] = `# ${subject} ${note}\n\n${text} wind\n`
      }
    }
    files['all/Tea 1.md'] += '\n[[Ships 1]] [[Stars 1]]\n'
    const served = await serve(onTestFinished, { bare: true, files })
    await untilIndexed(served, 36)
    const watched = await open(served, '/graph?colour=region')
    const { page } = watched
    const map = page.locator('.map')
    const said = async (what: string): Promise<unknown> =>
      JSON.parse((await map.getAttribute(`data-${what}`)) ?? '[]')
    await expect
      .poll(async () => ((await said('regions')) as string[]).toSorted())
      .toEqual(['Ships 0', 'Stars 0', 'Tea 0'])
    expect((await page.locator('.legend button').allTextContents()).toSorted()).toEqual([
      'Ships 0',
      'Stars 0',
      'Tea 0',
    ])

    const labels = (await said('labels')) as [string, number, number, number][]
    const [name, x, y] = labels.find(([text]) => /^Tea [2-9]/.test(text))!
    const box = (await map.boundingBox())!
    await page.mouse.move(box.x + x - 8, box.y + y)
    await expect.poll(() => map.getAttribute('data-over')).toBe(name)
    // Its name and those of its neighbours alone are written.
    await expect
      .poll(async () => ((await said('labels')) as [string][]).map(([text]) => text.slice(0, 3)))
      .not.toContain('Shi')
    expect(((await said('labels')) as [string][])[0]![0]).toBe(name)
    await page.mouse.move(2, 2)
    await expect.poll(() => map.getAttribute('data-over')).toBe('')

    // All that is found is lit, not as many as a list begins with.
    await page.keyboard.press('/')
    await page.keyboard.type('wind')
    await page.locator('.map-side [role=status]', { hasText: '36' }).waitFor()
    await expectNoFaults(watched)
  })

  it('is drawn of nothing, of one note, and grows with the base', async () => {
    const served = await serve(onTestFinished, { bare: true })
    const watched = await open(served, '/graph')
    await watched.page.locator('.empty', { hasText: 'this base is empty' }).waitFor()
    writeFileSync(join(served.folder, 'one.md'), '# Only one\n')
    await expect.poll(() => names(watched)).toEqual(['Only one'])
    await watched.page.getByLabel('missing notes').press('Space')
    await watched.page.locator('.map-remark', { hasText: 'No link leads to something' }).waitFor()
    await expectNoFaults(watched)
  })

  it('is drawn of a base full of links that lead nowhere', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 30 }, (_, note) => [
        `n${note}.md`,
        Array.from({ length: 100 }, (__, link) => `[[gone ${note * 100 + link}]]`).join(' '),
      ]),
    )
    const served = await serve(onTestFinished, { bare: true, files })
    await untilIndexed(served, 30)
    const { json } = await ask(served.url, '/web/read/ghosts', {})
    expect([json.items.length, json.total]).toEqual([2_000, 3_000])
    const watched = await open(served, '/graph?missing=on')
    await watched.page.locator('.map-remark', { hasText: '2000 most wanted of 3000' }).waitFor()
    await watched.page.locator('.hint', { hasText: '2,030 notes' }).waitFor()
    expect(watched.faults).toEqual([])
  })
})
