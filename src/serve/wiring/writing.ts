/** Opens what writing needs: the lock and the history of the store, under a name of this process. */
import type { Config } from '../config/config.ts'
import type { Writing } from '../../core/operations/view/knowledge.ts'
import type { FolderLocks } from '../../core/domain/write-lock.ts'
import type { OpenedStore } from '../../core/store/opened-store.ts'
import type { BaseWriting } from '../parts/stores.ts'
import { openServingMarks } from '../lifecycle/serving-marks.ts'
import { leaseOwner } from '../lifecycle/start-indexing.ts'

export interface OpenedWriting extends Writing, Pick<BaseWriting, 'serve'> {
  /** What whoever runs the base should know. */
  readonly warning: string | undefined
  close(): Promise<void>
}

export async function openWriting(
  opened: Pick<OpenedStore<BaseWriting>, 'openWriting'>,
  { historyKeep = {}, state, store }: Partial<Pick<Config, 'historyKeep' | 'state' | 'store'>> = {},
  isHere?: (source: string) => boolean,
): Promise<OpenedWriting> {
  const writing = marked(await opened.openWriting(historyKeep, isHere), state)
  try {
    return { ...writing, owner: leaseOwner(), warning: await bring(writing) }
  } catch (error) {
    await writing.close()
    throw error
  }

  async function bring(into: typeof writing): Promise<string | undefined> {
    if (state === undefined || store === undefined) return undefined
    const { bringHistory } = await import('./bring-history.ts')
    return bringHistory({ state, store }, into)
  }
}

/** Whoever writes to a folder is at work there from then on: nobody puts another one in its place. */
function marked(writing: BaseWriting, state: string | undefined): BaseWriting {
  if (state === undefined) return writing
  const { lock } = writing
  const marks = openServingMarks(state)
  const hold: FolderLocks['hold'] = (folders, work) =>
    lock.hold(folders, async () => {
      marks.put(folders)
      return work()
    })
  const close = async (): Promise<void> => {
    marks.close()
    await writing.close()
  }
  return { ...writing, lock: { ...lock, hold }, close }
}
