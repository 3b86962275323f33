/** One browser for a file of tests, and what every page is watched for. */
import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import type { Browser, BrowserContext, BrowserContextOptions, Frame, Page } from 'playwright-core'
import { expect } from 'vitest'
import { SOON } from '../support/soon.ts'
import { openBrowser } from './browser.ts'

export interface Watched {
  readonly page: Page
  /** Everything that should not have happened: errors, refused policy, requests to elsewhere. */
  readonly faults: string[]
  close(): Promise<void>
}

const browsers = new Map<string, Promise<Browser>>()

/** One for all tests of a file: on a busy machine it takes a while to start. */
export function startBrowser(): Promise<Browser> {
  let browser = browsers.get('one')
  if (!browser) browsers.set('one', (browser = openBrowser()))
  return browser
}

export async function openPage(url: string, options: BrowserContextOptions = {}): Promise<Watched> {
  const browser = await startBrowser()
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
  await prepare(context)
  const page = await context.newPage()
  const faults: string[] = []
  const { origin } = new URL(url)
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`))
  page.on('request', (request) => {
    const from = request.url()
    if (!from.startsWith(origin) && !from.startsWith('data:')) faults.push(`request: ${from}`)
  })
  await page.goto(url)
  // On a phone it is not seen.
  await page.locator('.foot').filter({ hasText: /note/ }).waitFor({ state: 'attached' })
  return { page, faults, close: () => closeContext(context) }
}

/** A context whose pages are waited for with patience, and that remembers what they said. */
export async function prepare(context: BrowserContext): Promise<void> {
  context.setDefaultTimeout(SOON.timeout)
  await context.addInitScript(() => {
    const said: string[] = []
    Object.assign(globalThis, { saidInPassing: said })
    new MutationObserver(() => {
      const text = document.querySelector('.notice')?.textContent ?? ''
      if (text !== '' && said.at(-1) !== text) said.push(text)
    }).observe(document, { subtree: true, childList: true, characterData: true })
  })
}

/** Waits for what the page says for a few seconds only: who looks too late sees it all the same. */
export async function untilSaid(page: Page | Frame, words: string): Promise<void> {
  const said = (): Promise<readonly string[]> =>
    page.evaluate(() => (globalThis as unknown as { saidInPassing: string[] }).saidInPassing)
  await expect.poll(said, SOON).toContain(words)
}

/** What is still asked for finds nobody there, and that is nobody's fault. */
export async function closeContext(context: BrowserContext): Promise<void> {
  for (const page of context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' })
  await context.close()
}

export async function closeBrowser(): Promise<void> {
  await (await browsers.get('one'))?.close()
  browsers.clear()
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** What axe finds wrong, one line each. The page's policy forbids strange scripts, so it comes in as a call. */
export async function axeFaults(page: Page): Promise<string[]> {
  await page.evaluate(AXE)
  return page.evaluate(async (rules) => {
    const { axe } = globalThis as unknown as {
      axe: {
        run(
          context: unknown,
          options: unknown,
        ): Promise<{
          violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[]
        }>
      }
    }
    const { violations } = await axe.run(document, { runOnly: rules })
    return violations.flatMap(({ id, nodes }) =>
      nodes
        .slice(0, 3)
        .map(
          ({ html, failureSummary = '' }) =>
            `${id}: ${html.slice(0, 120)} ${failureSummary.slice(0, 200)}`,
        ),
    )
  }, RULES)
}

/** Nothing wider than the window, no control under 24 px, no two controls on top of each other. */
export function layoutFaults(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const faults: string[] = []
    const { innerWidth, innerHeight } = globalThis as unknown as {
      innerWidth: number
      innerHeight: number
    }
    if (document.documentElement.scrollWidth > innerWidth)
      faults.push(`wider than the window: ${document.documentElement.scrollWidth}`)
    const named = (element: Element): string => element.outerHTML.slice(0, 90)
    const boxes = [...document.querySelectorAll('button, a[href], input, select')].flatMap(
      (element) => {
        const box = element.getBoundingClientRect()
        const style = getComputedStyle(element)
        const inText = element.closest('.prose, .skip') !== null
        const seen =
          box.width > 1 && box.bottom > 0 && box.top < innerHeight && style.visibility !== 'hidden'
        const middle =
          seen && document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)
        return seen && !inText && middle && (middle === element || element.contains(middle))
          ? [{ element, box }]
          : []
      },
    )
    // What is scrolled out of sight lies under nothing.
    const frame = document.querySelector('main')!.getBoundingClientRect()
    for (const { element, box } of boxes) {
      if (element instanceof HTMLInputElement && element.type === 'checkbox') continue
      if (box.height < 23.5 || box.width < 23.5)
        faults.push(`small ${Math.round(box.width)}x${Math.round(box.height)}: ${named(element)}`)
      if (box.right > innerWidth + 1 && !element.closest('.side, .signals'))
        faults.push(`cut off: ${named(element)}`)
    }
    for (const [index, a] of boxes.entries()) {
      for (const b of boxes.slice(index + 1)) {
        if (a.element.contains(b.element) || b.element.contains(a.element)) continue
        const wide = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left)
        const low = (each: typeof a): number =>
          each.element.closest('main') ? Math.min(each.box.bottom, frame.bottom) : each.box.bottom
        const high = Math.min(low(a), low(b)) - Math.max(a.box.top, b.box.top)
        if (wide > 2 && high > 2) faults.push(`overlap: ${named(a.element)} ${named(b.element)}`)
      }
    }
    return faults
  })
}

export async function expectNoFaults({
  page,
  faults,
}: Omit<Watched, 'close'> & Partial<Watched>): Promise<void> {
  expect(await layoutFaults(page)).toEqual([])
  expect(await axeFaults(page)).toEqual([])
  expect(faults).toEqual([])
}
