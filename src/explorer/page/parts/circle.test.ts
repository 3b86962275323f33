import { describe, expect, it } from 'vitest'
import { circled } from './circle.ts'

describe('places around a note', () => {
  it('are in the window, and no two names on one side share a line', () => {
    for (let count = 1; count <= 12; count++) {
      const names = Array.from({ length: count }, (_, at) => `${at}`)
      const placed = [...circled(names).values()]
      expect(placed).toHaveLength(count)
      for (const { x, y } of placed) {
        expect(Math.abs(x)).toBeLessThanOrEqual(48)
        expect(Math.abs(y)).toBeLessThanOrEqual(96)
      }
      for (const side of ['start', 'end']) {
        const lines = placed.filter((each) => each.side === side).map(({ y }) => y)
        const gaps = lines.toSorted((a, b) => a - b).map((y, at, all) => y - (all[at - 1] ?? -1e3))
        expect(Math.min(...gaps, 1e3)).toBeGreaterThan(12)
      }
    }
  })
})
