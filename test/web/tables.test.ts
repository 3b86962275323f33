/** Queries of notes, lists as tables, boards and calendars, in a real browser. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { SOON } from '../support/soon.ts'
import { BROWSER, NO_BROWSER } from './browser.ts'
import { closeBrowser, expectNoFaults, openPage, startBrowser, untilSaid } from './page.ts'
import { serve, untilIndexed, type Served } from './served.ts'

const FILES = {
  'teas/sencha.md':
    '---\nstatus: open\nprice: 9\ndue: 2026-12-03\nmaker: "[[ann]]"\n---\n# Sencha\n\n- [ ] order **it**\n',
  'teas/oolong.md': '---\nstatus: open\nprice: 12\ndue: 2026-12-24\n---\n# Oolong\n',
  'teas/black.md':
    '---\nstatus: done\nprice: 4\ndue: 2027-01-05\n---\n# Black tea\n\nTaste:: strong\n',
  'people/ann.md': '# Ann\n',
  'evil.md': '---\nstatus: "<img src=x onerror=alert(1)>"\n---\n# <img src=x onerror=alert(2)>\n',
  'list.base':
    'filters: file.inFolder("teas")\nviews:\n  - type: table\n    name: Prices\n    order: [file.name, price, maker]\n    summaries: {price: Average, maker: Filled}\n    sort: [{property: price, direction: DESC}]\n  - type: cards\n    name: By status\n    order: [file.name, due]\n    groupBy: status\n',
  'ask.md': [
    '# Ask',
    '',
    '```dataview',
    'TABLE price, taste FROM "teas" SORT price',
    '```',
    '',
    '```dataview',
    'TASK FROM "teas"',
    '```',
    '',
    '![[list.base#By status]]',
    '',
    '```dataview',
    'LIST status FROM "evil"',
    '```',
    '',
    '```dataview',
    'CALENDAR due FROM "teas"',
    '```',
    '',
    '```dataview',
    'LIST WHERE sing(x)',
    '```',
    '',
    '```dataviewjs',
    'dv.list([1])',
    '```',
    '',
    '%%`= this.file.path`%%`= this.file.name` of `= [[oolong]].price`, `= this.nothing`, `=> this`',
    '',
  ].join('\n'),
}
const COUNT = Object.keys(FILES).length

beforeAll(async () => {
  if (BROWSER) await startBrowser()
})

afterAll(closeBrowser)

const served = async (flags: readonly string[] = []): Promise<Served> => {
  const made = await serve(onTestFinished, { files: FILES, bare: true, flags })
  await untilIndexed(made, COUNT)
  return made
}
const open = async (
  { url }: Served,
  path: string,
  options: Parameters<typeof openPage>[1] = {},
) => {
  const watched = await openPage(`${url}${path}`, { timezoneId: 'UTC', ...options })
  onTestFinished(() => watched.close())
  return watched
}
const poll = <Value>(look: () => Value | Promise<Value>) => expect.poll(look, SOON)

describe.skipIf(!BROWSER)(BROWSER ? 'queries of a note' : NO_BROWSER, () => {
  it('are shown with what they find, and follow what changes', async () => {
    const base = await served()
    const { page, faults } = await open(base, '/n/handbook/ask.md')
    const query = page.locator('.prose .query')
    await poll(() => query.count()).toBe(6)
    const rows = () => query.nth(0).locator('tbody tr').allTextContents()
    expect(await rows()).toEqual(['black4strong', 'sencha9', 'oolong12'])
    expect(await query.nth(1).locator('li').textContent()).toMatch(/order it\s*sencha\.md:9/)
    expect(await query.nth(2).locator('.of-group').allTextContents()).toEqual(['done 1', 'open 2'])
    // What others wrote is text.
    expect(await query.nth(3).locator('li').textContent()).toBe(
      'evil: <img src=x onerror=alert(1)>',
    )
    await query.nth(3).locator('summary, li').first().waitFor()
    expect(await query.nth(4).locator('.calendar li').count()).toBeGreaterThan(0)
    expect(await query.nth(5).textContent()).toBe('Not understood: There is no function “sing”.')
    const sources = page.locator('.prose .query + details')
    expect(
      await sources.evaluateAll((all) => all.map((each) => (each as HTMLDetailsElement).open)),
    ).toEqual([false, false, false, false, false, true])
    expect(await page.locator('.prose code.language-dataviewjs').textContent()).toContain('dv.list')
    // In a line, too; code that asks for nothing, and what there is no value for, stay.
    const line = page.locator('.prose p', { hasText: 'of' }).last()
    await poll(() => line.textContent()).toBe('ask of 12, = this.nothing, => this')
    writeFileSync(join(base.folder, 'teas/matcha.md'), '---\nprice: 20\n---\n# Matcha\n')
    await poll(rows).toContain('matcha20')
    writeFileSync(join(base.folder, 'teas/oolong.md'), '---\nprice: 13\n---\n# Oolong\n')
    await poll(() => line.textContent()).toBe('ask of 13, = this.nothing, => this')
    await expectNoFaults({ page, faults })
    await query.nth(0).locator('a', { hasText: 'oolong' }).press('Enter')
    await page.locator('.pane.reading[aria-label="Oolong"]').waitFor()
    expect(faults).toEqual([])
  })

  it('of tasks are ticked where they stand', async () => {
    const base = await served()
    const { page, faults } = await open(base, '/n/handbook/ask.md')
    await page.getByRole('checkbox', { name: 'Done: order it' }).press('Space')
    await untilSaid(page, 'Done: order it')
    expect(readFileSync(join(base.folder, 'teas/sencha.md'), 'utf8')).toContain(
      '- [x] order **it**',
    )
    await poll(() => page.getByRole('checkbox', { name: 'Done: order it' }).isChecked()).toBe(true)
    expect(faults).toEqual([])
  })

  it('of a file are its views, one of them in the address', async () => {
    const base = await served()
    const { page, faults } = await open(base, '/n/handbook/list.base')
    const query = page.locator('.prose .query')
    await poll(() => query.locator('tbody tr').allTextContents()).toEqual([
      'oolong12',
      'sencha9ann',
      'black4',
    ])
    expect(await query.locator('tfoot td').allTextContents()).toEqual([
      '',
      'Average 8.33333333333333',
      'Filled 1',
    ])
    await query.getByRole('button', { name: 'By status' }).press('Enter')
    await poll(() => query.locator('.of-group').count()).toBe(2)
    expect(decodeURIComponent(new URL(page.url()).hash)).toBe('#By status')
    await page.reload()
    await poll(() => query.locator('.of-group').count()).toBe(2)
    await expectNoFaults({ page, faults })
  })
})

describe.skipIf(!BROWSER)(BROWSER ? 'a list of notes' : NO_BROWSER, () => {
  it('is narrowed by what notes say, and saved as CSV and JSON', async () => {
    const base = await served()
    const { page, faults } = await open(base, '/browse/handbook/teas/')
    await page.locator('.notes tbody tr').first().waitFor()
    await page.getByLabel('Property status').selectOption({ label: 'open (2)' })
    await poll(() => page.locator('.notes .opens').allTextContents()).toEqual(['Oolong', 'Sencha'])
    expect(new URL(page.url()).searchParams.get('where')).toBe('status = open')
    const saved = async (kind: string): Promise<string> => {
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: kind, exact: true }).press('Enter'),
      ])
      return readFileSync(await file.path(), 'utf8')
    }
    const csv = (await saved('CSV')).split('\r\n')
    expect(csv[0]).toBe('id,title,due,price,status,updated')
    expect(csv[1]).toMatch(/^handbook\/teas\/oolong\.md,Oolong,2026-12-24,12,open,/)
    expect(JSON.parse(await saved('JSON'))).toMatchObject([
      { id: 'handbook/teas/oolong.md', properties: { price: 12 } },
      { id: 'handbook/teas/sencha.md', properties: { status: 'open' } },
    ])
    await page.locator('.facets .chip[aria-pressed=true]').press('Enter')
    await poll(() => page.locator('.notes .opens').count()).toBe(3)
    await expectNoFaults({ page, faults })
  })

  it('is a board: a card is moved by keys and by hand, and says something else then', async () => {
    const base = await served()
    const { page, faults } = await open(base, '/browse/handbook/teas/?as=board&by=status')
    const column = (name: string) => page.getByRole('region', { name, exact: true })
    await poll(() => column('open').locator('li .opens').allTextContents()).toEqual([
      'Oolong',
      'Sencha',
    ])
    await page.getByLabel('status of Oolong').selectOption('done')
    await untilSaid(page, 'Oolong: status is done')
    const text = (path: string): string => readFileSync(join(base.folder, path), 'utf8')
    expect(text('teas/oolong.md')).toBe(FILES['teas/oolong.md'].replace('open', 'done'))
    await poll(() => column('done').locator('li').count()).toBe(2)
    await page.locator('.foot').getByRole('button', { name: 'Undo', exact: true }).press('Enter')
    await poll(() => column('open').locator('li').count()).toBe(2)
    expect(text('teas/oolong.md')).toBe(FILES['teas/oolong.md'])
    await column('open').locator('li', { hasText: 'Sencha' }).dragTo(column('done'))
    await untilSaid(page, 'Sencha: status is done')
    await poll(() => column('done').locator('li').count()).toBe(2)
    expect(text('teas/sencha.md')).toContain('status: done')
    await expectNoFaults({ page, faults })
  })

  it('is only looked at where nothing may be written', async () => {
    const base = await served(['--read-only'])
    const { page, faults } = await open(base, '/browse/handbook/teas/?as=board&by=status')
    await page.locator('.board-room li').first().waitFor()
    expect(await page.locator('.board-room select, .board-room [draggable=true]').count()).toBe(0)
    expect(faults).toEqual([])
  })

  it('is a calendar by a day, month by month', async () => {
    const base = await served()
    const { page, faults } = await open(
      base,
      '/browse/handbook/teas/?as=calendar&by=due&month=2026-12',
    )
    const day = (date: string) =>
      page.locator('.calendar td', { has: page.locator(`time[datetime="${date}"]`) })
    await day('2026-12-03').getByRole('button', { name: 'Sencha' }).waitFor()
    await day('2026-12-24').getByRole('button', { name: 'Oolong' }).waitFor()
    await page.getByRole('button', { name: 'Month after' }).press('Enter')
    await day('2027-01-05').getByRole('button', { name: 'Black tea' }).waitFor()
    expect(new URL(page.url()).searchParams.get('month')).toBe('2027-01')
    await expectNoFaults({ page, faults })
    await page.locator('.calendar').getByRole('button', { name: 'Black tea' }).press('Enter')
    await page.locator('.pane.reading[aria-label="Black tea"]').waitFor()
  })

  it('is what was found for a question, and kept at hand', async () => {
    const base = await served()
    const { page, faults } = await open(base, '/?q=tea')
    await page.getByRole('button', { name: 'As a table' }).press('Enter')
    await page.locator('.listed h1', { hasText: 'tea' }).waitFor()
    await page.locator('.notes .opens', { hasText: 'Black tea' }).waitFor()
    await page.getByRole('button', { name: 'Board', exact: true }).press('Enter')
    await page.locator('.board-room li').first().waitFor()
    await page.getByRole('button', { name: 'Keep this list' }).press('Enter')
    await page.locator('.bookmarks a', { hasText: 'tea · board' }).waitFor()
    expect(faults).toEqual([])
  })

  it.each([
    '/browse/handbook/teas/?as=board&by=status',
    '/browse/handbook/teas/?as=calendar&by=due&month=2026-12',
    '/n/handbook/ask.md',
    '/n/handbook/list.base',
  ])('has room on a phone: %s', async (path) => {
    const phone = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true }
    const { page, faults } = await open(await served(), path, phone)
    await page.locator('.board-room li, .calendar li, .query tbody tr').first().waitFor()
    await expectNoFaults({ page, faults })
  })
})
