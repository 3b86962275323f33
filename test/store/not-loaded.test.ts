/** Who keeps the index in a file loads nothing of PostgreSQL. */
import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Written down before each is loaded, whoever asks for it. */
const NOTING = `import { registerHooks } from 'node:module'
import { appendFileSync } from 'node:fs'
registerHooks({
  load(url, context, next) {
    appendFileSync(process.env.LOADED, url + '\\n')
    return next(url, context)
  },
})
`
const OF_POSTGRES = /\/node_modules\/pg[a-z-]*\/|\/store\/postgres\//

function loadedBy(...args: readonly string[]): readonly string[] {
  const folder = temporaryFolder()
  const notes = join(folder, 'notes')
  cpSync(join(ROOT, 'examples/handbook'), notes, { recursive: true })
  const [noting, loaded] = [join(folder, 'noting.mjs'), join(folder, 'loaded')]
  writeFileSync(noting, NOTING)
  writeFileSync(loaded, '')
  spawnSync(
    process.execPath,
    ['--import', noting, join(ROOT, 'test/support/cairn.ts'), ...args, notes],
    { env: { ...process.env, LOADED: loaded, HOME: folder }, cwd: folder, stdio: 'pipe' },
  )
  return readFileSync(loaded, 'utf8').split('\n')
}

it('loads the driver for an address, and nothing of it for a file', { timeout: 600_000 }, () => {
  const embedded = loadedBy('index')
  expect(embedded.filter((url) => url.includes('/store/sqlite/')).length).toBeGreaterThan(5)
  expect(embedded.filter((url) => OF_POSTGRES.test(url))).toEqual([])
  // Nobody listens there: it is loaded and finds nobody.
  const named = loadedBy('index', '--store', 'postgres://nobody@127.0.0.1:9/none')
  expect(named.filter((url) => OF_POSTGRES.test(url)).length).toBeGreaterThan(5)
})
