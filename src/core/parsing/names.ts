/** Names made from names: a title from a path, a slug from a title. */

/** `notes/my-note.md` → `My Note`; the hyphens of a date belong to it: `2026-11-14.md`. */
export function titleFromPath(path: string): string {
  return worded(path, /(?<!\d)(\d{4})-(\d{2})(?:-(\d{2}))?(?!\d)/g)
}

/** The same where a hyphen is a hyphen: `2026-11-14.md` → `2026 11 14`. */
export function plainTitleFromPath(path: string): string {
  return worded(path, undefined)
}

/** Stands for a hyphen that stays; no name has it. */
const KEPT = '\u0000'

function worded(path: string, keep: RegExp | undefined): string {
  const segment = path.split(/[\\/]/).findLast((part) => part !== '') ?? ''
  const dot = segment.lastIndexOf('.')
  const name = dot > 0 ? segment.slice(0, dot) : segment
  const marked = keep ? name.replace(keep, (date) => date.replaceAll('-', KEPT)) : name
  return marked
    .replace(/[-_\s]+/g, ' ')
    .trim()
    .toLowerCase()
    .replace(/(^| )(\P{Z})/gu, (_, space: string, letter: string) => space + letter.toUpperCase())
    .replaceAll(KEPT, '-')
}

/** `Größe & Gewicht` → `größe-gewicht`: letters and digits of any script, joined by hyphens. */
export function slugOf(text: string): string {
  // Every link has one, and nearly all are plain: then the letters of all scripts need no look.
  const joined = /[^\0-\x7f]/.test(text)
    ? text
        .normalize('NFKC')
        .toLowerCase()
        .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    : text.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  return joined.replace(/^-|-$/g, '')
}
