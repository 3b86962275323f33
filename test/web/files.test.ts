/** Files behind the texts that the page shows: over HTTP, and in a browser that would run them. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makePdf, pdfLines } from '../support/make-pdf.ts'
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
    },
  })
  await untilIndexed(served, 3)
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
