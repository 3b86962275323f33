/**
 * Documents of the database as files, the same bytes, one way. A list beside the files says what
 * was written last: what somebody changed since is left as it is and named, never overwritten.
 */
import { hash, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ContentEntry, ContentNews, Contents } from '../../core/domain/contents.ts'
import { invalid, KnowledgeError } from '../../core/domain/error.ts'
import type { SourceConfig } from '../../serve/config/config.ts'
import { shelfOf } from '../../serve/config/sources.ts'
import type { SourceWriter } from '../../core/domain/source.ts'
import { openFolderSource } from '../../core/sources/folder/open-folder-source.ts'
import { readableExtensions } from '../../serve/parts/formats.ts'

export interface ExportParts {
  readonly contents: Contents | undefined
  readonly sources: readonly SourceConfig[]
}

interface ExportedSource {
  readonly name: string
  /** What its documents are kept under in the database. */
  readonly shelf: string
}

export interface Conflict {
  /** Below the folder. */
  readonly path: string
  readonly reason: string
}

export interface ExportReport {
  readonly written: readonly string[]
  readonly removed: readonly string[]
  readonly unchanged: number
  readonly conflicts: readonly Conflict[]
}

export interface ExportOptions {
  /** Whether files that somebody changed are overwritten; else they are named. */
  readonly overwrite: boolean
}

const MANIFEST = '.cairn-export.json'
/** Bytes of so many documents are in memory at once. */
const AT_ONCE = 64

export interface Exporter {
  /** Writes everything that differs. */
  all(): Promise<ExportReport>
  /** The same for what changed since the last call; undefined when nothing did. */
  news(): Promise<ExportReport | undefined>
}

export function openExporter(
  { contents, sources: all }: ExportParts,
  folder: string,
  options: ExportOptions,
): Exporter {
  const sources = all
    .filter(({ kind }) => kind === 'database')
    .map(({ name, path }) => ({ name, shelf: shelfOf(path) }))
  if (!contents || sources.length === 0) throw nothingToExport()
  mkdirSync(folder, { recursive: true })
  const { writer } = openFolderSource({
    name: 'export',
    root: folder,
    extensions: readableExtensions(),
    maxFileBytes: Number.MAX_SAFE_INTEGER,
  })
  const manifest = openManifest(folder)
  const seen = new Map<string, Pick<ContentNews, 'epoch' | 'version'>>()
  const below = (name: string, path: string): string =>
    sources.length === 1 ? path : `${name}/${path}`
  const one = async (source: ExportedSource, paths?: readonly string[]): Promise<ExportReport> => {
    const { name, shelf } = source
    const entries = paths
      ? (await contents.look(shelf, paths)).filter((entry) => entry !== undefined)
      : await contents.list(shelf)
    return writeFiles(writer!, manifest, options, {
      entries: entries.map((entry) => ({ ...entry, file: below(name, entry.path) })),
      isMeant: (file) => {
        if (paths) return paths.some((path) => below(name, path) === file)
        return sources.length === 1 || file.startsWith(`${name}/`)
      },
      read: async (some) => contents.read(shelf, some),
    })
  }
  return {
    async all() {
      const reports: ExportReport[] = []
      for (const source of sources) {
        seen.set(source.name, await contents.changedSince(source.shelf))
        reports.push(await one(source))
      }
      return addReports(reports)
    },
    async news() {
      const reports: ExportReport[] = []
      for (const source of sources) {
        const news = await contents.changedSince(source.shelf, seen.get(source.name))
        if (news.paths?.length !== 0) reports.push(await one(source, news.paths))
        // Only now: what failed is tried again.
        seen.set(source.name, news)
      }
      return reports.length === 0 ? undefined : addReports(reports)
    },
  }
}

interface Wanted extends ContentEntry {
  /** Where it goes below the folder. */
  readonly file: string
}

interface Job {
  readonly entries: readonly Wanted[]
  /** Whether a file that was written before is this job's to remove. */
  readonly isMeant: (file: string) => boolean
  readonly read: (paths: readonly string[]) => ReturnType<Contents['read']>
}

async function writeFiles(
  writer: SourceWriter,
  manifest: Manifest,
  { overwrite }: ExportOptions,
  { entries, isMeant, read }: Job,
): Promise<ExportReport> {
  const conflicts: Conflict[] = []
  const written: string[] = []
  const removed: string[] = []
  let unchanged = 0
  const change = async (file: string, expect: string | undefined, bytes?: Uint8Array) => {
    const replaced = await writer.apply([{ path: file, expect, bytes }], operationId())
    for (const each of replaced) each.release()
  }
  const wanted = new Set(entries.map(({ file }) => file))
  // What goes makes room for names that differ only in case.
  for (const [file, last] of manifest.files) {
    if (!isMeant(file) || wanted.has(file)) continue
    try {
      const found = (await writer.load(file))?.digest
      if (found !== undefined && found !== last && !overwrite) {
        conflicts.push({ path: file, reason: 'it is gone from the database, and was changed here' })
        continue
      }
      if (found !== undefined) {
        await change(file, found)
        removed.push(file)
      }
      manifest.files.delete(file)
    } catch (error) {
      conflicts.push(refused(file, error))
    }
  }
  for (let from = 0; from < entries.length; from += AT_ONCE) {
    const due: (Wanted & { readonly found: string | undefined })[] = []
    for (const entry of entries.slice(from, from + AT_ONCE)) {
      const { file, digest } = entry
      try {
        const found = (await writer.load(file))?.digest
        if (found === digest) {
          manifest.files.set(file, digest)
          unchanged++
        } else if (found === undefined || found === manifest.files.get(file) || overwrite) {
          due.push({ ...entry, found })
        } else {
          conflicts.push({ path: file, reason: 'it was changed here since it was written' })
        }
      } catch (error) {
        conflicts.push(refused(file, error))
      }
    }
    const contents = due.length === 0 ? [] : await read(due.map(({ path }) => path))
    for (const [index, { file, found }] of due.entries()) {
      const content = contents[index]
      // Removed a moment ago: the next look tells.
      if (!content) continue
      try {
        await change(file, found, content.bytes)
        manifest.files.set(file, content.digest)
        written.push(file)
      } catch (error) {
        conflicts.push(refused(file, error))
      }
    }
  }
  manifest.save()
  return { written, removed, unchanged, conflicts }
}

function nothingToExport(): KnowledgeError {
  return invalid(
    'This base has no documents in the database: they are files already.',
    'Name a source such as db:notes, and the database with --store.',
  )
}

function refused(path: string, error: unknown): Conflict {
  if (!(error instanceof KnowledgeError) || error.code === 'unavailable') throw error
  return { path, reason: error.message }
}

function addReports(reports: readonly ExportReport[]): ExportReport {
  return {
    written: reports.flatMap(({ written }) => written),
    removed: reports.flatMap(({ removed }) => removed),
    unchanged: reports.reduce((sum, { unchanged }) => sum + unchanged, 0),
    conflicts: reports.flatMap(({ conflicts }) => conflicts),
  }
}

/** What replaced files are kept aside under, for as long as they are. */
function operationId(): string {
  const now = new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '')
  return `${now}-${randomBytes(4).toString('hex')}`
}

interface Manifest {
  /** Digests of files as they were written last. */
  readonly files: Map<string, string>
  save(): void
}

function openManifest(folder: string): Manifest {
  const place = join(folder, MANIFEST)
  const files = new Map(Object.entries(readManifest(place)))
  let saved = digestOf(files)
  return {
    files,
    save() {
      const now = digestOf(files)
      if (now === saved) return
      const sorted = Object.fromEntries([...files].toSorted(([a], [b]) => (a < b ? -1 : 1)))
      const beside = `${place}.${process.pid}`
      writeFileSync(beside, `${JSON.stringify({ files: sorted }, undefined, 1)}\n`)
      renameSync(beside, place)
      saved = now
    },
  }
}

function digestOf(files: ReadonlyMap<string, string>): string {
  return hash('sha256', JSON.stringify([...files]), 'hex')
}

/** Without a list that can be read, every file that differs is somebody's. */
function readManifest(place: string): Record<string, string> {
  try {
    const { files } = JSON.parse(readFileSync(place, 'utf8')) as { files?: unknown }
    if (typeof files !== 'object' || files === null) return {}
    return Object.fromEntries(
      Object.entries(files).filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string',
      ),
    )
  } catch {
    return {}
  }
}
