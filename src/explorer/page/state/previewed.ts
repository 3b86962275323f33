/**
 * Prefetch: the result that the arrows are on was read for its preview, and is what one opens next.
 * Only the last one is kept, for the version of the note that it was read of.
 */
import { door } from './app.ts'
import { noteVersion } from './changes.ts'
import type { ShownNote } from '../../wire/wire.ts'

let last: { readonly key: string; readonly note: ShownNote } | undefined

/** `id` with what else decides what is shown. */
type Asked = Readonly<Record<string, unknown>> & { readonly id: string }

export async function readForPreview(asked: Asked, signal: AbortSignal): Promise<ShownNote> {
  const key = keyOf(asked)
  const note = await door.read<ShownNote>('note', asked, signal)
  last = { key, note }
  return note
}

export function takePreviewed(asked: Asked): ShownNote | undefined {
  const known = last?.key === keyOf(asked) ? last.note : undefined
  last = undefined
  return known
}

function keyOf(asked: Asked): string {
  return `${noteVersion(asked.id)} ${JSON.stringify(asked)}`
}
