import { describe, expect, it } from 'vitest'
import {
  benchEnvironment,
  benchOptions,
  formatFaster,
  formatMb,
  formatMs,
  formatRatio,
  markdownTable,
  percentile,
  processMemory,
  rotated,
  splitHeadlines,
  treeMemory,
} from '../bench/harness.ts'

describe('benchmark figures', () => {
  it.each([
    [[3, 1, 2], 0.5, 2],
    [[1, 2, 3, 4], 0.5, 2],
    [[5], 0.99, 5],
    [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 0.95, 10],
    [[], 0.5, NaN],
  ])('%j at %d is %d', (values, part, expected) => {
    expect(percentile(values, part)).toBe(expected)
  })

  it('keeps two digits that mean something', () => {
    expect([0.0123, 0.5, 12.34, 123.4, 4321, NaN].map(formatMs)).toEqual([
      '0.012 ms',
      '0.50 ms',
      '12 ms',
      '123 ms',
      '4.32 s',
      '–',
    ])
    expect(formatMb(3 * 2 ** 20)).toBe('3.0 MB')
    expect(formatRatio(1, 40)).toBe('0.025x')
    expect(formatRatio(1, undefined)).toBe('–')
  })

  it('lines up tables and fills short rows', () => {
    expect(markdownTable(['what', 'a'], [['tea', '12'], ['kettle']]).split('\n')).toEqual([
      '| what   |   a |',
      '| ------ | --: |',
      '| tea    |  12 |',
      '| kettle |     |',
    ])
  })

  it('takes headlines out of the text', () => {
    const line = { what: 'x', measured: '1 ms' }
    const bars = { title: 'x', unit: 'ms', series: ['a'], groups: [] }
    const output = `# One\nbench-headline ${JSON.stringify(line)}\nbench-panel ${JSON.stringify(bars)}\ntext`
    expect(splitHeadlines(output)).toEqual({
      text: '# One\ntext',
      headlines: [line],
      panels: [bars],
    })
  })

  it('says how many times faster', () => {
    expect(formatFaster(2, 60)).toBe('30 times')
    expect(formatFaster(2, 1)).toBe('0.50 times')
    expect(formatFaster(undefined, 1)).toBe('–')
    expect(formatFaster(1, NaN)).toBe('–')
  })

  it('lets everybody be first', () => {
    expect([0, 1, 2, 3].map((by) => rotated(['a', 'b', 'c'], by).join(''))).toEqual([
      'abc',
      'bca',
      'cab',
      'abc',
    ])
    expect(rotated([], 1)).toEqual([])
  })

  it('reads its flags', () => {
    expect(benchOptions([])).toEqual({ quick: false, set: 'vault-mdn' })
    expect(benchOptions(['--quick', '--set', 'cran'])).toEqual({ quick: true, set: 'cran' })
    expect(benchEnvironment({ quick: false, set: 'cran' })).toEqual({ CAIRN_BENCH_SET: 'cran' })
  })

  it.skipIf(process.platform !== 'linux')('adds up a process and its children', () => {
    const { bytes, processes } = treeMemory(process.pid)
    expect(bytes).toBeGreaterThan(2 ** 20)
    expect(processes).toBeGreaterThan(0)
    expect(treeMemory(2 ** 30)).toEqual({ bytes: 0, processes: 0 })
  })

  it.skipIf(process.platform === 'win32')(
    'knows how much memory a process uses, and that none uses nothing',
    async () => {
      expect((await processMemory(process.pid))?.resident).toBeGreaterThan(2 ** 20)
      expect(await processMemory(2 ** 30)).toBeUndefined()
    },
  )
})
