/** Watching agents: a real client in a process of its own. */
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { startServerProcess } from '../support/server-process.ts'
import { BROWSER, NO_BROWSER } from './browser.ts'
import { closeBrowser, expectNoFaults, openPage } from './page.ts'
import { serve, untilIndexed } from './served.ts'

afterAll(closeBrowser)

async function watch(flags: readonly string[]) {
  const served = await serve(onTestFinished, { flags })
  await untilIndexed(served, 33)
  const args = [served.folder, '--state', served.state, ...flags]
  const agent = await startServerProcess(args, 'watched')
  onTestFinished(() => agent.close())
  const watched = await openPage(`${served.url}/live`)
  onTestFinished(() => watched.close())
  await watched.page.locator('.lead', { hasText: 'Following' }).waitFor()
  const { results } = await agent.call('search', {
    query: 'rotate credentials AKIAIOSFODNN7EXAMPLE',
  })
  const row = watched.page.locator('.calls li', { hasText: 'watched' })
  await row.locator('summary').press('Enter')
  return { watched, row, results }
}

describe.skipIf(!BROWSER)(BROWSER ? 'live' : NO_BROWSER, () => {
  it('shows who called what and how it went, and not what was asked', async () => {
    const { watched, row, results } = await watch([])
    await row.locator('.nothing', { hasText: 'not recorded' }).waitFor()
    const text = (await row.textContent())!
    expect(text).toMatch(/watched.*search.* ms/)
    expect(text).not.toMatch(/rotate credentials|AKIA|masked/)
    expect(await row.getByRole('button', { name: 'Run again' }).count()).toBe(0)
    expect(await row.locator('.opens').count()).toBe(results.length)
    await expectNoFaults(watched)
  })

  it('shows no secret, and all notes of a call on the map', async () => {
    const { watched, row, results } = await watch(['--live-arguments'])
    const { page } = watched
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
