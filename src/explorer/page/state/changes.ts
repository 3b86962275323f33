/** Which notes have changed while the page was open; who shows one looks again. */
import { signal } from '@preact/signals'

const versions = signal<ReadonlyMap<string, number>>(new Map())

/** Rises when notes are to look otherwise than before, changed or not. */
export const otherLook = signal(0)

/** Rises when the note was changed. */
export function noteVersion(id: string): number {
  return otherLook.value + (versions.value.get(id) ?? 0)
}

/** Those that changed last; one that is forgotten and still open is merely looked at again. */
const KEPT = 500

export function noteChanged(ids: readonly string[]): void {
  if (ids.length === 0) return
  const next = new Map(versions.peek())
  for (const id of ids) {
    const version = (next.get(id) ?? 0) + 1
    next.delete(id)
    next.set(id, version)
  }
  for (const oldest of next.keys()) {
    if (next.size <= KEPT) break
    next.delete(oldest)
  }
  versions.value = next
}

/** Rises when any note was changed, at most once in a while: whole lists are read again for it. */
export const anyChanged = signal(0)
export const A_WHILE_MS = 1_000
let told = 0

export function somethingChanged(): void {
  told ||= setTimeout(() => {
    told = 0
    anyChanged.value++
  }, A_WHILE_MS) as unknown as number
}

/** Rises when documents came or went, or a link leads elsewhere: the map is another one. */
export const graphChanged = signal(0)
