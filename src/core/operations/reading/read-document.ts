/**
 * The text of a document as it is on disk now, parsed; the index may lag behind by a moment. What
 * looks like a secret is taken out here, before anybody cuts, matches or shows anything of it.
 */
import type { DocNo, DocumentRecord } from '../../domain/document.ts'
import { documentId, isSameText } from '../../domain/document.ts'
import { notFound, unavailable } from '../../domain/error.ts'
import { byteOrderMarkOf, parseInSlices } from '../../domain/format.ts'
import type { FileContent, FileEntry } from '../../domain/source.ts'
import type { Chunk, ParsedDocument } from '../../domain/text.ts'
import { describeDocument } from '../../indexing/describe-document.ts'
import { redactedText, redactFile } from '../../indexing/redact-file.ts'
import type { View } from '../view/view.ts'

export interface LiveDocument {
  /** What the file says of itself now: a title that was changed is never shown as it was. */
  readonly record: DocumentRecord
  /** Without its secrets, unless the view shows them. */
  readonly text: string
  readonly digest: string
  readonly modifiedAt: number
  /** The file is not the one that was indexed. */
  readonly changed: boolean
  /** What the system said of the file when it was read. */
  readonly file: FileEntry
}

export interface ReadDocument extends LiveDocument {
  /** What the file begins with and the text does not: the mark of this encoding. */
  readonly byteOrderMark: ReturnType<typeof byteOrderMarkOf>
}

/** Undefined where the file has vanished, or is no longer text. */
export async function findLive(
  kb: View,
  record: DocumentRecord,
): Promise<LiveDocument | undefined> {
  return liveOf(kb, record, await readNow(kb, record))
}

async function readNow(kb: View, record: DocumentRecord): Promise<FileContent | undefined> {
  const source = kb.sources.get(record.source)
  const [content] = (await source?.read([record.path], () => record)) ?? []
  return content
}

/**
 * Several at once, in the order asked for: files of one source are read in one go. One that has
 * vanished, from the index or from the disk, is left out.
 */
export async function readDocuments(
  kb: View,
  docs: readonly DocNo[],
): Promise<readonly LiveDocument[]> {
  const found = await kb.store.documents(docs)
  const records = found.filter((record) => record !== undefined)
  const contents = new Map<DocumentRecord, FileContent>()
  for (const [name, group] of Map.groupBy(records, ({ source }) => source)) {
    const byPath = new Map(group.map((record) => [record.path, record]))
    const indexed = (path: string) => byPath.get(path)
    const read = (await kb.sources.get(name)?.read([...byPath.keys()], indexed)) ?? []
    for (const [index, content] of read.entries()) contents.set(group[index]!, content)
  }
  const lives: LiveDocument[] = []
  for (const record of records) {
    const content = contents.get(record)
    const live = sameOf(kb, record, content) ?? (await liveOf(kb, record, content))
    if (live) lives.push(live)
  }
  return lives
}

/** The file as it was indexed, as nearly all are: nobody has to wait for anything. */
function sameOf(
  kb: View,
  record: DocumentRecord,
  content: FileContent | undefined,
): LiveDocument | undefined {
  if (content?.kind !== 'text' || !isSameText(content, record)) return undefined
  const { digest, modifiedAt } = content
  const isPlain = kb.showsSecrets || !record.secrets
  const text = isPlain ? content.text : redactedText(content, record)
  return { record, text, digest, modifiedAt, changed: false, file: entryOf(content) }
}

function entryOf({ path, size, modifiedAt, stamp }: FileEntry): FileEntry {
  return { path, size, modifiedAt, ...(stamp !== undefined && { stamp }) }
}

async function liveOf(
  kb: View,
  record: DocumentRecord,
  content: FileContent | undefined,
): Promise<LiveDocument | undefined> {
  const same = sameOf(kb, record, content)
  if (same) return same
  kb.noticeChange(record.source, record.path)
  if (content?.kind !== 'text') return undefined
  const { digest, modifiedAt } = content
  const text = kb.showsSecrets ? content.text : redactedText(content, record)
  const format = kb.formatOf(record.path)
  await format.prepare?.(record.path)
  const redacted = redactFile(content)
  const parsed = await parseInSlices(format, redacted.text, record.path)
  const current = describeDocument(record.no, record.source, redacted, format.name, parsed, {
    holdsCode: kb.sources.get(record.source)?.holdsCode ?? false,
  })
  return { record: current, text, digest, modifiedAt, changed: true, file: entryOf(content) }
}

export async function getLive(kb: View, record: DocumentRecord): Promise<ReadDocument> {
  const content = await readNow(kb, record)
  const live = await liveOf(kb, record, content)
  if (live && content?.kind === 'text') {
    // Of the text as it was read: without its secrets it has another length.
    return { ...live, byteOrderMark: byteOrderMarkOf(content.text, content.size) }
  }
  if (content?.kind === 'failed' && kb.sources.get(record.source)?.inDatabase) {
    throw unavailable(
      `"${documentId(record)}" cannot be read at the moment: ${content.reason}`,
      'Try again in a moment; search goes on with what is known here.',
    )
  }
  throw notFound(
    `The file of "${documentId(record)}" is gone or can no longer be read as text.`,
    'It was deleted, moved or replaced a moment ago. Search again for where it is now.',
  )
}

export async function parseLive(
  kb: View,
  { record: { path }, text }: Pick<LiveDocument, 'record' | 'text'>,
): Promise<ParsedDocument> {
  const format = kb.formatOf(path)
  await format.prepare?.(path)
  return (await parseInSlices(format, text, path)).document
}

/** Passages as they were indexed, in one call; of a file that changed since, as it is now. */
export async function chunksOf(
  kb: View,
  lives: readonly LiveDocument[],
): Promise<ReadonlyMap<LiveDocument, readonly Chunk[]>> {
  const same = lives.filter(({ changed }) => !changed)
  const known = await kb.store.chunksOf(same.map(({ record }) => record.no))
  const chunks = new Map<LiveDocument, readonly Chunk[]>(
    same.map((live, index) => [live, known[index] ?? []]),
  )
  for (const live of lives) {
    if (live.changed) chunks.set(live, (await parseLive(kb, live)).chunks)
  }
  return chunks
}

/** Files as they were read, by the name of their source. */
export type FilesRead = ReadonlyMap<string, readonly FileEntry[]>

export function filesOf(read: readonly LiveDocument[]): FilesRead {
  const files = new Map<string, FileEntry[]>()
  for (const { record, file } of read) {
    const known = files.get(record.source)
    if (known) known.push(file)
    else files.set(record.source, [file])
  }
  return files
}

/** False where that is not certain, as of a file that was written shortly before it was read. */
export function areAsRead(kb: View, files: FilesRead, readAt: number): boolean {
  for (const [name, read] of files) {
    if (kb.sources.get(name)?.areAsRead?.(read, readAt) !== true) return false
  }
  return true
}
