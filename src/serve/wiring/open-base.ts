/** A base for one command: no threads and no watching, the index is brought up to date on request. */
import { statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Source } from '../../core/domain/source.ts'
import { maskAddress } from '../../core/domain/store-address.ts'
import type { Warning } from '../../core/domain/warning.ts'
import {
  bringMeaning,
  embeddingState,
  embeddingTrouble,
  restAfter,
} from '../../core/indexing/bring-meaning.ts'
import { countDocuments } from '../../core/indexing/count-documents.ts'
import { awaitingRole, learningUnder } from '../../core/indexing/hold-role.ts'
import { sync } from '../../core/indexing/indexer.ts'
import type { SyncOptions, SyncReport } from '../../core/indexing/indexer.ts'
import type { LearnOptions, LearnParts } from '../../core/indexing/learn-meaning.ts'
import type { HistoryKeep, PrunedHistory } from '../../core/history/history.ts'
import type { Backup, BackupRequest, ListedBackup } from '../../core/operations/keeping/backups.ts'
import { reportFeedback } from '../../core/operations/keeping/feedback.ts'
import type { FeedbackReport } from '../../core/operations/keeping/feedback.ts'
import { ENOUGH_VOTES } from '../../core/operations/keeping/learn-feedback.ts'
import type { FileToAdd } from '../../core/operations/writing/add-file.ts'
import { writingOf } from '../../core/operations/writing/carry-out.ts'
import { recoverWrites } from '../../core/operations/writing/change-files.ts'
import { keepForNextStart } from '../../core/operations/view/keep-mentions.ts'
import { wholeView } from '../../core/operations/view/view.ts'
import { drawNotes } from '../../vocabularies/roux/operations/walk-notes.ts'
import type { DrawnGraph } from '../../vocabularies/roux/operations/walk-notes.ts'
import { openNativeSurface } from '../native/open-native-surface.ts'
import { createRouxView } from '../../vocabularies/roux/view.ts'
import { safely, safeValue } from '../door/safe-result.ts'
import type { Lease, Store } from '../../core/store/store.ts'
import { answererFor } from '../parts/answerers.ts'
import type { Config } from '../config/config.ts'
import type { Exporter, ExportOptions } from '../../keep/moving/export-documents.ts'
import type { ImportOptions, ImportReport } from '../../keep/moving/import-documents.ts'
import type { Diagnosis } from '../../keep/doctor/doctor.ts'
import { formatOf } from '../parts/formats.ts'
import { PROGRESS_KEY, askToReadAgain } from '../lifecycle/keep-current.ts'
import { openKeeping } from '../../keep/open-keeping.ts'
import { keepingRows } from '../../keep/tools/native-rows.ts'
import { openKmTools } from '../../vocabularies/duskmantle/start/km-tools.ts'
import { wantedMeaning } from '../parts/models.ts'
import { openKnowledge } from '../parts/open-knowledge.ts'
import { indexedIds, readTexts } from '../lifecycle/read-texts.ts'
import { openSources } from '../parts/sources.ts'
import { compileLast } from '../lifecycle/last-compiler.ts'
import { leaseOwner } from '../lifecycle/start-indexing.ts'
import { indexFile, openStore } from '../parts/stores.ts'
import { VERSION } from '../../core/kit/version.ts'
import { openWriting } from './writing.ts'
import { readTokenCounts } from '../observers/token-counts.ts'

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
  texts(): ReturnType<typeof readTexts>
  ids(): Promise<readonly string[]>
  graph(): Promise<DrawnGraph & { readonly embedded: number }>
  doctor(options: { readonly repair: boolean }): Promise<Diagnosis>
  pruneHistory(options: HistoryKeep & { readonly dryRun?: boolean }): Promise<PrunedHistory>
  backup(request: Pick<BackupRequest, 'destination' | 'keep'>): Promise<Backup>
  backups(): Promise<readonly ListedBackup[]>
  exporter(folder: string, options: ExportOptions): Promise<Exporter>
  importFiles(
    folder: string,
    options: Pick<ImportOptions, 'into' | 'overwrite' | 'dryRun'>,
  ): Promise<ImportReport>
  add(file: Omit<FileToAdd, 'inbox'>): Promise<{
    readonly id: string
    readonly operation: string | undefined
    readonly warnings: readonly string[]
  }>
  feedbackReport(): Promise<FeedbackReport>
  close(): Promise<void>
}

const LEASE_MS = 60_000
const RENEW_MS = 5_000
/** Reading a large base again takes its time. */
const READ_AGAIN_MS = 300_000

/** A command is gone before an answer that comes late is of use, and has to load a model first. */
const PATIENCE = { onnx: 10_000 }

/** How changes made from a shell are signed. */
const CLIENT = `cairn-cli/${VERSION}`

export async function openBase(config: Config): Promise<Base> {
  const sources = openSources(config, { contents: () => opened.contents })
  const opened = await openStore(config)
  const { store, warning } = opened
  const owner = leaseOwner()
  const writing = config.readOnly ? undefined : await openWriting(opened, config)
  const say = (level: string, what: unknown): void =>
    void process.stderr.write(`cairn: ${level}: ${String(what)}\n`)
  const answerer = answererFor(config.answerer, { log: (message) => say('warn', message) })
  const keeping = openKeeping({ sources, writing }, config)
  const kb = openKnowledge({
    config,
    store,
    sources,
    writing,
    answerer,
    patience: PATIENCE,
    keeping,
  })
  writing?.serve?.(wholeView(kb), undefined)
  const surface = openNativeSurface(kb, {
    version: VERSION,
    log: (error) => say('error', error),
    further: keepingRows(['feedback', 'admin'], () =>
      openKmTools(kb, config, (message) => say('warn', message)),
    ),
  })
  const index: Base['index'] = async (options) => {
    const started = performance.now()
    const report = await bringUpToDate(config, { store, sources }, owner, options)
    const documents = await countDocuments(store)
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
    await writing?.close()
    for (const source of sources.values()) await source.close?.()
    try {
      await store.releaseLease(owner)
    } finally {
      await store.close()
    }
  }
  return {
    async call(tool, args) {
      const { signal } = new AbortController()
      const call = { signal, client: CLIENT, onlyData: true, progress: () => {} }
      const result = await surface.call(tool, args, call)
      return { structured: { ...result.structured }, isError: result.isError ?? false }
    },
    index,
    status: () => status(config, store, sources),
    texts: () => readTexts(sources.values()),
    ids: () => indexedIds(store, sources.values()),
    async graph() {
      const notes = createRouxView(kb)
      const docs = (await notes.names.now()).all.map(({ doc }) => doc)
      const drawn = safeValue(await drawNotes(notes), safely({})) as DrawnGraph
      return { ...drawn, embedded: (await kb.similar?.covered(docs)) ?? 0 }
    },
    async doctor({ repair }) {
      if (repair) {
        await recoverWrites(wholeView(kb))
        for (const source of sources.values()) await source.writer?.sweep()
        await writing?.lock.hold([], () => writing.history.repair())
      }
      const { examineBase } = await import('../../keep/doctor/examine-base.ts')
      const patient = { config, store, sources, writing }
      const { own, diagnosis } = await examineBase(kb, patient, writing?.warning)
      // Reading every file again mends the index, and nothing else that may be wrong.
      if (!repair || own.ok) return diagnosis
      await close()
      return repaired(config)
    },
    async pruneHistory({ dryRun, ...keep }) {
      const { history, lock } = writingOf(wholeView(kb))
      return lock.hold([], () => history.prune({ ...config.historyKeep, ...keep }, { dryRun }))
    },
    backup: (request) => keeping.backups.create({ ...request, prefix: 'cairn-backup' }),
    backups: keeping.backups.list,
    async exporter(folder, options) {
      const { openExporter } = await import('../../keep/moving/export-documents.ts')
      return openExporter({ contents: opened.contents, sources: config.sources }, folder, options)
    },
    async importFiles(folder, options) {
      const { importDocuments } = await import('../../keep/moving/import-documents.ts')
      const { maxFileBytes } = config
      const by = { client: CLIENT }
      return importDocuments(wholeView(kb), folder, { ...options, by, maxFileBytes })
    },
    async add(file) {
      const { addFile } = await import('../../core/operations/writing/add-file.ts')
      const { inbox = 'inbox' } = config
      const by = { client: CLIENT }
      const { id, operation, warnings } = await addFile(wholeView(kb), { ...file, inbox }, { by })
      return { id, operation, warnings: warnings.map(({ message }) => message) }
    },
    feedbackReport: async () =>
      reportFeedback(keeping.feedback.votes(), keeping.learned(), ENOUGH_VOTES),
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
  const taken = await takeLease(store, owner)
  // The server that has it does the work, and does it now; unless it was killed a moment ago.
  const lease =
    taken ?? (options.force ? await askToReadAgain(store, owner, READ_AGAIN_MS) : 'done')
  if (lease === 'done' || lease === 'late') {
    return { indexed: 0, unchanged: 0, removed: 0, skipped: 0, failed: 0, warnings: [] }
  }
  const parts = { store, sources: [...sources.values()], formatOf, lease }
  // A large base takes longer than a lease lasts.
  const folders = config.store === undefined ? undefined : await sameFoldersOf(config)
  let renewedAt = performance.now()
  const renew = (): void => {
    folders?.answer()
    // Progress is told of far more often than a lease runs out.
    if (performance.now() - renewedAt < RENEW_MS) return
    renewedAt = performance.now()
    store.acquireLease(owner, LEASE_MS).catch(() => {})
  }
  renew()
  compileLast('late')
  const report = await sync(parts, {
    ...options,
    onProgress(progress) {
      renew()
      options.onProgress?.(progress)
    },
    onCommit: renew,
  })
  // To learn is to go through a few loops very often.
  compileLast('usual')
  // A convenience for the next start: without it, that one reads them.
  if (config.store === undefined) await keepForNextStart(store).catch(() => {})
  // Whoever learns at the moment goes on with it.
  const warning = await awaitingRole(store, { owner, role: 'learning' }, (right) =>
    updateMeaning(config, { store: learningUnder(store, right), sources }, waitForMeaning, {
      onProgress: (progress) => {
        // Embedding by a provider may take longer than a lease lasts, too.
        renew()
        options.onProgress?.(progress)
      },
    }),
  )
  await store.putMeta(PROGRESS_KEY, JSON.stringify({ phase: 'done', done: 0, total: 0 }))
  return warning ? { ...report, warnings: [...report.warnings, warning] } : report
}

/** Servers that follow ask whoever leads whether it has the same folders. */
async function sameFoldersOf({ sources }: Config) {
  const { openSameFolders } = await import('../lifecycle/same-folders.ts')
  return openSameFolders({ sources, leader: async () => undefined })
}

const LOOK_AGAIN_MS = 200

/**
 * A server on a host whose clock is ahead may be gone and seem to hold the lease until tomorrow: it
 * is watched for as long as a lease lasts, and taken where nobody renews it.
 */
async function takeLease(store: Store, owner: string): Promise<Lease | undefined> {
  const lease = await store.acquireLease(owner, LEASE_MS)
  const doubt = lease ? undefined : await store.doubtfulLease()
  if (!doubt) return lease
  const until = performance.now() + doubt.ttlMs + 2 * LOOK_AGAIN_MS
  while (performance.now() < until) {
    await sleep(LOOK_AGAIN_MS)
    const taken = await store.acquireLease(owner, LEASE_MS)
    if (taken || (await store.doubtfulLease())?.token !== doubt.token) return taken
  }
  return undefined
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
    ...(await keptWhere(config, store)),
    ...counts,
    skipped_files: (await store.listFiles({ state: 'skipped' }, page)).total,
    failed_files: (await store.listFiles({ state: 'failed' }, page)).total,
    generation: (await store.stamps()).generation,
    embedding: await embeddingStatus(config, store),
    indexing: progress ? (JSON.parse(progress) as { phase: string }).phase !== 'done' : false,
    indexed_by: (await store.leaseHolder()) ?? null,
    roles: await rolesIn(store),
    tokens: tokensOf(config.state),
  }
}

/** Who does what at the moment, and since when. */
async function rolesIn(store: Store): Promise<Record<string, string>[]> {
  const held = await store.heldRoles()
  return held.map(({ role, owner, since }) => ({
    role,
    by: owner,
    since: new Date(since).toISOString(),
  }))
}

/** Where the index is, and how large. */
async function keptWhere(config: Config, store: Store): Promise<Record<string, unknown>> {
  if (config.store === undefined) {
    return { index_bytes: statSync(indexFile(config), { throwIfNoEntry: false })?.size ?? 0 }
  }
  const segments = await store.segments()
  return {
    store: maskAddress(config.store),
    index_bytes: segments.reduce((sum, { bytes }) => sum + bytes, 0),
  }
}

/** What clients were given to read and spared, all and each; nothing where nobody has asked yet. */
function tokensOf(state: string): Record<string, unknown> {
  const clients = readTokenCounts(state)
  const sum = (key: 'given' | 'saved') => clients.reduce((all, each) => all + each[key], 0)
  return {
    given: sum('given'),
    saved: sum('saved'),
    clients: Object.fromEntries(clients.map(({ client, ...count }) => [client, count])),
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
