/** Waits for the index where an answer would be wrong without every document. */
import { setTimeout as sleep } from 'node:timers/promises'
import { KnowledgeError, unavailable } from '../../domain/error.ts'
import { SOON_LOOKED_THROUGH } from '../../indexing/count-documents.ts'
import type { Knowledge } from './knowledge.ts'
import { lookAtAllAgain } from './snapshot.ts'
import { warmUp } from './warm-up.ts'

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

/**
 * Readiness gate for a base that is being built: what is missing from its index says nothing yet.
 * Whoever asks waits for a while, and is told when that was not enough.
 */
export interface Building {
  /** One wait for all calls together: who comes after it is told at once. */
  wait(): Promise<void>
  /** How far it is; undefined once every file has been read. */
  note(): string | undefined
}

/** No call waits longer than it may take. */
export function createBuilding(kb: CatchesUp, timeLimitMs = WAIT_MS): Building {
  let first: Promise<void> | undefined
  return {
    wait: () => (first ??= awaitIndex(kb, Math.min(WAIT_MS, timeLimitMs))),
    note() {
      const progress = kb.catchingUp()
      // Where it was complete before, what changed since may be missing and nothing else.
      if (!progress || progress.wasComplete || !isBehind(kb)) return undefined
      const { phase, done, total } = progress
      const far = phase === 'index' ? ` (${done} of ${total})` : ''
      return `The files are being read for the first time${far}; what is not found may be among the rest.`
    },
  }
}

/** Whoever asks can do nothing but wait, and is told so in every vocabulary. */
export class BeingBuilt extends KnowledgeError {
  constructor(note: string) {
    super('unavailable', note, 'Try again in a moment.')
  }
}

const LOOK_WAIT_MS = 2_000

/**
 * After a start, whether anything has changed is known a moment later. An answer that waits for it
 * is current and needs no remark; larger bases answer from the last look, and say so. What answers
 * are made of is loaded meanwhile.
 */
export function firstLook(
  kb: CatchesUp & Pick<Knowledge, 'store' | 'index'>,
  waitMs = LOOK_WAIT_MS,
): () => Promise<void> {
  let over = false
  let warm: Promise<void> | undefined
  return async () => {
    if (over) return
    const deadline = performance.now() + waitMs
    for (;;) {
      const progress = kb.catchingUp()
      if (progress?.phase !== 'scan' || performance.now() > deadline) break
      const documents = (await kb.store.pathOrder()).length
      // A base that was never indexed has a long way to go, and nothing to wait for.
      if (documents === 0 || progress.done > 0) break
      // Whoever needs what could not be loaded is told why.
      warm ??= warmUp(kb).catch(() => {})
      if (documents > SOON_LOOKED_THROUGH) break
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
  throw unavailable(
    'The files are still being looked through, so not every link is known yet.',
    'Nothing was changed. Try again in a moment.',
  )
}
