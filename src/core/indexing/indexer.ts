/**
 * How does a changed document become findable? Look at the files, read what changed, parse it,
 * invert it, and commit it in one transaction per batch. Every batch leaves a sound index, so the
 * work can stop or be killed anywhere and goes on where it was.
 */
import { setImmediate } from 'node:timers/promises'
import { isPart, isSameText } from '../domain/document.ts'
import type { DocNo, FileRecord } from '../domain/document.ts'
import { KnowledgeError } from '../domain/error.ts'
import type { Format } from '../domain/format.ts'
import type { FileContent, FileEntry, Scan, Source } from '../domain/source.ts'
import type { Warning } from '../domain/warning.ts'
import { packAhead } from '../store/pack-chunks.ts'
import type { Batch, Lease, NewDocument, Store } from '../store/store.ts'
import { describeDocument } from './describe-document.ts'
import { indexable } from './indexable.ts'
import { invertHere, openInverter } from './inverter.ts'
import type { Inverter, WrittenDocument } from './inverter.ts'
import { mergeStoredSegments } from './merge-stored-segments.ts'
import { readBy, withReader } from './read-by.ts'
import { redactFile } from './redact-file.ts'
import type { RedactedFile } from './redact-file.ts'
import { resolveLink } from './resolve-link.ts'

export interface IndexerParts {
  readonly store: Store
  readonly sources: readonly Source[]
  /** The format of a file by its path. */
  readonly formatOf: (path: string) => Format
  readonly lease: Lease
}

export interface Progress {
  /** Words are complete once `index` is over; `learn` and `embed` add meaning. */
  readonly phase: 'scan' | 'index' | 'learn' | 'embed' | 'done'
  readonly done: number
  readonly total: number
  /** Whether the index was complete before: then perhaps nothing has changed at all. */
  readonly wasComplete?: boolean
}

export interface SyncReport {
  readonly indexed: number
  readonly unchanged: number
  readonly removed: number
  readonly skipped: number
  readonly failed: number
  readonly warnings: readonly Warning[]
}

export interface SyncOptions {
  /** Only these paths of one source, as a watcher reported them. */
  readonly only?: { readonly source: string; readonly paths: readonly string[] }
  /** What a look at the files a moment ago has shown; without it they are looked through now. */
  readonly look?: Look
  /** What that look has shown to be different, where nothing was indexed since. */
  readonly plans?: Plans
  /** Reads every file again, whatever its size and time say. */
  readonly force?: boolean
  readonly onProgress?: (progress: Progress) => void
  readonly onCommit?: (generation: number) => void
  readonly signal?: AbortSignal
  /** How often files that a writer changed meanwhile were looked at again. */
  readonly round?: number
}

/** What the sources offer, so that the steps of one large job need to look only once. */
export interface Look {
  /** The generation before the files were looked through. */
  readonly asOf: number
  /** By the name of the source; one out of reach is missing. */
  readonly scans: Readonly<Record<string, Scan>>
  /** What was indexed before the look was over. */
  readonly early: readonly {
    readonly source: string
    readonly paths: readonly string[]
    readonly outcome: SyncReport
  }[]
}

/**
 * Of a tree with more files than this that was never indexed, the first few are published while the
 * rest is still walked: whoever asks right after a first start is answered from them.
 */
const EARLY_FROM = 1_000
const EARLY_FILES = 200

/** Batches are large enough to make good segments and small enough to be searchable soon. */
const BATCH_BYTES = 32 * 1024 * 1024
const BATCH_FILES = 8_000

/**
 * Files whose text is made of their bytes take a hundred times as long. They come behind all others,
 * the first few by themselves and then twice as many each time: found soon, in few segments.
 */
const FIRST_MADE_BYTES = 2 * 1024 * 1024
const FIRST_MADE_FILES = 25

/** A file written this shortly before it was read may change again without a new time. */
const RACY_MS = 50

/**
 * So many files are in memory with their texts at once, and told of when they are done: often enough
 * for somebody who waits, and seldom enough to cost nothing.
 */
const READ_AT_ONCE = 250

const WARNINGS_KEPT = 200

/** A file that is written over and over is left to the next change after so many looks. */
const ROUNDS = 3

/** Throws `unavailable` when a source was out of reach, after everything else was done. */
export async function sync(parts: IndexerParts, options: SyncOptions = {}): Promise<SyncReport> {
  const tally = { indexed: 0, unchanged: 0, removed: 0, skipped: 0, failed: 0 }
  const warnings: Warning[] = []
  const plans: Plan[] = []
  const leftOut = new Map<string, Set<string>>()
  const begun = new Map<string, string[]>()
  const add = (outcome: SyncReport): void => {
    tally.indexed += outcome.indexed
    tally.unchanged += outcome.unchanged
    tally.removed += outcome.removed
    tally.skipped += outcome.skipped
    tally.failed += outcome.failed
    warnings.push(...outcome.warnings.slice(0, WARNINGS_KEPT - warnings.length))
  }
  let outOfReach: KnowledgeError | undefined
  options.onProgress?.({ phase: 'scan', done: 0, total: 0 })
  const look = options.only ? undefined : (options.look ?? (await lookThrough(parts, options)))
  let early = 0
  for (const { paths, outcome } of look?.early ?? []) {
    add(outcome)
    early += paths.length
  }
  for (const source of parts.sources) {
    if (options.only && options.only.source !== source.name) continue
    try {
      const known = options.only ? undefined : options.plans?.get(source.name)
      plans.push(known ?? (await planSource(parts, source, { ...options, look })))
    } catch (error) {
      // The index itself may be out of reach, or damaged: then there is nothing to go on with.
      if (!isUnavailable(error) || look?.scans[source.name]) throw error
      // Told at the end: a folder out of reach must not keep the others waiting.
      outOfReach = error
    }
  }
  if (!options.only) await forgetSources(parts, options)
  const total = plans.reduce((sum, plan) => sum + plan.changed.length, early)
  let done = early
  options.onProgress?.({ phase: 'index', done, total })
  let largest = 0
  for (const { changed } of plans) for (const { size } of changed) largest = Math.max(largest, size)
  const inverter = openInverter(total - early, largest)
  try {
    // A batch is committed when the next one is parsed: its words are sorted meanwhile.
    let commit: (() => Promise<SyncReport>) | undefined
    for (const plan of plans) {
      tally.unchanged += plan.unchanged
      tally.skipped += plan.scan.skipped.length
    }
    const batches = plans.flatMap((plan) => batchesOf(plan).map((batch) => ({ plan, batch })))
    // Notes of all sources come before the files of any.
    const inOrder = batches.toSorted((a, b) => Number(a.batch.isMade) - Number(b.batch.isMade))
    for (const { plan, batch } of inOrder) {
      options.signal?.throwIfAborted()
      if (commit && batch.isMade) {
        // What is ready does not wait for files that take a hundred times as long.
        add(await commit())
        commit = undefined
      }
      const next = await prepareBatch(parts, plan, batch, options, {
        inverter,
        onLeftOut({ source, path }) {
          leftOut.set(source, (leftOut.get(source) ?? new Set()).add(path))
        },
        onPart(path) {
          const { name } = plan.source
          const paths = begun.get(name)
          if (paths) paths.push(path)
          else begun.set(name, [path])
          done--
        },
        onParsed: (parsed) => options.onProgress?.({ phase: 'index', done: done + parsed, total }),
      })
      done += batch.read.length
      if (commit) add(await commit())
      commit = next
    }
    if (commit) add(await commit())
  } finally {
    await inverter.close()
  }
  // Of long files the beginnings are found by now; a later look would go on with them as well.
  for (const [source, paths] of begun) {
    const { warnings: more } = await sync(parts, {
      ...options,
      only: { source, paths },
      onProgress({ phase, done: read }) {
        if (phase === 'index') options.onProgress?.({ phase, done: done + read, total })
      },
    })
    done += paths.length
    warnings.push(...more.slice(0, WARNINGS_KEPT - warnings.length))
  }
  const round = options.round ?? 1
  for (const [source, paths] of round < ROUNDS ? leftOut : []) {
    await sync(parts, { ...options, only: { source, paths: [...paths] }, round: round + 1 })
  }
  await mergeStoredSegments(parts.store, parts.lease.owner, options.signal)
  options.onProgress?.({ phase: 'done', done, total })
  if (outOfReach) throw outOfReach
  return { ...tally, warnings }
}

export interface LookOptions extends Pick<SyncOptions, 'onProgress' | 'onCommit'> {
  /**
   * Asked again and again with what was found of a source that was indexed before: what is to be
   * done first, where the walk of a large tree would keep it waiting.
   */
  readonly meanwhile?: (source: string, found: readonly FileEntry[]) => Promise<void> | undefined
}

export async function lookThrough(parts: IndexerParts, options: LookOptions = {}): Promise<Look> {
  const { generation: asOf } = await parts.store.stamps()
  const known = await parts.store.sources()
  const scans: Record<string, Scan> = {}
  const early: Look['early'][number][] = []
  for (const source of parts.sources) {
    const publish = async (files: readonly FileEntry[]): Promise<void> => {
      early.push(await publishEarly(parts, source, files, options))
    }
    let isNew = !known.includes(source.name)
    try {
      const wasThere = !isNew
      scans[source.name] = await source.scan((found) => {
        if (wasThere) return options.meanwhile?.(source.name, found)
        if (!isNew || found.length <= EARLY_FROM) return undefined
        isNew = false
        const { quick } = byEffort(source, found)
        return quick.length > 0 ? publish(quick.slice(0, EARLY_FILES)) : undefined
      })
    } catch (error) {
      if (!isUnavailable(error)) throw error
    }
  }
  return { asOf, scans, early }
}

async function publishEarly(
  parts: IndexerParts,
  source: Source,
  files: readonly FileEntry[],
  options: Pick<SyncOptions, 'onProgress' | 'onCommit'>,
): Promise<Look['early'][number]> {
  const { generation: asOf } = await parts.store.stamps()
  const scan = { files, skipped: [] }
  const plan = { source, asOf, scan, known: new Map(), changed: files, removed: [], unchanged: 0 }
  // Where files are large, fewer are enough.
  const { read } = batchesOf(plan)[0]!
  const paths = new Set(read.map(({ path }) => path))
  const commit = await prepareBatch(parts, plan, { read, first: false, isMade: false }, options, {
    inverter: invertHere(),
    // A writer was faster: it is read again with the rest.
    onLeftOut: ({ path }) => paths.delete(path),
    onPart() {},
    onParsed: (done) => options.onProgress?.({ phase: 'scan', done, total: 0 }),
  })
  const outcome = await commit()
  return { source: source.name, paths: [...paths], outcome }
}

/** What there is to do for the sources that a look has reached, by their names. */
export type Plans = ReadonlyMap<string, Plan>

export async function planChanges(parts: IndexerParts, look: Look, force = false): Promise<Plans> {
  const plans = new Map<string, Plan>()
  for (const source of parts.sources) {
    // A source out of reach has nothing that could be indexed.
    if (!look.scans[source.name]) continue
    plans.set(source.name, await planSource(parts, source, { force, look }))
  }
  return plans
}

/** How many files differ from the index by size or time: how large a job it would be. */
export function countChanged(plans: Plans): number {
  return [...plans.values()].reduce((sum, { changed }) => sum + changed.length, 0)
}

function isUnavailable(error: unknown): error is KnowledgeError {
  return error instanceof KnowledgeError && error.code === 'unavailable'
}

interface Plan {
  readonly source: Source
  /** The generation before the files were looked through. */
  readonly asOf: number
  readonly scan: Scan
  /** Of all that is not as it was. */
  readonly known: ReadonlyMap<string, FileRecord>
  readonly changed: readonly FileEntry[]
  readonly removed: readonly FileRecord[]
  readonly unchanged: number
}

async function planSource(
  { store, formatOf }: Pick<IndexerParts, 'store' | 'formatOf'>,
  source: Source,
  options: SyncOptions,
): Promise<Plan> {
  const only = options.only?.paths
  const looked = only ? undefined : options.look?.scans[source.name]
  const asOf = (looked && options.look?.asOf) ?? (await store.stamps()).generation
  const seen = looked ?? (await (only ? source.rescan(only) : source.scan()))
  const scan = { ...seen, files: seen.files.map((file) => withReader(file, formatOf)) }
  const skipped = new Set(scan.skipped.map(({ path }) => path))
  const early = looked && options.look?.early.find((each) => each.source === source.name)
  const done = new Set(early?.paths)
  const placeOf = new Map(scan.files.map(({ path }, place) => [path, place]))
  // Of very many files hardly any has changed: records of the others are not kept.
  const isSame = new Uint8Array(scan.files.length)
  const known = new Map<string, FileRecord>()
  const removed: FileRecord[] = []
  const compare = (record: FileRecord): void => {
    const place = placeOf.get(record.path)
    const file = place === undefined ? undefined : scan.files[place]
    // A path that was pointed at is read in any case: its time may not tell.
    const isRead = options.force === true || only !== undefined || !file || isStale(record, file)
    if (isRead) known.set(record.path, record)
    else isSame[place!] = 1
    if (!file && !skipped.has(record.path)) removed.push(record)
  }
  if (only || !store.eachFile) (await store.files(source.name, only)).forEach(compare)
  else await store.eachFile(source.name, compare)
  // What is done was read after this look had found it.
  const changed = scan.files.filter((file, place) => isSame[place] === 0 && !done.has(file.path))
  return {
    source,
    asOf,
    scan,
    known,
    changed,
    removed,
    unchanged: scan.files.length - changed.length - done.size,
  }
}

function isStale(record: FileRecord, file: FileEntry): boolean {
  return (
    record.size !== file.size ||
    record.modifiedAt !== file.modifiedAt ||
    record.stamp !== file.stamp ||
    record.modifiedAt > record.checkedAt - RACY_MS
  )
}

interface PlannedBatch {
  readonly read: readonly FileEntry[]
  /** Removals and skipped files go with the first batch. */
  readonly first: boolean
  /** Of files whose text is made of their bytes. */
  readonly isMade: boolean
}

function batchesOf({ source, changed }: Plan): PlannedBatch[] {
  const { quick, made } = byEffort(source, changed)
  const notes = inBatches(quick, () => ({ bytes: BATCH_BYTES, files: BATCH_FILES }))
  const files = inBatches(made, (before) => ({
    bytes: Math.min(FIRST_MADE_BYTES * 2 ** before, BATCH_BYTES),
    files: Math.min(FIRST_MADE_FILES * 2 ** before, BATCH_FILES),
  }))
  const batches = [...notes, ...files]
  // What is gone is taken out also where nothing is to be read.
  return (batches.length > 0 ? batches : [[]]).map((read, index) => ({
    read,
    first: index === 0,
    isMade: files.length > 0 && index >= notes.length,
  }))
}

function inBatches(
  files: readonly FileEntry[],
  limits: (before: number) => { readonly bytes: number; readonly files: number },
): FileEntry[][] {
  const batches: FileEntry[][] = []
  let [bytes, most] = [0, limits(0)]
  for (const file of files) {
    const last = batches.at(-1)
    if (last && last.length < most.files && bytes + file.size <= most.bytes) {
      last.push(file)
      bytes += file.size
    } else {
      most = limits(batches.length)
      batches.push([file])
      bytes = file.size
    }
  }
  return batches
}

/** What is text already, and what becomes text first. */
function byEffort(
  { converts }: Pick<Source, 'converts'>,
  files: readonly FileEntry[],
): { readonly quick: readonly FileEntry[]; readonly made: readonly FileEntry[] } {
  const made = converts ? files.filter(({ path }) => converts(path)) : []
  if (made.length === 0 || !converts) return { quick: files, made }
  return { quick: files.filter(({ path }) => !converts(path)), made }
}

interface BatchParts extends Pick<Batch, 'onLeftOut'> {
  readonly inverter: Inverter
  /** Of a long file the beginning was read. */
  readonly onPart: (path: string) => void
  /** How many files of the batch are done. */
  readonly onParsed: (files: number) => void
}

/** Reads and parses; what comes back commits. */
async function prepareBatch(
  parts: IndexerParts,
  plan: Plan,
  batch: PlannedBatch,
  options: SyncOptions,
  { inverter, onLeftOut, onPart, onParsed }: BatchParts,
): Promise<() => Promise<SyncReport>> {
  const { source, known } = plan
  const checkedAt = Date.now()
  // What vanished was seen by the scan; what is read is seen now.
  const asOf = batch.first ? plan.asOf : (await parts.store.stamps()).generation
  const files: FileRecord[] = []
  const remove: DocNo[] = []
  const forget: { source: string; path: string }[] = []
  const touch: NonNullable<Batch['touch']>[number][] = []
  const warnings: Warning[] = []
  const put: NewDocument[] = []
  let unchanged = 0
  let skipped = 0

  /** A document that is no longer one leaves the index; a mere record is replaced or forgotten. */
  const drop = (record: FileRecord | undefined): void => {
    if (record?.doc !== undefined) remove.push(record.doc)
  }
  const leaveOut = (file: FileEntry, state: 'skipped' | 'failed', reason: string): void => {
    const record = known.get(file.path)
    if (record && record.doc === undefined && sameRecord(record, file, state, reason)) return
    drop(record)
    const { path, size, modifiedAt, stamp } = file
    files.push({
      source: source.name,
      path,
      state,
      reason,
      size,
      modifiedAt,
      stamp,
      checkedAt,
      doc: undefined,
    })
  }

  if (batch.first) {
    for (const record of plan.removed) {
      drop(record)
      if (record.doc === undefined) forget.push({ source: source.name, path: record.path })
    }
    for (const file of plan.scan.skipped) leaveOut(file, 'skipped', file.reason)
  }
  const readFrom = (at: number): Promise<FileContent[]> => {
    const reading = readSome(parts, source, batch.read.slice(at, at + READ_AT_ONCE), known)
    // Told when it is their turn.
    reading.catch(() => {})
    return reading
  }
  let reading = readFrom(0)
  for (let at = 0; at < batch.read.length; at += READ_AT_ONCE) {
    if (at > 0) {
      onParsed(at)
      // Lets messages in, and keeps a single-threaded host responsive.
      await setImmediate()
      options.signal?.throwIfAborted()
    }
    const contents = await reading
    // Pipelining: a source may read the next ones while these are parsed.
    if (at + READ_AT_ONCE < batch.read.length) reading = readFrom(at + READ_AT_ONCE)
    const digests = await knownDigests(parts.store, contents, known, options)
    const texts: RedactedFile[] = []
    for (const content of contents) {
      const record = known.get(content.path)
      if (content.kind === 'gone') {
        drop(record)
        if (record && record.doc === undefined)
          forget.push({ source: source.name, path: content.path })
      } else if (content.kind === 'failed' && content.isPassing && record?.doc !== undefined) {
        // What was found goes on to be; the next look finds another stamp, and tries again.
        unchanged++
      } else if (content.kind === 'failed') {
        leaveOut({ path: content.path, size: 0, modifiedAt: 0 }, 'failed', content.reason)
      } else if (content.kind === 'skipped') {
        // What the scan left out was counted with the scan.
        skipped++
        leaveOut(content, 'skipped', content.reason)
      } else if (
        record?.doc !== undefined &&
        isSameText(content, { digest: digests.get(record.doc), stamp: record.stamp }) &&
        readBy(record.stamp) === readBy(content.stamp)
      ) {
        unchanged++
        // What a writer of this base has just put in needs no second look.
        if (isStale(record, content)) {
          const { size, modifiedAt, stamp } = content
          touch.push({ no: record.doc, size, modifiedAt, ...(stamp !== undefined && { stamp }) })
        }
      } else {
        texts.push(redactFile(content))
        if (isPart(content)) onPart(content.path)
      }
    }
    for (const { file, state, reason } of await parseInto(inverter, put, parts, plan, texts)) {
      if (state === 'skipped') skipped++
      leaveOut(file, state, reason)
    }
    warnings.push(...texts.flatMap((file) => secretsIn(source.name, file)))
  }
  onParsed(batch.read.length)

  const inverting = put.length > 0 ? inverter.finish() : undefined
  // Told by who commits.
  inverting?.catch(() => {})
  return async () => {
    const inverted = await inverting
    for (const [no, reason] of inverted?.failed ?? []) {
      const [document] = put.splice(
        put.findIndex((each) => each.no === no),
        1,
      )
      if (document) leaveOut(document, 'failed', `could not be indexed: ${reason}`)
    }
    const outcome: SyncReport = {
      indexed: put.length,
      unchanged,
      removed: remove.length,
      skipped,
      failed: files.filter(({ state }) => state === 'failed').length,
      warnings: [...put.flatMap((document) => document.warnings), ...warnings],
    }
    const news = [put, remove, touch, files, forget]
    if (news.every(({ length }) => length === 0)) return outcome
    const segment =
      inverted && put.length > 0
        ? { docs: put.map(({ no }) => no), ...inverted.streams }
        : undefined
    const { lease } = parts
    const generation = await parts.store.commit(
      { lease, asOf, onLeftOut, checkedAt, put, remove, touch, files, forget, segment },
      resolveLink,
    )
    options.onCommit?.(generation)
    return outcome
  }
}

async function readSome(
  { formatOf }: IndexerParts,
  source: Source,
  files: readonly FileEntry[],
  known: ReadonlyMap<string, FileRecord>,
): Promise<FileContent[]> {
  // What is found as it was goes on to be, until all of the new text is there.
  const isNew = (path: string): boolean => known.get(path)?.doc === undefined
  const paths = files.map(({ path }) => path)
  const contents = await source.read(paths, undefined, isNew)
  return contents.map((each) =>
    each.kind === 'text' || each.kind === 'skipped' ? withReader(each, formatOf) : each,
  )
}

/** Told when it is read: whoever keeps keys among notes may not have meant to. */
function secretsIn(source: string, { path, text, secrets }: RedactedFile): Warning[] {
  return secrets.map(({ kind, start }) => {
    const ref = `${source}/${path}`
    const line = text.slice(0, start).split('\n').length
    return { kind: 'secret', message: `${ref}:${line} holds what looks like a ${kind}.`, ref }
  })
}

function sameRecord(
  record: FileRecord,
  file: FileEntry,
  state: FileRecord['state'],
  reason: string,
): boolean {
  return (
    record.state === state &&
    record.reason === reason &&
    record.size === file.size &&
    record.modifiedAt === file.modifiedAt &&
    record.stamp === file.stamp
  )
}

/** Digests of documents that are in the index already, to tell a touched file from a changed one. */
async function knownDigests(
  store: Store,
  contents: readonly { readonly kind: string; readonly path: string }[],
  known: ReadonlyMap<string, FileRecord>,
  options: SyncOptions,
): Promise<ReadonlyMap<DocNo, string>> {
  if (options.force) return new Map()
  const nos = contents
    .filter(({ kind }) => kind === 'text')
    .map(({ path }) => known.get(path)?.doc)
    .filter((no) => no !== undefined)
  const records = await store.documents(nos)
  return new Map(
    records.filter((record) => record !== undefined).map(({ no, digest }) => [no, digest]),
  )
}

interface Failure {
  readonly file: RedactedFile
  readonly state: 'skipped' | 'failed'
  readonly reason: string
}

/** Adds what the texts say to the inverter and to `put`; returns what could not be. */
async function parseInto(
  inverter: Inverter,
  put: NewDocument[],
  parts: IndexerParts,
  plan: Plan,
  texts: readonly RedactedFile[],
): Promise<readonly Failure[]> {
  const fresh = texts.filter(({ path }) => plan.known.get(path)?.doc === undefined)
  let next = fresh.length > 0 ? await parts.store.reserveNumbers(fresh.length) : 0
  const failures: Failure[] = []
  const words: WrittenDocument[] = []
  const joined = hasEntities(parts.sources)
  for (const file of texts) {
    const no = plan.known.get(file.path)?.doc ?? next++
    const format = parts.formatOf(file.path)
    const refused = format.refuse?.(file.text)
    if (refused !== undefined) {
      failures.push({ file, state: 'skipped', reason: refused })
      continue
    }
    try {
      await format.prepare?.(file.path)
      const parsed = format.parse(file.text, file.path)
      const document = describeDocument(no, plan.source.name, file, format.name, parsed, {
        joined,
        holdsCode: plan.source.holdsCode ?? false,
      })
      words.push(indexable(document, file.text, parsed.document))
      put.push({ ...document, chunks: packAhead(document.chunks) })
    } catch (error) {
      // A parser never throws; if one does, one file is lost to search and nothing else.
      const reason = error instanceof Error ? error.message : String(error)
      failures.push({
        file,
        state: 'failed',
        reason: `could not be read as ${format.name}: ${reason}`,
      })
    }
  }
  if (words.length > 0) inverter.add(words)
  return failures
}

/** Whether notes and entities are one graph here; then notes look for entities of their name. */
export function hasEntities(sources: Iterable<Pick<Source, 'graph'>>): boolean {
  return [...sources].some(({ graph }) => graph !== undefined)
}

/** Sources that are no longer configured leave the index. */
async function forgetSources(parts: IndexerParts, options: SyncOptions): Promise<void> {
  const configured = new Set(parts.sources.map(({ name }) => name))
  for (const name of await parts.store.sources()) {
    if (configured.has(name)) continue
    const records = await parts.store.files(name)
    const generation = await parts.store.commit(
      {
        lease: parts.lease,
        remove: records.map(({ doc }) => doc).filter((doc) => doc !== undefined),
        forget: records.filter(({ doc }) => doc === undefined),
      },
      resolveLink,
    )
    options.onCommit?.(generation)
  }
}
