/**
 * When did sentences come into their notes? Cairn's history and git know of those that say no day
 * themselves. Asked only where two of them contradict each other, for those who may read the past
 * (docs/decisions/0116-the-same-sentence-later.md).
 */
import { documentId } from '../../domain/document.ts'
import { KnowledgeError } from '../../domain/error.ts'
import type { View } from '../view/view.ts'
import { changesOfText } from '../writing/past-versions.ts'
import type { FoundPassage } from './find-passages.ts'

interface SaidIn {
  readonly passage: FoundPassage
  readonly text: string
}

/** The last changes of a sentence: the newest that brought it counts. */
const CHANGES = 5
/** Of so many sentences. */
const MOST = 4
/** Nobody waits longer for it: then nothing is known. */
const LONGEST_MS = 1_000

/** Milliseconds since the epoch, for those of which somebody knows. */
export async function historiesOf(
  kb: View,
  said: readonly SaidIn[],
): Promise<ReadonlyMap<FoundPassage, number>> {
  const found = new Map<FoundPassage, number>()
  const all = said.slice(0, MOST).map(async ({ passage, text }) => {
    const at = await broughtAt(kb, documentId(passage.live.record), text)
    if (at !== undefined) found.set(passage, at)
  })
  const { promise: isLate, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, LONGEST_MS)
  await Promise.race([Promise.all(all), isLate])
  clearTimeout(timer)
  return new Map(found)
}

async function broughtAt(kb: View, id: string, text: string): Promise<number | undefined> {
  try {
    const changes = await changesOfText(kb, id, text, CHANGES)
    const change = changes.find(({ brought }) => brought)
    return change?.operation?.at ?? change?.commit?.at
  } catch (error) {
    if (error instanceof KnowledgeError) return undefined
    throw error
  }
}
