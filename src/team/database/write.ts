/** Writes documents that have no file: all of a group in one transaction, or none. */
import type { Content } from '../../core/domain/contents.ts'
import { invalid, quoted } from '../../core/domain/error.ts'
import type { KnowledgeError } from '../../core/domain/error.ts'
import type { FileBytes, PlaceOptions, SourceWriter } from '../../core/domain/source.ts'
import { pathTaken } from '../../core/sources/folder/choose-place.ts'
import { requireSize } from '../../core/sources/folder/load-file.ts'
import { badPath, pathProblem } from '../../core/sources/folder/paths.ts'
import type { Shelf } from './open-database-source.ts'

export function databaseWriter(parts: Shelf): SourceWriter {
  const { contents, shelf } = parts
  return {
    place: (path, options = {}) => place(parts, path, options),
    async load(path) {
      requirePath(path, pathProblem(path))
      const [content] = await contents().read(shelf, [path])
      if (content) requireSize(parts, path, content.size)
      return content && bytesOf(content)
    },
    // Nothing is ever in between here.
    stirred: async () => false,
    nameless: () => [],
    async apply(changes, operation) {
      for (const { path, bytes } of changes) checkChange(parts, path, bytes)
      await contents().apply(
        shelf,
        changes.map(({ path, expect, bytes }) => ({ path, expect, bytes })),
        operation,
      )
      return []
    },
    replaced: () => [],
    strays: async () => [],
    sweep: async () => 0,
    disarm: async () => {},
    missingFolders: async () => 0,
  }
}

/** Throws for what may not be written, whatever is there. */
export function checkChange(parts: Shelf, path: string, bytes: Uint8Array | undefined): void {
  requirePath(path, pathProblem(path))
  if (bytes) requireSize(parts, path, bytes.length)
}

async function place(
  parts: Shelf,
  path: string,
  { except, returning = false }: PlaceOptions,
): Promise<string> {
  requirePath(path, pathProblem(path, { forWriting: !returning }))
  const around = await parts.contents().around(parts.shelf, path, except)
  const spelled = underFolder(path, around.folder)
  // First: nobody is told what there is where this server's rules leave it out.
  if (![spelled, around.taken ?? spelled].every((each) => parts.offers(each))) {
    throw notOffered(parts, path)
  }
  if (around.taken !== undefined) throw pathTaken(parts, around.taken, spelled)
  if (around.blockedBy !== undefined && around.blockedBy !== except) {
    throw invalid(
      `The path ${quoted(path)} would make ${quoted(around.blockedBy)} a file and a folder at once.`,
      'Choose another folder or name.',
    )
  }
  return spelled
}

/** `notes/a.md` is `Notes/a.md` where there is such a folder: two of them would be one elsewhere. */
function underFolder(path: string, folder: string | undefined): string {
  if (folder === undefined) return path
  const names = path.split('/')
  return [folder, ...names.slice(folder.split('/').length)].join('/')
}

/** What a file would have besides its bytes is the same for all of them. */
function bytesOf({ path, size, modifiedAt, bytes, digest }: Content): FileBytes {
  const attributes = { mode: 0o644, uid: 0, gid: 0 }
  return { path, size, modifiedAt, bytes, digest, ...attributes, unrested: false }
}

function requirePath(path: string, problem: string | undefined): void {
  if (problem !== undefined) throw badPath(path, problem)
}

function notOffered({ name }: Shelf, path: string): KnowledgeError {
  return invalid(
    `${quoted(path)} would not be part of the source ${quoted(name)}: its name or folder leaves it out.`,
    'Use a path ending in .md, such as "notes/idea.md".',
  )
}
