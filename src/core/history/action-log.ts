/** What was done to a base beside its documents: one line of JSON each, in files of their own. */
import { appendFileSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

export interface ActionLog {
  /** They are on disk when this returns, unless the log was opened otherwise. */
  append(...lines: readonly Readonly<Record<string, unknown>>[]): void
}

export interface ActionLogOptions {
  /** A file that has grown to this is set aside. */
  readonly mostBytes?: number
  /** How many that were set aside are kept, as `<file>.1` and so on. */
  readonly kept?: number
  /** Whether lines are on disk before anybody goes on; so unless said. */
  readonly flush?: boolean
}

const MOST_BYTES = 5 * 1024 * 1024
const KEPT = 5

export function openActionLog(
  file: string,
  { mostBytes = MOST_BYTES, kept = KEPT, flush = true }: ActionLogOptions = {},
): ActionLog {
  return {
    append(...lines) {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
      const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
      const { size = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {}
      if (size > 0 && size + Buffer.byteLength(text) > mostBytes) rotate(file, kept)
      appendFileSync(file, text, { mode: 0o600, flush })
    },
  }
}

/** The oldest goes. Two processes at once lose nothing but the order of their files. */
function rotate(file: string, kept: number): void {
  rmSync(`${file}.${kept}`, { force: true })
  for (let number = kept - 1; number >= 0; number--) {
    const from = number === 0 ? file : `${file}.${number}`
    try {
      renameSync(from, `${file}.${number + 1}`)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
}
