/**
 * The one way in which this page changes notes: the tool `write`, with the digest of the text that a
 * person saw. What is shown is read anew at once, and what was done can be taken back from the foot.
 */
import { computed, signal } from '@preact/signals'
import { IN_CHAT } from '../chat/in-chat.ts'
import { canWrite, door, errorOf, facts, say } from './app.ts'
import { noteChanged, somethingChanged } from './changes.ts'

/** What the server says of a change: the words of the tool. */
export interface Written {
  readonly id: string
  readonly digest: string
  /** Absent where there was nothing to change. */
  readonly operation?: string
  readonly links_rewritten?: number
  readonly rewritten_in?: readonly string[]
  readonly warnings?: readonly string[]
}

/** Whether anything that writes is offered; of one note `edits` and `moves` say more. */
export const mayWrite = /* @__PURE__ */ computed(
  () => canWrite.value && facts.value?.tools.includes('write') === true,
)

/** Throws a `DoorError`; `conflict` where somebody else was quicker, and then nothing is changed. */
export async function write(edit: object): Promise<Written> {
  const written = await door.call<Written>('write', edit)
  changed([written.id, ...(written.rewritten_in ?? [])])
  return written
}

/** What this page did itself is not waited for. */
export function changed(ids: readonly string[]): void {
  noteChanged(ids)
  somethingChanged()
}

/** What was done last, while the foot offers to take it back. */
export const done = /* @__PURE__ */ signal<
  { readonly text: string; readonly operation: string } | undefined
>(undefined)

/** Says what was done, and offers to undo it. */
export function sayDone(text: string, operation: string | undefined): void {
  // A chat has its own way back: the view of the history.
  if (!IN_CHAT) done.value = operation === undefined ? undefined : { text, operation }
  say(text)
}

export async function undo(operation: string): Promise<void> {
  done.value = undefined
  try {
    const { id, rewritten_in: more = [] } = await door.call<Partial<Written>>('history', {
      action: 'undo',
      id: operation,
    })
    if (id !== undefined) changed([id, ...more])
    say('Undone')
  } catch (problem) {
    say(errorOf(problem).message)
  }
}
