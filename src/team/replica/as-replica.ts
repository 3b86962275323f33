/** Opens a store that is elsewhere as one of several servers does: see `open-replica.ts`. */
import type { OpenedStore, StoreWriting } from '../../core/store/opened-store.ts'
import { openReplica } from './open-replica.ts'
import { rememberContents } from './remember-contents.ts'
import type { ReplicaOptions } from './open-replica.ts'

/** Who has signed in is asked of the database itself. */
type Replicated<Writing extends StoreWriting> = Omit<OpenedStore<Writing>, 'signIns'>

export function asReplica<Opened extends Replicated<Writing>, Writing extends StoreWriting>(
  opened: Opened & Replicated<Writing>,
  options: ReplicaOptions = {},
): Opened & Replicated<Writing> {
  const { now = Date.now } = options
  const replica = openReplica(opened.store, options)
  return {
    ...opened,
    store: replica.store,
    ...(opened.contents && { remembered: rememberContents(opened.contents, replica.orKnown) }),
    lagMs: () => Math.max(0, now() - replica.toldAt()),
    trouble() {
      const since = replica.awaySince()
      return since === undefined
        ? undefined
        : `the database has not answered since ${new Date(since).toISOString()}`
    },
    async openWriting(...options: Parameters<OpenedStore['openWriting']>) {
      const writing = await opened.openWriting(...options)
      const { lock } = writing
      return {
        ...writing,
        lock: {
          ...lock,
          // What the others could not see is not begun.
          async hold(folders, work) {
            await replica.requireReachable()
            return lock.hold(folders, work)
          },
        },
      }
    },
  }
}
