/**
 * Leader by lease, for work that only one process of all that serve a base does at a time. The
 * right to it is taken for the work and given back after it; where its holder dies, it runs out and
 * another takes it.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Lease, Role, Store } from '../store/store.ts'

/** With the second in which others look for it, another takes over within 15 seconds. */
export const LEASE_MS = 12_000
export const RENEW_MS = 3_000

/** Undefined where another process has the right: it does the work. */
export async function holdingRole<Result>(
  store: Store,
  { owner, role }: { readonly owner: string; readonly role: Role },
  work: (lease: Lease) => Promise<Result>,
): Promise<Result | undefined> {
  const lease = await store.acquireLease(owner, LEASE_MS, role)
  if (!lease) return undefined
  const renewing = setInterval(
    () => void store.acquireLease(owner, LEASE_MS, role).catch(() => {}),
    RENEW_MS,
  )
  try {
    return await work(lease)
  } finally {
    clearInterval(renewing)
    // Where it cannot be given back it runs out.
    await store.releaseLease(owner, role).catch(() => {})
  }
}

const LOOK_AGAIN_MS = 200

/** Waits as long as a lease lasts: its holder may have died. */
export async function awaitingRole<Result>(
  store: Store,
  as: { readonly owner: string; readonly role: Role },
  work: (lease: Lease) => Promise<Result>,
): Promise<Result | undefined> {
  const until = performance.now() + LEASE_MS + RENEW_MS
  for (;;) {
    const done = await holdingRole(store, as, async (lease) => ({ result: await work(lease) }))
    if (done) return done.result
    if (performance.now() > until) return undefined
    await sleep(LOOK_AGAIN_MS)
  }
}

/** The same store, whose vectors are put by this right and refused once another has it. */
export function learningUnder(store: Store, lease: Lease): Store {
  const own: Pick<Store, 'putVectors' | 'putModel' | 'serveEmbedder'> = {
    putVectors: (embedder, rows) => store.putVectors(embedder, rows, lease),
    putModel: (embedder, data) => store.putModel(embedder, data, lease),
    serveEmbedder: (embedder) => store.serveEmbedder(embedder, lease),
  }
  return Object.assign(Object.create(store) as Store, own)
}
