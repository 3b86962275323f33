/** How many documents there are, and nothing else: all counts go through every table of an index. */
import type { Store } from '../store/store.ts'

/** A base of so many documents is looked through in the time that a reply may take. */
export const SOON_LOOKED_THROUGH = 10_000

export async function countDocuments(store: Pick<Store, 'list'>): Promise<number> {
  return (await store.list({}, 'path', { offset: 0, limit: 0 })).total
}
