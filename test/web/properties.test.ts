/** What a note says of itself, in a form in a real browser: touched lines change and no others. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { BROWSER, NO_BROWSER } from './browser.ts'
import { expectNoFaults, untilSaid } from './page.ts'
import { open, openAs } from './people.ts'
import { ask } from './served.ts'
import { dialog, lastOperation, poll, serveForLooks, serveVault, textOf } from './vault.ts'

const TEA = [
  '---',
  '# how it is made',
  'status: draft   # for now',
  "rating: 4 # of 'five'",
  'due: 2026-12-01',
  'done: false',
  'tags: [tea, hot] # in order',
  'aliases:',
  '  - Chai # from the east',
  '  - Cha',
  'made: { by: Ada }',
  'empty:',
  '---',
  '# Tea',
  '',
  'Hot.',
  '',
].join('\r\n')

const FILES = {
  'tea.md': TEA,
  'plain.md': '# Plain\n\nNothing is said of it.\n',
  'evil.md':
    '---\n"<img src=x onerror=alert(1)>": "<script>alert(2)</script>"\n---\n# Evil\n\nText.\n',
  'team/plan.md': '---\nstatus: open\n---\n# Plan\n\nTea.\n',
}

const property = (page: Page, name: string) => page.getByLabel(`Value of ${name}`, { exact: true })

async function openForm(page: Page, title: string) {
  await page.locator('.prose').waitFor()
  await page.keyboard.press('.')
  await page.getByRole('button', { name: 'Properties…' }).press('Enter')
  const form = dialog(page, `Properties of ${title}`)
  await form.waitFor()
  return form
}

const looked = serveForLooks(FILES)

describe.skipIf(!BROWSER)(BROWSER ? 'properties' : NO_BROWSER, () => {
  it('of every kind are changed where they stand, in one operation', async () => {
    const base = await serveVault(FILES)
    const watched = await open(base, '/n/handbook/tea.md')
    const { page, faults } = watched
    const form = await openForm(page, 'Tea')
    await expectNoFaults(watched)
    await property(page, 'status').fill('brewed')
    await property(page, 'rating').fill('5')
    await property(page, 'due').fill('2026-12-24')
    await property(page, 'done').check()
    await page.getByLabel('Value of tags, one a line').fill('tea\nhot\ngreen')
    await form.getByRole('button', { name: 'Save' }).click()
    await untilSaid(page, 'Changed the properties of Tea')
    expect(textOf(base, 'tea.md')).toBe(
      TEA.replace('status: draft ', 'status: brewed ')
        .replace('rating: 4', 'rating: 5')
        .replace('2026-12-01', '2026-12-24')
        .replace('false', 'true')
        .replace('[tea, hot]', '[tea, hot, green]'),
    )
    await page.locator('.about .tag', { hasText: '#green' }).waitFor()
    expect(await lastOperation(base)).toMatchObject({ documents: ['handbook/tea.md'] })
    await page.keyboard.press('u')
    await poll(() => textOf(base, 'tea.md')).toBe(TEA)
    expect(faults).toEqual([])
  })

  it('are renamed in their line, taken away and added with keys alone', async () => {
    const base = await serveVault(FILES)
    const { page } = await open(base, '/n/handbook/tea.md')
    const form = await openForm(page, 'Tea')
    await form.getByLabel('Name of status').fill('state')
    await form.getByLabel('Value of state').fill('done')
    await form.getByLabel('Name of aliases').fill('other names')
    await form.getByRole('button', { name: 'Take empty away' }).press('Enter')
    await form.getByRole('button', { name: 'Add a property' }).press('Enter')
    await page.keyboard.type('cups')
    await form.getByLabel('Kind of cups').selectOption({ label: 'Number' })
    await form.getByLabel('Value of cups').fill('2')
    await page.keyboard.press('Enter')
    await untilSaid(page, 'Changed the properties of Tea')
    expect(textOf(base, 'tea.md')).toBe(
      TEA.replace('status: draft ', 'state: done ')
        .replace('aliases:', '"other names":')
        .replace('empty:', 'cups: 2'),
    )
    await page.keyboard.press('u')
    await poll(() => textOf(base, 'tea.md')).toBe(TEA)
  })

  it('come to a note that had none', async () => {
    const base = await serveVault(FILES)
    const { page } = await open(base, '/n/handbook/plain.md')
    const form = await openForm(page, 'Plain')
    await form.getByRole('button', { name: 'Add a property' }).click()
    await page.keyboard.type('status')
    await form.getByLabel('Value of status').fill('new: "#1"')
    await form.getByRole('button', { name: 'Save' }).click()
    await untilSaid(page, 'Changed the properties of Plain')
    expect(textOf(base, 'plain.md')).toMatch(/^---\nstatus: .*\n---\n# Plain\n/)
    const { json } = await ask(base.url, '/web/read/note', { id: 'handbook/plain.md' })
    expect(json.properties).toEqual({ status: 'new: "#1"' })
  })

  it('are not written where they make no sense, and it is said why', async () => {
    const base = looked()
    const { page } = await open(base, '/n/handbook/tea.md')
    const form = await openForm(page, 'Tea')
    await property(page, 'rating').fill('')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByRole('alert').getByText('“rating” is no number.').waitFor()
    await property(page, 'rating').fill('4')
    await form.getByLabel('Name of done').fill('due')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByRole('alert').getByText('There would be two properties “due”.').waitFor()
    expect(textOf(base, 'tea.md')).toBe(TEA)
  })

  it('are laid over what another has written meanwhile, and then saved', async () => {
    const base = await serveVault(FILES)
    const { page } = await open(base, '/n/handbook/tea.md')
    const form = await openForm(page, 'Tea')
    await property(page, 'status').fill('brewed')
    writeFileSync(join(base.folder, 'tea.md'), TEA.replace('rating: 4', 'rating: 1'))
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByRole('alert').getByText('has changed since it was read').waitFor()
    await poll(() => property(page, 'rating').inputValue()).toBe('1')
    expect(await property(page, 'status').inputValue()).toBe('brewed')
    await form.getByRole('button', { name: 'Save' }).click()
    await untilSaid(page, 'Changed the properties of Tea')
    expect(textOf(base, 'tea.md')).toBe(
      TEA.replace('rating: 4', 'rating: 1').replace('status: draft ', 'status: brewed '),
    )
  })

  it('by the hundred are bounded, and those that are not shown stay', async () => {
    const many = Array.from({ length: 1_000 }, (_, at) => `key${at}: ${at}\n`).join('')
    const text = `---\n${many}---\n# Many\n\nText.\n`
    const base = await serveVault({ 'many.md': text })
    const { page } = await open(base, '/n/handbook/many.md')
    const form = await openForm(page, 'Many')
    await form.getByText('800 more are changed in the text.').waitFor()
    await property(page, 'key7').fill('8')
    await form.getByRole('button', { name: 'Save' }).click()
    await untilSaid(page, 'Changed the properties of Many')
    expect(textOf(base, 'many.md')).toBe(text.replace('key7: 7\n', 'key7: 8\n'))
  })

  it('of a stranger are shown as they are written and run nothing', async () => {
    const base = looked()
    const { page, faults } = await open(base, '/n/handbook/evil.md')
    await openForm(page, 'Evil')
    const value = property(page, '<img src=x onerror=alert(1)>')
    expect(await value.inputValue()).toBe('<script>alert(2)</script>')
    expect(faults).toEqual([])
  })

  it('are offered in the folders where one may write', async () => {
    const base = await serveVault(FILES)
    const grant = { write: ['handbook/team'] } as const
    const { page, name } = await openAs(base, grant as object, '/n/handbook/team/plan.md')
    const form = await openForm(page, 'Plan')
    await property(page, 'status').fill('done')
    await form.getByRole('button', { name: 'Save' }).click()
    await poll(() => textOf(base, 'team/plan.md')).toContain('status: done')
    await page.goto(`${base.url}/history`)
    await page.locator('.changes li', { hasText: name }).first().waitFor()
    await page.goto(`${base.url}/n/handbook/tea.md`)
    await page.locator('.properties summary').click()
    await page.waitForLoadState('networkidle')
    expect(await page.locator('.properties button', { hasText: 'Edit' }).count()).toBe(0)
  })

  it.each([
    ['dark', 1440],
    ['light', 390],
    ['dark', 390],
  ] as const)('are within reach of everyone: %s, %i px', async (colorScheme, width) => {
    const base = looked()
    const viewport = { width, height: 844 }
    const watched = await open(base, '/n/handbook/tea.md', { colorScheme, viewport })
    const { page } = watched
    await page.locator('.properties summary').click()
    await page.locator('.properties').getByRole('button', { name: 'Edit' }).click()
    const form = dialog(page, 'Properties of Tea')
    await form.getByRole('button', { name: 'Add a property' }).click()
    await expectNoFaults(watched)
  })
})
