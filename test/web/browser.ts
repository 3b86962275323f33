/**
 * A real browser for tests of the page, where the machine has one: `CAIRN_CHROMIUM`, or Chromium or
 * Chrome on the path. Nothing is downloaded. Where there is none, tests are skipped, unless
 * `CAIRN_NEED_BROWSER` says that this would be a mistake.
 */
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium, type Browser } from 'playwright-core'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

export const BROWSER = findBrowser()

/** What a skipped test says. */
export const NO_BROWSER = 'no Chromium here: install one or set CAIRN_CHROMIUM to test the page'

function findBrowser(): string | undefined {
  const named = process.env['CAIRN_CHROMIUM']
  if (named) return named
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const found = folders
    .flatMap((folder) => NAMES.map((name) => join(folder, name)))
    .find((file) => existsSync(file))
  if (!found && process.env['CAIRN_NEED_BROWSER']) throw new Error(NO_BROWSER)
  return found
}

/** A machine for tests has no GPU and often no way to make a sandbox. */
const HOW = {
  executablePath: BROWSER ?? '',
  // A busy machine takes its time.
  timeout: 150_000,
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-dev-shm-usage',
    '--no-first-run',
  ],
}

export function openBrowser(): Promise<Browser> {
  return chromium.launch(HOW)
}

/** The same with the number of its first process, for who counts what it costs. */
export async function openBrowserServer(): Promise<{
  readonly browser: Browser
  readonly pid: number
  close(): Promise<void>
}> {
  const server = await chromium.launchServer(HOW)
  const browser = await chromium.connect(server.wsEndpoint())
  return { browser, pid: server.process().pid!, close: () => server.close() }
}
