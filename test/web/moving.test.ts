/** Notes get other names and places in a real browser, and links follow as it was shown. */
import { describe, expect, it } from 'vitest'
import { BROWSER, NO_BROWSER } from './browser.ts'
import { expectNoFaults, untilSaid } from './page.ts'
import { open, openAs } from './people.ts'
import { ask } from './served.ts'
import { addressOf, dialog, isThere, poll, serveForLooks, serveVault, textOf } from './vault.ts'

const FILES = {
  'kettle.md': '# Kettle\n\nCopper, for [water](water.md).\n',
  'water.md': '# Water\n\nWe pour it from the [[kettle]].\n',
  'fire.md': '# Fire\n\nBelow the [kettle](kettle.md).\n',
  'team/plan.md': '# Plan\n\nTea.\n',
}

const looked = serveForLooks(FILES)

describe.skipIf(!BROWSER)(BROWSER ? 'moving' : NO_BROWSER, () => {
  it('shows which links follow, does that with keys alone, and takes it back', async () => {
    const base = await serveVault(FILES)
    const other = await open(base, '/n/handbook/fire.md')
    const watched = await open(base, '/n/handbook/kettle.md')
    const { page, faults } = watched
    await page.locator('.prose', { hasText: 'Copper' }).waitFor()
    await page.keyboard.press('r')
    const moving = dialog(page, 'Rename or move Kettle')
    await moving.getByText('That is where it is.').waitFor()
    await page.keyboard.type('Old kettle')
    await moving.getByText('2 links in 2 notes will follow.').waitFor()
    await moving.getByText('+We pour it from the [[Old kettle]].').waitFor()
    await expectNoFaults(watched)
    expect(isThere(base, 'kettle.md')).toBe(true)
    await page.keyboard.press('Enter')
    await untilSaid(page, 'Moved to handbook/Old kettle.md')
    await poll(() => addressOf(page)).toBe('/n/handbook/Old kettle.md')
    await page.locator('.prose', { hasText: 'Copper' }).waitFor()
    expect(textOf(base, 'water.md')).toContain('[[Old kettle]]')
    expect(textOf(base, 'fire.md')).toContain('[kettle](Old%20kettle.md)')
    // The other window shows where its link leads now.
    await other.page.locator('.prose a[data-id="handbook/Old kettle.md"]').waitFor()
    await page.keyboard.press('u')
    await poll(() => addressOf(page)).toBe('/n/handbook/kettle.md')
    await page.locator('.prose', { hasText: 'Copper' }).waitFor()
    for (const [path, text] of Object.entries(FILES)) expect(textOf(base, path)).toBe(text)
    expect(faults).toEqual([])
  })

  it('takes what was not saved along, and back', async () => {
    const base = await serveVault(FILES)
    const { page } = await open(base, '/n/handbook/kettle.md')
    const offered = page.getByRole('button', { name: 'Go on writing' })
    const leave = async (): Promise<void> => {
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Keep a draft' }).click()
      await offered.waitFor()
    }
    await page.locator('[data-tool=edit]').click()
    await page.locator('.cm-content').waitFor()
    await page.keyboard.type('Not saved. ')
    await leave()
    await page.locator('.pane .body').focus()
    await page.keyboard.press('r')
    await page.keyboard.type('Old kettle')
    await dialog(page, 'Rename or move Kettle').getByText('2 links in 2 notes').waitFor()
    await page.keyboard.press('Enter')
    await untilSaid(page, 'Moved to handbook/Old kettle.md')
    await offered.click()
    await page.locator('.cm-content', { hasText: 'Not saved. # Kettle' }).waitFor()
    await leave()
    await page.locator('.pane .body').focus()
    await page.keyboard.press('r')
    await page.keyboard.type('kettle')
    await dialog(page, 'Rename or move Kettle').getByText('2 links in 2 notes').waitFor()
    await page.keyboard.press('Enter')
    await untilSaid(page, 'Moved to handbook/kettle.md')
    await offered.waitFor()
  })

  it('takes a note to another folder, with its own links', async () => {
    const base = await serveVault(FILES)
    const { page } = await open(base, '/n/handbook/kettle.md')
    await page.locator('[data-tool=more]').click()
    await page.getByRole('button', { name: 'Rename or move…' }).click()
    const moving = dialog(page, 'Rename or move Kettle')
    await moving.getByLabel('Folder').fill('handbook/team')
    await moving.getByText('It will be handbook/team/kettle.md.').waitFor()
    await moving.getByRole('button', { name: 'Move it' }).click()
    await untilSaid(page, 'Moved to handbook/team/kettle.md')
    expect(textOf(base, 'team/kettle.md')).toContain('[water](../water.md)')
    expect(textOf(base, 'fire.md')).toContain('[kettle](team/kettle.md)')
    expect(textOf(base, 'water.md')).toBe(FILES['water.md'])
  })

  it.each([
    ['where a note is', 'Water', 'already'],
    ['out of the folder', '../../etc/kettle', 'leads out|outside|\\.\\.'],
    ['to a name that no system keeps', 'a:b|c?', 'cannot|not be|:'],
    ['to a hidden file', '.kettle', 'hidden|dot|not'],
    ['to a program', 'kettle.exe', '.'],
  ])('is refused with the reason: %s', async (_, name, why) => {
    const base = looked()
    const { page } = await open(base, '/n/handbook/kettle.md')
    await page.locator('.prose').waitFor()
    await page.keyboard.press('r')
    const moving = dialog(page, 'Rename or move Kettle')
    await moving.getByLabel('Name of the file').fill(name)
    const problem = moving.getByRole('alert')
    await problem.waitFor()
    expect(await problem.textContent()).toMatch(new RegExp(why))
    expect(await moving.getByRole('button', { name: 'Move it' }).isDisabled()).toBe(true)
    expect(isThere(base, 'kettle.md')).toBe(true)
  })

  it('does what was shown, or shows anew what would happen', async () => {
    const base = await serveVault(FILES)
    const { page } = await open(base, '/n/handbook/kettle.md')
    await page.locator('.prose').waitFor()
    await page.keyboard.press('r')
    const moving = dialog(page, 'Rename or move Kettle')
    await moving.getByLabel('Name of the file').fill('pot.md')
    await moving.getByText('2 links in 2 notes will follow.').waitFor()
    const change = { action: 'append', id: 'handbook/team/plan.md', content: 'See [[kettle]].' }
    await ask(base.url, '/web/call/write', change)
    await moving.getByRole('button', { name: 'Move it' }).click()
    await moving.getByRole('alert').getByText('Something was changed meanwhile').waitFor()
    await moving.getByText('3 links in 3 notes will follow.').waitFor()
    expect(isThere(base, 'pot.md')).toBe(false)
    await moving.getByRole('button', { name: 'Move it' }).click()
    await untilSaid(page, 'Moved to handbook/pot.md')
    expect(textOf(base, 'team/plan.md')).toContain('[[pot]]')
  })

  it('is offered where one may write, and says where one may not', async () => {
    const base = await serveVault(FILES)
    const grant = { write: ['handbook/team'] } as const
    const { page } = await openAs(base, grant as object, '/n/handbook/team/plan.md')
    await page.locator('.prose').waitFor()
    await page.keyboard.press('r')
    const moving = dialog(page, 'Rename or move Plan')
    await moving.getByLabel('Folder').fill('handbook/')
    await moving.getByRole('alert').getByText('may not be changed here').waitFor()
    await moving.getByLabel('Folder').fill('handbook/team/')
    await moving.getByLabel('Name of the file').fill('Plans')
    await moving.getByRole('button', { name: 'Move it' }).click()
    await poll(() => isThere(base, 'team/Plans.md')).toBe(true)
    await page.goto(`${base.url}/n/handbook/kettle.md`)
    await page.locator('.prose').waitFor()
    await page.waitForLoadState('networkidle')
    await page.keyboard.press('r')
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  it.each([
    ['dark', 1440],
    ['light', 390],
    ['dark', 390],
  ] as const)('is within reach of everyone: %s, %i px', async (colorScheme, width) => {
    const base = looked()
    const viewport = { width, height: 844 }
    const watched = await open(base, '/n/handbook/kettle.md', { colorScheme, viewport })
    const { page } = watched
    await page.locator('[data-tool=more]').click()
    await page.getByRole('button', { name: 'Rename or move…' }).click()
    const moving = dialog(page, 'Rename or move Kettle')
    await moving
      .getByLabel('Name of the file')
      .fill('A name that is longer than a phone is wide.md')
    await moving.getByRole('region', { name: 'Difference' }).waitFor()
    await expectNoFaults(watched)
  })
})

const FOLDERS = {
  'old/a.md': '# A\n\nTo [b](b.md), [[c]] and ![](red.png).\n',
  'old/b.md': '# B\n\nTo [a](a.md).\n',
  'old/deep/c.md': '# C\n\nTo [a](../a.md).\n',
  'old/red.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47]),
  'out.md': '# Out\n\nTo [a](old/a.md) and [[old/deep/c|c]].\n',
  'taken/b.md': '# Taken\n',
}

describe.skipIf(!BROWSER)(BROWSER ? 'a folder' : NO_BROWSER, () => {
  it('moves with the links to and in its notes, as shown, and comes back with one undo', async () => {
    const base = await serveVault(FOLDERS)
    const watched = await open(base, '/browse/handbook/old')
    const { page, faults } = watched
    await page.getByRole('button', { name: 'Rename or move…' }).click()
    const moving = dialog(page, 'Rename or move handbook/old/')
    await moving.getByLabel('Folder').fill('handbook/new name')
    await moving.getByText('3 notes will move').waitFor()
    await moving.getByText('3 links will follow, in 1 other note and in them.').waitFor()
    await expectNoFaults(watched)
    expect(isThere(base, 'old/a.md')).toBe(true)
    await moving.getByRole('button', { name: 'Move it' }).press('Enter')
    await untilSaid(page, 'Moved 3 notes to handbook/new name/')
    expect(textOf(base, 'new name/a.md')).toBe(
      '# A\n\nTo [b](b.md), [[c]] and ![](../old/red.png).\n',
    )
    expect(textOf(base, 'new name/b.md')).toBe(FOLDERS['old/b.md'])
    expect(textOf(base, 'new name/deep/c.md')).toBe(FOLDERS['old/deep/c.md'])
    expect(textOf(base, 'out.md')).toBe(
      '# Out\n\nTo [a](new%20name/a.md) and [[new name/deep/c|c]].\n',
    )
    await poll(() => addressOf(page)).toBe('/browse/handbook/new name/')
    await page.keyboard.press('u')
    await untilSaid(page, 'Undone')
    for (const path of ['old/a.md', 'old/b.md', 'old/deep/c.md', 'out.md'] as const) {
      expect(textOf(base, path)).toBe(FOLDERS[path])
    }
    expect(faults).toEqual([])
  })

  it('goes where one says without naming its source, with what was not saved', async () => {
    const base = await serveVault(FOLDERS)
    const { page } = await open(base, '/n/handbook/old/b.md')
    await page.locator('.pane .prose').waitFor()
    await page.keyboard.press('e')
    await page.locator('.editor .cm-focused').waitFor()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('Not saved.')
    await page.goto(`${base.url}/browse/handbook/old`)
    await page.getByRole('button', { name: 'Rename or move…' }).click()
    const moving = dialog(page, 'Rename or move handbook/old/')
    await moving.getByLabel('Folder').fill('elsewhere')
    await moving.getByText('3 notes will move to handbook/elsewhere/.').waitFor()
    await moving.getByRole('button', { name: 'Move it' }).press('Enter')
    await untilSaid(page, 'Moved 3 notes to handbook/elsewhere/')
    await poll(() => addressOf(page)).toBe('/browse/handbook/elsewhere/')
    await page.locator('table.notes .opens', { hasText: 'B' }).click()
    await page.locator('.drafted').getByRole('button', { name: 'Go on writing' }).click()
    await page.locator('.cm-content', { hasText: 'Not saved.' }).waitFor()
  })

  it.each([
    ['into itself', 'handbook/old/deeper/', 'A folder cannot go into itself.'],
    ['where one of its notes has no place', 'handbook/taken/', 'handbook/taken/b.md'],
    ['out of the folder', 'handbook/../../etc/', '..'],
  ])('is refused before anything is done: %s', async (_, to, why) => {
    const base = await serveVault(FOLDERS)
    const { page } = await open(base, '/browse/handbook/old')
    await page.getByRole('button', { name: 'Rename or move…' }).click()
    const moving = dialog(page, 'Rename or move handbook/old/')
    await moving.getByLabel('Folder').fill(to)
    await moving.getByRole('alert').getByText(why).waitFor()
    expect(await moving.getByRole('button', { name: 'Move it' }).isDisabled()).toBe(true)
    expect(textOf(base, 'old/a.md')).toBe(FOLDERS['old/a.md'])
  })

  it('that holds too many is left alone; a source is no folder', async () => {
    const many = Array.from({ length: 51 }, (_, at) => [`many/${at}.md`, `# ${at}\n`])
    const base = await serveVault({ ...FOLDERS, ...Object.fromEntries(many) })
    const { page } = await open(base, '/browse/handbook/many')
    await page.getByRole('button', { name: 'Rename or move…' }).click()
    const moving = dialog(page, 'Rename or move handbook/many/')
    await moving.getByLabel('Folder').fill('handbook/few')
    await moving.getByRole('alert').getByText('51 notes are too many').waitFor()
    await page.goto(`${base.url}/browse/handbook`)
    await page.locator('table.notes').waitFor()
    expect(await page.getByRole('button', { name: 'Rename or move…' }).count()).toBe(0)
  })
})
