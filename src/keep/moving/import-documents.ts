/**
 * Brings the files of a folder into a source in the database, the same bytes. What is there with
 * another content is named and left, unless it was asked for otherwise. The folder is only read.
 */
import { documentId } from '../../core/domain/document.ts'
import { invalid, KnowledgeError, quoted } from '../../core/domain/error.ts'
import { foldName } from '../../core/kit/fold-name.ts'
import type { FileBytes, Source, SourceWriter } from '../../core/domain/source.ts'
import type { Author } from '../../core/history/history.ts'
import { writerOf } from '../../core/operations/writing/carry-out.ts'
import type { FileEdit } from '../../core/operations/writing/carry-out.ts'
import { changeFiles } from '../../core/operations/writing/change-files.ts'
import type { View } from '../../core/operations/view/view.ts'
import { openFolderSource } from '../../core/sources/folder/open-folder-source.ts'
import type { Conflict } from './export-documents.ts'
import { readableExtensions } from '../../serve/parts/formats.ts'

export interface ImportOptions {
  /** Which source, where there are several in the database. */
  readonly into?: string
  readonly overwrite: boolean
  readonly dryRun: boolean
  readonly by: Author
  readonly maxFileBytes: number
}

export interface ImportReport {
  readonly source: string
  /** Ids of documents. */
  readonly created: readonly string[]
  readonly replaced: readonly string[]
  readonly unchanged: number
  readonly conflicts: readonly Conflict[]
}

/** One operation in the history for so many files, or so many bytes. */
const FILES_AT_ONCE = 50
const BYTES_AT_ONCE = 4 * 1024 * 1024

export async function importDocuments(
  kb: View,
  folder: string,
  options: ImportOptions,
): Promise<ImportReport> {
  const { name: source } = intoSource(kb, options.into)
  const from = openFolderSource({
    name: 'import',
    root: folder,
    extensions: readableExtensions(),
    maxFileBytes: options.maxFileBytes,
  })
  const { files, skipped } = await from.scan()
  const conflicts: Conflict[] = skipped.map(({ path, reason }) => ({ path, reason }))
  const report = { source, created: [] as string[], replaced: [] as string[], unchanged: 0 }
  const paths: string[] = []
  const names = new Map<string, string>()
  for (const { path } of files) {
    const other = names.get(foldName(path))
    if (other === undefined) paths.push(path)
    else conflicts.push({ path, reason: `its name differs only in case from ${quoted(other)}` })
    names.set(foldName(path), other ?? path)
  }
  for await (const some of batches(from.writer!, paths, conflicts)) {
    let plan: BatchPlan | undefined
    await changeFiles(kb, 'create', { by: options.by, dryRun: options.dryRun }, async () => {
      plan = await planBatch(writerOf(kb, source), source, some, options.overwrite)
      return { edits: plan.edits }
    })
    for (const { path, before } of plan?.edits ?? []) {
      ;(before ? report.replaced : report.created).push(documentId({ source, path }))
    }
    report.unchanged += plan?.unchanged ?? 0
    conflicts.push(...(plan?.conflicts ?? []))
  }
  return { ...report, conflicts }
}

function intoSource({ sources }: View, into: string | undefined): Source {
  const fitting = [...sources.values()].filter(({ inDatabase }) => inDatabase)
  const found = into === undefined ? fitting : fitting.filter(({ name }) => name === into)
  const [only] = found
  if (only && found.length === 1) return only
  const names = fitting.map(({ name }) => name).join(', ')
  if (into !== undefined && !sources.has(into)) {
    throw invalid(`There is no source ${quoted(into)}.`, `In the database are: ${names || 'none'}.`)
  }
  throw fitting.length > 1
    ? invalid('There are several sources in the database.', `Say which with --into: ${names}.`)
    : invalid(
        'This base has no source in the database.',
        'Name one, such as db:notes; files that are served from a folder need not be imported.',
      )
}

/** Files with their bytes, few enough to be in memory at once. */
async function* batches(
  writer: SourceWriter,
  paths: readonly string[],
  conflicts: Conflict[],
): AsyncGenerator<readonly FileBytes[]> {
  let some: FileBytes[] = []
  let bytes = 0
  for (const path of paths) {
    try {
      const file = await writer.load(path)
      if (!file) continue
      some.push(file)
      bytes += file.size
    } catch (error) {
      conflicts.push(refused(path, error))
    }
    if (some.length >= FILES_AT_ONCE || bytes >= BYTES_AT_ONCE) {
      yield some
      some = []
      bytes = 0
    }
  }
  if (some.length > 0) yield some
}

interface BatchPlan {
  readonly edits: readonly FileEdit[]
  readonly unchanged: number
  readonly conflicts: readonly Conflict[]
}

async function planBatch(
  writer: SourceWriter,
  source: string,
  files: readonly FileBytes[],
  overwrite: boolean,
): Promise<BatchPlan> {
  const edits: FileEdit[] = []
  const conflicts: Conflict[] = []
  let unchanged = 0
  for (const file of files) {
    const { path, bytes, digest } = file
    try {
      const before = await writer.load(path)
      if (before?.digest === digest) unchanged++
      else if (before && !overwrite) {
        conflicts.push({ path, reason: 'it is in the database with another content' })
      } else {
        const place = before ? path : await writer.place(path)
        edits.push({ source, path: place, before, after: bytes })
      }
    } catch (error) {
      conflicts.push(refused(path, error))
    }
  }
  return { edits, unchanged, conflicts }
}

function refused(path: string, error: unknown): Conflict {
  if (!(error instanceof KnowledgeError) || error.code === 'unavailable') throw error
  return { path, reason: error.message }
}
