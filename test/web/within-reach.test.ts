/** Every view, light and dark, wide and narrow: what axe finds wrong, and what lies on top of what. */
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { BROWSER, NO_BROWSER } from './browser.ts'
import { serveHandbook } from './handbook.ts'
import { expectNoFaults, openPage } from './page.ts'
import { ask, type Served } from './served.ts'

const ROLL_BACK = 'handbook/runbooks/roll-back-a-release.md'

let served: Served

serveHandbook((each) => (served = each))

/** Path, and what is there once it is shown. */
const VIEWS: readonly (readonly [string, string, string])[] = [
  ['home', '/', '.cards li'],
  ['results and a note', `/n/${ROLL_BACK}?q=release`, '.backlinks li'],
  ['ask', '/ask?q=who+is+on+call%3F', '.claims li'],
  ['overview', '/reports', '.figures'],
  ['broken links', '/reports/broken_links', '.page'],
  ['history', '/history', '.changes li'],
  ['inspect', '/inspect?q=release', '.signals tbody tr'],
  ['live', '/live', '.calls li'],
  ['graph', '/graph', '.map[data-labels]'],
  ['nothing found', '/?q=zzzzqqqq', '.nothing'],
  ['graph around a note', '/graph?node=handbook/glossary.md&depth=1', '.chosen h1'],
]

describe.skipIf(!BROWSER)(BROWSER ? 'the page' : NO_BROWSER, () => {
  // For views that show what was done: one change is undone, another one stands.
  beforeAll(async () => {
    const call = async (tool: string, args: object): Promise<void> => {
      expect((await ask(served.url, `/web/call/${tool}`, args)).status).toBe(200)
    }
    for (const content of ['An agent was here.', 'And here.']) {
      await call('write', { action: 'append', id: ROLL_BACK, content })
    }
    await call('history', { action: 'undo' })
    await call('search', { query: 'release' })
  })

  describe.each(VIEWS)('is within reach of everyone: %s', (_, path, ready) => {
    it.each([
      ['light', 1280],
      ['dark', 1280],
      ['light', 390],
      ['dark', 390],
    ] as const)('%s, %i px', async (colorScheme, width) => {
      const watched = await openPage(`${served.url}${path}`, {
        colorScheme,
        viewport: { width, height: width === 390 ? 844 : 800 },
      })
      onTestFinished(() => watched.close())
      await watched.page.locator(ready).first().waitFor({ state: 'attached' })
      await expectNoFaults(watched)
    })
  })
})
