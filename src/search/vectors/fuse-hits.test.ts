import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fuseHits, MEANING_WEIGHT, meaningWeight, type FusionOptions } from './fuse-hits.ts'

/** `1:4 2:3` as word hits; `1:.5 2:.3` as similarities. */
function fused(words: string, meaning: string, options: Partial<FusionOptions> = {}): string {
  const pairs = (text: string): [number, number][] =>
    text
      .split(' ')
      .filter((pair) => pair !== '')
      .map((pair) => pair.split(':').map(Number) as [number, number])
  const hits = fuseHits(
    pairs(words).map(([doc, score]) => ({ doc, score })),
    pairs(meaning).map(([doc, similarity]) => ({ doc, chunk: 0, similarity })),
    { limit: 10, weight: 0.5, ...options },
  )
  return hits.map(({ doc, score }) => `${doc}:${score.toFixed(2)}`).join(' ')
}

describe('fuseHits', () => {
  it('adds what words and meaning say, each scaled by its best', () => {
    expect(fused('1:8 2:4', '2:0.6 3:0.3')).toBe('2:0.75 1:0.50 3:0.25')
  })

  it('is the order of the words where there is no meaning, and the other way round', () => {
    expect(fused('1:8 2:4', '')).toBe('1:1.00 2:0.50')
    expect(fused('1:8 2:4', '1:0 2:-0.4')).toBe('1:1.00 2:0.50')
    expect(fused('', '2:0.6 3:0.3')).toBe('2:1.00 3:0.50')
    expect(fused('', '')).toBe('')
  })

  it('takes the best passage of a document and breaks ties as told', () => {
    expect(fused('', '5:0.2 5:0.6 5:0.4')).toBe('5:1.00')
    expect(fused('3:1 1:1 2:1', '')).toBe('1:1.00 2:1.00 3:1.00')
    expect(fused('3:1 1:1 2:1', '', { compare: (a, b) => b - a, limit: 2 })).toBe('3:1.00 2:1.00')
  })

  it('never puts a document below one that both sides think less of', () => {
    const hits = fc.uniqueArray(
      fc.record({ doc: fc.nat(9), score: fc.integer({ min: 1, max: 20 }), near: fc.nat(20) }),
      { selector: ({ doc }) => doc },
    )
    fc.assert(
      fc.property(hits, fc.double({ min: 0, max: 1, noNaN: true }), (all, weight) => {
        const result = fuseHits(
          all,
          all.map(({ doc, near }) => ({ doc, chunk: 0, similarity: near / 20 })),
          { limit: 99, weight },
        )
        const rank = new Map(result.map(({ doc }, place) => [doc, place]))
        for (const a of all) {
          for (const b of all) {
            if (a.score > b.score && a.near > b.near) {
              expect(rank.get(a.doc)!).toBeLessThan(rank.get(b.doc) ?? Infinity)
            }
          }
        }
        for (const { score, words, meaning } of result) {
          expect(score).toBeCloseTo(words + meaning, 12)
          expect(score).toBeLessThanOrEqual(1 + 1e-12)
        }
      }),
    )
  })
})

describe('meaningWeight', () => {
  it('grows with the length of the question and with what was understood of it', () => {
    expect(meaningWeight({ words: 0 })).toBe(0)
    expect(meaningWeight({ words: 1 })).toBeLessThan(0.01)
    expect(meaningWeight({ words: 4 })).toBeCloseTo(MEANING_WEIGHT / 4)
    expect(meaningWeight({ words: 8 })).toBe(MEANING_WEIGHT)
    expect(meaningWeight({ words: 80 })).toBe(MEANING_WEIGHT)
    expect(meaningWeight({ words: 8, understood: 0.5 })).toBe(MEANING_WEIGHT / 2)
  })
})
