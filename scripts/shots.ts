/**
 * Pictures of every view of the page over the sample handbook, for people to look at.
 *
 *     npm run shots [FOLDER]          (default: shots/, which git ignores)
 */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { BROWSER, NO_BROWSER, openBrowser } from '../test/web/browser.ts'
import { PICTURED } from '../test/web/pictured.ts'

const SIZES = {
  wide: { width: 1440, height: 900 },
  middle: { width: 834, height: 1112 },
  phone: { width: 390, height: 844 },
}

async function shoot(folder: string): Promise<void> {
  const root = resolve(import.meta.dirname, '..')
  const state = mkdtempSync(join(tmpdir(), 'cairn-shots-'))
  const args = [
    'bin/cairn.js',
    'explore',
    'examples/handbook',
    '--no-open',
    '--state',
    state,
    '--json',
  ]
  const server = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  const browser = await openBrowser()
  try {
    const page = await new Promise<string>((done) => {
      server.stdout.once('data', (data: Buffer) =>
        done((JSON.parse(data.toString()) as { page: string }).page),
      )
    })
    mkdirSync(folder, { recursive: true })
    for (const [size, viewport] of Object.entries(SIZES)) {
      for (const colorScheme of ['light', 'dark'] as const) {
        const context = await browser.newContext({ viewport, colorScheme })
        const tab = await context.newPage()
        for (const [name, [path, ready, ...keys]] of Object.entries(PICTURED)) {
          await tab.goto(new URL(path, page).href)
          await tab.locator(ready).first().waitFor({ state: 'attached' })
          for (const [key, brings] of keys) {
            await tab.keyboard.press(key)
            await tab.locator(brings).first().waitFor({ state: 'attached' })
          }
          await tab.waitForTimeout(1_000)
          await tab.screenshot({ path: join(folder, `${name}-${size}-${colorScheme}.png`) })
        }
        await context.close()
      }
    }
    console.log(`Wrote pictures into ${folder}.`)
  } finally {
    await browser.close()
    server.kill('SIGTERM')
    rmSync(state, { recursive: true, force: true })
  }
}

if (BROWSER) await shoot(resolve(process.argv[2] ?? 'shots'))
else console.error(NO_BROWSER)
