/**
 * Access control lists and extended attributes, which Node can neither read nor write. GNU `cp` can;
 * where there is none, a file keeps its mode and owner alone.
 */
import { execFile } from 'node:child_process'
import { statSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { codeOf } from './reasons.ts'

const run = promisify(execFile)

let isAble = process.platform === 'linux'

/** File systems tell times in steps; what happens after this long has another time. */
const STEP_MS = 12

/** A list of access rights shows as a plus sign behind the permissions. Pairs of files follow. */
const SCRIPT = `while [ $# -gt 0 ]; do
  LC_ALL=C ls -ld -- "$1" && cp --attributes-only --preserve=xattr -- "$1" "$2"
  printf '\\n%s\\0' "$?"
  shift 2
done`

/** The same with two processes for all: `from` and `to` hold links of the same names to the pairs. */
const SCRIPT_FOR_MANY = `LC_ALL=C ls -dlL -- from/* && cp --attributes-only --preserve=xattr -t to -- from/*`

/**
 * Gives `to` what `from` has; both as paths that other processes understand. True when it is sure
 * that there was nothing, so that the next one need not ask.
 */
export async function copyAttributes(from: string, to: string): Promise<boolean> {
  if (!isAble) return false
  try {
    const before = statSync(to, { bigint: true }).ctimeNs
    const said = await askShell(from, to)
    if (!said.endsWith('\n0')) return false
    const untouched = statSync(to, { bigint: true }).ctimeNs === before
    if (!/^\S{10}\+/.test(said)) return untouched
    await run('cp', ['--attributes-only', '--preserve=mode', '--', from, to])
  } catch (error) {
    if (isUnable(error)) isAble = false
  }
  return false
}

/** Not installed, or another kind of cp: it would say the same of the next file. */
function isUnable(error: unknown): boolean {
  const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : ''
  return codeOf(error) === 'ENOENT' || /option/.test(said)
}

interface Pair {
  readonly from: string
  readonly to: string
  readonly answer: (said: string) => void
  readonly fail: (error: unknown) => void
}

const AT_ONCE = 64
let waiting: Pair[] = []

/** One process for all that are asked about at the same time: each start costs this thread time. */
function askShell(from: string, to: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  waiting.push({ from, to, answer: resolve, fail: reject })
  if (waiting.length === 1) void sleep(1).then(askForAll)
  return promise
}

async function askForAll(): Promise<void> {
  const pairs = waiting
  waiting = []
  // Whoever came last must have waited for a step of the clock as well.
  await sleep(STEP_MS)
  for (let at = 0; at < pairs.length; at += AT_ONCE) {
    const some = pairs.slice(at, at + AT_ONCE)
    try {
      const said = (some.length > 1 && (await askTogether(some))) || (await askOneByOne(some))
      for (const [index, { answer }] of some.entries()) answer(said[index] ?? '')
    } catch (error) {
      for (const { fail } of some) fail(error)
    }
  }
}

async function askOneByOne(pairs: readonly Pair[]): Promise<readonly string[]> {
  const args = pairs.flatMap(({ from, to }) => [from, to])
  const { stdout, stderr } = await run('sh', ['-c', SCRIPT, 'sh', ...args])
  if (/option/.test(stderr)) isAble = false
  return stdout.split('\0')
}

/** Undefined where one of them made trouble, or nothing can be put into the temporary folder. */
async function askTogether(pairs: readonly Pair[]): Promise<readonly string[] | undefined> {
  let folder: string | undefined
  try {
    folder = await temporaryFolder()
    const [sources, targets] = [join(folder, 'from'), join(folder, 'to')]
    await Promise.all([mkdir(sources), mkdir(targets)])
    // Names of one length, so that the shell lists them in this order.
    const name = (index: number): string => String(100 + index)
    await Promise.all(
      pairs.flatMap(({ from, to }, index) => [
        symlink(from, join(sources, name(index))),
        symlink(to, join(targets, name(index))),
      ]),
    )
    const { stdout } = await run('sh', ['-c', SCRIPT_FOR_MANY], { cwd: folder })
    const lines = stdout.trimEnd().split('\n')
    return lines.length === pairs.length ? lines.map((line) => `${line}\n0`) : undefined
  } catch {
    return undefined
  } finally {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  }
}

/** In memory where there is such a place: a busy disk takes a second for a hundred links. */
async function temporaryFolder(): Promise<string> {
  const name = 'cairn-attributes-'
  return mkdtemp(join('/dev/shm', name)).catch(() => mkdtemp(join(tmpdir(), name)))
}
