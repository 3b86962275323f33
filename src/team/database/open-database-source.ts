/**
 * Documents of a base that have no files: their bytes lie in the database, where every server of
 * the base reads and writes them alike. Paths are judged as those of files, so that the same
 * documents can be had as files at any time.
 */
import { hash } from 'node:crypto'
import type { Content, ContentEntry, Contents } from '../../core/domain/contents.ts'
import { decodeText } from '../../core/domain/format.ts'
import type { FileContent, FileEntry, Source } from '../../core/domain/source.ts'
import { pathProblem } from '../../core/sources/folder/paths.ts'
import { NOT_TEXT, tooLarge } from '../../core/sources/folder/reasons.ts'
import { checkChange, databaseWriter } from './write.ts'
import { watchContents } from './watch.ts'

export interface DatabaseOptions {
  readonly name: string
  /** What the documents are kept under in the database. */
  readonly shelf: string
  /** Opened with the store, which may be later than the source. */
  readonly contents: () => Contents
  /** Endings of the documents that are offered, without the dot. */
  readonly extensions: readonly string[]
  readonly decode?: (path: string, bytes: Buffer) => string | undefined
  readonly maxFileBytes: number
  /** How often others' changes are looked for. */
  readonly watchMs?: number
}

/** What the parts of the source share. */
export interface Shelf {
  readonly name: string
  readonly shelf: string
  readonly contents: () => Contents
  readonly maxFileBytes: number
  offers(path: string): boolean
}

/** Bytes of so many documents are in memory at once. */
const READ_AT_ONCE = 64
const WATCH_MS = 1_000

export function openDatabaseSource(options: DatabaseOptions): Source {
  const { name, shelf, contents, maxFileBytes, watchMs = WATCH_MS } = options
  const decode = options.decode ?? ((_path, bytes) => decodeText(bytes))
  const extensions = new Set(options.extensions)
  const parts: Shelf = {
    name,
    shelf,
    contents,
    maxFileBytes,
    offers(path) {
      const extension = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? ''
      const isHidden = path.split('/').some((each) => each.startsWith('.'))
      return extensions.has(extension) && !isHidden
    },
  }
  const offered = (entries: readonly ContentEntry[]): FileEntry[] =>
    entries.filter(({ path }) => parts.offers(path)).map(fileOf)
  const readSome = async (paths: readonly string[]): Promise<FileContent[]> => {
    const found = await contents().read(shelf, paths)
    return paths.map((path, index) => {
      const content = found[index]
      return content ? readContent(content, decode, maxFileBytes) : { kind: 'gone', path }
    })
  }
  return {
    name,
    root: `db:${shelf}`,
    inDatabase: {
      shelf,
      contents,
      contentOf(path, bytes, modifiedAt) {
        const digest = hash('sha256', bytes, 'hex')
        const entry = { path, size: bytes.length, digest, modifiedAt, bornAt: modifiedAt }
        return readContent({ ...entry, version: 0, bytes }, decode, maxFileBytes)
      },
      check: (path, bytes) => checkChange(parts, path, bytes),
    },
    scan: async () => ({ files: offered(await contents().list(shelf)), skipped: [] }),
    rescan: async (paths) => ({
      files: offered(await contents().list(shelf, paths)),
      skipped: [],
    }),
    async read(paths) {
      const contents: FileContent[] = []
      for (let from = 0; from < paths.length; from += READ_AT_ONCE) {
        const some = paths.slice(from, from + READ_AT_ONCE)
        try {
          contents.push(...(await readSome(some)))
        } catch {
          // One bad document is one bad answer.
          for (const path of some) contents.push(await readAlone(path, readSome))
        }
      }
      return contents
    },
    async bornAt(paths) {
      const entries = await contents().look(shelf, paths)
      return entries.map((entry) => entry?.bornAt)
    },
    watch: (onChange) => watchContents(parts, onChange, watchMs),
    writer: databaseWriter(parts),
  }
}

async function readAlone(
  path: string,
  read: (paths: readonly string[]) => Promise<FileContent[]>,
): Promise<FileContent> {
  const problem = pathProblem(path)
  if (problem !== undefined) return { kind: 'failed', path, reason: `its path ${problem}` }
  try {
    const [content] = await read([path])
    return content ?? { kind: 'gone', path }
  } catch (error) {
    return { kind: 'failed', path, reason: error instanceof Error ? error.message : String(error) }
  }
}

function readContent(
  content: Content,
  decode: (path: string, bytes: Buffer) => string | undefined,
  limit: number,
): FileContent {
  const { path, size, digest, bytes } = content
  const entry = fileOf(content)
  if (size > limit) return { ...entry, kind: 'skipped', reason: tooLarge(size, limit) }
  const text = decode(path, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  if (text === undefined) return { ...entry, kind: 'skipped', reason: NOT_TEXT }
  return { ...entry, kind: 'text', text, digest }
}

function fileOf(entry: ContentEntry): FileEntry {
  const { path, size, modifiedAt } = entry
  return { path, size, modifiedAt, stamp: stampOf(entry) }
}

function stampOf({ digest }: ContentEntry): string {
  return digest.slice(0, 32)
}
