/** Every module that a command loads, in all of its threads, over a copy of the sample handbook. */
import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder, writeFiles } from './temporary-folder.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Written down before each is loaded, whoever asks for it; a thread may have no environment. */
const noting = (place: string): string => `import { registerHooks } from 'node:module'
import { appendFileSync } from 'node:fs'
registerHooks({
  load(url, context, next) {
    appendFileSync(${JSON.stringify(place)}, url + '\\n')
    return next(url, context)
  },
})
`

export function loadedBy(
  args: readonly string[],
  files: Readonly<Record<string, string | Uint8Array>> = {},
): readonly string[] {
  const folder = temporaryFolder()
  const notes = join(folder, 'notes')
  cpSync(join(ROOT, 'examples/handbook'), notes, { recursive: true })
  writeFiles(notes, files)
  const [hooks, loaded] = [join(folder, 'noting.mjs'), join(folder, 'loaded')]
  writeFileSync(hooks, noting(loaded))
  writeFileSync(loaded, '')
  spawnSync(
    process.execPath,
    ['--import', hooks, join(ROOT, 'test/support/cairn.ts'), ...args, notes],
    { env: { ...process.env, HOME: folder }, cwd: folder, stdio: 'pipe' },
  )
  return readFileSync(loaded, 'utf8').split('\n')
}
