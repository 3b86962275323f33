/**
 * A note that says it is private is not there: it is not read, not indexed, and not written to. Said
 * in its front matter, so that who writes it decides, whatever else is set:
 *
 *     ---
 *     cairn: private
 *     ---
 */
import { isNotePath } from '../kit/paths.ts'
import { Slices } from '../kit/slices.ts'
import type {
  BesideNotes,
  FileBytes,
  FileContent,
  InDatabase,
  IndexedFiles,
  Source,
  SourceWriter,
} from '../domain/source.ts'

/** A decorator: the same source without what is private in it. */
export function withoutPrivateNotes(source: Source): Source {
  const { writer, inDatabase, beside } = source
  return {
    ...source,
    read: async (paths, indexed, isFirst) =>
      (await source.read(paths, indexed, isFirst)).map((content) => shown(content, indexed)),
    privateAmong: (paths) => privateAmong(source, paths),
    ...(inDatabase && {
      inDatabase: { ...inDatabase, contentOf: unlessPrivate(inDatabase.contentOf) },
    }),
    ...(writer && { writer: guarded(writer) }),
    ...(beside && { beside: withoutPrivate(beside) }),
  }
}

function shown(content: FileContent, indexed?: IndexedFiles): FileContent {
  if (content.kind !== 'text') return content
  // What is in the index is not private, as long as it is that.
  if (indexed?.(content.path)?.digest === content.digest) return content
  if (!isNotePath(content.path)) return content
  return isPrivate(content.text) ? { kind: 'gone', path: content.path } : content
}

function unlessPrivate(contentOf: InDatabase['contentOf']): InDatabase['contentOf'] {
  return (path, bytes, modifiedAt) => shown(contentOf(path, bytes, modifiedAt))
}

function guarded(writer: SourceWriter): SourceWriter {
  return {
    ...writer,
    load: async (path) => {
      const file = await writer.load(path)
      return file && saysPrivate(path, file) ? undefined : file
    },
    // A note may say in its beginning that it is private.
    ...(writer.loadPart && {
      loadPart: async (path, from, length) =>
        isNotePath(path) ? undefined : writer.loadPart!(path, from, length),
    }),
  }
}

function withoutPrivate(beside: BesideNotes): BesideNotes {
  const text = (path: string): ReturnType<BesideNotes['text']> => {
    const found = beside.text(path)
    const isHidden = typeof found === 'object' && isNotePath(path) && isPrivate(found.text)
    return isHidden ? undefined : found
  }
  return { text, notes: (folder) => beside.notes(folder).filter((path) => text(path)) }
}

function saysPrivate(path: string, { bytes }: FileBytes): boolean {
  if (!isNotePath(path)) return false
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return isPrivate(start.toString('utf8', 0, LONGEST))
}

async function privateAmong(source: Source, paths: readonly string[]): Promise<readonly string[]> {
  const { writer } = source
  const ruledOut = new Set(await source.privateAmong?.(paths))
  const others = ruledOut.size > 0 ? paths.filter((path) => !ruledOut.has(path)) : paths
  const hidden = [...ruledOut]
  if (!writer) return hidden
  const slices = new Slices()
  for (const path of (await source.presentAmong?.(others)) ?? others) {
    if (slices.over) await slices.pause()
    if (await hides(writer, path)) hidden.push(path)
  }
  return hidden
}

async function hides(writer: SourceWriter, path: string): Promise<boolean> {
  try {
    const file = await writer.load(path)
    return file !== undefined && saysPrivate(path, file)
  } catch {
    // What cannot be looked at is not shown either.
    return true
  }
}

/** Front matter that is longer than this is none. */
const LONGEST = 64 * 1024

/** `cairn: private`, on a line of its own between the rules at the top. */
export function isPrivate(text: string): boolean {
  if (!/^\uFEFF?---[ \t]*\r?\n/.test(text)) return false
  const front = text.slice(0, LONGEST)
  // Line by line: behind the rule is all of a note.
  for (let at = front.indexOf('\n') + 1; at > 0 && at <= front.length;) {
    const end = front.indexOf('\n', at)
    const line = front.slice(at, end < 0 ? front.length : end).replace(/\r$/, '')
    if (/^(?:---|\.\.\.)[ \t]*$/.test(line)) return false
    if (/^["']?cairn["']?[ \t]*:[ \t]*["']?private["']?[ \t]*(?:#.*)?$/i.test(line)) return true
    at = end < 0 ? 0 : end + 1
  }
  return false
}
