/** The accumulators against scoring document by document: the same candidates and sums. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { randomNumbers } from '../../../../test/search/random.ts'
import { termScore } from '../../../../test/search/naive-search.ts'
import { makeDocument, TestBase } from '../../../../test/search/test-base.ts'
import { LiveSegment, rankSegment } from '../live-segment.ts'
import type { RankedSegment } from '../live-segment.ts'
import { openSegment } from '../segment/segment.ts'
import { eachDocument, TermList } from '../segment/term-list.ts'
import { encodeTerm } from '../segment/term-table.ts'
import { giveBack, takeSums } from './score-sums.ts'
import type { Scorer } from './score-sums.ts'
import { SCORE_UNIT } from './bm25f.ts'
import { statisticsOf } from './statistics.ts'

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
          const [list] = await segment.reader.paged('lists', [
            { start: segment.listOffsets[term]!, end: segment.listOffsets[term + 1]! },
          ])
          return new TermList(list!)
        }),
      ),
    ),
  )
  return { segments: live.map((segment) => rankSegment(segment, statistics)), lists }
}

/** The score of every document of a list, worked out from its frequencies. */
function scoresOf(
  list: TermList,
  { weight, fieldWeights, inverseNorms }: Scorer,
): Map<number, number> {
  const scores = new Map<number, number>()
  eachDocument(list, (ordinal, frequencies, at) => {
    const frequency = [2, 0, 1, 3, 4].reduce(
      (sum, f) => sum + fieldWeights[f]! * frequencies[at + f]! * inverseNorms[ordinal * 5 + f]!,
      0,
    )
    scores.set(ordinal, termScore(weight, frequency))
  })
  return scores
}

it('keeps exactly the best candidates', async () => {
  const { segments, lists } = await openSegments()
  const bases = [0, segments[0]!.live.segment.documents.count]
  const count = bases[1]! + segments[1]!.live.segment.documents.count
  const word = fc.record({
    /** Of several the best counts. */
    words: fc.uniqueArray(fc.nat(WORDS.length - 1), { minLength: 1, maxLength: 3 }),
    weight: fc.double({ min: 0.1, max: 8, noNaN: true }),
  })
  fc.assert(
    fc.property(
      fc.array(word, { minLength: 1, maxLength: 7 }),
      fc.constantFrom(0, 1, 6),
      fc.integer({ min: 1, max: 400 }),
      fc.option(fc.integer({ min: 1, max: 300 }), { nil: undefined }),
      (query, titleWeight, limit, gap) => {
        const fieldWeights = Float64Array.of(titleWeight, 1, 1, 0, 0)
        const sums = takeSums(count)
        const all: { place: number; score: number }[] = []
        for (const [s, { live, inverseNorms }] of segments.entries()) {
          const ordinals = live.segment.documents.numbers.map((_, ordinal) => ordinal)
          const among = gap && Int32Array.from(ordinals.filter((ordinal) => ordinal % gap === 1))
          const scored = query.map(({ words, weight }) =>
            words.map((word, i): [TermList, Scorer] => [
              lists[s]![word]!,
              { weight: weight / (i + 1), fieldWeights, inverseNorms },
            ]),
          )
          for (const each of scored) sums.add(each, bases[s]!, among || undefined)
          const oracle = scored.map((each) => each.map((one) => scoresOf(...one)))
          for (const ordinal of ordinals) {
            const place = bases[s]! + ordinal
            const score = oracle.reduce(
              (sum, each) => sum + Math.max(...each.map((scores) => scores.get(ordinal) ?? 0)),
              0,
            )
            if (gap && ordinal % gap !== 1) sums.sums[place] = 0
            else if (score > 0) all.push({ place, score })
          }
        }
        const most = query.reduce((sum, { weight }) => sum + Math.ceil(weight / SCORE_UNIT), 0)
        const places = sums.best(limit, most, (a, b) => b - a)
        const kept = Array.from(places, (place) => ({ place, score: sums.sums[place]! }))
        giveBack(sums)
        const best = all.toSorted((a, b) => b.score - a.score || b.place - a.place).slice(0, limit)
        expect(kept).toEqual(best.toSorted((a, b) => a.place - b.place))
      },
    ),
    { numRuns: 60, endOnFailure: true },
  )
})
