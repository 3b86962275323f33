/** One stream for all tabs, and a server that goes and comes back, in a real browser. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { BROWSER, NO_BROWSER } from './browser.ts'
import { serveHandbook } from './handbook.ts'
import { closeContext, openPage, prepare, startBrowser } from './page.ts'
import { ask, serve, serveAgain, untilIndexed, type Served } from './served.ts'

let served: Served

serveHandbook((each) => (served = each))

const row = (page: Page, words: string) => page.locator('.calls li', { hasText: words })

const searchFor = (query: string) => ask(served.url, '/web/call/search', { query })

describe.skipIf(!BROWSER)(BROWSER ? 'events' : NO_BROWSER, () => {
  it('reach ten tabs over one stream, and each of them works', async () => {
    const first = await openPage(`${served.url}/live`)
    onTestFinished(() => first.close())
    const context = first.page.context()
    // What it says it has from its own stream, which is not counted.
    await first.page.locator('.lead', { hasText: 'Following' }).waitFor()
    await searchFor('before all tabs')
    await row(first.page, 'before all tabs').waitFor()
    const streams: string[] = []
    context.on('request', (request) => {
      if (request.url().endsWith('/web/events')) streams.push(request.url())
    })
    const tabs = [first.page]
    while (tabs.length < 10) {
      const tab = await context.newPage()
      await tab.goto(`${served.url}/live`)
      tabs.push(tab)
      // It holds no stream, and still knows what happened and that somebody follows.
      await row(tab, 'before all tabs').waitFor()
      await tab.locator('.lead', { hasText: 'Following' }).waitFor()
    }
    expect(streams).toEqual([])
    await searchFor('seen by ten')
    for (const tab of tabs) await row(tab, 'seen by ten').waitFor()
    for (const tab of tabs) {
      await tab.locator('#q').fill('release')
      await tab.locator('nav a', { hasText: 'Read' }).click()
      await tab.locator('[role=option]').first().waitFor()
      await tab.locator('nav a', { hasText: 'Live' }).click()
      await row(tab, 'seen by ten').waitFor()
    }
    expect(streams).toEqual([])

    await tabs[0]!.close()
    await expect.poll(() => streams.length).toBe(1)
    await searchFor('after the first left')
    for (const tab of tabs.slice(1)) await row(tab, 'after the first left').waitFor()
    expect(first.faults).toEqual([])
  })

  it('reach a page that its browser gives no locks, as over a network without TLS', async () => {
    const context = await (await startBrowser()).newContext()
    onTestFinished(() => closeContext(context))
    await prepare(context)
    await context.addInitScript(() =>
      Object.defineProperty(Navigator.prototype, 'locks', { value: undefined }),
    )
    const faults: string[] = []
    for (const words of ['without locks', 'in another tab']) {
      const tab = await context.newPage()
      tab.on('pageerror', (error) => faults.push(error.message))
      await tab.goto(`${served.url}/live`)
      await tab.locator('.lead', { hasText: 'Following' }).waitFor()
      await searchFor(words)
      await row(tab, words).waitFor()
    }
    expect(faults).toEqual([])
  })

  it('go on after the server was killed and started again', async () => {
    const mine: (() => void | Promise<void>)[] = []
    onTestFinished(async () => {
      for (const clean of mine) await clean()
    })
    // At a port that nobody is given while no server has it.
    const before = await serve((clean) => mine.unshift(clean), {
      port: await freePort(),
      flags: ['--live-arguments'],
    })
    await untilIndexed(before, 33)
    const live = await openPage(`${before.url}/live`)
    onTestFinished(() => live.close())
    const reading = await live.page.context().newPage()
    await reading.goto(`${before.url}/n/handbook/glossary.md`)
    await reading.locator('.prose').waitFor()
    await live.page.locator('.lead', { hasText: 'Following' }).waitFor()
    await ask(before.url, '/web/call/search', { query: 'before the end' })
    await row(live.page, 'before the end').waitFor()

    before.cairn.child.kill('SIGKILL')
    await live.page.locator('.banner', { hasText: 'does not answer' }).waitFor()
    await live.page.locator('.lead', { hasText: 'Connecting' }).waitFor()
    const file = join(before.folder, 'glossary.md')
    writeFileSync(file, `${readFileSync(file, 'utf8')}\nWritten while nobody served.\n`)

    const after = await serveAgain((clean) => mine.unshift(clean), before)
    expect(after.url).toBe(before.url)
    await untilIndexed(after, 33)
    await live.page.locator('.banner').waitFor({ state: 'detached' })
    await live.page.locator('.lead', { hasText: 'Following' }).waitFor()
    await ask(after.url, '/web/call/search', { query: 'after the beginning' })
    await row(live.page, 'after the beginning').waitFor()
    expect(await row(live.page, 'before the end').count()).toBe(1)
    await reading.locator('.prose', { hasText: 'Written while nobody served.' }).waitFor()

    // What a page that is opened only now is told: what the state folder still keeps.
    const late = await openPage(`${after.url}/live`)
    onTestFinished(() => late.close())
    await row(late.page, 'before the end').waitFor()
    await row(late.page, 'after the beginning').waitFor()
  })

  it('that make no sense are left out, and the rest arrives', async () => {
    const { page, faults, close } = await openPage(`${served.url}/live`)
    onTestFinished(close)
    await page.locator('.lead', { hasText: 'Following' }).waitFor()
    await page.evaluate(() => {
      const channel = new BroadcastChannel('cairn-events')
      for (const nonsense of [null, 7, 'hello', {}, { kind: 'call' }, { tab: 'knows', calls: 1 }])
        channel.postMessage(nonsense)
      channel.postMessage({ kind: 'change', put: 'x', removed: [] })
    })
    await searchFor('sense after nonsense')
    await row(page, 'sense after nonsense').waitFor()
    expect(faults).toEqual([])
  })
})
