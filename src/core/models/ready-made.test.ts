import { expect, it } from 'vitest'
import { readReadyMade } from './ready-made.ts'

/** What all-MiniLM-L6-v2 was measured with. */
const MINILM = { unrelated: 0.001, related: 0.46 }

it('reads a model alike, wherever its cosines begin', () => {
  // The same model with a part that all texts share: every cosine is squeezed into .8 to 1.
  const squeezed = (cosine: number): number => 0.8 + 0.2 * cosine
  const model = readReadyMade(MINILM, 200)
  const other = readReadyMade(
    { unrelated: squeezed(MINILM.unrelated), related: squeezed(MINILM.related) },
    200,
  )
  expect(other.baseline).toBeCloseTo(squeezed(model.baseline!))
  expect(other.nearEnough).toBeCloseTo(squeezed(model.nearEnough!))
  expect(other.unrelatedAt).toBeCloseTo(squeezed(model.unrelatedAt!))
})

it('asks for more among more documents, up to an end', () => {
  const among = [1, 8, 300, 3_000, 3_000_000].map((n) => readReadyMade(MINILM, n).nearEnough!)
  expect(among[0]).toBe(among[1])
  expect(among.toSorted((a, b) => a - b)).toEqual(among)
  expect(among[1]).toBeLessThan(among[2]!)
  expect(among.at(-1)).toBeLessThan(1.3 * MINILM.related)
  // One note more changes nothing.
  expect(readReadyMade(MINILM, 301)).toEqual(readReadyMade(MINILM, 300))
})

it('trusts no model that finds answers no nearer than anything else', () => {
  expect(readReadyMade({ unrelated: 0.5, related: 0.52 }, 100)).toEqual({
    understood: 1,
    general: 0,
    scale: 1,
  })
})
