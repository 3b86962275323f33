/** Diagrams, in a real browser: drawn where they stand, as pictures in which nothing runs. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { SOON } from '../support/soon.ts'
import { BROWSER, NO_BROWSER } from './browser.ts'
import { closeBrowser, expectNoFaults, openPage, startBrowser } from './page.ts'
import { serve, untilIndexed, type Served } from './served.ts'

const fence = (text: string): string => `\`\`\`mermaid\n${text}\n\`\`\`\n\n`

const FILES = {
  'tea.md': `# Tea\n\n${fence('flowchart LR\n  A[Kettle] --> B(Cup)')}Then drink.\n\n${fence('flowchart\n  not a ---[ diagram')}`,
  'harm.md':
    '# Harm\n\n' +
    fence(
      'flowchart LR\n  A[x] --> B\n  click A href "javascript:alert(1)"\n  click B call alert(2)',
    ) +
    fence('sequenceDiagram\n  A->>B: <img src=x onerror=alert(3)><script>alert(4)</script>') +
    fence(
      '%%{init: {"securityLevel": "loose", "htmlLabels": true}}%%\nflowchart\n  A["<img src=https://evil.example/1 onerror=alert(5)>"]',
    ) +
    fence(
      '%%{init: {"themeCSS": "* { background: url(https://evil.example/2) }"}}%%\nflowchart\n  A-->B',
    ) +
    fence(`flowchart\n${'  A-->B\n'.repeat(600)}`),
  'plain.md': '# Plain\n\n```js\nconst a = 1\n```\n',
}

const finished: (() => void | Promise<void>)[] = []
let served: Served

beforeAll(async () => {
  if (!BROWSER) return
  served = await serve((clean) => finished.unshift(clean), { files: FILES, bare: true })
  await untilIndexed(served, 3)
  await startBrowser()
})

afterAll(async () => {
  await closeBrowser()
  for (const clean of finished) await clean()
})

describe.skipIf(!BROWSER)(BROWSER ? 'diagrams' : NO_BROWSER, () => {
  const open = async (path: string, options: Parameters<typeof openPage>[1] = {}) => {
    const watched = await openPage(`${served.url}/n/handbook/${path}`, options)
    onTestFinished(() => watched.close())
    await watched.page.locator('.prose').first().waitFor()
    return watched
  }

  it.each(['light', 'dark'] as const)(
    'are drawn with a name and their source, and what is none says why: %s',
    async (colorScheme) => {
      const watched = await open('tea.md', { colorScheme })
      const { page } = watched
      const picture = page.locator('.diagram img')
      await picture.waitFor()
      expect(await picture.getAttribute('alt')).toBe('Diagram (flowchart)')
      await expect
        .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth), SOON)
        .toBeGreaterThan(50)
      await page.locator('.diagram summary').press('Enter')
      await page.locator('.diagram pre', { hasText: 'A[Kettle]' }).waitFor()
      await page.locator('.prose .hint', { hasText: 'cannot be drawn' }).waitFor()
      await page.locator('.prose pre', { hasText: 'not a ---[ diagram' }).waitFor()
      await expectNoFaults(watched)
    },
  )

  it('run nothing and load nothing, whatever they say', async () => {
    const { page, faults } = await open('tea.md')
    let alerts = 0
    const loaded: string[] = []
    page.on('requestfinished', (request) => loaded.push(request.url()))
    page.on('dialog', (dialog) => {
      alerts++
      void dialog.dismiss()
    })
    await page.goto(`${served.url}/n/handbook/harm.md`)
    const said = page.locator('.diagram, .prose .hint')
    await expect.poll(() => said.count(), SOON).toBe(5)
    expect(await page.locator('.diagram').count()).toBeGreaterThanOrEqual(2)
    expect(alerts).toBe(0)
    // What a policy has stopped was not loaded.
    expect(loaded.filter((url) => url.includes('evil'))).toEqual([])
    expect(faults.filter((fault) => fault.startsWith('error'))).toEqual([])
    // What came back is a picture, and nothing of it is part of the page.
    expect(await page.locator('.prose svg, .prose foreignObject').count()).toBe(0)
    const frame = page.frames().find((each) => each.url().endsWith('/web/diagrams'))!
    expect(await frame.evaluate(() => origin)).toBe('null')
  })

  it('cost a note without one nothing', async () => {
    const { page } = await open('plain.md')
    const loaded = await page.evaluate(() =>
      performance.getEntriesByType('resource').map(({ name }) => name),
    )
    expect(loaded.filter((name) => /diagrams/.test(name))).toEqual([])
    expect(await page.locator('iframe').count()).toBe(0)
  })

  it('the frame is for our own pages, and the page for nobody’s frame', async () => {
    const ask = (headers: Record<string, string>) =>
      fetch(`${served.url}/web/diagrams`, { headers })
    expect((await ask({ 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    const frame = await ask({ 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'iframe' })
    expect(frame.status).toBe(200)
    const policy = frame.headers.get('content-security-policy')!
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain('sandbox allow-scripts')
    expect(policy).not.toMatch(/allow-same-origin|unsafe-eval|script-src[^;]*unsafe-inline/)
    const again = await ask({ 'if-none-match': frame.headers.get('etag')! })
    expect(again.status).toBe(304)
  })
})
