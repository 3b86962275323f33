/** When did a file come to be? Asked of the file system, for files that do not say it themselves. */
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { pathProblem } from './paths.ts'
import type { Tree } from './scan.ts'
import { Slices } from '../../kit/slices.ts'

/** A link is as old as the link: it is not followed, so nothing outside the root is looked at. */
export async function birthTimes(
  tree: Tree,
  paths: readonly string[],
): Promise<(number | undefined)[]> {
  const slices = new Slices()
  const times: (number | undefined)[] = []
  for (const path of paths) {
    times.push(pathProblem(path) === undefined ? birthTime(join(tree.root, path)) : undefined)
    if (slices.over) await slices.pause()
  }
  return times
}

/** File systems that do not keep it say the beginning of time. */
function birthTime(place: string): number | undefined {
  try {
    const { birthtimeMs } = lstatSync(place)
    return birthtimeMs > 0 ? birthtimeMs : undefined
  } catch {
    return undefined
  }
}
