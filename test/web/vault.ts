/** A small vault for tests of what one does in the page, and what they look at in it. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { SOON } from '../support/soon.ts'
import { BROWSER } from './browser.ts'
import { closeBrowser, startBrowser } from './page.ts'
import { ask, serve, untilIndexed, type Served } from './served.ts'

export type Files = Readonly<Record<string, string | Uint8Array>>

export async function serveVault(files: Files, flags: readonly string[] = []): Promise<Served> {
  const made = await serve(onTestFinished, { files, bare: true, flags })
  await untilIndexed(made, notesIn(files))
  return made
}

/** One for all tests of a file that change nothing. */
export function serveForLooks(files: Files): () => Served {
  const finished: (() => void | Promise<void>)[] = []
  let served: Served
  beforeAll(async () => {
    if (!BROWSER) return
    served = await serve((clean) => finished.unshift(clean), { files, bare: true })
    await untilIndexed(served, notesIn(files))
    await startBrowser()
  })
  afterAll(async () => {
    await closeBrowser()
    for (const clean of finished) await clean()
  })
  return () => served
}

const notesIn = (files: Files): number =>
  Object.keys(files).filter((path) => /^[^.].*\.md$/.test(path)).length

export const textOf = ({ folder }: Served, path: string): string =>
  readFileSync(join(folder, path), 'utf8')

export const isThere = ({ folder }: Served, path: string): boolean => existsSync(join(folder, path))

export const poll = <Value>(look: () => Value | Promise<Value>) => expect.poll(look, SOON)

export const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })

/** Names of what is in the address. */
export const addressOf = (page: Page): string => decodeURIComponent(new URL(page.url()).pathname)

/** Who did what last. */
export async function lastOperation(
  { url }: Served,
  headers: Readonly<Record<string, string>> = {},
): Promise<Record<string, any>> {
  const { json } = await ask(url, '/web/call/history', { limit: 1 }, headers)
  return json.structured.operations[0]
}
