import { expect, it } from 'vitest'
import { safeInSlices, safeValue } from './safe-result.ts'

const loud = (text: string): string => text.replace('quiet', 'LOUD')

it('makes the same of an answer in slices as at once', async () => {
  const long = `${'plain '.repeat(20_000)}quiet`
  const many = Array.from({ length: 3_000 }, (_, n) => ({ id: n, text: n % 7 ? 'plain' : 'quiet' }))
  const answers: unknown[] = [
    'quiet',
    undefined,
    null,
    7,
    ['quiet', ['plain']],
    { a: { b: { c: { d: ['quiet'] } } } },
    { pages: many, next: 'quiet' },
    many,
    long,
    { html: long, parts: [long] },
  ]
  for (const answer of answers) {
    expect(await safeInSlices(answer, loud)).toEqual(safeValue(answer, loud))
  }
  const plain = { pages: many }
  expect(await safeInSlices(plain, (text) => text)).toBe(plain)
})

it('lets others in while it goes through a long list', async () => {
  let turns = 0
  const counting = setInterval(() => turns++, 0)
  const slowly = (text: string): string => {
    const until = performance.now() + 0.05
    while (performance.now() < until);
    return text
  }
  await safeInSlices({ pages: Array.from({ length: 2_000 }, () => 'text') }, slowly)
  clearInterval(counting)
  expect(turns).toBeGreaterThan(0)
})

it('takes a long text as one, however it is held', async () => {
  const passed: string[] = []
  const html = 'plain '.repeat(20_000)
  const safe = await safeInSlices({ id: 'a', html }, (text) => {
    passed.push(text)
    return text
  })
  expect(safe).toEqual({ id: 'a', html })
  expect(passed).toEqual(['a', html])
})
