/** What everybody who changes files asks: who writes them, and what is a change. */
import { hash } from 'node:crypto'
import { KnowledgeError, forbidden, quoted } from '../../domain/error.ts'
import type { FileEdit } from '../../domain/file-edit.ts'
import type { FileChange, SourceWriter } from '../../domain/source.ts'
import type { Writing } from '../view/knowledge.ts'
import type { View } from '../view/view.ts'

/** Folders whose files a writer of this base may change. */
export function writtenFolders({ sources }: View): string[] {
  return [...sources.values()]
    .filter(({ writer, inDatabase }) => writer && !inDatabase)
    .map(({ root }) => root)
}

export function writingOf(kb: View): Writing {
  if (kb.writing) return kb.writing
  throw forbidden(
    'This base is served for reading only.',
    'Start the server without --read-only to change documents.',
  )
}

export function writerOf(kb: View, source: string): SourceWriter {
  const found = kb.sources.get(source)
  if (found?.writer) return found.writer
  throw new KnowledgeError(
    found ? 'forbidden' : 'not_found',
    found
      ? `The source ${quoted(source)} can only be read.`
      : `There is no source ${quoted(source)}.`,
    `The sources are: ${[...kb.sources.keys()].join(', ')}.`,
  )
}

export function digestOf(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex')
}

export function isChange({ from, path, before, after }: FileEdit): boolean {
  if (from !== undefined && from !== path) return true
  if (!before || !after) return before !== after
  return Buffer.compare(before.bytes, after) !== 0
}

/** A move writes the new place first, so that the content is never without a name. */
export function fileChanges(edit: FileEdit): FileChange[] {
  const { path, from, like, attributes, link, removedBy, before, after } = edit
  const more = { like, attributes, link, removedBy }
  if (from === undefined || from === path) {
    return [{ path, expect: before?.digest, bytes: after, ...more, folders: edit.folders }]
  }
  return [
    { path, expect: undefined, bytes: after, ...more, like: from },
    { path: from, expect: before?.digest, bytes: undefined },
  ]
}

export const NOTHING = new Uint8Array()
