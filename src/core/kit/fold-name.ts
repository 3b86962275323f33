/**
 * One spelling for names that people take for the same: `Café.md`, however its accent is encoded,
 * and `CAFÉ.md`. Names of documents, folders, tags and titles are compared in this form.
 */
export function foldName(name: string): string {
  return name.normalize('NFC').toLowerCase()
}

/** `#Tea` and `tea` are one tag. */
export function foldTag(tag: string): string {
  return foldName(tag.replace(/^#+/, ''))
}
