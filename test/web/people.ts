/** People with tokens of their own, in browsers of their own. */
import { join } from 'node:path'
import type { BrowserContextOptions } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { openTokens, type TokenGrant } from '../../src/serve/access/open-tokens.ts'
import { closeContext, openPage, prepare, startBrowser, type Watched } from './page.ts'
import type { Served } from './served.ts'

let names = 0

export function newToken({ state }: Pick<Served, 'state'>, grant: Partial<TokenGrant> = {}) {
  const name = `person-${++names}`
  const all = { may: ['read', 'write'], see: [], hide: [], ...grant } as const
  return { name, token: openTokens(join(state, 'tokens.json')).create(name, all).token }
}

/** Signed in with a new token, at an address. */
export async function openAs(
  served: Served,
  grant: Partial<TokenGrant>,
  path: string,
  options: BrowserContextOptions = {},
): Promise<Watched & { readonly name: string }> {
  const { name, token } = newToken(served, grant)
  const context = await (await startBrowser()).newContext(options)
  await prepare(context)
  onTestFinished(() => closeContext(context))
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`))
  await page.goto(`${served.url}${path}`)
  await page.getByLabel('Your token for this base').fill(token)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.locator('.foot').filter({ hasText: /note/ }).waitFor({ state: 'attached' })
  return { name, page, faults, close: () => closeContext(context) }
}

/** In a window of its own, closed with the test. */
export async function open(
  served: Served,
  path: string,
  options: BrowserContextOptions = {},
): Promise<Watched> {
  const watched = await openPage(`${served.url}${path}`, options)
  onTestFinished(() => watched.close())
  return watched
}
