/** Pictures and files come into a note in a real browser: dropped, pasted, chosen; and go with one undo. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { BROWSER, NO_BROWSER } from './browser.ts'
import { expectNoFaults, untilSaid } from './page.ts'
import { open, openAs } from './people.ts'
import {
  dialog,
  isThere,
  lastOperation,
  poll,
  serveForLooks,
  serveVault,
  textOf,
  type Files,
} from './vault.ts'

const FILES: Files = {
  'tea.md': '# Tea\n\nHot.\n',
  'team/plan.md': '# Plan\n\nTea.\n',
}
/** One red point. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC'
const BYTES = Buffer.from(PNG, 'base64')

const looked = serveForLooks(FILES)

interface Given {
  readonly name: string
  readonly type?: string
  readonly bytes?: string
  /** Instead of the picture: so many zeros. */
  readonly size?: number
}

/** As a hand does it: a page cannot hand files to itself in another way. */
function hand(page: Page, how: 'drop' | 'paste', files: readonly Given[]): Promise<void> {
  return page.locator('.pane.reading .body').evaluate(
    (body, { how, files, png }) => {
      const data = new DataTransfer()
      for (const { name, type = 'image/png', bytes = png, size } of files) {
        const whole = size
          ? new Uint8Array(size)
          : Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0))
        data.items.add(new File([whole], name, { type }))
      }
      const common = { bubbles: true, cancelable: true }
      if (how === 'drop') {
        body.dispatchEvent(new DragEvent('dragover', { ...common, dataTransfer: data }))
        body.dispatchEvent(new DragEvent('drop', { ...common, dataTransfer: data }))
      } else
        document.body.dispatchEvent(new ClipboardEvent('paste', { ...common, clipboardData: data }))
    },
    { how, files, png: PNG },
  )
}

/** Once what changes notes is there: a drop before that is the browser's own. */
async function ready(page: Page): Promise<void> {
  await page.locator('.body[data-takes-files]').waitFor()
}

describe.skipIf(!BROWSER)(BROWSER ? 'files' : NO_BROWSER, () => {
  it('that are dropped stand in the note at once, and go with their link', async () => {
    const base = await serveVault(FILES)
    const other = await open(base, '/n/handbook/tea.md')
    await other.page.locator('.prose', { hasText: 'Hot' }).waitFor()
    const { page, faults } = await open(base, '/n/handbook/tea.md')
    await ready(page)
    await hand(page, 'drop', [{ name: 'my mug.png' }])
    await untilSaid(page, 'Added my mug.png')
    const shown = (on: Page) =>
      on.locator('.prose img').evaluate((each: HTMLImageElement) => each.naturalWidth)
    await poll(() => shown(page)).toBe(1)
    await poll(() => shown(other.page)).toBe(1)
    expect(readFileSync(join(base.folder, 'attachments/my mug.png')).equals(BYTES)).toBe(true)
    expect(textOf(base, 'tea.md')).toBe('# Tea\n\nHot.\n\n![](attachments/my%20mug.png)\n')
    expect(await lastOperation(base)).toMatchObject({
      documents: ['handbook/tea.md', 'handbook/attachments/my mug.png'],
      client: expect.stringMatching(/^cairn-web\//),
    })
    await page.keyboard.press('u')
    await untilSaid(page, 'Undone')
    expect(isThere(base, 'attachments/my mug.png')).toBe(false)
    expect(textOf(base, 'tea.md')).toBe(FILES['tea.md'])
    await poll(() => page.locator('.prose img').count()).toBe(0)
    expect(faults).toEqual([])
  })

  it('that are pasted have no name, and go where the vault keeps them', async () => {
    const base = await serveVault({
      ...FILES,
      '.obsidian/app.json': '{"attachmentFolderPath":"Files/pictures"}',
    })
    const { page } = await open(base, '/n/handbook/tea.md')
    await ready(page)
    await hand(page, 'paste', [{ name: 'image.png' }])
    await poll(() => textOf(base, 'tea.md')).toMatch(/!\[\[Pasted image \d{14}\.png\]\]\n$/)
    const [, name = ''] = /\[\[(.*)\]\]/.exec(textOf(base, 'tea.md')) ?? []
    await poll(() => isThere(base, `Files/pictures/${name}`)).toBe(true)
    await poll(() =>
      page.locator('.prose img').evaluate((each: HTMLImageElement) => each.naturalWidth),
    ).toBe(1)
  })

  it('that come with a text are left out where one writes', async () => {
    const base = await serveVault(FILES)
    const { page } = await open(base, '/n/handbook/tea.md')
    await ready(page)
    await page.locator('[data-tool=edit]').click()
    await page.locator('.cm-content').click()
    const paste = (text: string): Promise<void> =>
      page.locator('.cm-content').evaluate(
        (content, { text, png }) => {
          const clipboardData = new DataTransfer()
          if (text !== '') clipboardData.setData('text/plain', text)
          const bytes = Uint8Array.from(atob(png), (c) => c.charCodeAt(0))
          clipboardData.items.add(new File([bytes], 'image.png', { type: 'image/png' }))
          const common = { bubbles: true, cancelable: true, composed: true }
          content.dispatchEvent(new ClipboardEvent('paste', { ...common, clipboardData }))
        },
        { text, png: PNG },
      )
    await paste('1\t2')
    await page.locator('.cm-line', { hasText: '1\t2' }).waitFor()
    await page.keyboard.press('Control+s')
    await untilSaid(page, 'Saved Tea')
    expect(textOf(base, 'tea.md')).not.toContain('Pasted%20image')
    await paste('')
    await page.locator('.cm-line', { hasText: 'Pasted%20image' }).waitFor()
    await page.keyboard.press('Control+Enter')
    await poll(() => textOf(base, 'tea.md')).toContain('Pasted%20image')
    expect(textOf(base, 'tea.md').match(/Pasted%20image/g)?.length).toBe(1)
  })

  it('that are dropped into what one writes stand where they were dropped, whatever is written meanwhile', async () => {
    const base = await serveVault(FILES)
    const { page, faults } = await open(base, '/n/handbook/tea.md')
    await ready(page)
    await page.locator('[data-tool=edit]').click()
    await page.locator('.cm-content').click()
    let arrive = (): void => undefined
    const arrived = new Promise<void>((done) => (arrive = done))
    await page.route('**/web/attach?*', async (route) => {
      await arrived
      await route.continue()
    })
    const dropped = page.waitForRequest('**/web/attach?*')
    await page.locator('.cm-line', { hasText: 'Hot.' }).evaluate(
      (line, { png }) => {
        const dataTransfer = new DataTransfer()
        const bytes = Uint8Array.from(atob(png), (c) => c.charCodeAt(0))
        for (const name of ['mug.png', 'plan.pdf']) dataTransfer.items.add(new File([bytes], name))
        const box = line.getBoundingClientRect()
        const place = { clientX: box.right - 2, clientY: box.y + box.height / 2 }
        const common = { bubbles: true, cancelable: true, composed: true, ...place }
        line.dispatchEvent(new DragEvent('drop', { ...common, dataTransfer }))
      },
      { png: PNG },
    )
    await dropped
    // Above and below, while they are on their way.
    await page.keyboard.press('Control+Home')
    await page.keyboard.type('New. ')
    await page.keyboard.press('Control+End')
    await page.keyboard.type('Cold.')
    arrive()
    await untilSaid(page, 'Added mug.png, plan.pdf')
    expect(textOf(base, 'tea.md')).toBe(FILES['tea.md'])
    await page.keyboard.press('Control+Enter')
    await poll(() => textOf(base, 'tea.md')).toBe(
      'New. # Tea\n\nHot.![](attachments/mug.png)\n[plan.pdf](attachments/plan.pdf)\nCold.',
    )
    expect(isThere(base, 'attachments/plan.pdf')).toBe(true)
    expect(faults).toEqual([])
  })

  it('that arrive when the text is closed are told of', async () => {
    const base = await serveVault(FILES)
    const { page } = await open(base, '/n/handbook/tea.md')
    await ready(page)
    await page.locator('[data-tool=edit]').click()
    await page.locator('.cm-content').click()
    let arrive = (): void => undefined
    const arrived = new Promise<void>((done) => (arrive = done))
    await page.route('**/web/attach?*', async (route) => {
      await arrived
      await route.continue()
    })
    // Beside the text, where a browser would open it.
    const sent = page.waitForRequest('**/web/attach?*')
    await page.locator('.editor .looks').evaluate(
      (preview, { png }) => {
        const dataTransfer = new DataTransfer()
        const bytes = Uint8Array.from(atob(png), (c) => c.charCodeAt(0))
        dataTransfer.items.add(new File([bytes], 'mug.png'))
        preview.dispatchEvent(
          new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }),
        )
      },
      { png: PNG },
    )
    await sent
    await page.locator('.cm-content').click()
    await page.keyboard.press('Escape')
    await page.locator('.editor').waitFor({ state: 'detached' })
    arrive()
    await dialog(page, 'Add files to Tea').getByText('Write ![](attachments/mug.png)').waitFor()
    expect(textOf(base, 'tea.md')).toBe(FILES['tea.md'])
  })

  it('that are not taken say why, and the others are taken; one undo takes all of them away', async () => {
    const base = await serveVault(FILES)
    const watched = await open(base, '/n/handbook/tea.md')
    const { page } = watched
    await ready(page)
    await hand(page, 'drop', [
      { name: 'a.png' },
      { name: 'run.exe' },
      { name: 'film.mp4', size: 11 * 1024 * 1024 },
      { name: 'a.png' },
      { name: '<img src=x onerror=alert(1)>.html' },
    ])
    const told = dialog(page, 'Add files to Tea')
    await told.getByText('run.exe', { exact: true }).waitFor()
    await told.getByText('It is 11 MB; at most 10 MB are taken.').waitFor()
    expect(await told.locator('.follows li').count()).toBe(3)
    expect(textOf(base, 'tea.md')).toMatch(
      /!\[\]\(attachments\/a\.png\)\n+!\[\]\(attachments\/a%201\.png\)\n$/,
    )
    await page.keyboard.press('Escape')
    await told.waitFor({ state: 'detached' })
    await page.keyboard.press('u')
    await poll(() => textOf(base, 'tea.md')).toBe(FILES['tea.md'])
    expect(isThere(base, 'attachments/a.png')).toBe(false)
  })

  it('are chosen with keys alone', async () => {
    const base = await serveVault(FILES)
    const { page, faults } = await open(base, '/n/handbook/tea.md')
    await ready(page)
    await page.keyboard.press('.')
    await page.getByRole('button', { name: 'Add a picture or a file…' }).press('Enter')
    const choosing = dialog(page, 'Add files to Tea')
    const chooser = page.waitForEvent('filechooser')
    await choosing.getByLabel('Pictures and files').press('Enter')
    await (await chooser).setFiles({ name: 'plan.pdf', mimeType: 'application/pdf', buffer: BYTES })
    await untilSaid(page, 'Added plan.pdf')
    await choosing.waitFor({ state: 'detached' })
    expect(textOf(base, 'tea.md')).toContain('[plan.pdf](attachments/plan.pdf)')
    expect(faults).toEqual([])
  })

  it('are taken where one may write, and nowhere else', async () => {
    const base = await serveVault(FILES)
    const grant = { write: ['handbook/team'] } as const
    const { page } = await openAs(base, grant as object, '/n/handbook/team/plan.md')
    await ready(page)
    await hand(page, 'drop', [{ name: 'a.png' }])
    await untilSaid(page, 'Added a.png')
    expect(isThere(base, 'team/a.png')).toBe(true)
    await page.goto(`${base.url}/n/handbook/tea.md`)
    await page.locator('.prose').waitFor()
    await page.waitForLoadState('networkidle')
    expect(await page.locator('.body[data-takes-files]').count()).toBe(0)
    await hand(page, 'drop', [{ name: 'a.png' }])
    expect(textOf(base, 'tea.md')).toBe(FILES['tea.md'])
  })

  it.each([
    ['light', 1440],
    ['dark', 390],
  ] as const)('are within reach of everyone: %s, %i px', async (colorScheme, width) => {
    const viewport = { width, height: 844 }
    const watched = await open(looked(), '/n/handbook/tea.md', { colorScheme, viewport })
    const { page } = watched
    await ready(page)
    await hand(page, 'drop', [{ name: 'film.mp4', size: 11 * 1024 * 1024 }])
    await dialog(page, 'Add files to Tea').getByText('It is 11 MB').waitFor()
    await expectNoFaults(watched)
  })
})
