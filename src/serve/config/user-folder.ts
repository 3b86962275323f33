/** Where this user's own files of Cairn are: bases set up, files trusted, packages added. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { orElse } from '../../core/kit/or-else.ts'

export interface Surrounding {
  readonly cwd: string
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
}

export function userFile({ home, env }: Omit<Surrounding, 'cwd'>, name: string): string {
  const folder =
    process.platform === 'win32'
      ? (env['APPDATA'] ?? join(home, 'AppData', 'Roaming'))
      : env['XDG_CONFIG_HOME'] || join(home, '.config')
  return join(folder, 'cairn', name)
}

/** The state of a base that lies in none of the user's folders. */
export function userState({ home, env }: Omit<Surrounding, 'cwd'>, name: string): string {
  const folder =
    process.platform === 'win32'
      ? (env['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local'))
      : env['XDG_STATE_HOME'] || join(home, '.local', 'state')
  return join(folder, 'cairn', name)
}

/** What a file of JSON holds; undefined where it cannot be read. */
export function readUserFile(around: Surrounding, name: string): unknown {
  return orElse(() => JSON.parse(readFileSync(userFile(around, name), 'utf8')), undefined)
}

/** The file is the old one or the new one at any moment, and nobody else's to read. */
export function writeUserFile(around: Surrounding, name: string, content: unknown): void {
  const file = userFile(around, name)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const beside = `${file}.${process.pid}`
  writeFileSync(beside, `${JSON.stringify(content, undefined, 2)}\n`, { mode: 0o600 })
  renameSync(beside, file)
}
