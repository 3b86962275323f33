/** Puts what was just written into the index, so that the next call of this process sees it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { documentId } from '../../domain/document.ts'
import { quoted } from '../../domain/error.ts'
import { pictureType } from '../../domain/picture.ts'
import type { Warning } from '../../domain/warning.ts'
import { indexWritten } from '../../indexing/index-written.ts'
import { hasEntities } from '../../indexing/indexer.ts'
import { mergeStoredSegments } from '../../indexing/merge-stored-segments.ts'
import { isBehind } from '../view/await-index.ts'
import { trunkOf } from '../view/narrow-base.ts'
import type { View } from '../view/view.ts'
import { digestOf } from './carry-out.ts'
import type { Plan } from './change-files.ts'

export interface WrittenPlace {
  readonly source: string
  readonly path: string
  /** Where the document was before, when it moved. */
  readonly from?: string
  /** What it holds now; nothing where it is gone. */
  readonly after?: Uint8Array | undefined
}

/** The index follows the files; if it cannot right now, the process that watches will see to it. */
export async function putIntoIndex(
  kb: View,
  places: readonly WrittenPlace[],
  patienceMs?: number,
): Promise<Warning[]> {
  if (kb.base.indexedBeside && isMuch(places)) return leaveToIndexer(kb, places)
  try {
    await indexPlaces(kb, places, patienceMs)
    await keepSegmentsFew(kb)
    return []
  } catch (error) {
    for (const { source, path } of places) kb.noticeChange(source, path)
    const why = error instanceof Error ? error.message : String(error)
    const message = `The change is saved; the index will show it a little later (${why}).`
    return [{ kind: 'index', message }]
  }
}

/** More than this would keep everybody waiting while it is read, cut and linked. */
const MUCH_BYTES = 48 * 1024
const MANY_PLACES = 50

export function isMuch(places: readonly WrittenPlace[]): boolean {
  const bytes = places.reduce((sum, { after }) => sum + (after?.length ?? 0), 0)
  return bytes > MUCH_BYTES || places.length > MANY_PLACES
}

const LOOK_MS = 20
const PATIENCE_MS = 2_000

/** The thread that indexes does it; the caller's next call sees it all the same where it is quick. */
export async function leaveToIndexer(
  kb: View,
  places: readonly WrittenPlace[],
): Promise<Warning[]> {
  for (const { source, path, from } of places) {
    kb.noticeChange(source, path)
    if (from !== undefined) kb.noticeChange(source, from)
  }
  // Nothing of a picture is in the index.
  const last = places.findLast(({ path }) => pictureType(path) === undefined)
  if (!last) return []
  const digest = last.after && digestOf(last.after)
  for (const until = performance.now() + PATIENCE_MS; performance.now() < until;) {
    const known = await kb.store.findByPath(last.source, last.path)
    if (known?.digest === digest) return []
    await sleep(LOOK_MS)
  }
  const message = 'The change is saved; the index will show it a little later.'
  return [{ kind: 'index', message }]
}

async function indexPlaces(
  kb: View,
  places: readonly WrittenPlace[],
  patienceMs: number | undefined,
): Promise<void> {
  const put: Parameters<typeof indexWritten>[2]['put'][number][] = []
  const removed: { source: string; path: string }[] = []
  for (const { source, path, from } of places) {
    if (from !== undefined && from !== path) removed.push({ source, path: from })
    const place = kb.sources.get(source)
    const [content] = (await place?.read([path])) ?? []
    const holdsCode = place?.holdsCode ?? false
    if (content?.kind === 'text') put.push({ source, file: content, holdsCode })
    else removed.push({ source, path })
  }
  const joined = hasEntities(trunkOf(kb.base).sources.values())
  await indexWritten(kb.base.store, kb.formatOf, { put, removed, joined, patienceMs })
}

/** Whoever watches merges small segments; where nobody does, writers must not pile them up. */
const MANY_SEGMENTS = 64

export async function keepSegmentsFew({ base: { store }, writing }: View): Promise<void> {
  if (!writing || (await store.segments()).length < MANY_SEGMENTS) return
  await mergeStoredSegments(store, writing.owner)
}

const DEAD_ENDS = 20

/** Links of the changed document that lead nowhere: its author may want to know. */
export async function deadEnds(kb: View, { edits: [edit] }: Plan): Promise<Warning[]> {
  // Where they lead may not be indexed yet.
  if (isBehind(kb)) return []
  const record = edit?.after && (await kb.store.findByPath(edit.source, edit.path))
  if (!record) return []
  const ref = documentId(record)
  const targets = await kb.store.deadEnds(record.no, DEAD_ENDS)
  return targets.map((target) => ({
    kind: 'broken_link',
    message: `The link ${quoted(target)} in ${ref} leads nowhere yet.`,
    ref,
  }))
}
