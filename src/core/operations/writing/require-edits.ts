/** Refuses an edit that a format has no place for, before anything is written. */
import { unsupported } from '../../domain/error.ts'
import type { Format } from '../../domain/format.ts'

/** YAML above a plain text would be text, and the tags in it nobody's. */
export function requireMetadata({ name, edits }: Format, id: string): void {
  if (edits.metadata) return
  throw unsupported(
    `${id} is ${name}, which has no place for metadata.`,
    'Write what should be known into the text, or move it to a note that ends in .md first.',
  )
}

export function requireSections({ name, edits }: Format, id: string): void {
  if (edits.sections) return
  throw unsupported(
    `${id} is ${name}, which has no sections.`,
    'Append or prepend without a section, or replace a text with find_replace.',
  )
}
