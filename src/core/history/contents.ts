/** Long contents of the history, in files named by what is in them. */
import { hash, randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type KnowledgeError, unavailable } from '../domain/error.ts'
import { flushFolder } from './flush-folder.ts'
import { isFolder, makeFolder } from './make-folder.ts'

export class Contents {
  readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  /** Written beside and renamed, so that a name never stands for half a content. */
  async keep(bytes: Uint8Array): Promise<string> {
    const name = hash('sha256', bytes, 'hex')
    const place = this.#place(name)
    // One that was damaged since is written again.
    if (existsSync(place) && this.isSound(name)) return name
    const folder = dirname(place)
    for (const each of [this.folder, folder]) makeFolder(each)
    const temporary = `${place}.tmp-${randomBytes(4).toString('hex')}`
    try {
      const file = await open(temporary, 'wx', 0o600)
      try {
        await file.writeFile(bytes)
        await file.sync()
      } finally {
        await file.close()
      }
      renameSync(temporary, place)
    } catch (error) {
      rmSync(temporary, { force: true })
      throw error
    }
    // The name is on disk when its folder is, and that folder when the one above it is.
    flushFolder(folder)
    flushFolder(this.folder)
    flushFolder(dirname(this.folder))
    return name
  }

  read(name: string): Uint8Array {
    let bytes: Uint8Array
    try {
      bytes = readFileSync(this.#place(name))
    } catch {
      throw lost('is missing from the state folder', name)
    }
    if (hash('sha256', bytes, 'hex') !== name) throw lost('was damaged on the disk', name)
    return bytes
  }

  isSound(name: string): boolean {
    try {
      this.read(name)
      return true
    } catch {
      return false
    }
  }

  size(name: string): number {
    return statSync(this.#place(name), { throwIfNoEntry: false })?.size ?? 0
  }

  names(): string[] {
    if (!isFolder(this.folder)) return []
    return readdirSync(this.folder, { recursive: true, encoding: 'utf8' })
      .map((path) => path.replace(/^.*[/\\]/, ''))
      .filter((name) => /^[0-9a-f]{64}$/.test(name))
  }

  remove(name: string): void {
    rmSync(this.#place(name), { force: true })
  }

  #place(name: string): string {
    return join(this.folder, name.slice(0, 2), name)
  }
}

function lost(what: string, name: string): KnowledgeError {
  return unavailable(
    `A content that history needs ${what} (${name.slice(0, 12)}…).`,
    'It cannot be restored from here; look for a backup of the state folder. Everything else in the history still works.',
  )
}
