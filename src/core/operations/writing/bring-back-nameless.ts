/** Files that a process had moved aside and that nothing took the place of get their names back. */
import type { View } from '../view/view.ts'

/** Where a change is about to happen. */
export interface Place {
  readonly source: string
  readonly path: string
  readonly from?: string
}

/**
 * Whichever base they were written for. True when there were any. Throws for one of the places
 * given: a note that outlives a change of its file would bring back what the change removed.
 */
export function bringBackNameless(
  { sources, noticeChange }: View,
  beside: readonly Place[] = [],
): boolean {
  let found = false
  for (const { name: source, writer } of sources.values()) {
    const paths = beside
      .filter((each) => each.source === source)
      .flatMap(({ path, from = path }) => (from === path ? [path] : [path, from]))
    const wanted = new Set(paths)
    for (const file of writer?.nameless(paths) ?? []) {
      try {
        if (!file.bringBack() || file.path === undefined) continue
      } catch (error) {
        if (file.path !== undefined && wanted.has(file.path)) throw error
        // What cannot be given its name now is kept, and the next to come tries again.
        continue
      }
      found = true
      noticeChange(source, file.path)
    }
  }
  return found
}
