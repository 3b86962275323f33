/** A file as it is when nobody is in the middle of saving it. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { documentId } from '../../domain/document.ts'
import { type KnowledgeError, conflict, quoted } from '../../domain/error.ts'
import type { FileBytes } from '../../domain/source.ts'
import type { View } from '../view/view.ts'
import { writerOf } from './carry-out.ts'

const LOOK_MS = 20
/** A file that is written to all the time, such as a log, is taken as it is after this long. */
const WAIT_MS = 2_000

/**
 * Editors empty a file before they write it, or write it in pieces. One that was touched a moment
 * ago by someone else is looked at until it rests. Undefined where there is none.
 */
export async function loadRested(
  kb: View,
  source: string,
  path: string,
): Promise<FileBytes | undefined> {
  const restless = holders.getStore()
  if (!restless) return (await waitForRest(kb, source, path)).file
  const file = await writerOf(kb, source).load(path)
  if (file?.unrested && !restless.has(documentId({ source, path }))) {
    throw new Unrested(source, path)
  }
  return file
}

async function waitForRest(
  kb: View,
  source: string,
  path: string,
): Promise<{ readonly file: FileBytes | undefined; readonly rests: boolean }> {
  const writer = writerOf(kb, source)
  const deadline = performance.now() + WAIT_MS
  for (;;) {
    const file = await writer.load(path)
    if (!file?.unrested) return { file, rests: true }
    if (performance.now() > deadline) return { file, rests: false }
    await sleep(LOOK_MS)
  }
}

/** Said to whoever holds the lock, who lets go of it: others write other files meanwhile. */
class Unrested extends Error {
  readonly source: string
  readonly path: string

  constructor(source: string, path: string) {
    super(`${documentId({ source, path })} is being saved.`)
    this.source = source
    this.path = path
  }
}

/** For each of those who must not wait: the documents that never rest, and are taken as they are. */
const holders = new AsyncLocalStorage<ReadonlySet<string>>()

/** A file that rests, and is saved again before the lock is ours, is waited for this often. */
const ROUNDS = 30

/**
 * For work that takes the lock. A file in it that is being saved ends the work; it is waited for
 * without the lock, and then all of the work is done again.
 */
export async function whenRested<Result>(kb: View, work: () => Promise<Result>): Promise<Result> {
  const restless = new Set<string>()
  for (let round = 1; ; round++) {
    try {
      return await holders.run(restless, work)
    } catch (error) {
      if (!(error instanceof Unrested)) throw error
      const { source, path } = error
      if (round === ROUNDS) throw savedAgainAndAgain(documentId({ source, path }))
      const { rests } = await waitForRest(kb, source, path)
      if (!rests) restless.add(documentId({ source, path }))
    }
  }
}

function savedAgainAndAgain(id: string): KnowledgeError {
  return conflict(
    `${quoted(id)} is saved by another program again and again.`,
    'Nothing was changed. Try again in a moment.',
  )
}

/**
 * How often what is missing is looked for where somebody is at work. Looks are counted, not time: a
 * machine that is too busy to let us look may have been too busy for the other one as well.
 */
const APPEAR_LOOKS = 15

/**
 * The same for a file that should be there: in a folder where something came or went a moment ago,
 * it may be in the middle of being replaced.
 */
export async function loadExpected(
  kb: View,
  source: string,
  path: string,
): Promise<FileBytes | undefined> {
  for (let look = 0; ; look++) {
    const file = await loadRested(kb, source, path)
    if (file || look === APPEAR_LOOKS) return file
    if (!(await writerOf(kb, source).stirred(path))) return file
    await sleep(LOOK_MS)
  }
}
