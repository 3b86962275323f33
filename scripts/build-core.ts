/**
 * Compiles `assembly/` to `assets/inverting-core.wasm`: `npm run core`, after a change there. The
 * result is kept in the repository, so that nobody needs a compiler to build the program.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const ROOT = join(import.meta.dirname, '..')
const SOURCES = join(ROOT, 'assembly')
export const CORE = join(ROOT, 'assets', 'inverting-core.wasm')

const OPTIONS = '-O3 --runtime minimal --enable simd --noAssert'.split(' ')

/** What the module was made of, which it carries itself: a test tells whether it is stale. */
export function sourcesDigest(): string {
  const digest = createHash('sha256').update(OPTIONS.join(' '))
  for (const file of readdirSync(SOURCES).toSorted()) {
    if (file.endsWith('.ts')) digest.update(readFileSync(join(SOURCES, file)))
  }
  return digest.digest('hex')
}

/** The name of the section of the module that has the digest. */
export const SECTION = 'sources'

export async function compileCore(): Promise<Buffer> {
  // 100 MB that nobody else needs: also types are checked where it is not installed.
  const compiler: string = 'assemblyscript/asc'
  const { default: asc } = await import(compiler)
  let module: Uint8Array | undefined
  const entry = 'inverting-core.ts'
  const asked = [entry, '--baseDir', SOURCES, '--outFile', 'core.wasm', ...OPTIONS]
  const { error, stderr } = await asc.main(asked, {
    writeFile(name: string, contents: string | Uint8Array) {
      if (typeof contents !== 'string' && name.endsWith('.wasm')) module = contents
    },
  })
  if (error || !module) throw new Error(`${entry} cannot be compiled.\n${stderr.toString()}`)
  return Buffer.concat([module, customSection(SECTION, sourcesDigest())])
}

function customSection(name: string, text: string): Buffer {
  const content = Buffer.concat([Buffer.from([name.length]), Buffer.from(name + text)])
  return Buffer.concat([Buffer.from([0, content.length]), content])
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  writeFileSync(CORE, await compileCore())
}
