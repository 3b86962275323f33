/**
 * One look at the stamps for one call. Where the store is a database elsewhere, every look is a
 * round trip; and an answer whose parts are of one moment is what its reader expects. It never is
 * older than the moment at which the call first looked.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Stamps, Store } from '../../store/store.ts'

interface Looks {
  of: WeakMap<object, { readonly stamps: Promise<Stamps>; readonly at: number }>
}

const looks = new AsyncLocalStorage<Looks>()

/** A call that takes longer than this is no longer about one moment. */
const HOLDS_MS = 1_000

/** For a call that only reads: who writes must see what was written. */
export function withOneSnapshot<Result>(work: () => Promise<Result>): Promise<Result> {
  return looks.run({ of: new WeakMap() }, work)
}

export function stampsOf(store: Pick<Store, 'stamps'>): Promise<Stamps> {
  const known = looks.getStore()?.of
  if (!known) return store.stamps()
  const last = known.get(store)
  if (last && performance.now() - last.at < HOLDS_MS) return last.stamps
  const stamps = store.stamps()
  known.set(store, { stamps, at: performance.now() })
  // A look that failed is told to those who asked; whoever asks next looks again.
  stamps.catch(() => known.delete(store))
  return stamps
}

/** Has the rest of the call look again. */
export function lookAgain(store: Pick<Store, 'stamps'>): void {
  looks.getStore()?.of.delete(store)
}

/** For whoever has waited for something in the middle of a call, such as the index. */
export function lookAtAllAgain(): void {
  const known = looks.getStore()
  if (known) known.of = new WeakMap()
}
