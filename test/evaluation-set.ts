/** Public note collections for tests that want real text. They live beside the repository. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/**
 * The folder of one evaluation set: already unpacked in `CAIRN_EVAL` or `../shared/eval`, or
 * unpacked from there into the temporary folder, where the next run finds it again.
 */
export function evaluationSet(
  name: string,
): { readonly folder: string } | { readonly missing: string } {
  const home = process.env.CAIRN_EVAL ?? resolve(import.meta.dirname, '../../shared/eval')
  if (existsSync(join(home, name, 'docs'))) return { folder: join(home, name) }
  if (!existsSync(join(home, `${name}.tar.xz`))) {
    return { missing: `no ${name} in ${home}; set CAIRN_EVAL to the folder of evaluation sets` }
  }
  const unpacked = join(tmpdir(), 'cairn-eval')
  try {
    execFileSync(join(home, 'unpack'), [unpacked, name], { stdio: 'pipe' })
  } catch (error) {
    return { missing: `${name} could not be unpacked: ${String(error)}` }
  }
  return { folder: join(unpacked, name) }
}
