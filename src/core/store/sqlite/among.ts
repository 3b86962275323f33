/** Questions about some documents only: their numbers go into a statement as one value. */
import type { Among } from '../document-store.ts'

/** `IN` what a list holds, given with `listed`. */
export const IN_LISTED = 'IN (SELECT value FROM json_each(?))'

export function listed(among: Among): string {
  return `[${among.join(',')}]`
}
