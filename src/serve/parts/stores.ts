/** Opens the store: in the state folder, or in the database that was named. */
import { createHash } from 'node:crypto'
import { readdirSync, realpathSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { orElse } from '../../core/kit/or-else.ts'
import { KnowledgeError, unavailable } from '../../core/domain/error.ts'
import { parseStoreAddress } from '../../core/domain/store-address.ts'
import { INDEX_FORMAT } from '../../core/indexing/index-format.ts'
import { claimState, readClaim } from '../config/base-state.ts'
import { DEFAULT_MAX_FILE_BYTES } from '../../core/sources/folder/open-folder-source.ts'
import type { HistoryKeep } from '../../core/domain/history.ts'
import { openHistory } from '../../core/history/open-history.ts'
import type { Writing } from '../../core/operations/view/knowledge.ts'
import type { View } from '../../core/operations/view/view.ts'
import type { OpenedStore, StoreWriting } from '../../core/store/opened-store.ts'
import { asReplica } from '../../team/replica/as-replica.ts'
import { openFolderLocks } from '../../core/store/sqlite/open-folder-locks.ts'
import { openSignIns } from '../../core/store/sqlite/open-sign-ins.ts'
import { openSqliteStore } from '../../core/store/sqlite/open-sqlite-store.ts'
import { makeStateFolder, requireOwnTree } from '../../core/store/state-folder.ts'
import type { Config, SourceConfig } from '../config/config.ts'

export type IndexedConfig = Pick<Config, 'state'> &
  Partial<Pick<Config, 'maxFileBytes' | 'store'>> & {
    readonly sources: readonly (Pick<SourceConfig, 'name' | 'path'> & Partial<SourceConfig>)[]
  }

/**
 * The index of these sources, read by these rules. Whoever wants others has a file of its own: two
 * servers that share a state folder and not the rules would undo each other's work for ever, and
 * one would answer from what its rules leave out. So would a server of one folder and a server of
 * that folder and others, or one that was started before there were entities in it.
 */
export function indexFile(config: IndexedConfig): string {
  const { state, sources } = config
  const { name } = readClaim(state) ?? sources[0] ?? { name: '' }
  const usual = { sources: sources.slice(0, 1).map(({ path }) => choiceOf({ name, path })) }
  const text = choiceIn(config)
  if (text === JSON.stringify(usual)) return join(state, 'index.db')
  return join(state, `index-${digestOf(text)}.db`)
}

/** The sources and their rules as one text. */
function choiceIn({ sources, maxFileBytes }: IndexedConfig): string {
  return JSON.stringify({
    sources: sources.map(choiceOf),
    ...(maxFileBytes !== undefined && maxFileBytes !== DEFAULT_MAX_FILE_BYTES && { maxFileBytes }),
  })
}

/** What decides which files a source offers, as far as it is not as usual. */
function choiceOf(source: IndexedConfig['sources'][number]): object {
  const { name, path, kind = 'notes', include = [], exclude = [] } = source
  return {
    name,
    path: realPath(path),
    ...(kind !== 'notes' && { kind }),
    ...(include.length > 0 && { include }),
    ...(exclude.length > 0 && { exclude }),
    ...(source.hidden && { hidden: true }),
    ...((source.heedsIgnoreFiles ?? true) !== true && {
      heedsIgnoreFiles: source.heedsIgnoreFiles,
    }),
    ...(source.readsAnyNote && { readsAnyNote: true }),
    ...(source.isProgram && { isProgram: true }),
  }
}

const UNUSED_MS = 30 * 24 * 3_600_000

/**
 * Other rules leave another index behind. Whoever uses one writes to it every few seconds, so one
 * that nobody has written to for a month is nobody's, and can be built again in any case.
 */
function forgetUnused(state: string, own: string): void {
  const indexes = readdirSync(state).filter((name) => /^index(-[0-9a-f]{8})?\.db$/.test(name))
  for (const name of indexes) {
    const files = ['', '-wal', '-shm'].map((suffix) => join(state, name + suffix))
    const used = files.map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0)
    if (name === own || Math.max(...used) > Date.now() - UNUSED_MS) continue
    for (const file of files) rmSync(file, { force: true })
  }
}

function realPath(path: string): string {
  return orElse(() => realpathSync.native(path), path)
}

/** What a wing brings where several servers share the base. */
export interface BaseWriting extends StoreWriting, Pick<Writing, 'places'> {
  /** Carries out what other servers send, for as long as this is the home of files. */
  serve?(kb: View, listen: OpenedStore['listen']): void
}

type OpenedBase = OpenedStore<BaseWriting>

/**
 * Retry: somebody may delete the folder while it is opened; then it is made again. Of several that
 * make the index in one moment, those that are too late for its journal are told so at once.
 */
const ATTEMPTS = 5
const PAUSE_MS = 50
const PASSES = /EEXIST|ENOENT|disk I\/O error|unable to open|database is locked/

export async function openStore(config: IndexedConfig, attempt = 1): Promise<OpenedBase> {
  const { state } = config
  try {
    makeStateFolder(state)
    requireOwnTree(state)
    claimState(state, config.sources)
    if (config.store !== undefined) return await openInDatabase(config, config.store)
    const file = indexFile(config)
    const opened = await openSqliteStore(file, INDEX_FORMAT)
    forgetUnused(state, basename(file))
    return {
      ...opened,
      signIns: openSignIns(join(state, 'sign-in.db')),
      openWriting: async (keep) => writingIn(state, keep),
    }
  } catch (error) {
    if (error instanceof KnowledgeError) throw error
    if (attempt < ATTEMPTS && PASSES.test(String(error))) {
      await sleep(PAUSE_MS)
      return openStore(config, attempt + 1)
    }
    const why = error instanceof Error ? error.message : String(error)
    throw unavailable(
      `The state folder ${state} cannot be used: ${why}.`,
      'Name a folder that can be written to with --state DIR or CAIRN_STATE.',
    )
  }
}

/** The driver is loaded here and nowhere else: who keeps the index in a file never reads it. */
async function openInDatabase(config: IndexedConfig, url: string): Promise<OpenedBase> {
  const { openPostgresStore } = await import('../../team/postgres/open-postgres-store.ts')
  const { unusable } = await import('../../team/postgres/explain-trouble.ts')
  const address = parseStoreAddress(url)
  const store = await openPostgresStore({
    address,
    format: INDEX_FORMAT,
    sources: choiceIn(config),
    copies: join(config.state, 'segments', digestOf(address.base)),
  }).catch((error: unknown) => {
    // What names a path is about the state folder.
    throw (error as { path?: unknown } | undefined)?.path ? error : unusable(error, address)
  })
  return asReplica({
    store,
    warning: undefined,
    contents: store.contents,
    listen: store.listen,
    sessions: store.sessions,
    signIns: store.signIns,
    leader: store.leader,
    async openWriting(keep, isHere) {
      const { lease, history, homes } = await store.openWriting({ keep, isHere })
      const { databasePlace } = await import('../../team/database/database-place.ts')
      const { homePlace } = await import('../../team/homes/home-place.ts')
      const { receiveSent } = await import('../../team/homes/receive-sent.ts')
      // Folders are locked where they are as well: others than the servers of this base hold them.
      const folders = openFolderLocks(config.state)
      return {
        history,
        places: [databasePlace, homePlace(homes)],
        serve: (kb, listen) => homes.serve((sent) => receiveSent(kb, sent), listen),
        lock: {
          ...folders,
          hold: (paths, work) => folders.hold(paths, () => lease.hold(work)),
          requireHeld: lease.requireHeld,
        },
        async close() {
          await homes.close()
          await lease.close()
          await folders.close()
        },
      }
    },
  })
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8)
}

/** Lock and history in the state folder, which is where they are of a base in files. */
export function writingIn(state: string, keep: HistoryKeep = {}): StoreWriting {
  const lock = openFolderLocks(state)
  const history = openHistory(join(state, 'history'), { keep, fence: () => lock.fence() })
  return { lock, history, close: () => lock.close() }
}
