import { describe, expect, it } from 'vitest'
import { logScale, renderChart, shortNumber } from '../bench/chart.ts'

describe('the benchmark chart', () => {
  it('has whole powers of ten around the values', () => {
    const { ticks, place } = logScale([0.3, 40])
    expect(ticks).toEqual([0.1, 1, 10, 100])
    expect(place(0.1)).toBe(0)
    expect(place(100)).toBeCloseTo(1)
    expect(place(10)).toBeCloseTo(2 / 3)
    expect(place(0)).toBe(0)
  })

  it('leaves room above the largest value, and stands without values', () => {
    expect(logScale([100]).place(100)).toBeLessThan(1)
    expect(logScale([]).ticks.length).toBeGreaterThan(1)
  })

  it.each([
    [0.0123, '0.012'],
    [0.5, '0.50'],
    [3.21, '3.2'],
    [123.4, '123'],
  ])('writes %d as %s', (value, expected) => {
    expect(shortNumber(value)).toBe(expected)
  })

  it('draws a bar for every figure and a dash for what is missing', () => {
    const svg = renderChart('Fast & slow', [
      {
        title: 'Questions <1>',
        unit: 'ms',
        series: ['Cairn', 'FTS5'],
        groups: [
          { label: 'one', values: [0.1, 1] },
          { label: 'typo', values: [0.2, null] },
        ],
      },
    ])
    expect(svg).toContain('aria-label="Fast &amp; slow"')
    expect(svg).toContain('Questions &lt;1>')
    expect(svg).toContain('prefers-color-scheme: dark')
    expect(svg.match(/rx="1.5"/g)).toHaveLength(3)
    expect(svg).toContain('>–</text>')
    expect(svg).not.toMatch(/NaN|undefined|Infinity/)
  })
})
