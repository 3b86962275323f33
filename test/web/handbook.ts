/** The sample handbook, served to a browser for all tests of a file. */
import { afterAll, beforeAll } from 'vitest'
import { BROWSER } from './browser.ts'
import { closeBrowser, startBrowser } from './page.ts'
import { serve, untilIndexed, type Served } from './served.ts'

const NOTES = 33

export function serveHandbook(onServed: (served: Served) => void): void {
  const finished: (() => void | Promise<void>)[] = []

  beforeAll(async () => {
    if (!BROWSER) return
    const served = await serve((clean) => finished.unshift(clean), { flags: ['--live-arguments'] })
    await untilIndexed(served, NOTES)
    await startBrowser()
    onServed(served)
  })

  afterAll(async () => {
    await closeBrowser()
    for (const clean of finished) await clean()
  })
}
