/**
 * Which tests are run when, as data for `vitest.config.ts`.
 *
 * - `quick`: start no process, no server, no browser and no database. Run while one works.
 * - `full`: whatever does, as users would. `npm test` runs these and the quick ones.
 * - `apart`: replace a module, and have a process of their own for it. `npm test` runs them, too.
 * - `long`: kill, cut off and wear out, over and over. `npm run test:long` and `.ci/run` run them.
 *
 * Nobody lists a quick test: whether something is started is read from what a test imports. Only the
 * long ones are named, because only people know them.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..')

/** What goes over the same thing again and again, or waits for what takes its time. */
export const LONG: readonly string[] = [
  // Servers and writers are killed, stopped or worn out at many moments.
  'test/end-to-end/embedding.test.ts',
  'test/end-to-end/kill.test.ts',
  'test/end-to-end/many-processes.test.ts',
  'test/keeping/killed.test.ts',
  'test/writing/graph-processes.test.ts',
  'test/writing/killed.test.ts',
  'test/writing/many-processes.test.ts',
  'test/writing/person-saves.test.ts',
  'test/writing/replaced-bytes.test.ts',
  'test/writing/saves-in-between.test.ts',
  'test/writing/stopped-writer.test.ts',
  'test/writing/without-name.test.ts',
  'test/keeping/restore-served.test.ts',
  'test/writing/shared-folders.test.ts',
  // Every call to the file system fails once; disks are full, files damaged, swapped or hostile.
  'test/code/hostile-repositories.test.ts',
  'test/end-to-end/flipped-bits.test.ts',
  'test/end-to-end/hostile.test.ts',
  'test/end-to-end/replaced-index.test.ts',
  'test/writing/failing-calls.test.ts',
  'test/writing/full-disk.test.ts',
  'test/writing/graph-full-disk.test.ts',
  'test/writing/traversal.test.ts',
  // PostgreSQL is killed, frozen, silent, damaged, replaced by its standby, or asked and changed at length.
  'test/contract/stores-postgres.test.ts',
  'test/contract/stores.property.test.ts',
  'test/store/damaged.test.ts',
  'test/store/faults.test.ts',
  'test/store/frozen.test.ts',
  'test/store/gone.test.ts',
  'test/store/home-killed.test.ts',
  'test/store/home-node.test.ts',
  'test/store/isolation.test.ts',
  'test/store/killed.test.ts',
  'test/store/merging.test.ts',
  'test/store/outage.test.ts',
  'test/store/promoted.test.ts',
  'test/store/roles.test.ts',
  'test/store/same-answers.test.ts',
  'test/store/sessions.test.ts',
  'test/store/shared-history.test.ts',
  'test/store/silent.test.ts',
  'test/store/write-lease.test.ts',
  // Texts of a million characters, and whatever else can be made up.
  'src/core/parsing/markdown/scan.property.test.ts',
  // Every tool of every surface, with everything that can be made up for it.
  'test/access/abuse.test.ts',
  'test/access/hidden.test.ts',
  'test/access/same-work.test.ts',
  'test/waits/long-replies.test.ts',
  'test/waits/waits.test.ts',
  // The page without a server, with a broken or a hostile one.
  'test/web/hostile.test.ts',
  'test/web/trouble.test.ts',
  // Every view, by size and colours and pixel by pixel; ten tabs; thousands of notes.
  'test/acdc/scale.test.ts',
  'test/eval/economy.test.ts',
  'test/eval/link-graph.test.ts',
  'test/web/pictures.test.ts',
  'test/web/streams.test.ts',
  'test/web/within-reach.test.ts',
  // Compiles.
  'test/compiled-core.test.ts',
]

/** Whoever imports one of these, also by way of a helper in `test/`, means to start something. */
export const STARTERS: readonly string[] = [
  'node:child_process',
  'node:worker_threads',
  'playwright-core',
  '@electric-sql/pglite',
  'pg',
  'src/serve/lifecycle/indexing-worker.ts',
  'src/serve/wiring/open-base.ts',
  'src/serve/lifecycle/run-errand.ts',
  'src/vocabularies/acdc/start/start-acdc.ts',
  'src/vocabularies/cortex/start/start-cortex.ts',
  'src/serve/lifecycle/start-indexing.ts',
  'src/serve/wiring/start-server.ts',
  'src/serve/cli/commands/open.ts',
  'src/vocabularies/roux/commands/roux-viz.ts',
  'src/serve/cli/open-in-browser.ts',
  'src/serve/cli/run.ts',
  'src/team/postgres/connect-to.ts',
  'src/team/postgres/open-postgres-store.ts',
]

/** Parts that start a program for a moment, which a test that uses them need not know. */
export const IN_PASSING: readonly string[] = [
  // `cp` for the attributes of a file that is replaced, `git log` for a repository.
  'src/core/sources/folder/copy-attributes.ts',
  'src/core/sources/git/run-git.ts',
  // A thread that copies one file, one that sorts words of thousands of them, one that learns.
  'src/core/store/sqlite/copy-index.ts',
  'src/core/indexing/inverter.ts',
  'src/core/indexing/inverting-thread.ts',
  'src/core/indexing/learn-together.ts',
  'src/core/indexing/learning-thread.ts',
  // One that reads the next of thousands of files.
  'src/core/sources/folder/read-elsewhere.ts',
  'src/core/sources/folder/reading-thread.ts',
  // A thread that reads files for as long as there are some.
  'src/core/parsing/convert/open-converter.ts',
  'src/core/parsing/convert/converting-thread.ts',
]

/** They start nothing, and wait or work for longer than somebody who works wants to wait. */
export const SLOW: readonly string[] = ['test/embedding/word-table.test.ts']

export interface Suites {
  readonly quick: readonly string[]
  readonly full: readonly string[]
  readonly apart: readonly string[]
  readonly long: readonly string[]
}

export function listSuites(): Suites {
  const files = listFiles().filter((path) => path.endsWith('.test.ts'))
  const others = files.filter((file) => !LONG.includes(file))
  const sharing = others.filter((file) => !replaces(file))
  return {
    quick: sharing.filter(isQuick),
    full: sharing.filter((file) => !isQuick(file)),
    apart: others.filter(replaces),
    long: files.filter((file) => LONG.includes(file)),
  }
}

/** All of `src/` and `test/`, by their paths from the root of the project. */
export function listFiles(): string[] {
  return ['src', 'test'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.tsx?$/.test(path))
      .map((path) => `${folder}/${path.replaceAll('\\', '/')}`),
  )
}

/** In a process that is shared, a module that one test replaces is replaced for all. */
function replaces(file: string): boolean {
  return readFileSync(join(ROOT, file), 'utf8').includes('vi.mock(')
}

function isQuick(file: string): boolean {
  return !SLOW.includes(file) && startersOf(file).length === 0
}

/** What a test starts, itself or by way of what it shares with others in `test/`. */
export function startersOf(file: string): readonly string[] {
  const reached = new Set([file])
  for (const each of reached) {
    if (each.startsWith('test/') || each === file) {
      for (const specifier of importsOf(each)) reached.add(specifier)
    }
  }
  return STARTERS.filter((each) => reached.has(each))
}

const known = new Map<string, readonly string[]>()

/** Packages by name, and files of the project by their path from its root. */
export function importsOf(file: string): readonly string[] {
  const before = known.get(file)
  if (before) return before
  const path = join(ROOT, file)
  const text = file.endsWith('.ts') && existsSync(path) ? readFileSync(path, 'utf8') : ''
  // Types are gone when the test runs. What is started by its path is named by a URL.
  const pattern =
    /^(?:import|export)(?! type\b)[^'=();]*?(?:from )?'([^'\n]+)'|\b(?:import|URL)\(\s*'([^'\n]+)'/gm
  const imports = [...text.matchAll(pattern)].map((match) => {
    const specifier = match[1] ?? match[2] ?? ''
    if (!specifier.startsWith('.')) return specifier
    return relative(ROOT, resolve(dirname(path), specifier)).replaceAll('\\', '/')
  })
  known.set(file, imports)
  return imports
}
