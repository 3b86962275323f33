/** The repository of the contract's acceptance checks, and the surface over it. */
import { execFileSync } from 'node:child_process'
import { openKeeping } from '../../src/keep/open-keeping.ts'
import type { ConfigInput } from '../../src/serve/config/config.ts'
import { loadDuskmantleSettings } from '../../src/vocabularies/duskmantle/start/duskmantle-settings.ts'
import { openRunRecords } from '../../src/core/history/open-run-records.ts'
import { openRepository } from '../../src/core/operations/repository/open-repository.ts'
import { openWorkTree } from '../../src/core/sources/git/open-work-tree.ts'
import { openDuskmantleSurface } from '../../src/vocabularies/duskmantle/open-duskmantle-surface.ts'
import type { DuskmantleSurfaceOptions } from '../../src/vocabularies/duskmantle/open-duskmantle-surface.ts'
import { DUSKMANTLE_DEFAULTS } from '../../src/vocabularies/duskmantle/settings.ts'
import type { DuskmantleSettings } from '../../src/vocabularies/duskmantle/settings.ts'
import type { Surface } from '../../src/serve/door/surface.ts'
import { openTestBaseAt } from '../support/open-test-base.ts'
import type { TestBase } from '../support/open-test-base.ts'
import { serveFolder } from '../support/serve-folder.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const WORDS = 'Ingest pipeline telemetry is kept for each stage of every run we make here. '

export const FIXTURE: Readonly<Record<string, string>> = {
  'docs/telemetry.md': WORDS.repeat(30).slice(0, 1900),
  'docs/empty.md': '',
  'src/kasmina/core/handler.py':
    'class Example:\n    def method(self):\n        return 1\n\n\ndef helper():\n    return 2\n',
  'tests/test_handler.py': 'def test_nothing():\n    assert True\n',
  '.metadata/subsystems.json':
    '{"Core":{"criticality":"high","paths":["docs/telemetry"],"dependencies":["Billing"]}}',
}

export interface OpenedDuskmantle {
  readonly base: TestBase
  readonly folder: string
  readonly surface: Surface
  call(tool: string, args?: unknown): Promise<Record<string, any>>
}

export interface OpenOptions {
  readonly files?: Readonly<Record<string, string>>
  readonly settings?: Partial<DuskmantleSettings>
  /** Days ago that the first commit was made; without it there is no git at all. */
  readonly committedDaysAgo?: Readonly<Record<string, number>>
  readonly rankingModel?: DuskmantleSurfaceOptions['rankingModel']
}

export async function openDuskmantle({
  files = FIXTURE,
  settings = {},
  committedDaysAgo,
  rankingModel,
}: OpenOptions = {}): Promise<OpenedDuskmantle> {
  const folder = temporaryFolder(files)
  if (committedDaysAgo) commitFiles(folder, files, committedDaysAgo)
  const base = await openTestBaseAt(folder)
  await base.sync()
  const all = { ...DUSKMANTLE_DEFAULTS, ...settings }
  const surface = openDuskmantleSurface({
    repository: openRepository(base.kb.base, {
      source: 'notes',
      workTree: openWorkTree(folder),
      symbols: all.symbols,
    }),
    records: openRunRecords(base.state),
    settings: all,
    keeping: openKeeping(base.base, {
      state: base.state,
      sources: [{ name: 'notes', path: folder, include: [], exclude: [], hidden: false }],
    }),
    rankingModel,
    version: '0.0.0',
    log: (error) => base.bugs.push(error),
  })
  return {
    base,
    folder,
    surface,
    async call(tool, args = {}) {
      const signal = new AbortController().signal
      const { structured, texts } = await surface.call(tool, args, { signal, progress: () => {} })
      if (texts.join('') !== JSON.stringify(structured)) throw new Error('text differs')
      return structured as Record<string, any>
    },
  }
}

/** A server with the surface over HTTP, and what the environment would say to it. */
export function serveDuskmantle(
  folder: string,
  env: Readonly<Record<string, string>>,
  { strict = true, flags = {} }: { strict?: boolean; flags?: ConfigInput['flags'] } = {},
) {
  const duskmantle = loadDuskmantleSettings({ env, strict })
  return serveFolder(folder, { surface: ['duskmantle'], ...flags }, { duskmantle })
}

/** git without the settings of whoever runs the tests. */
export function git(folder: string, args: readonly string[], date?: Date): string {
  const when = date?.toISOString()
  return execFileSync('git', args, {
    cwd: folder,
    encoding: 'utf8',
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: 'Ada',
      GIT_AUTHOR_EMAIL: 'ada@example.com',
      GIT_COMMITTER_NAME: 'Ada',
      GIT_COMMITTER_EMAIL: 'ada@example.com',
      ...(when && { GIT_AUTHOR_DATE: when, GIT_COMMITTER_DATE: when }),
    },
  })
}

function commitFiles(
  folder: string,
  files: Readonly<Record<string, string>>,
  daysAgo: Readonly<Record<string, number>>,
): void {
  git(folder, ['init', '-q'])
  const paths = Object.keys(files).toSorted((a, b) => (daysAgo[b] ?? 1) - (daysAgo[a] ?? 1))
  for (const path of paths) {
    const date = new Date(Date.now() - (daysAgo[path] ?? 1) * 86_400_000)
    git(folder, ['add', '-f', path])
    git(folder, ['commit', '-q', '-m', path], date)
  }
}
