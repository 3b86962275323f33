/**
 * The one way in which this page changes notes: the tool `write`, with the digest of the text that a
 * person saw. What is shown is read anew at once, and what was done can be taken back from the foot.
 */
import { computed, signal } from '@preact/signals'
import { IN_CHAT } from '../chat/in-chat.ts'
import { canWrite, door, errorOf, facts, notice, say } from './app.ts'
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

interface Done {
  readonly text: string
  /** In the order in which they were done. */
  readonly operations: readonly string[]
  /** Where one goes when it was taken back. */
  readonly after?: (() => void) | undefined
}

const done = /* @__PURE__ */ signal<Done | undefined>(undefined)

/** What was done last, while the foot offers to take it back. */
export const offered = /* @__PURE__ */ computed(() =>
  !IN_CHAT && done.value?.text === notice.value ? done.value : undefined,
)

/** Says what was done, and offers to undo it. */
export function sayDone(
  text: string,
  operation: string | readonly string[] | undefined,
  after?: () => void,
): void {
  // A chat has its own way back: the view of the history.
  const operations = operation === undefined ? [] : [operation].flat()
  if (!IN_CHAT) done.value = operations.length > 0 ? { text, operations, after } : undefined
  say(text)
}

export async function undo({ operations, after }: Done): Promise<void> {
  done.value = undefined
  const ids: string[] = []
  try {
    for (const id of operations.toReversed()) {
      const undone = await door.call<Partial<Written>>('history', { action: 'undo', id })
      if (undone.id !== undefined) ids.push(undone.id, ...(undone.rewritten_in ?? []))
    }
    say('Undone')
    // What is gone is closed before it is looked at again.
    after?.()
  } catch (problem) {
    say(errorOf(problem).message)
  }
  changed(ids)
}
