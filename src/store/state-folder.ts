/** The folder beside the files where Cairn keeps what is its own. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Makes it if need be, so that nobody else looks into it and no repository takes it in. */
export function makeStateFolder(folder: string): void {
  // It holds what notes say: nobody else on the machine needs to read it.
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  // The folder ignores itself: nobody wants an index in their repository.
  const ignore = join(folder, '.gitignore')
  if (!existsSync(ignore)) writeFileSync(ignore, '*\n')
}
