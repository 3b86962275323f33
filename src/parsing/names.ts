/** Names made from names: a title from a path, a slug from a title. */

/** `notes/my-note.md` → `My Note`. */
export function titleFromPath(path: string): string {
  const segment = path.split(/[\\/]/).findLast((part) => part !== '') ?? ''
  const dot = segment.lastIndexOf('.')
  const name = dot > 0 ? segment.slice(0, dot) : segment
  return name
    .replace(/[-_\s]+/g, ' ')
    .trim()
    .toLowerCase()
    .replace(/(^| )(\P{Z})/gu, (_, space: string, letter: string) => space + letter.toUpperCase())
}

/** `Größe & Gewicht` → `größe-gewicht`: letters and digits of any script, joined by hyphens. */
export function slugOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
}
