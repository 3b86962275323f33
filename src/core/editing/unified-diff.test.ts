import { expect, it, vi } from 'vitest'
import { unifiedDiff } from './unified-diff.ts'

const numbered = (count: number, word = 'line'): string =>
  Array.from({ length: count }, (_, index) => `${word} ${index}\n`).join('')

/** The way it can be read from the definition: all lines cut out and compared one by one. */
function slowDiff(before: string, after: string): string {
  const cut = (text: string): string[] => (text === '' ? [] : text.split(/(?<=\n)/))
  const [a, b] = [cut(before), cut(after)]
  const most = Math.min(a.length, b.length)
  let head = 0
  while (head < most && a[head] === b[head]) head++
  let tail = 0
  while (tail < most - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++
  const from = Math.max(0, head - 2)
  const behind = a.slice(a.length - tail).slice(0, 2)
  const range = (lines: readonly string[]): string => {
    const count = lines.length - tail + behind.length - from
    return `${count > 0 ? from + 1 : from},${count}`
  }
  const show = (mark: string) => (line: string) =>
    `${mark}${line.replace(/\r?\n$/, '')}${line.endsWith('\n') ? '' : '\n\\ No newline at end of file'}`
  const body = [
    ...a.slice(from, head).map(show(' ')),
    ...a.slice(head, a.length - tail).map(show('-')),
    ...b.slice(head, b.length - tail).map(show('+')),
    ...behind.map(show(' ')),
  ]
  return `--- n\n+++ n\n@@ -${range(a)} +${range(b)} @@\n${body.join('\n')}\n`
}

it('shows the lines that differ, as if all lines were compared', () => {
  const parts = ['a', 'b', '\n', '\n', '\r\n', 'x\n', '\n\n']
  const texts = Array.from({ length: 400 }, (_, seed) =>
    Array.from(
      { length: seed % 9 },
      (_, at) => parts[(seed * 7 + at * at * 3) % parts.length],
    ).join(''),
  )
  for (const [index, before] of texts.entries()) {
    for (const after of texts.slice(index % 20, (index % 20) + 40)) {
      if (before !== after) expect(unifiedDiff(before, after, 'n')).toBe(slowDiff(before, after))
    }
  }
})

it('says nothing of what is the same, and where something only has another name', () => {
  expect(unifiedDiff('a\n', 'a\n', 'n')).toBe('')
  expect(unifiedDiff('a\n', 'a\n', 'n', 'm')).toBe('--- n\n+++ m\n')
})

it('leaves out the middle of a long block, and the end of a long line', () => {
  const diff = unifiedDiff(numbered(1_000), numbered(1_000, 'other'), 'n')
  expect(diff.split('\n').filter((line) => line.startsWith('-line'))).toHaveLength(40)
  expect(diff).toContain('\n-line 19\n-… 960 more lines …\n-line 980\n')
  expect(diff).toContain('@@ -1,1000 +1,1000 @@')
  expect(unifiedDiff('a\n', `${'b'.repeat(500)}\n`, 'n')).toContain(`\n+${'b'.repeat(160)}…\n`)
})

it('cuts out only the lines that are shown', () => {
  const [before, after] = [numbered(20_000), numbered(20_000, 'other')]
  const split = vi.spyOn(String.prototype, 'split')
  unifiedDiff(before, after, 'n')
  const cut = split.mock.results.reduce((sum, { value }) => sum + (value as string[]).length, 0)
  split.mockRestore()
  expect(cut).toBeLessThan(200)
})
