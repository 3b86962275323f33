/** Watching agents: a real client in a process of its own. */
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { startServerProcess } from '../support/server-process.ts'
import { BROWSER, NO_BROWSER } from './browser.ts'
import { closeBrowser, expectNoFaults, openPage } from './page.ts'
import { serve, untilIndexed } from './served.ts'

afterAll(closeBrowser)

describe.skipIf(!BROWSER)(BROWSER ? 'live' : NO_BROWSER, () => {
  it('shows no secret, and all notes of a call on the map', async () => {
    const served = await serve(onTestFinished)
    await untilIndexed(served, 33)
    const agent = await startServerProcess([served.folder, '--state', served.state], 'watched')
    onTestFinished(() => agent.close())
    const { results } = await agent.call('search', {
      query: 'rotate credentials AKIAIOSFODNN7EXAMPLE',
    })
    const watched = await openPage(`${served.url}/live`)
    onTestFinished(() => watched.close())
    const { page } = watched
    const row = page.locator('.calls li', { hasText: 'watched' })
    await row.locator('summary').press('Enter')
    expect(await row.locator('pre').textContent()).toContain('[masked AWS key]')
    expect(await row.textContent()).not.toContain('AKIA')
    await expectNoFaults(watched)
    await row.getByRole('button', { name: 'Show on the map' }).press('Enter')
    await page.locator('.map-remark', { hasText: 'The notes of one call are lit' }).waitFor()
    await expect.poll(() => page.locator('.map-table .opens').count()).toBe(results.length)
    await page.getByRole('button', { name: 'show all' }).press('Enter')
    await expect.poll(() => page.locator('.map-table .opens').count()).toBe(33)
  })
})
