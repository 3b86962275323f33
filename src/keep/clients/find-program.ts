/** Looks programs up as a shell does: which folders of PATH have one of this name? */
import { realpathSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { orElse } from '../../core/kit/or-else.ts'
import type { Places } from './client.ts'

type PathPlaces = Pick<Places, 'platform' | 'env' | 'exists'>

export function findPrograms({ platform, env, exists }: PathPlaces, name: string): string[] {
  const isWindows = platform === 'win32'
  const names = isWindows ? [`${name}.exe`, `${name}.cmd`] : [name]
  return (env['PATH'] ?? env['Path'] ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '' && (isWindows || !WINDOWS_DRIVE.test(folder)))
    .flatMap((folder) => names.map((each) => join(folder, each)))
    .filter((file) => exists(file))
}

/** In a Linux inside Windows, PATH has the programs of Windows too, whose settings are elsewhere. */
const WINDOWS_DRIVE = /^\/mnt\/[a-z]\//

/** A folder that is there until the next version. */
const HAS_VERSION = /\d+\.\d+[^\\/]*[\\/]/
/** Made for one shell, and gone with it. */
const PASSING = /fnm_multishells/

/**
 * The Node that runs now, by a name that the next version will have as well: `/opt/homebrew/bin/node`
 * and not `/opt/homebrew/Cellar/node/24.1.0/bin/node`.
 */
export function steadyNode(node: string, places: PathPlaces): string {
  if (!HAS_VERSION.test(node)) return node
  const isSame = (file: string): boolean => {
    return orElse(() => realpathSync.native(file) === realpathSync.native(node), false)
  }
  const steady = findPrograms(places, 'node').find(
    (file) => !HAS_VERSION.test(file) && !PASSING.test(file) && isSame(file),
  )
  return steady ?? node
}
