/**
 * Access control lists and extended attributes, which Node can neither read nor write. GNU `cp` can;
 * where there is none, a file keeps its mode and owner alone.
 */
import { execFile } from 'node:child_process'
import { statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { codeOf } from './reasons.ts'

const run = promisify(execFile)

let isAble = process.platform === 'linux'

/** File systems tell times in steps; what happens after this long has another time. */
const STEP_MS = 12

/** A list of access rights shows as a plus sign behind the permissions. */
const SCRIPT = 'LC_ALL=C ls -ld -- "$1" && cp --attributes-only --preserve=xattr -- "$1" "$2"'

/**
 * Gives `to` what `from` has; both as paths that other processes understand. True when it is sure
 * that there was nothing, so that the next one need not ask.
 */
export async function copyAttributes(from: string, to: string): Promise<boolean> {
  if (!isAble) return false
  try {
    const before = statSync(to, { bigint: true }).ctimeNs
    await sleep(STEP_MS)
    const { stdout } = await run('sh', ['-c', SCRIPT, 'sh', from, to])
    const untouched = statSync(to, { bigint: true }).ctimeNs === before
    if (!/^\S{10}\+/.test(stdout)) return untouched
    await run('cp', ['--attributes-only', '--preserve=mode', '--', from, to])
  } catch (error) {
    // Not installed, or another kind of cp: it would say the same of the next file.
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : ''
    if (codeOf(error) === 'ENOENT' || /option/.test(said)) isAble = false
  }
  return false
}
