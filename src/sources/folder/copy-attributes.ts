/**
 * Access control lists and extended attributes, which Node can neither read nor write. GNU `cp` can;
 * where there is none, a file keeps its mode and owner alone.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { codeOf } from './reasons.ts'

const run = promisify(execFile)

let isAble = process.platform === 'linux'

/** Gives `to` what `from` has. Paths that other processes understand. */
export async function copyAttributes(from: string, to: string): Promise<void> {
  if (!isAble) return
  try {
    await run('cp', ['--attributes-only', '--preserve=mode,xattr', '--', from, to])
  } catch (error) {
    // Not installed, or another kind of cp: it would say the same of the next file.
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : ''
    if (codeOf(error) === 'ENOENT' || /option/.test(said)) isAble = false
  }
}
