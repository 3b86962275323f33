/** A base for one command: no threads and no watching, the index is brought up to date on request. */
import { statSync } from 'node:fs'
import type { Source } from '../domain/source.ts'
import { sync } from '../indexing/indexer.ts'
import type { SyncOptions, SyncReport } from '../indexing/indexer.ts'
import {
  bringMeaning,
  embeddingState,
  embeddingTrouble,
  restAfter,
} from '../indexing/bring-meaning.ts'
import { openNativeSurface } from '../surfaces/native/open-native-surface.ts'
import type { LearnOptions, LearnParts } from '../indexing/learn-meaning.ts'
import type { Warning } from '../domain/warning.ts'
import type { Store } from '../store/store.ts'
import type { Config } from './config.ts'
import { examine } from './doctor.ts'
import type { Diagnosis } from './doctor.ts'
import { formatOf } from './formats.ts'
import { PROGRESS_KEY } from './keep-current.ts'
import { wantedMeaning } from './models.ts'
import { openKnowledge } from './open-knowledge.ts'
import { openSources } from './sources.ts'
import { leaseOwner } from './start-indexing.ts'
import { indexFile, openStore } from './stores.ts'
import { VERSION } from './version.ts'

export interface IndexOptions extends Pick<SyncOptions, 'onProgress' | 'force'> {
  /** Whether to wait for a provider to embed everything; else only what takes a moment is done. */
  readonly waitForMeaning?: boolean
}

export interface Base {
  call(
    tool: string,
    args: Record<string, unknown>,
  ): Promise<{ readonly structured: Record<string, unknown>; readonly isError: boolean }>
  index(
    options: IndexOptions,
  ): Promise<SyncReport & { readonly documents: number; readonly durationMs: number }>
  status(): Promise<Record<string, unknown>>
  doctor(options: { readonly repair: boolean }): Promise<Diagnosis>
  close(): Promise<void>
}

const LEASE_MS = 60_000

export async function openBase(config: Config): Promise<Base> {
  const sources = openSources(config)
  const { store, warning } = openStore(config.state)
  const owner = leaseOwner()
  const kb = openKnowledge({ config, store, sources })
  const surface = openNativeSurface(kb, {
    version: VERSION,
    log: (error) => process.stderr.write(`cairn: error: ${String(error)}\n`),
  })
  const index: Base['index'] = async (options) => {
    const started = performance.now()
    const report = await bringUpToDate(config, { store, sources }, owner, options)
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
    try {
      await store.releaseLease(owner)
    } finally {
      await store.close()
    }
  }
  return {
    async call(tool, args) {
      const signal = new AbortController().signal
      const result = await surface.call(tool, args, { signal, progress: () => {} })
      return { structured: { ...result.structured }, isError: result.isError ?? false }
    },
    index,
    status: () => status(config, store, sources),
    async doctor({ repair }) {
      const diagnosis = await examine({ config, store, sources })
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
    await base.index({ force: true, waitForMeaning: true })
    const { ok, findings } = await base.doctor({ repair: false })
    const what = 'The index was repaired: every file was read again.'
    return { ok, findings: [{ level: 'ok', what }, ...findings] }
  } finally {
    await base.close()
  }
}

/** A server that runs on this base keeps the index current by itself; then there is nothing to do. */
async function bringUpToDate(
  config: Config,
  { store, sources }: LearnParts,
  owner: string,
  { waitForMeaning = false, ...options }: IndexOptions,
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
  const warning = await updateMeaning(config, { store, sources }, waitForMeaning, {
    onProgress: (progress) => {
      // Embedding by a provider may take longer than a lease lasts, too.
      void store.acquireLease(owner, LEASE_MS).catch(() => {})
      options.onProgress?.(progress)
    },
  })
  await store.putMeta(PROGRESS_KEY, JSON.stringify({ phase: 'done', done: 0, total: 0 }))
  return warning ? { ...report, warnings: [...report.warnings, warning] } : report
}

/** A question from the shell gives a provider this long; the next one goes on from there. */
const MEANING_BUDGET_MS = 2_000

async function updateMeaning(
  config: Config,
  parts: LearnParts,
  wait: boolean,
  options: LearnOptions,
): Promise<Warning | undefined> {
  const wanted = wantedMeaning(config.embedding)
  if (wait || wanted.kind !== 'provider') return bringMeaning(parts, wanted, options)
  const trouble = await embeddingTrouble(parts.store)
  if (trouble && Date.now() < trouble.at + restAfter(trouble.failures)) return undefined
  const signal = AbortSignal.timeout(MEANING_BUDGET_MS)
  try {
    // Search says itself that it went without meaning.
    await bringMeaning(parts, wanted, { ...options, signal })
  } catch (error) {
    if (!signal.aborted) throw error
  }
  return undefined
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
    embedding: await embeddingStatus(config, store),
    indexing: progress ? (JSON.parse(progress) as { phase: string }).phase !== 'done' : false,
    indexed_by: (await store.leaseHolder()) ?? null,
  }
}

async function embeddingStatus(
  { embedding: { provider } }: Config,
  store: Store,
): Promise<Record<string, unknown>> {
  const { serving, building } = await embeddingState(store)
  const trouble = await embeddingTrouble(store)
  return {
    provider,
    serving: serving ?? null,
    ...(building && {
      next: building.embedder,
      next_documents: building.documents,
    }),
    ...(trouble && { trouble: `${trouble.message} ${trouble.hint}` }),
  }
}
