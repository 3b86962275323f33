/** Fresh folders with fixed names, the same bytes and the same dates in every run. */
import { execFileSync } from 'node:child_process'
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { gardenFiles } from './garden.ts'
import { REPOSITORY } from './repository.ts'

const EXAMPLES = resolve(import.meta.dirname, '../../examples')

type Files = Readonly<Record<string, string>>

const FOLDERS = {
  handbook: () => readFolder(join(EXAMPLES, 'handbook')),
  brain: () => readFolder(join(EXAMPLES, 'brain')),
  curated: () => readFolder(join(EXAMPLES, 'curated')),
  garden: gardenFiles,
  repository: () => REPOSITORY,
} satisfies Record<string, () => Files>

export type FolderName = keyof typeof FOLDERS

/** Long enough ago that no report changes its mind while a refactoring lasts. */
const FIRST_DAY = Date.parse('2025-03-01T08:00:00Z')
const HOUR_MS = 3_600_000

export function layOut(root: string, names: readonly FolderName[], more: Files = {}): void {
  for (const [path, content] of Object.entries(more)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  for (const name of names) {
    const folder = join(root, name)
    const files = Object.entries(FOLDERS[name]()).toSorted(([a], [b]) => (a < b ? -1 : 1))
    // Backwards: where pages are listed newest first, that is the order of their paths.
    let last = 0
    for (const [at, [path, content]] of [...files.entries()].toReversed()) {
      const file = join(folder, path)
      mkdirSync(dirname(file), { recursive: true })
      last = writeLater(file, content, last)
      const when = new Date(FIRST_DAY + at * HOUR_MS)
      utimesSync(file, when, when)
    }
    if (name === 'repository') commit(folder)
  }
}

const TRIES = 1_000

/** Writes a file that the clock of the disk calls younger than the last one, where it tells. */
function writeLater(file: string, content: string, last: number): number {
  for (let tries = 0; tries < TRIES; tries++) {
    writeFileSync(file, content)
    const { birthtimeMs } = statSync(file)
    // Whole milliseconds, because dates in notes have no more.
    if (Math.floor(birthtimeMs) > last || birthtimeMs === 0) return Math.floor(birthtimeMs)
    rmSync(file)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
  }
  throw new Error(`The clock of the disk stands still at ${file}.`)
}

/** Every file below a folder but what is derived from others, path → content. */
export function readFolder(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const files = paths
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !/(^|\/)\.(cairn|git|roux)(\/|$)/.test(path))
    .filter((path) => statSync(join(folder, path)).isFile())
  return Object.fromEntries(
    files.toSorted().map((path) => [path, readFileSync(join(folder, path), 'utf8')]),
  )
}

function commit(folder: string): void {
  const when = new Date(FIRST_DAY).toISOString()
  const git = (...args: string[]) =>
    execFileSync('git', args, {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        PATH: process.env['PATH'],
        HOME: folder,
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_AUTHOR_NAME: 'Ada',
        GIT_AUTHOR_EMAIL: 'ada@example.com',
        GIT_COMMITTER_NAME: 'Ada',
        GIT_COMMITTER_EMAIL: 'ada@example.com',
        GIT_AUTHOR_DATE: when,
        GIT_COMMITTER_DATE: when,
      },
    })
  git('init', '-q', '-b', 'main')
  git('add', '-A')
  git('commit', '-q', '-m', 'First')
}
