/** New notes, made in a real browser: from a link, from a search, from a template, for a day, with a key. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startServerProcess } from '../support/server-process.ts'
import { BROWSER, NO_BROWSER } from './browser.ts'
import { expectNoFaults, untilSaid } from './page.ts'
import { open, openAs } from './people.ts'
import { ask } from './served.ts'
import {
  addressOf,
  dialog,
  isThere,
  lastOperation,
  poll,
  serveForLooks,
  serveVault,
  textOf,
} from './vault.ts'

const FILES = {
  'guides/tea.md':
    '# Tea\n\nFrom the [[Ketle]],\ninto the [mug](mug-of-ada.md).\n\n[[<b>x</b> "y"]]\n',
  'kettle.md': '# Kettle\n\nCopper.\n',
  'team/plan.md': '# Plan\n\nSee [[nobody]].\n',
  'templates/Meeting.md': '# {{title}}\n\n## Who\n',
}

const today = (): string => {
  const now = new Date()
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
}

const looked = serveForLooks(FILES)

/** What was made is open to be written. */
async function leaveEditor(page: Page): Promise<void> {
  await page.locator('.editor .cm-focused').waitFor()
  await page.keyboard.press('Escape')
  await page.locator('.editor').waitFor({ state: 'detached' })
}

describe.skipIf(!BROWSER)(BROWSER ? 'a new note' : NO_BROWSER, () => {
  it('is made with keys alone, opened, and taken back', async () => {
    const base = await serveVault(FILES)
    const watched = await open(base, '/')
    const { page, faults } = watched
    await page.locator('.cards li').first().waitFor()
    await page.keyboard.press('n')
    const making = dialog(page, 'New note')
    await making.waitFor()
    await expectNoFaults(watched)
    await page.keyboard.type('Plan: of *2027*?')
    // What no file can be called is left out, and what it will be called is shown.
    await making.getByText('It will be handbook/Plan of 2027.md').waitFor()
    await page.keyboard.press('Enter')
    await untilSaid(page, 'Made Plan: of *2027*?')
    expect(textOf(base, 'Plan of 2027.md')).toBe('# Plan: of *2027*?\n')
    await poll(() => addressOf(page)).toBe('/n/handbook/Plan of 2027.md')
    expect(await lastOperation(base)).toMatchObject({
      action: 'create',
      client: expect.stringMatching(/^cairn-web\//),
    })
    // It can be written at once; what is typed there is text.
    await page.locator('.editor').waitFor()
    await page.locator('.foot').getByRole('button', { name: 'Undo', exact: true }).click()
    await untilSaid(page, 'Undone')
    expect(isThere(base, 'Plan of 2027.md')).toBe(false)
    await page.locator('.home').waitFor()
    expect(faults).toEqual([])
  })

  it('goes where one is, or where one says, and may come from a template', async () => {
    const base = await serveVault(FILES)
    const watched = await open(base, '/browse/handbook/team')
    const { page } = watched
    await page.locator('table.notes').waitFor()
    await page.getByRole('button', { name: 'New note' }).click()
    const making = dialog(page, 'New note')
    await making.getByLabel('Name').fill('Monday')
    await making.getByText('It will be handbook/team/Monday.md').waitFor()
    await making.getByLabel('Folder').fill('handbook/team/deep er')
    await making.getByLabel('Template').selectOption({ label: 'Meeting' })
    await making.getByText('It will be handbook/team/deep er/Monday.md').waitFor()
    await making.getByRole('region', { name: 'What it will hold' }).getByText('# Monday').waitFor()
    await expectNoFaults(watched)
    await making.getByRole('button', { name: 'Make it' }).click()
    await poll(() => isThere(base, 'team/deep er/Monday.md')).toBe(true)
    expect(textOf(base, 'team/deep er/Monday.md')).toBe('# Monday\n\n## Who\n')
    // Beside the note that one reads.
    await leaveEditor(page)
    await page.locator('.prose', { hasText: 'Who' }).waitFor()
    await page.keyboard.press('n')
    await making.getByLabel('Name').fill('Tuesday')
    await making.getByText('It will be handbook/team/deep er/Tuesday.md').waitFor()
  })

  it('is refused where there is one, which can be opened instead', async () => {
    const base = await serveVault(FILES)
    const { page } = await open(base, '/')
    await page.locator('.cards li').first().waitFor()
    await page.keyboard.press('n')
    const making = dialog(page, 'New note')
    await making.getByLabel('Name').fill('KETTLE')
    await making.getByRole('alert').getByText('already').first().waitFor()
    await making.getByRole('button', { name: 'Open the note that is there' }).click()
    await page.locator('.prose', { hasText: 'Copper' }).waitFor()
    expect(textOf(base, 'kettle.md')).toBe(FILES['kettle.md'])
  })

  it('is refused where one was made meanwhile, and nothing is written over', async () => {
    const base = await serveVault(FILES)
    const { page } = await open(base, '/')
    await page.locator('.cards li').first().waitFor()
    await page.keyboard.press('n')
    const making = dialog(page, 'New note')
    await making.getByLabel('Name').fill('water')
    await making.getByText('It will be handbook/water.md').waitFor()
    writeFileSync(join(base.folder, 'water.md'), '# Mine\n')
    await making.getByRole('button', { name: 'Make it' }).click()
    await making.getByRole('alert').waitFor()
    expect(textOf(base, 'water.md')).toBe('# Mine\n')
  })

  it('comes from a search that found nothing', async () => {
    const base = await serveVault(FILES)
    const { page } = await open(base, '/?q=zzqx%20xyzzy')
    await page.getByRole('button', { name: 'Make a note called “zzqx xyzzy”' }).click()
    const making = dialog(page, 'New note')
    await making.getByText('It will be handbook/zzqx xyzzy.md').waitFor()
    await page.keyboard.press('Enter')
    await poll(() => isThere(base, 'zzqx xyzzy.md')).toBe(true)
    // A condition is no name.
    await page.goto(`${base.url}/?q=tag%3Azzqx`)
    await page.getByText('Nothing was found.').waitFor()
    expect(await page.getByRole('button', { name: /^Make a note/ }).count()).toBe(0)
  })

  it('of the day is made once, and opened from then on', async () => {
    const base = await serveVault(FILES)
    const { page } = await open(base, '/')
    await page.locator('.cards li').first().waitFor()
    await page.keyboard.press('d')
    await untilSaid(page, 'Made the note of today')
    const path = `daily/${today()}.md`
    await poll(() => addressOf(page)).toBe(`/n/handbook/${path}`)
    const text = textOf(base, path)
    await page.goto(`${base.url}/`)
    await page.getByRole('button', { name: 'Today’s note' }).click()
    await poll(() => addressOf(page)).toBe(`/n/handbook/${path}`)
    expect(textOf(base, path)).toBe(text)
  })

  it('is begun by a key that came before it was known what one may do', async () => {
    const base = await serveVault(FILES)
    const { page } = await open(base, '/n/handbook/kettle.md')
    const { promise: known, resolve: tell } = Promise.withResolvers<void>()
    await page.route('**/web/read/facts', async (route) => {
      await known
      await route.continue()
    })
    await page.reload()
    await page.locator('.pane .prose').waitFor()
    await page.keyboard.press('e')
    tell()
    await page.locator('.editor .cm-content').waitFor()
    await leaveEditor(page)
    const { promise: again, resolve: tellAgain } = Promise.withResolvers<void>()
    await page.unrouteAll()
    await page.route('**/web/read/facts', async (route) => {
      await again
      await route.continue()
    })
    await page.goto(`${base.url}/`)
    await page.locator('.cards li').first().waitFor()
    await page.keyboard.press('d')
    tellAgain()
    await poll(() => addressOf(page)).toBe(`/n/handbook/daily/${today()}.md`)
  })

  it('of the day that somebody made in this moment is opened', async () => {
    const base = await serveVault(FILES)
    const { page } = await open(base, '/')
    await page.locator('.cards li').first().waitFor()
    await page.route('**/web/call/write', async (route) => {
      const made = { action: 'create', template: 'daily', id: today() }
      await ask(base.url, '/web/call/write', made)
      await route.continue()
    })
    await page.keyboard.press('d')
    await poll(() => addressOf(page)).toBe(`/n/handbook/daily/${today()}.md`)
  })

  it('is one of those that changed last, and it is said who else changed one', async () => {
    const base = await serveVault(FILES)
    const agent = await startServerProcess([base.folder, '--state', base.state], 'some-agent')
    onTestFinished(() => agent.close())
    await agent.call('write', { action: 'append', id: 'handbook/kettle.md', content: 'Theirs.' })
    await agent.call('write', { action: 'append', id: 'handbook/team/plan.md', content: 'Theirs.' })
    await ask(base.url, '/web/call/write', {
      action: 'append',
      id: 'handbook/team/plan.md',
      content: 'Mine.',
    })
    const { page } = await open(base, '/')
    const recent = (name: string) => page.locator('.home .cards li', { hasText: name })
    await recent('Kettle').getByText('some-agent').waitFor()
    expect(await recent('Plan').innerText()).not.toMatch(/some-agent|cairn-web/)
  })

  it('follows the settings of an Obsidian vault', async () => {
    const base = await serveVault({
      ...FILES,
      '.obsidian/app.json': '{"newFileLocation":"folder","newFileFolderPath":"Inbox"}',
      '.obsidian/daily-notes.json': '{"folder":"Log","format":"YYYY/MM-DD"}',
    })
    const { page } = await open(base, '/n/handbook/team/plan.md')
    await page.locator('.prose').waitFor()
    await page.keyboard.press('n')
    const making = dialog(page, 'New note')
    await making.getByLabel('Name').fill('Idea')
    await making.getByText('It will be handbook/Inbox/Idea.md').waitFor()
    await page.keyboard.press('Enter')
    await poll(() => isThere(base, 'Inbox/Idea.md')).toBe(true)
    expect(textOf(base, 'Inbox/Idea.md')).toBe('')
    await leaveEditor(page)
    await page.keyboard.press('d')
    const [year, ...rest] = today().split('-')
    await poll(() => isThere(base, `Log/${year}/${rest.join('-')}.md`)).toBe(true)
  })
})

describe.skipIf(!BROWSER)(BROWSER ? 'a link that leads nowhere' : NO_BROWSER, () => {
  it('is mended with a click, in one line, and in the other window too', async () => {
    const base = await serveVault(FILES)
    const other = await open(base, '/n/handbook/guides/tea.md')
    const watched = await open(base, '/n/handbook/guides/tea.md')
    const { page, faults } = watched
    await page.getByRole('button', { name: 'Ketle' }).press('Enter')
    const mending = dialog(page, 'The link to Ketle')
    const kettle = mending.getByRole('button', { name: /^Kettle/ })
    await kettle.getByText('From the [[kettle]],').waitFor()
    await expectNoFaults(watched)
    await kettle.click()
    await untilSaid(page, 'The link leads to Kettle')
    expect(textOf(base, 'guides/tea.md')).toBe(
      FILES['guides/tea.md'].replace('[[Ketle]]', '[[kettle]]'),
    )
    await page.locator('.prose a.note').first().waitFor()
    await other.page.locator('.prose a.note').first().waitFor()
    await page.keyboard.press('u')
    await page.getByRole('button', { name: 'Ketle' }).waitFor()
    expect(textOf(base, 'guides/tea.md')).toBe(FILES['guides/tea.md'])
    expect(faults).toEqual([])
  })

  it('becomes one by making the note it names, wherever it is in its paragraph', async () => {
    const base = await serveVault(FILES)
    const other = await open(base, '/n/handbook/guides/tea.md')
    const { page } = await open(base, '/n/handbook/guides/tea.md')
    await page.getByRole('button', { name: 'mug' }).click()
    const mending = dialog(page, 'The link to mug-of-ada.md')
    await mending.getByText('Nothing is called like it.').waitFor()
    await mending.getByRole('button', { name: 'Make this note…' }).click()
    const making = dialog(page, 'New note')
    // A link of Markdown goes by folders.
    await making.getByText('It will be handbook/guides/mug-of-ada.md').waitFor()
    await making.getByRole('button', { name: 'Make it' }).click()
    await poll(() => addressOf(page)).toBe('/n/handbook/guides/mug-of-ada.md')
    expect(isThere(base, 'guides/mug-of-ada.md')).toBe(true)
    await page.goBack()
    await page.locator('.prose a.note', { hasText: 'mug' }).waitFor()
    // The other window shows that it leads somewhere.
    await other.page.locator('.prose a.note', { hasText: 'mug' }).waitFor()
  })

  it('of a stranger is shown as it is written and runs nothing', async () => {
    const base = looked()
    const { page, faults } = await open(base, '/n/handbook/guides/tea.md')
    await page.locator('.prose .ghost[role=button]').last().click()
    const mending = dialog(page, 'The link to <b>x</b> "y"')
    await mending.getByRole('button', { name: 'Make this note…' }).click()
    await dialog(page, 'New note')
      .getByText(/^It will be handbook\/b x/)
      .waitFor()
    expect(faults).toEqual([])
  })

  it('is mended from the report, and is gone from it then', async () => {
    const base = await serveVault(FILES)
    const watched = await open(base, '/reports/broken_links')
    const { page } = watched
    const row = page.locator('.rows li', { hasText: 'Ketle' })
    await row.getByRole('button', { name: 'mend it' }).click()
    await dialog(page, 'The link to Ketle')
      .getByRole('button', { name: /^Kettle/ })
      .click()
    await untilSaid(page, 'The link leads to Kettle')
    await row.waitFor({ state: 'detached' })
    expect(textOf(base, 'guides/tea.md')).toContain('[[kettle]]')
    await expectNoFaults(watched)
  })

  it('is left alone where the note is another one by then', async () => {
    const base = await serveVault(FILES)
    const { page } = await open(base, '/n/handbook/guides/tea.md')
    await page.getByRole('button', { name: 'Ketle' }).click()
    const kettle = dialog(page, 'The link to Ketle').getByRole('button', { name: /^Kettle/ })
    await kettle.waitFor()
    writeFileSync(join(base.folder, 'guides/tea.md'), '# Other\n')
    await kettle.click()
    await dialog(page, 'The link to Ketle').getByRole('alert').waitFor()
    expect(textOf(base, 'guides/tea.md')).toBe('# Other\n')
  })
})

describe.skipIf(!BROWSER)(BROWSER ? 'making and mending' : NO_BROWSER, () => {
  it.each([
    ['a server that is only read', ['--read-only'], undefined],
    ['a token that only reads', [], { may: ['read'] }],
  ] as const)('are not offered: %s', async (_, flags, grant) => {
    const base = await serveVault(FILES, flags)
    const { page } = grant
      ? await openAs(base, grant as object, '/n/handbook/guides/tea.md')
      : await open(base, '/n/handbook/guides/tea.md')
    await page.locator('.prose .ghost').first().click()
    await page.waitForLoadState('networkidle')
    for (const key of ['n', 'd', 'r', '.']) await page.keyboard.press(key)
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(await page.locator('.ghost[role=button]').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'New note' }).count()).toBe(0)
    await page.goto(`${base.url}/reports/broken_links`)
    await page.locator('.rows li').first().waitFor()
    expect(await page.getByRole('button', { name: 'mend it' }).count()).toBe(0)
    await page.goto(`${base.url}/?q=zzqx`)
    await page.getByText('Nothing was found.').waitFor()
    expect(await page.getByRole('button', { name: /^Make a note/ }).count()).toBe(0)
  })

  it('keep to the folders of a token, and are signed with its name', async () => {
    const base = await serveVault(FILES)
    const grant = { write: ['handbook/team'] } as const
    const { page, name } = await openAs(base, grant as object, '/n/handbook/team/plan.md')
    await page.getByRole('button', { name: 'nobody' }).click()
    await dialog(page, 'The link to nobody')
      .getByRole('button', { name: 'Make this note…' })
      .click()
    const making = dialog(page, 'New note')
    await making.getByLabel('Folder').fill('handbook/guides/')
    await making.getByRole('alert').getByText('may not be changed here').waitFor()
    await making.getByLabel('Folder').fill('handbook/team/')
    await making.getByText('It will be handbook/team/nobody.md').waitFor()
    await making.getByRole('button', { name: 'Make it' }).click()
    await poll(() => isThere(base, 'team/nobody.md')).toBe(true)
    await page.goto(`${base.url}/history`)
    await page.locator('.changes li', { hasText: 'team/nobody.md' }).first().waitFor()
    expect(await page.locator('.changes li', { hasText: name }).count()).toBeGreaterThan(0)
    // A note of others is not mended here; what it names may still be made.
    await page.goto(`${base.url}/n/handbook/guides/tea.md`)
    await page.getByRole('button', { name: 'Ketle' }).click()
    const mending = dialog(page, 'The link to Ketle')
    await mending.getByRole('button', { name: 'Make this note…' }).waitFor()
    await poll(() => mending.locator('.waiting').count()).toBe(0)
    expect(await mending.locator('.mends li').count()).toBe(0)
  })

  it.each([
    ['light', 1440],
    ['dark', 1440],
    ['light', 390],
    ['dark', 390],
  ] as const)('are within reach of everyone: %s, %i px', async (colorScheme, width) => {
    const base = looked()
    const viewport = { width, height: 844 }
    const watched = await open(base, '/', { colorScheme, viewport })
    const { page } = watched
    await page.getByRole('button', { name: 'Today’s note' }).waitFor()
    await expectNoFaults(watched)
    await page.getByRole('button', { name: 'New note' }).last().click()
    const making = dialog(page, 'New note')
    await making.getByLabel('Name').fill('A')
    await making.getByLabel('Template').selectOption({ label: 'Meeting' })
    await making.getByRole('region', { name: 'What it will hold' }).waitFor()
    await expectNoFaults(watched)
    await page.keyboard.press('Escape')
    await making.waitFor({ state: 'detached' })
    await page.goto(`${base.url}/n/handbook/guides/tea.md`)
    await page.getByRole('button', { name: 'Ketle' }).click()
    await dialog(page, 'The link to Ketle')
      .getByRole('button', { name: /^Kettle/ })
      .waitFor()
    await expectNoFaults(watched)
  })
})
