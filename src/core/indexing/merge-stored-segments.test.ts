/** Merging beside others who write: what goes or changes meanwhile is found no more. */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { note } from '../../../test/contract/store-contract.ts'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { docSet } from '../search/doc-set.ts'
import { createLexicalIndex } from '../search/lexical-index.ts'
import { SegmentBuilder } from '../search/segment/segment-builder.ts'
import { openSqliteStore } from '../store/sqlite/open-sqlite-store.ts'
import type { Store } from '../store/store.ts'
import { mergeStoredSegments } from './merge-stored-segments.ts'
import { resolveLink } from './resolve-link.ts'

/** A word for each number. */
function lettersOf(no: number): string {
  return String.fromCharCode(97 + (no % 26), 97 + Math.floor(no / 26), 107)
}

async function put(store: Store, no: number, text: string): Promise<void> {
  const builder = new SegmentBuilder()
  const about = { title: `T${no}`, aliases: [], tags: [], path: `${no}.md` }
  builder.add({ doc: no, ...about, text, bodyStart: 0, headings: [], chunkStarts: [] })
  const document = note(no, `${no}.md`, { digest: text })
  const segment = { docs: [no], ...builder.finish() }
  await store.commit({ put: [document], segment }, resolveLink)
}

async function wordsOf(store: Store) {
  const index = createLexicalIndex()
  const segments = await store.segments()
  await index.setSegments(
    segments.map(({ id, deleted }) => ({
      id: String(id),
      deleted: docSet(deleted),
      reader: {
        resident: (name: string) => store.segmentStream(id, name),
        paged: (name: string, ranges: readonly { start: number; end: number }[]) =>
          store.segmentRanges(id, name, ranges),
      },
    })),
  )
  const find = async (word: string) =>
    (await index.search(`"${word}"`, { limit: 50 })).hits.map(({ doc }) => doc)
  return { documents: index.documents, segments: segments.length, find }
}

/** Every call that a merge makes to read is a moment at which others may write. */
it.each(['segments', 'segmentStream', 'segmentRanges', 'commit'] as const)(
  'forgets what was removed or changed behind its call of %s',
  async (call) => {
    const { store } = await openSqliteStore(join(temporaryFolder(), 'index.db'), '1')
    for (let no = 1; no <= 40; no++) await put(store, no, `old${lettersOf(no)} tea`)
    let calls = 0
    const last = call === 'segments' ? 2 : 1
    const raced: Store = {
      ...store,
      [call]: async (...given: never[]) => {
        const said = await (store[call] as (...values: never[]) => unknown)(...given)
        if (++calls === last) {
          await store.commit({ remove: [1] }, resolveLink)
          await put(store, 2, 'changed tea')
        }
        return said
      },
    }
    await mergeStoredSegments(raced, 'me')
    expect(calls).toBeGreaterThanOrEqual(last)
    const { documents, segments, find } = await wordsOf(store)
    expect(segments).toBeLessThan(40)
    expect(documents).toBe(39)
    // Words that nothing has lead to those that are spelt nearly so.
    expect(await find(`old${lettersOf(1)}`)).not.toContain(1)
    expect(await find(`old${lettersOf(2)}`)).not.toContain(2)
    expect(await find('changed')).toEqual([2])
    expect(await find(`old${lettersOf(30)}`)).toEqual([30])
    await store.close()
  },
)
