/** Notes are written where they are read, in a real browser: text, preview, drafts, and others who write too. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { SOON } from '../support/soon.ts'
import { BROWSER, NO_BROWSER } from './browser.ts'
import { closeBrowser, expectNoFaults, startBrowser, untilSaid, type Watched } from './page.ts'
import { open, openAs } from './people.ts'
import { ask, serve, untilIndexed, type Served } from './served.ts'
import { addressOf } from './vault.ts'

const PLAN = '# Plan\n\nWe begin.\n\n## First\n\nOne.\n\nTwo.\n\n## Second\n\nThree.\n'
const LETTERS = '\ufeff# Ends\r\n\r\n## One\r\n\r\na\rb\r\n\r\n## Two\n\r\nlast'
const KEY = 'AKIAIOSFODNN7EXAMPLE'

const FILES = {
  'plan.md': PLAN,
  'ends.md': LETTERS,
  'tea.md':
    '---\nstatus: steeping\ntags: [drinks/hot]\naliases: [brew]\n---\n# Tea pot\n\n## Green tea\n\nCool water. ^cool\n',
  'props.md': '---\nstatus: cold\n---\n# Props\n',
  'keys.md': `# Keys\n\n## Open\n\nPlain.\n\n## Closed\n\n${KEY}\n`,
  'right.md': '# Right\n\nשלום עולם\n\nLeft again.\n',
  'templates/meeting.md': '---\nkind: meeting\n---\n## Who\n\n- {{title}}\n',
  'team/own.md': '# Own\n\nOurs.\n',
}

async function served(flags: readonly string[] = [], more: object = {}): Promise<Served> {
  const files = { ...FILES, ...more }
  const made = await serve(onTestFinished, { files, bare: true, flags })
  await untilIndexed(made, Object.keys(files).length)
  return made
}

const textOf = ({ folder }: Served, path: string): string =>
  readFileSync(join(folder, path), 'utf8')
const poll = <Value>(look: () => Value | Promise<Value>) => expect.poll(look, SOON)
const written = (page: Page) => page.locator('.cm-content')
const state = (page: Page) => page.locator('.editor .state').textContent()
const looks = (page: Page) => page.locator('.looks .prose')
const isGone = (page: Page) => page.locator('.editor').waitFor({ state: 'detached' })
const offer = (page: Page, label: string) =>
  page.locator('.cm-tooltip-autocomplete li', { hasText: label }).first()

/** The lines as the editor shows them, however many there are in sight. */
const linesIn = (page: Page): Promise<string> =>
  written(page).evaluate((content) =>
    [...content.querySelectorAll('.cm-line')].map((line) => line.textContent).join('\n'),
  )

async function edit(page: Page, key = 'e'): Promise<void> {
  await page.locator('[data-tool=more]').waitFor()
  await page.keyboard.press(key)
  await written(page).waitFor()
}

async function writeAs(base: Served, args: object): Promise<void> {
  const { status, json } = await ask(base.url, '/web/call/write', args)
  expect([status, json.error]).toEqual([200, undefined])
}

beforeAll(async () => {
  if (BROWSER) await startBrowser()
})

afterAll(closeBrowser)

describe.skipIf(!BROWSER)(BROWSER ? 'an editor' : NO_BROWSER, () => {
  it('writes a note by keys alone, shows it as it will look, and what was done is taken back', async () => {
    const base = await served()
    const watched = await open(base, '/n/handbook/plan.md')
    const { page } = watched
    await edit(page)
    await page.keyboard.press('Control+End')
    await page.keyboard.type('And *four*.')
    await looks(page).locator('em', { hasText: 'four' }).waitFor()
    await page.keyboard.press('Control+s')
    await untilSaid(page, 'Saved Plan')
    expect(textOf(base, 'plan.md')).toBe(`${PLAN}And *four*.`)
    await poll(() => state(page)).toBe('Saved')
    await page.keyboard.type(' And five.')
    await expectNoFaults(watched)
    await page.keyboard.press('Control+Enter')
    await isGone(page)
    expect(textOf(base, 'plan.md')).toBe(`${PLAN}And *four*. And five.`)
    await page.locator('.pane .prose', { hasText: 'And five.' }).waitFor()
    // The keys are where they were.
    await page.keyboard.press('u')
    await untilSaid(page, 'Undone')
    expect(textOf(base, 'plan.md')).toBe(`${PLAN}And *four*.`)
    const { json } = await ask(base.url, '/web/call/history', {})
    expect(json.structured.operations.at(-1).client).toMatch(/^cairn-web/)
  })

  it('writes one section, and nothing around it', async () => {
    const base = await served()
    const { page, faults } = await open(base, '/n/handbook/plan.md?l=13')
    await page.locator('.pane .prose .flash').waitFor()
    await page.keyboard.press('.')
    await page.getByRole('button', { name: 'Edit this section' }).click()
    await written(page).waitFor()
    // One reads at the top of a text that fits into the window.
    await page.keyboard.press('Escape')
    await isGone(page)
    await page.setViewportSize({ width: 1280, height: 200 })
    await page.locator('.pane .body').evaluate((body) => (body.scrollTop = body.scrollHeight))
    await page.keyboard.press('E')
    await written(page).waitFor()
    expect(await linesIn(page)).toBe('## Second\n\nThree.\n')
    expect(await page.locator('.editor .what').textContent()).toContain('“Second”')
    await page.keyboard.press('Control+End')
    await page.keyboard.type('Four.\n')
    await page.keyboard.press('Control+Enter')
    await isGone(page)
    expect(textOf(base, 'plan.md')).toBe(`${PLAN}Four.\n`)
    expect(faults).toEqual([])
  })

  it('leaves line ends, byte order mark and lone CR as they are', async () => {
    const base = await served()
    const { page } = await open(base, '/n/handbook/ends.md')
    await edit(page)
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' words\nmore')
    await page.keyboard.press('Control+Enter')
    await isGone(page)
    expect(textOf(base, 'ends.md')).toBe(`${LETTERS} words\r\nmore`)
  })

  it('takes lines that were copied on Windows as lines', async () => {
    const base = await served()
    const { page } = await open(base, '/n/handbook/plan.md')
    await edit(page)
    await written(page).evaluate((content) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', 'one\r\ntwo\r\n')
      const pasted = { clipboardData, bubbles: true, cancelable: true }
      content.dispatchEvent(new ClipboardEvent('paste', pasted))
    })
    await poll(() => page.evaluate(() => Object.values(localStorage).join())).toContain('one')
    const [draft] = await page.evaluate(() => Object.values(localStorage) as string[])
    expect((JSON.parse(draft!) as { text: string }).text).toBe(`one\ntwo\n${PLAN}`)
  })

  it('closes with Escape where nothing was changed, and asks where something was', async () => {
    const base = await served()
    const watched = await open(base, '/n/handbook/plan.md')
    const { page } = watched
    await edit(page)
    await page.keyboard.press('Escape')
    await isGone(page)
    await edit(page)
    await page.keyboard.type('x')
    await page.keyboard.press('Escape')
    const dialog = page.getByRole('dialog', { name: 'Leave Plan without saving?' })
    await dialog.waitFor()
    await expectNoFaults(watched)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await poll(() => page.evaluate(() => document.activeElement?.className)).toBe('written')
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'Drop it' }).press('Enter')
    await isGone(page)
    expect(textOf(base, 'plan.md')).toBe(PLAN)
    expect(await page.locator('.drafted').count()).toBe(0)
  })

  it('lets keys of the page be letters, and Tab leads on', async () => {
    const base = await served()
    const { page } = await open(base, '/n/handbook/plan.md')
    await edit(page)
    await page.keyboard.type('xesg?7')
    await poll(() => linesIn(page)).toContain('xesg?7# Plan')
    await page.keyboard.press('Tab')
    await poll(() => page.evaluate(() => document.activeElement?.className)).toBe('looks')
    await page.keyboard.press('x')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Shift+Tab')
    await poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Close…')
    expect(await page.locator('.pane').count()).toBe(1)
  })

  it('goes on with lists and quotes, and marks what is chosen', async () => {
    const base = await served()
    const { page } = await open(base, '/n/handbook/right.md')
    await edit(page)
    await page.keyboard.press('Control+a')
    await page.keyboard.type('- [x] a\nb\n')
    await page.keyboard.press('Enter')
    await page.keyboard.type('9. c\nd')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Shift+Home')
    await page.keyboard.press('Control+b')
    await page.keyboard.press('Control+s')
    await poll(() => textOf(base, 'right.md')).toBe('- [x] a\n- [ ] b\n9. c\n  **10. d**')
  })
})

describe.skipIf(!BROWSER)(BROWSER ? 'completion' : NO_BROWSER, () => {
  it.each([
    ['a link by its title', 'See [[Tea p', 'Tea pot', 'See [[tea]]'],
    ['a link by another name', 'See [[bre', 'brew', 'See [[tea|brew]]'],
    ['a heading of that note', 'See [[tea#Gr', 'Green tea', 'See [[tea#Green tea]]'],
    ['a block of that note', 'See [[tea#^', '^cool', 'See [[tea#^cool]]'],
    ['a heading of this note', 'See [[#Sec', 'Second', 'See [[#Second]]'],
    ['a tag', 'See #dri', 'drinks/hot', 'See #drinks/hot'],
    ['a block', '/tas', '/task', '- [ ] '],
  ])('offers %s', async (_, typed, label, expected) => {
    const base = await served()
    const { page, faults } = await open(base, '/n/handbook/plan.md')
    await edit(page)
    await page.keyboard.press('Control+End')
    await page.keyboard.type(typed)
    await offer(page, label).click()
    await poll(() => linesIn(page)).toMatch(
      new RegExp(`\\n${expected.replace(/[[\]|^]/g, '\\$&')}$`),
    )
    await page.keyboard.press('Control+s')
    await poll(() => textOf(base, 'plan.md')).toBe(PLAN + expected)
    expect(faults).toEqual([])
  })

  it('offers properties and what others say in them', async () => {
    const base = await served()
    const watched = await open(base, '/n/handbook/props.md')
    const { page } = watched
    await edit(page)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.keyboard.type('ta')
    await offer(page, 'tags').waitFor()
    await expectNoFaults(watched)
    await offer(page, 'tags').click()
    await page.keyboard.type('[dri')
    await offer(page, 'drinks/hot').click()
    await page.keyboard.type(']\nstatus: st')
    await offer(page, 'steeping').click()
    await page.keyboard.press('Control+s')
    await poll(() => textOf(base, 'props.md')).toBe(
      '---\nstatus: cold\ntags: [drinks/hot]\nstatus: steeping\n---\n# Props\n',
    )
  })

  it('offers templates, without their properties in the middle of a note', async () => {
    const base = await served()
    const { page } = await open(base, '/n/handbook/plan.md')
    await edit(page)
    await page.keyboard.press('Control+End')
    await page.keyboard.type('/meet')
    await offer(page, '/meeting').click()
    await untilSaid(page, 'The properties of the template were left out')
    await page.keyboard.press('Control+s')
    await poll(() => textOf(base, 'plan.md')).toBe(`${PLAN}## Who\n\n- plan\n`)
  })
})

describe.skipIf(!BROWSER)(BROWSER ? 'a draft' : NO_BROWSER, () => {
  it('survives a reload, is offered again, and is dropped once it is saved', async () => {
    const base = await served()
    const watched = await open(base, '/n/handbook/plan.md')
    const { page } = watched
    await edit(page)
    await page.keyboard.press('Control+End')
    await page.keyboard.type('Not yet saved.')
    // At once: what was typed last is not waited for.
    await page.reload()
    const offered = page.getByRole('button', { name: 'Go on writing' })
    await offered.waitFor()
    await expectNoFaults(watched)
    expect(textOf(base, 'plan.md')).toBe(PLAN)
    await offered.click()
    await poll(() => linesIn(page)).toContain('Not yet saved.')
    await page.keyboard.press('Control+Enter')
    await isGone(page)
    expect(textOf(base, 'plan.md')).toBe(`${PLAN}Not yet saved.`)
    expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([])
    await page.reload()
    await page.locator('[data-tool=edit]').waitFor()
    expect(await page.locator('.drafted').count()).toBe(0)
  })

  it('goes on when one stays after all, and is asked about where the browser keeps none', async () => {
    const base = await served()
    const { page } = await open(base, '/n/handbook/plan.md')
    const leave = () =>
      page.evaluate(() => dispatchEvent(new Event('beforeunload', { cancelable: true })))
    await edit(page)
    await page.keyboard.type('Mine. ')
    expect(await leave()).toBe(true)
    await page.keyboard.type('More. ')
    await poll(() => page.evaluate(() => Object.values(localStorage).join())).toContain('More. ')
    await page.evaluate(() => {
      Storage.prototype.setItem = () => {
        throw new Error('There is no room left.')
      }
    })
    await page.route('**/web/call/write', (route) => route.abort())
    await page.keyboard.type('Lost? ')
    await page.keyboard.press('Control+s')
    await page.locator('.editor .state.failed').waitFor()
    expect(await leave()).toBe(false)
    await page.locator('[data-tool=close]').evaluate((button: HTMLElement) => button.click())
    await untilSaid(page, 'This browser kept no draft of it')
  })

  it('says nothing of a draft that was dropped', async () => {
    const base = await served()
    const { page } = await open(base, '/n/handbook/plan.md')
    await edit(page)
    await page.keyboard.type('Mine. ')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Drop it' }).click()
    await isGone(page)
    expect(await page.locator('body').textContent()).not.toContain('kept as a draft')
    expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([])
  })

  it('is put together with what others have saved meanwhile', async () => {
    const base = await served()
    const { page } = await open(base, '/n/handbook/plan.md')
    await edit(page)
    await page.keyboard.press('Control+End')
    await page.keyboard.type('Mine.')
    await page.locator('[data-tool=close]').evaluate((button: HTMLElement) => button.click())
    await untilSaid(page, 'What you wrote is kept as a draft')
    await writeAs(base, { action: 'prepend', id: 'handbook/plan.md', content: 'Theirs.\n' })
    await page.goBack()
    await page.getByRole('button', { name: 'Go on writing' }).click()
    await poll(() => linesIn(page)).toContain('Theirs.')
    await page.keyboard.press('Control+Enter')
    await isGone(page)
    expect(textOf(base, 'plan.md')).toBe(`Theirs.\n${PLAN}Mine.`)
  })

  it('is offered in no other tab as long as it is written, and each tab has its own', async () => {
    const base = await served()
    const one = await open(base, '/n/handbook/plan.md')
    await edit(one.page)
    await one.page.keyboard.type('one ')
    await poll(() => one.page.evaluate(() => Object.keys(localStorage).length)).toBe(1)
    const other = await one.page.context().newPage()
    await other.goto(`${base.url}/n/handbook/plan.md`)
    await edit(other)
    expect(await other.locator('.drafted').count()).toBe(0)
    await other.keyboard.press('Control+End')
    await other.keyboard.type('other')
    await poll(() => other.evaluate(() => Object.keys(localStorage).length)).toBe(2)
    await other.close({ runBeforeUnload: true })
    await one.page.reload()
    await one.page.getByRole('button', { name: 'Go on writing' }).click()
    await poll(() => linesIn(one.page)).toMatch(/one |other/)
    await one.page.keyboard.press('Control+Enter')
    await isGone(one.page)
    await one.page.getByRole('button', { name: 'Go on writing' }).click()
    await written(one.page).waitFor()
    await one.page.keyboard.press('Control+Enter')
    await isGone(one.page)
    expect(textOf(base, 'plan.md')).toBe(`one ${PLAN}other`)
  })

  it('can be copied where the note holds a masked secret by now, and it is said where it cannot', async () => {
    const base = await served()
    const { page } = await openAs(base, {}, '/n/handbook/plan.md')
    await edit(page)
    await page.keyboard.type('Mine. ')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Keep a draft' }).click()
    await isGone(page)
    writeFileSync(join(base.folder, 'plan.md'), `${PLAN}${KEY}\n`)
    await page.getByRole('button', { name: 'Go on writing' }).click()
    await page.locator('.editor', { hasText: 'masked' }).waitFor()
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
    await page.getByRole('button', { name: 'Copy it' }).click()
    await untilSaid(page, 'This browser does not let the page copy')
  })

  it('of a note that is gone can still be copied', async () => {
    const base = await served()
    const { page } = await open(base, '/n/handbook/plan.md')
    await edit(page)
    await page.keyboard.type('Mine. ')
    await ask(base.url, '/web/call/delete', { id: 'handbook/plan.md' })
    await page.locator('.editor', { hasText: 'This note is no longer there.' }).waitFor()
    expect(await linesIn(page)).toContain('Mine. # Plan')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Keep a draft' }).click()
    await isGone(page)
    await page.getByRole('button', { name: 'Copy it' }).waitFor()
    await ask(base.url, '/web/call/history', { action: 'undo' })
    await page.getByRole('button', { name: 'Go on writing' }).click()
    await poll(() => linesIn(page)).toContain('Mine. # Plan')
    await page.keyboard.press('Control+Enter')
    await isGone(page)
    expect(textOf(base, 'plan.md')).toBe(`Mine. ${PLAN}`)
  })
})

describe.skipIf(!BROWSER)(BROWSER ? 'others who write too' : NO_BROWSER, () => {
  it('are seen at once where they write elsewhere', async () => {
    const base = await served()
    const { page } = await open(base, '/n/handbook/plan.md')
    await edit(page)
    await page.keyboard.press('Control+End')
    await page.keyboard.type('Mine.')
    await writeAs(base, {
      action: 'find_replace',
      id: 'handbook/plan.md',
      find: 'One.',
      replace: 'Theirs.\n\nOne.',
    })
    await poll(() => linesIn(page)).toContain('Theirs.')
    // The cursor is where it was.
    await page.keyboard.type(' Still.')
    await page.keyboard.press('Control+Enter')
    await isGone(page)
    expect(textOf(base, 'plan.md')).toBe(`${PLAN.replace('One.', 'Theirs.\n\nOne.')}Mine. Still.`)
  })

  it('move the note, and one goes on with what one wrote where it went', async () => {
    const base = await served()
    const { page } = await open(base, '/n/handbook/plan.md')
    await edit(page)
    await page.keyboard.type('Mine. ')
    await writeAs(base, { action: 'move', id: 'handbook/plan.md', to: 'handbook/sub/plan 2.md' })
    await writeAs(base, {
      action: 'append',
      id: 'handbook/sub/plan 2.md',
      section: 'First',
      content: 'Theirs.',
    })
    const goOn = page.getByRole('button', { name: 'Go on writing there' })
    await page
      .locator('.editor', { hasText: 'moved this note to handbook/sub/plan 2.md' })
      .waitFor()
    await goOn.press('Enter')
    await poll(() => addressOf(page)).toBe('/n/handbook/sub/plan 2.md')
    await poll(() => linesIn(page)).toContain('Mine. # Plan')
    await page.keyboard.press('Control+Enter')
    await isGone(page)
    const text = textOf(base, 'sub/plan 2.md')
    expect(text.startsWith('Mine. # Plan\n')).toBe(true)
    expect(text).toContain('Theirs.')
    expect(await page.locator('.drafted').count()).toBe(0)
  })

  it('make a note longer than what one begins to edit, and all of it stays open', async () => {
    const many = (name: string): string =>
      Array.from({ length: 5_000 }, (_, at) => `${name} ${at} `.padEnd(40, '.')).join('\n')
    const long = `# Long\n\n${many('line')}\n\n## Last\n\nEnd.\n`
    const base = await served([], { 'long.md': long })
    const { page } = await open(base, '/n/handbook/long.md')
    await edit(page)
    await page.keyboard.press('Control+End')
    await page.keyboard.type('Mine.')
    const theirs = many('theirs')
    await writeAs(base, {
      action: 'append',
      id: 'handbook/long.md',
      section: 'Long',
      content: theirs,
    })
    await page.keyboard.press('Control+Enter')
    await isGone(page)
    const text = textOf(base, 'long.md')
    expect(text).toContain('Mine.')
    expect(text.split('\n').filter((line) => line.startsWith('line ')).length).toBe(5_000)
    expect(text).toContain(theirs.slice(0, 1_000))
  })

  it('are put together with a section that they moved, when nobody told of it', async () => {
    const base = await served()
    const { page } = await open(base, '/n/handbook/plan.md?l=7')
    await page.route('**/web/events', (route) => route.abort())
    await page.reload()
    await page.locator('[data-tool=edit]').waitFor()
    await page.setViewportSize({ width: 1280, height: 200 })
    await page.locator('.pane .body').evaluate((body) => (body.scrollTop = body.scrollHeight))
    await page.keyboard.press('E')
    await written(page).waitFor()
    expect(await linesIn(page)).toMatch(/^## Second/)
    await page.keyboard.press('Control+End')
    await page.keyboard.type('Mine.')
    writeFileSync(join(base.folder, 'plan.md'), `New above.\n\n${PLAN}`)
    await page.keyboard.press('Control+Enter')
    await isGone(page)
    expect(textOf(base, 'plan.md')).toBe(`New above.\n\n${PLAN}Mine.`)
  })

  it('are shown beside what one wrote where both touched the same lines, and nothing is lost', async () => {
    const base = await served()
    const watched = await open(base, '/n/handbook/plan.md')
    const { page } = watched
    await edit(page)
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('End')
    await page.keyboard.type(' Now.')
    const changed = PLAN.replace('We begin.', 'They begin.').replace('Three.', 'Three and more.')
    await writeAs(base, { action: 'replace', id: 'handbook/plan.md', content: changed })
    await poll(() => state(page)).toContain('changed the same lines')
    await page.keyboard.press('Control+s')
    const merging = page.locator('.merging')
    await merging.waitFor()
    const three = await merging.locator('pre').allTextContents()
    expect(three).toEqual(['We begin. Now.', 'They begin.', 'We begin.'])
    await expectNoFaults(watched)
    expect(textOf(base, 'plan.md')).toBe(changed)
    // Back to the text and again: it is as it was.
    await page.keyboard.press('Escape')
    await merging.waitFor({ state: 'detached' })
    expect(await linesIn(page)).toContain('We begin. Now.')
    await page.keyboard.press('Control+s')
    expect(await merging.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    await merging.getByRole('button', { name: 'Take both' }).press('Enter')
    await merging.getByRole('textbox').press('Control+End')
    await merging.getByRole('textbox').pressSequentially(' All.')
    await merging.getByRole('button', { name: 'Save' }).press('Enter')
    await isGone(page)
    expect(textOf(base, 'plan.md')).toBe(
      changed.replace('They begin.', 'They begin.\nWe begin. Now. All.'),
    )
  })

  it('leave a blank line blank where one chooses it, and wait until one has chosen', async () => {
    const base = await served()
    const { page } = await open(base, '/n/handbook/plan.md')
    await edit(page)
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Shift+End')
    await page.keyboard.press('Delete')
    const theirs = PLAN.replace('We begin.', 'They begin.')
    await writeAs(base, { action: 'replace', id: 'handbook/plan.md', content: theirs })
    await poll(() => state(page)).toContain('changed the same lines')
    await page.keyboard.press('Control+s')
    const merging = page.locator('.merging')
    await merging.waitFor()
    await writeAs(base, { action: 'replace', id: 'handbook/plan.md', content: PLAN })
    await page.getByRole('button', { name: 'Preview' }).press('Control+s')
    expect(await merging.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    await writeAs(base, { action: 'replace', id: 'handbook/plan.md', content: theirs })
    await merging.getByRole('button', { name: 'Take yours' }).click()
    await merging.getByRole('button', { name: 'Save' }).click()
    await isGone(page)
    expect(textOf(base, 'plan.md')).toBe(PLAN.replace('We begin.', ''))
  })

  it('are in the draft that was made before them, even where they touch', async () => {
    const base = await served()
    const { page } = await open(base, '/n/handbook/plan.md')
    await edit(page)
    await page.keyboard.type('Mine: ')
    await page.locator('[data-tool=close]').evaluate((button: HTMLElement) => button.click())
    await untilSaid(page, 'What you wrote is kept as a draft')
    const theirs = {
      action: 'find_replace',
      id: 'handbook/plan.md',
      find: '# Plan',
      replace: '# Plans',
    }
    await writeAs(base, theirs)
    await page.goBack()
    await page.getByRole('button', { name: 'Go on writing' }).click()
    await poll(() => state(page)).toContain('changed the same lines')
    await page.keyboard.press('Control+s')
    await page.locator('.merging').getByRole('button', { name: 'All mine' }).click()
    await page.locator('.merging').getByRole('button', { name: 'Go on writing with this' }).click()
    await poll(() => linesIn(page)).toContain('Mine: # Plan')
    expect(textOf(base, 'plan.md')).toContain('# Plans')
    await page.keyboard.press('Control+Enter')
    await isGone(page)
    expect(textOf(base, 'plan.md')).toBe(`Mine: ${PLAN}`)
  })

  it('and two tabs at the same time: every line of all of them is there', async () => {
    const base = await served()
    const tabs = [await open(base, '/n/handbook/plan.md'), await open(base, '/n/handbook/plan.md')]
    for (const { page } of tabs) await edit(page)
    await tabs[0]!.page.keyboard.press('Control+Home')
    await tabs[1]!.page.keyboard.press('Control+End')
    const agent = async (): Promise<void> => {
      for (let at = 0; at < 6; at++) {
        await writeAs(base, {
          action: 'append',
          id: 'handbook/plan.md',
          section: 'First',
          content: `agent ${at}`,
        })
      }
    }
    const tab = async ({ page }: Watched, name: string): Promise<void> => {
      for (let at = 0; at < 3; at++) {
        await page.keyboard.type(`${name} ${at}\n`)
        await page.keyboard.press('Control+s')
        await poll(() => textOf(base, 'plan.md')).toContain(`${name} ${at}`)
      }
    }
    await Promise.all([tab(tabs[0]!, 'top'), tab(tabs[1]!, 'end'), agent()])
    const lines = textOf(base, 'plan.md').split('\n')
    for (const name of ['top', 'end']) {
      const own = lines.filter((line) => line.startsWith(name))
      expect(own.join()).toBe([0, 1, 2].map((at) => `${name} ${at}`).join())
    }
    expect(lines.filter((line) => line.startsWith('agent')).length).toBe(6)
    for (const line of PLAN.split('\n')) expect(lines).toContain(line)
    for (const { faults } of tabs)
      expect(faults.filter((each) => !each.includes('409'))).toEqual([])
  })
})

describe.skipIf(!BROWSER)(BROWSER ? 'a note of megabytes' : NO_BROWSER, () => {
  it('is written in the section or the window around the line one reads', async () => {
    const sections = Array.from(
      { length: 6_000 },
      (_, at) => `## Section ${at}\n\n${`Words of ${at}. `.repeat(60)}\n`,
    )
    const long = `# Long\n\n${sections.join('\n')}`
    const base = await served([], { 'long.md': long })
    const { page, faults } = await open(base, '/n/handbook/long.md#Section%204321')
    await page.locator('.prose .flash', { hasText: 'Section 4321' }).waitFor()
    await edit(page)
    expect(await page.locator('.editor .what').textContent()).toContain('“Section 4321”')
    await page.keyboard.press('Control+End')
    await page.keyboard.type('Mine.')
    await looks(page).locator('p', { hasText: 'Mine.' }).waitFor()
    await page.keyboard.press('Control+Enter')
    await isGone(page)
    const now = textOf(base, 'long.md')
    expect(now.replace('Mine.', '')).toBe(long)
    expect(now.indexOf('Mine.')).toBe(long.indexOf('## Section 4322') - 1)
    expect(faults).toEqual([])
  })

  it('with one line that is too long is written around it', async () => {
    const base = await served([], { 'line.md': `# Line\n\n${'word '.repeat(100_000)}\n` })
    const { page } = await open(base, '/n/handbook/line.md')
    await edit(page)
    expect(await page.locator('.editor .what').textContent()).toContain('lines 1 to 2 of 4')
  })
})

describe.skipIf(!BROWSER)(BROWSER ? 'writing' : NO_BROWSER, () => {
  it.each([
    [
      'a server that is only read',
      ['--read-only'],
      undefined,
      'Nothing is written here: this server is only read',
    ],
    [
      'a token that only reads',
      [],
      { may: ['read'] },
      'Nothing is written here: this server is only read',
    ],
    [
      'a token that writes elsewhere',
      [],
      { write: ['handbook/team'] },
      'You may not write to this note',
    ],
  ] as const)('is not offered, and said why: %s', async (_, flags, grant, why) => {
    const base = await served(flags)
    const { page } = grant
      ? await openAs(base, grant as object, '/n/handbook/plan.md')
      : await open(base, '/n/handbook/plan.md')
    await page.locator('.pane .prose', { hasText: 'We begin.' }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(await page.locator('[data-tool=edit]').count()).toBe(0)
    await page.keyboard.press('e')
    await untilSaid(page, why)
    await page.keyboard.press('E')
    expect(await page.locator('.editor').count()).toBe(0)
  })

  it('belongs to the folders of a token, with the name of who is signed in', async () => {
    const base = await served()
    const { page, name } = await openAs(
      base,
      { write: ['handbook/team'] } as object,
      '/n/handbook/team/own.md',
    )
    await edit(page)
    await page.keyboard.press('Control+End')
    await page.keyboard.type('Mine.')
    await page.keyboard.press('Control+Enter')
    await isGone(page)
    expect(textOf(base, 'team/own.md')).toBe(`${FILES['team/own.md']}Mine.`)
    await page.goto(`${base.url}/history`)
    await page.locator('.changes li', { hasText: 'team/own.md' }).first().waitFor()
    expect(await page.locator('.foot', { hasText: name }).count()).toBe(1)
  })

  it('leaves a masked secret alone: not the whole note, not its section, and says why', async () => {
    const base = await served()
    const { page } = await openAs(base, {}, '/n/handbook/keys.md')
    await page.locator('[data-tool=more]').waitFor()
    expect(await page.locator('[data-tool=edit]').count()).toBe(0)
    await page.keyboard.press('e')
    await untilSaid(page, 'A secret in this note is masked: edit a section without it (Shift E)')
    // The section that one reads holds none.
    await page.keyboard.press('E')
    await written(page).waitFor()
    expect(await linesIn(page)).toBe('## Open\n\nPlain.\n')
    await page.keyboard.press('Control+End')
    await page.keyboard.type('Mine.\n')
    await page.keyboard.press('Control+Enter')
    await isGone(page)
    expect(textOf(base, 'keys.md')).toBe(FILES['keys.md'].replace('Plain.\n', 'Plain.\nMine.\n'))
    await page.setViewportSize({ width: 1280, height: 200 })
    await page.locator('.pane .body').evaluate((body) => (body.scrollTop = body.scrollHeight))
    await page.keyboard.press('E')
    await page.locator('.editor .problem', { hasText: 'holds a secret that is masked' }).waitFor()
    await page.getByRole('button', { name: 'Close', exact: true }).press('Enter')
    await isGone(page)
    expect(textOf(base, 'keys.md')).toContain(KEY)
  })

  it.each([
    ['light', 1440],
    ['dark', 1440],
    ['light', 390],
    ['dark', 390],
  ] as const)('is within reach of everyone: %s, %i px', async (colorScheme, width) => {
    const base = await served()
    const viewport = { width, height: 844 }
    const watched = await open(base, '/n/handbook/right.md', { colorScheme, viewport })
    const { page } = watched
    await page.locator('[data-tool=edit]').click()
    await written(page).waitFor()
    const preview = page.getByRole('button', { name: 'Preview' })
    if (width === 390) {
      await expectNoFaults(watched)
      await preview.click()
    }
    await looks(page).locator('p').first().waitFor()
    await expectNoFaults(watched)
    if (width === 390) await preview.click()
    // Each line from its own side.
    const sides = await written(page).evaluate((content) =>
      [...content.querySelectorAll('.cm-line')].map((line) => getComputedStyle(line).direction),
    )
    expect([sides[2], sides[4]]).toEqual(['rtl', 'ltr'])
    await written(page).click()
    await page.keyboard.press('Control+f')
    await page.locator('.cm-search').waitFor()
    await expectNoFaults(watched)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+End')
    await page.keyboard.type('/')
    await offer(page, '/task').waitFor()
    await expectNoFaults(watched)
  })

  it('is loaded by nobody who only reads', async () => {
    const base = await served()
    const { page } = await open(base, '/n/handbook/plan.md')
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.reload()
    await page.locator('[data-tool=edit]').waitFor()
    await page.waitForLoadState('networkidle')
    expect(asked.filter((url) => url.includes('later-editor'))).toEqual([])
    await page.keyboard.press('e')
    await written(page).waitFor()
    expect(asked.filter((url) => url.includes('later-editor')).length).toBe(1)
  })
})
