/**
 * Backups that are whole however busy the base is. Nearly everything is packed while others write;
 * then the lock is held for a moment, and what changed meanwhile is packed again, together with the
 * history. So the files and the history are from one moment, and nobody waits for long.
 */
import { mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { orElse } from '../../core/kit/or-else.ts'
import { openArchiveWriter } from '../archives/write-archive.ts'
import type { ArchiveWriter } from '../archives/write-archive.ts'
import {
  type KnowledgeError,
  forbidden,
  invalid,
  quoted,
  unavailable,
} from '../../core/domain/error.ts'
import type { Source } from '../../core/domain/source.ts'
import { carrying } from '../../core/history/carry-history.ts'
import { openHistory } from '../../core/history/open-history.ts'
import type {
  Backup,
  BackupRequest,
  Backups,
  ListedBackup,
} from '../../core/operations/keeping/backups.ts'
import type { Writing } from '../../core/operations/view/knowledge.ts'
import { copyIndex } from '../../core/store/sqlite/copy-index.ts'
import { tryFileLock } from '../../core/store/sqlite/file-lock.ts'
import type { Config } from '../../serve/config/config.ts'
import {
  archivedSource,
  INDEX_COPY,
  sourceFiles,
  STATE_FOLDERS,
  stateFiles,
} from './backup-files.ts'
import type { FoundFile } from './backup-files.ts'
import { indexFile } from '../../serve/parts/stores.ts'
import { VERSION } from '../../core/kit/version.ts'
import { openWorkFolder } from '../../serve/lifecycle/work-folder.ts'
import type { WorkFolder } from '../../serve/lifecycle/work-folder.ts'

export interface BackupParts {
  readonly config: Pick<Config, 'state' | 'sources'> &
    Partial<Pick<Config, 'maxFileBytes' | 'store'>>
  readonly sources: ReadonlyMap<string, Source>
  /** Undefined for a base that may only be read: nobody of ours writes to it either. */
  readonly writing: Writing | undefined
}

const ARCHIVES = 'backups/archives'
const NAME = /^(?:km|cairn)-backup-\d{8}T\d{6}\.tgz$/
const LOCK = 'backups/packing.lock'
/** A name holds one second; who finds it taken waits for the next. */
const NAME_TRIES = 5

export function openBackups(parts: BackupParts): Omit<Backups, 'plan'> {
  const { state } = parts.config
  return {
    async create(request) {
      const folder = destinationOf(state, request)
      mkdirSync(join(state, 'backups'), { recursive: true, mode: 0o700 })
      const unlock = tryFileLock(join(state, LOCK), 'alone')
      if (!unlock) throw alreadyRunning()
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        const work = openWorkFolder(folder, 'packing')
        try {
          return await pack(parts, folder, request, work)
        } finally {
          work.close()
        }
      } catch (error) {
        throw explained(folder, error)
      } finally {
        unlock()
      }
    },
    list: async () => listBackups(join(state, ARCHIVES)),
  }
}

/** Newest first. */
export function listBackups(folder: string): readonly ListedBackup[] {
  const names = namesIn(folder).filter((name) => NAME.test(name))
  return names
    .toSorted((a, b) => (stampOf(a) < stampOf(b) ? 1 : -1))
    .map((name) => {
      const path = join(folder, name)
      const stats = statSync(path, { throwIfNoEntry: false })
      return { path, name, bytes: stats?.size ?? 0, createdAt: instantOf(stampOf(name)) }
    })
}

async function pack(
  parts: BackupParts,
  folder: string,
  request: BackupRequest,
  work: WorkFolder,
): Promise<Backup> {
  const started = performance.now()
  const { config, sources, writing } = parts
  const createdAt = new Date().toISOString()
  const archive = openArchiveWriter(join(work.path, 'archive.tgz'))
  const history = copyHistory(parts, work)
  try {
    for (const name of STATE_FOLDERS) await archive.addFolder(name)
    const packed = new Map<string, string>()
    const round = async () => {
      await history?.follow()
      await packChanged(archive, packed, { ...parts, history: history?.folder }, request.signal)
    }
    const index = await packIndex(archive, config, work)
    await round()
    const roots = [...sources.values()]
      .filter(({ writer, inDatabase }) => writer && !inDatabase)
      .map(({ root }) => root)
    // Writers wait for this one round, which finds almost nothing left to do.
    if (writing) {
      const { lock } = writing
      await lock.hold(roots, async () => {
        await round()
        // Who stood still has packed what others were changing.
        lock.fence()
      })
    } else await round()
    const documents = [...archive.files.keys()].filter((path) => path.startsWith('sources/'))
    const { bytes } = await archive.finish({
      version: VERSION,
      createdAt,
      sources: config.sources.map(archivedSource),
      ...(index && { index }),
    })
    const file = await giveName(archive, folder, request.prefix)
    const below = relative(config.state, file)
    return {
      path: file,
      relative: isOutside(below) ? undefined : below.split(sep).join('/'),
      bytes,
      files: archive.files.size,
      documents: documents.length,
      removed: removeOldest(folder, request.keep),
      durationMs: performance.now() - started,
    }
  } catch (error) {
    await archive.abandon()
    throw error
  }
}

/** A history in a database is packed as the files that it would be elsewhere. */
function copyHistory({ config, writing }: BackupParts, { path }: WorkFolder) {
  if (config.store === undefined || !writing) return undefined
  const folder = join(path, 'state')
  return { folder, follow: carrying(writing.history, openHistory(join(folder, 'history'))) }
}

/** Packs what is new or different since the last round, and forgets what is gone. */
async function packChanged(
  archive: ArchiveWriter,
  packed: Map<string, string>,
  { config, sources, history }: BackupParts & { readonly history: string | undefined },
  signal: AbortSignal | undefined,
): Promise<void> {
  const found: FoundFile[] = []
  for (const source of sources.values()) found.push(...(await sourceFiles(source)))
  // What the state folder has of a history is from before there was a database.
  const isOwn = ({ path }: FoundFile): boolean =>
    history === undefined || !path.startsWith('history/')
  found.push(...stateFiles(config.state).filter(isOwn))
  if (history !== undefined) found.push(...stateFiles(history))
  const present = new Set(found.map(({ path }) => path))
  for (const path of packed.keys()) {
    if (present.has(path)) continue
    packed.delete(path)
    archive.forget(path)
  }
  for (const { path, place, stamp, read, ...about } of found) {
    if (packed.get(path) === stamp) continue
    signal?.throwIfAborted()
    const bytes = read ? await read() : readIfThere(place)
    if (!bytes) continue
    await archive.addBytes(path, bytes, about)
    packed.set(path, stamp)
  }
}

/** The index can be built again; with it, a restored base answers at once and by the same vectors. */
async function packIndex(
  archive: ArchiveWriter,
  config: BackupParts['config'],
  work: WorkFolder,
): Promise<string | undefined> {
  // One in a database is backed up with the database.
  if (config.store !== undefined) return undefined
  const file = indexFile(config)
  if (!statSync(file, { throwIfNoEntry: false })) return undefined
  const copy = join(work.path, INDEX_COPY)
  await copyIndex(file, copy)
  await archive.addFile(INDEX_COPY, copy)
  rmSync(copy, { force: true })
  return INDEX_COPY
}

function readIfThere(place: string): Buffer | undefined {
  try {
    return readFileSync(place)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Another base may put its archives into the same folder in the same second. */
async function giveName(archive: ArchiveWriter, folder: string, prefix: string): Promise<string> {
  for (let attempt = 0; attempt < NAME_TRIES; attempt++) {
    const now = new Date()
    const stamp = now.toISOString().replaceAll(/[-:]|\..*$/g, '')
    const file = join(folder, `${prefix}-${stamp}.tgz`)
    if (archive.giveName(file)) return file
    await sleep(1_000 - now.getMilliseconds())
  }
  throw alreadyRunning()
}

function removeOldest(folder: string, keep: number | undefined): string[] {
  if (keep === undefined) return []
  const old = listBackups(folder).slice(Math.max(1, keep))
  for (const { path } of old) rmSync(path, { force: true })
  return old.map(({ name }) => name)
}

function destinationOf(state: string, { destination, allowedRoots }: BackupRequest): string {
  const given = destination?.trim() ?? ''
  if (given === '') return join(state, ARCHIVES)
  if (given.includes('\0')) throw invalid(`${quoted(given)} is no folder.`, 'Name a folder.')
  const folder = resolve(state, given)
  const stats = statSync(folder, { throwIfNoEntry: false })
  if (stats && !stats.isDirectory()) {
    throw invalid(`${quoted(given)} is no folder.`, 'Name a folder for the archive.')
  }
  if (!allowedRoots) return folder
  const real = realFolder(folder)
  const inside = (root: string): boolean => !isOutside(relative(realFolder(root), real))
  if ([state, ...allowedRoots].some(inside)) return folder
  throw forbidden(
    `Backups may not be written to ${quoted(given)}.`,
    'Leave the destination out, or name a folder below the state folder or one of KM_BACKUP_ALLOWED_ROOTS.',
  )
}

/** Where a folder is or will be, with the links of those above it followed. */
function realFolder(folder: string): string {
  try {
    return realpathSync.native(folder)
  } catch {
    const above = dirname(folder)
    return above === folder ? folder : join(realFolder(above), basename(folder))
  }
}

function isOutside(below: string): boolean {
  return below.split(sep)[0] === '..' || isAbsolute(below)
}

function namesIn(folder: string): string[] {
  return orElse(() => readdirSync(folder), [])
}

function stampOf(name: string): string {
  return /\d{8}T\d{6}/.exec(name)?.[0] ?? ''
}

/** `20250927T195120` → `2025-09-27T19:51:20Z` */
function instantOf(stamp: string): string {
  return stamp.replace(/^(....)(..)(..)T(..)(..)(..)$/, '$1-$2-$3T$4:$5:$6Z')
}

function alreadyRunning(): KnowledgeError {
  return unavailable(
    'A backup of this base is being made already.',
    'Try again when it is finished.',
  )
}

function explained(folder: string, error: unknown): unknown {
  const isSystem = error instanceof Error && 'syscall' in error
  if (!isSystem) return error
  return unavailable(
    `The backup could not be written to ${quoted(folder)}: ${error.message}.`,
    'Nothing was left behind. Make room or give permission there, or name another folder.',
  )
}
