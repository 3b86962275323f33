/** A base for one command: no threads and no watching, the index is brought up to date on request. */
import { statSync } from 'node:fs'
import type { Source } from '../domain/source.ts'
import { sync } from '../indexing/indexer.ts'
import type { SyncOptions, SyncReport } from '../indexing/indexer.ts'
import { learnMeaning } from '../indexing/learn-meaning.ts'
import { recoverWrites } from '../operations/change-files.ts'
import { drawNotes } from '../operations/walk-notes.ts'
import type { DrawnGraph } from '../operations/walk-notes.ts'
import { openNativeSurface } from '../surfaces/native/open-native-surface.ts'
import { openRouxView } from '../surfaces/roux/view.ts'
import type { Store } from '../store/store.ts'
import type { Config } from './config.ts'
import { examine } from './doctor.ts'
import type { Diagnosis } from './doctor.ts'
import { formatOf } from './formats.ts'
import { PROGRESS_KEY } from './keep-current.ts'
import { openKnowledge } from './open-knowledge.ts'
import { openSources } from './sources.ts'
import { leaseOwner } from './start-indexing.ts'
import { indexFile, openStore } from './stores.ts'
import { VERSION } from './version.ts'
import { openWriting } from './writing.ts'

export interface Base {
  call(
    tool: string,
    args: Record<string, unknown>,
  ): Promise<{ readonly structured: Record<string, unknown>; readonly isError: boolean }>
  index(
    options: Pick<SyncOptions, 'onProgress' | 'force'>,
  ): Promise<SyncReport & { readonly documents: number; readonly durationMs: number }>
  status(): Promise<Record<string, unknown>>
  graph(): Promise<DrawnGraph & { readonly embedded: number }>
  doctor(options: { readonly repair: boolean }): Promise<Diagnosis>
  close(): Promise<void>
}

const LEASE_MS = 60_000

/** How changes made from a shell are signed. */
const CLIENT = `cairn-cli/${VERSION}`

export async function openBase(config: Config): Promise<Base> {
  const sources = openSources(config)
  const { store, warning } = openStore(config.state)
  const owner = leaseOwner()
  const writing = config.readOnly ? undefined : openWriting(config.state)
  const kb = openKnowledge({ config, store, sources, writing })
  const surface = openNativeSurface(kb, {
    version: VERSION,
    log: (error) => process.stderr.write(`cairn: error: ${String(error)}\n`),
  })
  const index: Base['index'] = async (options) => {
    const started = performance.now()
    const report = await bringUpToDate(config, store, sources, owner, options)
    const { documents } = await store.counts()
    return {
      ...report,
      warnings: warning ? [warning, ...report.warnings] : report.warnings,
      documents,
      durationMs: performance.now() - started,
    }
  }
  let closed = false
  const close = async (): Promise<void> => {
    if (closed) return
    closed = true
    writing?.lock.close()
    try {
      await store.releaseLease(owner)
    } finally {
      await store.close()
    }
  }
  return {
    async call(tool, args) {
      const call = { signal: new AbortController().signal, client: CLIENT, progress: () => {} }
      const result = await surface.call(tool, args, call)
      return { structured: { ...result.structured }, isError: result.isError ?? false }
    },
    index,
    status: () => status(config, store, sources),
    async graph() {
      const { notes } = openRouxView(kb)
      const { docs } = await notes.table()
      return { ...(await drawNotes(notes)), embedded: (await kb.similar?.covered(docs)) ?? 0 }
    },
    async doctor({ repair }) {
      if (repair) {
        await recoverWrites(kb)
        for (const source of sources.values()) await source.writer?.sweep()
      }
      const diagnosis = await examine({ config, store, sources, writing })
      if (!repair || diagnosis.ok) return diagnosis
      await close()
      return repaired(config)
    },
    close,
  }
}

/** Opening a base again replaces a damaged file; reading every file mends whatever else is wrong. */
async function repaired(config: Config): Promise<Diagnosis> {
  const base = await openBase(config)
  try {
    await base.index({ force: true })
    const { ok, findings } = await base.doctor({ repair: false })
    const what = 'The index was repaired: every file was read again.'
    return { ok, findings: [{ level: 'ok', what }, ...findings] }
  } finally {
    await base.close()
  }
}

/** A server that runs on this base keeps the index current by itself; then there is nothing to do. */
async function bringUpToDate(
  { embedding }: Config,
  store: Store,
  sources: ReadonlyMap<string, Source>,
  owner: string,
  options: Pick<SyncOptions, 'onProgress' | 'force'>,
): Promise<SyncReport> {
  if (!(await store.acquireLease(owner, LEASE_MS))) {
    return { indexed: 0, unchanged: 0, removed: 0, skipped: 0, failed: 0, warnings: [] }
  }
  const parts = { store, sources: [...sources.values()], formatOf, lease: { owner } }
  const report = await sync(parts, {
    ...options,
    // A large base takes longer than a lease lasts.
    onCommit: () => void store.acquireLease(owner, LEASE_MS).catch(() => {}),
  })
  if (embedding !== 'none') await learnMeaning({ store, sources }, options)
  await store.putMeta(PROGRESS_KEY, JSON.stringify({ phase: 'done', done: 0, total: 0 }))
  return report
}

async function status(
  config: Config,
  store: Store,
  sources: ReadonlyMap<string, Source>,
): Promise<Record<string, unknown>> {
  const counts = await store.counts()
  const progress = await store.getMeta(PROGRESS_KEY)
  const page = { offset: 0, limit: 0 }
  return {
    version: VERSION,
    sources: [...sources.values()].map(({ name, root }) => ({ name, path: root })),
    state: config.state,
    index_bytes: statSync(indexFile(config.state), { throwIfNoEntry: false })?.size ?? 0,
    ...counts,
    skipped_files: (await store.listFiles({ state: 'skipped' }, page)).total,
    failed_files: (await store.listFiles({ state: 'failed' }, page)).total,
    generation: await store.generation(),
    indexing: progress ? (JSON.parse(progress) as { phase: string }).phase !== 'done' : false,
    indexed_by: (await store.leaseHolder()) ?? null,
  }
}
