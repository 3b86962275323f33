/**
 * Engines as people run them: bundled, as `npm run build` does with the program. A thread that first
 * had to take the types out of its files would count as indexing.
 */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { PROJECT } from './harness.ts'

/** Two folders deep, as the program is: from there it finds the package's own files. */
const BUILT = join(PROJECT, 'bench', 'out')

export const ENGINE_PROGRAM = join(BUILT, 'engine-process.js')

export async function buildEngines(): Promise<void> {
  const manifest = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as {
    readonly peerDependencies: Readonly<Record<string, string>>
  }
  const bundle = await rolldown({
    cwd: PROJECT,
    input: [
      'bench/engine-process.ts',
      'src/core/indexing/inverting-thread.ts',
      'src/core/indexing/learning-thread.ts',
      'src/core/sources/folder/reading-thread.ts',
    ],
    platform: 'node',
    // Its paths are for the type checker.
    tsconfig: false,
    external: Object.keys(manifest.peerDependencies),
  })
  // Parts are named by what is in them, and old ones would stay.
  for (const file of existsSync(BUILT) ? readdirSync(BUILT) : []) {
    if (file.endsWith('.js')) rmSync(join(BUILT, file))
  }
  await bundle.write({ dir: BUILT, format: 'esm' })
  await bundle.close()
}
