/**
 * A real base over real files without a surface: for what indexes, searches, walks or writes. Tests
 * that ask for it alone are not among those that a change to some tool concerns.
 */
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { SourceConfig } from '../../src/serve/config/config.ts'
import { formatOf } from '../../src/serve/parts/formats.ts'
import { openKnowledge } from '../../src/serve/parts/open-knowledge.ts'
import { openSources } from '../../src/serve/parts/sources.ts'
import { openStore, writingIn } from '../../src/serve/parts/stores.ts'
import { openWriting } from '../../src/serve/wiring/writing.ts'
import { sync } from '../../src/core/indexing/indexer.ts'
import type { SyncOptions, SyncReport } from '../../src/core/indexing/indexer.ts'
import { learnMeaning } from '../../src/core/indexing/learn-meaning.ts'
import type { Answerer } from '../../src/core/models/answerer.ts'
import type { Knowledge } from '../../src/core/operations/view/knowledge.ts'
import { wholeView } from '../../src/core/operations/view/view.ts'
import type { View } from '../../src/core/operations/view/view.ts'
import { openMemoryStore } from './memory-store/open-memory-store.ts'
import type { OpenedStore, StoreWriting } from '../../src/core/store/opened-store.ts'
import type { Store } from '../../src/core/store/store.ts'
import { temporaryFolder } from './temporary-folder.ts'
import type { OnFinished } from './temporary-folder.ts'

export interface SmallBase {
  readonly folder: string
  readonly state: string
  readonly base: Knowledge
  /** All of it, as the native tools see it. */
  readonly kb: View
  readonly store: Store
  /** Errors that a user must never see, from the surfaces that are opened over it. */
  readonly bugs: unknown[]
  sync(options?: SyncOptions): Promise<SyncReport>
}

export interface SmallBaseOptions {
  readonly publicUrl?: string
  readonly more?: readonly (Partial<SourceConfig> & { name: string; path: string })[]
  readonly maxFileBytes?: number
  /** What the folder is read for; its files unless said. */
  readonly kind?: SourceConfig['kind']
  readonly exclude?: readonly string[]
  readonly readOnly?: boolean
  readonly readsAnyNote?: boolean
  /** Whether `sync` learns meaning as well, as a server does in its own time. */
  readonly learns?: boolean
  readonly answerer?: Answerer
  /** For a base that outlives one test: takes what must be done at the end. */
  readonly onFinished?: OnFinished
}

export async function openSmallBase(
  files: Readonly<Record<string, string | Uint8Array>>,
  options: SmallBaseOptions = {},
): Promise<SmallBase> {
  const folder = temporaryFolder(files, options.onFinished)
  const base = await openSmallBaseAt(folder, options)
  await base.sync()
  return base
}

/** The same over a folder that exists, without a first look at it. */
export async function openSmallBaseAt(
  folder: string,
  {
    publicUrl,
    more = [],
    maxFileBytes = 10 * 1024 * 1024,
    learns = false,
    kind,
    exclude = [],
    readOnly = false,
    readsAnyNote = false,
    answerer,
    onFinished = onTestFinished,
  }: SmallBaseOptions = {},
): Promise<SmallBase> {
  const state = join(temporaryFolder({}, onFinished), 'state')
  const rules = { include: [], exclude: [], hidden: false }
  const sources = openSources({
    sources: [
      { name: 'notes', path: folder, kind, readsAnyNote, ...rules, exclude },
      ...more.map((each) => ({ ...rules, ...each })),
    ],
    maxFileBytes,
    readOnly,
  })
  const opened = await openTestStore(state)
  const { store } = opened
  onFinished(() => store.close())
  const http = { host: '', port: 0, allowedHosts: [], allowedOrigins: [], publicUrl }
  const writing = readOnly ? undefined : await openWriting(opened)
  onFinished(async () => {
    await writing?.close()
    for (const source of sources.values()) await source.close?.()
  })
  const base = openKnowledge({ config: { http }, store, sources, writing, answerer })
  const owner = `${process.pid}@test:${state}`
  return {
    folder,
    state,
    base,
    kb: wholeView(base),
    store,
    bugs: [],
    async sync(syncOptions) {
      const lease = (await store.acquireLease(owner, 60_000)) ?? { owner, fence: -1 }
      const report = await sync(
        { store, sources: [...sources.values()], formatOf, lease },
        syncOptions,
      )
      if (learns) await learnMeaning({ store, sources })
      return report
    },
  }
}

/** In memory, which is faster; `CAIRN_TEST_STORE=sqlite` takes the store that users have. */
async function openTestStore(state: string): Promise<Omit<OpenedStore, 'signIns'>> {
  if (process.env['CAIRN_TEST_STORE'] === 'sqlite') return openStore({ state, sources: [] })
  const openWriting = async (): Promise<StoreWriting> => writingIn(state)
  return { store: openMemoryStore(), warning: undefined, openWriting }
}
