/** Files behind the texts that the page shows: over HTTP, and in a browser that would run them. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makePdf, pdfLines } from '../support/make-pdf.ts'
import { makeWav } from '../support/make-wav.ts'
import { SOON } from '../support/soon.ts'
import { BROWSER } from './browser.ts'
import { closeBrowser, openPage, startBrowser } from './page.ts'
import { ask, serve, untilIndexed, type Served } from './served.ts'

const finished: (() => void | Promise<void>)[] = []
let served: Served

beforeAll(async () => {
  served = await serve((clean) => finished.unshift(clean), {
    bare: true,
    files: {
      'report.pdf': makePdf([pdfLines(['Boil water.']), pdfLines(['Descale with vinegar.'])], {
        script: '(app.alert\\(1\\))',
      }),
      'page.html': '<h1>Pots</h1><script>document.title = "ran"</script><p>Of clay.',
      'tea.md': '# Tea\nSee [[report.pdf#page=2]].\n',
      'shown.md':
        '# Shown\n\n![[talk.wav#t=3]]\n\n![A walk](films/walk.mp4)\n\n![[report.pdf#page=2]]\n\n' +
        '![far](https://elsewhere.example/a.mp4)\n\nOne line\nand another.\n',
      'talk.wav': makeWav(60),
      'films/walk.mp4': 'no film',
      '.obsidian/app.json': '{ "strictLineBreaks": false }',
    },
  })
  await untilIndexed(served, 4)
  if (BROWSER) await startBrowser()
})

afterAll(async () => {
  await closeBrowser()
  for (const clean of finished) await clean()
})

it.each([
  ['report.pdf', 'application/pdf', /^inline/],
  ['page.html', 'application/octet-stream', /^attachment/],
])('are sent so that nothing in them runs: %s', async (path, type, disposition) => {
  const { status, headers } = await fetch(`${served.url}/web/file/handbook/${path}`)
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe(type)
  expect(headers.get('content-disposition')).toMatch(disposition)
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  const policy = headers.get('content-security-policy')
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toContain('script-src')
  expect(policy).toContain("frame-ancestors 'none'")
})

it.each(['tea.md', '..%2f..%2fetc%2fpasswd.pdf', 'none.pdf', '.cairn%2fx.pdf'])(
  'are no others: %s',
  async (path) => {
    expect((await fetch(`${served.url}/web/file/handbook/${path}`)).status).toBe(404)
  },
)

it('are not for other pages, nor for frames', async () => {
  const address = `${served.url}/web/file/handbook/report.pdf`
  for (const header of [
    ['origin', 'https://elsewhere.example'],
    ['sec-fetch-site', 'cross-site'],
    ['sec-fetch-dest', 'iframe'],
  ] as const) {
    expect((await fetch(address, { headers: new Headers([[...header]]) })).status).toBe(403)
  }
})

it('are linked from the text, page by page', async () => {
  const { json } = await ask(served.url, '/web/read/note', { id: 'handbook/report.pdf' })
  expect(json.file).toBe('/web/file/handbook/report.pdf')
  expect(json.html).toContain('href="/web/file/handbook/report.pdf#page=2"')
})

it.skipIf(!BROWSER)('open beside the page, and a saved page is saved again', async () => {
  const { page } = await openPage(`${served.url}/n/handbook/report.pdf`)
  const link = page.getByRole('link', { name: 'page 2' })
  expect(await link.getAttribute('href')).toBe('/web/file/handbook/report.pdf#page=2')
  await page.getByRole('link', { name: 'The file itself' }).waitFor()
  await page.goto(`${served.url}/n/handbook/page.html`)
  const saving = page.waitForEvent('download')
  const opened = page.context().waitForEvent('page')
  await page.getByRole('link', { name: 'The file itself' }).click()
  const other = await opened
  const download = await Promise.race([saving, other.waitForEvent('download')])
  expect(download.suggestedFilename()).toBe('page.html')
  expect(await page.title()).not.toBe('ran')
})

it('are played from where one wants, and told to nobody else', async () => {
  const address = `${served.url}/web/file/handbook/talk.wav`
  const part = await fetch(address, { headers: { range: 'bytes=44-47' } })
  expect(part.status).toBe(206)
  expect(part.headers.get('content-type')).toBe('audio/wav')
  expect(part.headers.get('content-length')).toBe('4')
  expect(part.headers.get('content-range')).toBe('bytes 44-47/480044')
  expect(part.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(part.headers.get('cross-origin-resource-policy')).toBe('same-origin')
  const head = await fetch(address, { method: 'HEAD' })
  expect(head.headers.get('content-length')).toBe('480044')
  const elsewhere = new Headers([['sec-fetch-site', 'cross-site']])
  expect((await fetch(address, { headers: elsewhere })).status).toBe(403)
  for (const path of ['..%2fnone.wav', 'none.mp3', '.obsidian%2fapp.mp3']) {
    expect((await fetch(`${served.url}/web/file/handbook/${path}`)).status).toBe(404)
  }
})

it.skipIf(!BROWSER)('are heard, and a page of a PDF is read, where a note shows them', async () => {
  const { page, faults, close } = await openPage(`${served.url}/n/handbook/shown.md`)
  const sound = page.locator('audio.player')
  await sound.waitFor()
  const told = (key: 'duration' | 'currentTime') =>
    sound.evaluate((player, name) => (player as HTMLAudioElement)[name], key)
  await expect.poll(() => told('duration'), SOON).toBe(60)
  expect(await told('currentTime')).toBe(3)
  await sound.evaluate((player) => ((player as HTMLAudioElement).currentTime = 50))
  await expect
    .poll(() => sound.evaluate((player) => (player as HTMLAudioElement).seekable.end(0)), SOON)
    .toBe(60)
  // What nobody can play is named.
  await page.locator('.prose .refused', { hasText: 'A walk' }).waitFor()
  expect(await page.locator('.prose').innerHTML()).not.toContain('src="https://')
  const embedded = page.locator('.embedded')
  expect(await embedded.textContent()).toContain('Descale with vinegar.')
  expect(await embedded.textContent()).not.toContain('Boil water.')
  expect(await embedded.getByRole('link', { name: 'page 2' }).getAttribute('href')).toBe(
    '/web/file/handbook/report.pdf#page=2',
  )
  await page.locator('.embed-name a').press('Enter')
  await page.locator('.pane .flash', { hasText: 'page 2' }).waitFor()
  expect(faults).toEqual([])
  await close()
})

it.skipIf(!BROWSER)('end their lines as Obsidian does, or as one likes', async () => {
  const { page, close } = await openPage(`${served.url}/n/handbook/shown.md`)
  const lines = page.locator('.prose p', { hasText: 'One line' })
  const breaks = () => lines.locator('br').count()
  await expect.poll(breaks, SOON).toBe(1)
  const button = page.getByRole('button', { name: 'line breaks' })
  await button.press('Enter')
  expect(await button.textContent()).toBe('all line breaks')
  await button.press('Enter')
  await expect.poll(breaks, SOON).toBe(0)
  await page.reload()
  await lines.waitFor()
  expect(await breaks()).toBe(0)
  await page.getByRole('button', { name: 'no line breaks' }).press('Enter')
  await expect.poll(breaks, SOON).toBe(1)
  await close()
})
