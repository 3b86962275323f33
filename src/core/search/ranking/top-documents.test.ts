/** Early termination against looking at everything: the same candidates, fewer documents. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { randomNumbers } from '../../../../test/search/random.ts'
import { makeDocument, TestBase } from '../../../../test/search/test-base.ts'
import { LiveSegment, rankSegment } from '../live-segment.ts'
import type { RankedSegment } from '../live-segment.ts'
import { openSegment } from '../segment/segment.ts'
import { TermList } from '../segment/term-list.ts'
import { encodeTerm } from '../segment/term-table.ts'
import { listCursor } from './cursor.ts'
import type { Cursor } from './cursor.ts'
import { statisticsOf } from './statistics.ts'
import { TopDocuments } from './top-documents.ts'

const WORDS = Array.from({ length: 40 }, (_, i) => `w${i}x`)

/** Texts that favour the first words; later documents are longer, so averages move apart. */
async function openSegments(): Promise<{ segments: RankedSegment[]; lists: TermList[][] }> {
  const random = randomNumbers(11)
  const sentence = (length: number): string =>
    Array.from({ length }, () => WORDS[Math.floor(random() ** 3 * WORDS.length)]).join(' ')
  const base = new TestBase()
  for (const [from, to, length] of [
    [0, 2600, 12],
    [2600, 4000, 60],
  ]) {
    base.write(
      Array.from({ length: to! - from! }, (_, i) =>
        makeDocument(from! + i, {
          title: random() < 0.2 ? sentence(2) : 'note',
          aliases: [],
          tags: [],
          sections: [{ heading: '', body: sentence(3 + Math.floor(random() * length!)) }],
        }),
      ),
    )
  }
  const live = await Promise.all(
    base.sources().map(async (source) => new LiveSegment(source, await openSegment(source.reader))),
  )
  const statistics = statisticsOf(live.map(({ totals }) => totals))
  const lists = await Promise.all(
    live.map(({ segment }) =>
      Promise.all(
        WORDS.map(async (word) => {
          const term = segment.terms.find(encodeTerm(word))
          const [postings] = await segment.reader.paged('postings', [
            { start: segment.postingOffsets[term]!, end: segment.postingOffsets[term + 1]! },
          ])
          return new TermList(postings!, new Uint8Array())
        }),
      ),
    ),
  )
  return { segments: live.map((segment) => rankSegment(segment, statistics)), lists }
}

it('keeps exactly the best candidates', async () => {
  const { segments, lists } = await openSegments()
  let examined = 0
  let matching = 0
  const word = fc.record({
    word: fc.nat(WORDS.length - 1),
    weight: fc.double({ min: 0.1, max: 8, noNaN: true }),
  })
  fc.assert(
    fc.property(
      fc.uniqueArray(word, { minLength: 1, maxLength: 7, selector: ({ word }) => word }),
      fc.constantFrom(0, 1, 6),
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 1, max: 9 }),
      (query, titleWeight, limit, gap) => {
        const fieldWeights = Float64Array.of(titleWeight, 1, 1, 0, 0)
        const cursorsOf = (s: number): Cursor[] =>
          query.map(({ word, weight }) => {
            const { inverseNorms, drift } = segments[s]!
            return listCursor(lists[s]![word]!, { weight, fieldWeights, inverseNorms, drift })
          })
        const top = new TopDocuments(limit, (a, b) => b - a)
        const all: { doc: number; score: number }[] = []
        for (const [s, { live }] of segments.entries()) {
          const documents = live.segment.documents.numbers
          const accepts = (ordinal: number): boolean => ordinal % gap !== 1
          top.search({ segment: s, documents, cursors: cursorsOf(s), accepts })
          const cursors = cursorsOf(s)
          documents.forEach((doc, ordinal) => {
            const score = cursors.reduce((sum, cursor) => sum + cursor.scoreOf(ordinal), 0)
            if (score > 0) matching++
            if (score > 0 && accepts(ordinal)) all.push({ doc, score })
          })
        }
        examined += top.examined
        const best = all.toSorted((a, b) => b.score - a.score || b.doc - a.doc).slice(0, limit)
        const kept = segments.flatMap(({ live }, s) => {
          const { ordinals, scores } = top.candidatesIn(s)
          const documents = live.segment.documents.numbers
          return Array.from(ordinals, (ordinal, i) => ({
            doc: documents[ordinal],
            score: scores[i],
          }))
        })
        expect(kept).toEqual(best.toSorted((a, b) => a.doc - b.doc))
      },
    ),
    { numRuns: 80, endOnFailure: true },
  )
  expect(examined).toBeLessThan(matching / 3)
})
