/** Refuses an edit that a format has no place for, before anything is written. */
import { documentId } from '../../domain/document.ts'
import type { Place } from '../../domain/document.ts'
import { unsupported } from '../../domain/error.ts'
import type { Format } from '../../domain/format.ts'
import { lastSegment } from '../../kit/paths.ts'
import type { View } from '../view/view.ts'

/** YAML above a plain text would be text, and the tags in it nobody's. */
export function requireMetadata({ name, edits }: Format, id: string): void {
  if (edits.metadata) return
  throw unsupported(
    `${id} is ${name}, which has no place for metadata.`,
    'Write what should be known into the text, or move it to a note that ends in .md first.',
  )
}

/** What is read of such a file is made from it: nobody could put a change back into its bytes. */
export function requireWritable(kb: Pick<View, 'sources'>, { source, path }: Place): void {
  if (!kb.sources.get(source)?.converts?.(path)) return
  const id = documentId({ source, path })
  throw unsupported(
    `${id} is read, and not written: its text is made from the file.`,
    `Change it with the program that made it, or write a note that links to it: [[${lastSegment(path)}]].`,
  )
}

export function requireSections({ name, edits }: Format, id: string): void {
  if (edits.sections) return
  throw unsupported(
    `${id} is ${name}, which has no sections.`,
    'Append or prepend without a section, or replace a text with find_replace.',
  )
}
