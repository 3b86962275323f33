/** The store, telling when the index behind it is another one: it was deleted, or set aside. */
import type { Store } from '../../core/store/store.ts'

/** Every answer looks at the stamps first, so none is given from a new index without this. */
export function noticeNewIndex(store: Store, onNew: () => void): Store {
  let epoch: string | undefined
  const stamps: Store['stamps'] = async () => {
    const now = await store.stamps()
    if (epoch !== undefined && now.epoch !== epoch) onNew()
    epoch = now.epoch
    return now
  }
  return { ...store, stamps }
}
