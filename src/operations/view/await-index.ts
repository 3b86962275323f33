/** Waits for the index where an answer would be wrong without every document. */
import { setTimeout as sleep } from 'node:timers/promises'
import { KnowledgeError } from '../../domain/error.ts'
import type { Knowledge } from './knowledge.ts'
import { lookAtAllAgain } from './one-look.ts'

type CatchesUp = Pick<Knowledge, 'catchingUp'>

const WAIT_MS = 20_000
const LOOK_MS = 20

/** Some documents may not be in the index yet. */
export function isBehind(kb: CatchesUp): boolean {
  const phase = kb.catchingUp()?.phase
  return phase === 'scan' || phase === 'index'
}

/** Resolves when the index has caught up with the files, or when that takes too long. */
export async function awaitIndex(kb: CatchesUp, waitMs = WAIT_MS): Promise<void> {
  const deadline = performance.now() + waitMs
  while (isBehind(kb) && performance.now() < deadline) {
    await sleep(LOOK_MS)
    lookAtAllAgain()
  }
}

/** A base of so many documents is looked through in the time that a reply may take. */
const SOON_LOOKED_THROUGH = 5_000
const LOOK_WAIT_MS = 2_000

/**
 * After a start, whether anything has changed is known a moment later. An answer that waits for it
 * is current and needs no remark; larger bases answer from the last look, and say so.
 */
export function firstLook(
  kb: CatchesUp & Pick<Knowledge, 'store'>,
  waitMs = LOOK_WAIT_MS,
): () => Promise<void> {
  let over = false
  return async () => {
    if (over) return
    const deadline = performance.now() + waitMs
    while (kb.catchingUp()?.phase === 'scan' && performance.now() < deadline) {
      const documents = (await kb.store.pathOrder()).length
      // A base that was never indexed has a long way to go, and nothing to wait for.
      if (documents === 0 || documents > SOON_LOOKED_THROUGH) break
      await sleep(LOOK_MS)
      lookAtAllAgain()
    }
    over = true
  }
}

/** For changes that follow links: a link that is not known yet would be left to break. */
export async function requireIndex(kb: CatchesUp, waitMs = WAIT_MS): Promise<void> {
  await awaitIndex(kb, waitMs)
  if (!isBehind(kb)) return
  throw new KnowledgeError(
    'unavailable',
    'The files are still being looked through, so not every link is known yet.',
    'Nothing was changed. Try again in a moment.',
  )
}
