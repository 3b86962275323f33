/** Small pieces that every native reply is made of. */
import { cutText } from '../../core/kit/cut-text.ts'
import type { DocumentRecord } from '../../core/domain/document.ts'
import type { View } from '../../core/operations/view/view.ts'

/** Leaves out what is undefined, so that text and structured form are the same to the letter. */
export function compact<Value extends object>(
  value: Value,
): { [Key in keyof Value]: Exclude<Value[Key], undefined> } {
  const said: Record<string, unknown> = {}
  for (const key in value) if (value[key] !== undefined) said[key] = value[key]
  return said as { [Key in keyof Value]: Exclude<Value[Key], undefined> }
}

/** Undefined for what nobody dated. */
export function instant(time: number): string
export function instant(time: number | undefined): string | undefined
export function instant(time: number | undefined): string | undefined {
  if (time === undefined) return undefined
  const date = new Date(time)
  return Number.isNaN(date.getTime()) ? '' : date.toISOString()
}

/** Said in every reply until the index has caught up with the files. */
export function indexingNote(kb: View): string | undefined {
  const trouble = kb.trouble()
  if (trouble !== undefined) {
    return `The index cannot be kept current at the moment (${trouble.replace(/\.$/, '')}); this answer may be out of date. It is tried again without end.`
  }
  const progress = kb.catchingUp()
  // Once words are complete every document can be found; meaning only improves the order.
  if (!progress || progress.phase === 'learn' || progress.phase === 'embed') return undefined
  if (progress.phase === 'scan' && progress.wasComplete)
    return 'Answered from the last look at the files; what changed since is being looked for.'
  if (progress.phase === 'scan' && progress.done > 0)
    return `The first ${progress.done} files are indexed; the rest is being looked through.`
  if (progress.phase === 'scan')
    return 'The files are being looked through; newer changes may be missing.'
  return `${progress.done} of ${progress.total} changed files are indexed; the rest may be missing from this answer.`
}

/** Links beyond this many are counted, and `neighbors` lists them. */
export const LINKS_SHOWN = 100

/** Metadata describes a document; whoever wants all of it reads the text. */
export const NAMES_SHOWN = 50
export const VALUE_LENGTH = 1_000

export function tagsOf(document: DocumentRecord): string[] {
  return [...document.tags, ...document.inlineTags].slice(0, NAMES_SHOWN).map(shortened)
}

export function shortened(value: string): string {
  return cutText(value, VALUE_LENGTH)
}
