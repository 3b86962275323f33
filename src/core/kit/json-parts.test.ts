import fc from 'fast-check'
import { expect, it } from 'vitest'
import { takeMs, turnsDuring } from '../../../test/support/turns-during.ts'
import { jsonInSlices, jsonParts } from './json-parts.ts'

it('writes what JSON.stringify writes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.anything({ withDate: true, withNullPrototype: true }), async (value) => {
      const json = (JSON.stringify(value) as string | undefined) ?? 'null'
      expect(await jsonInSlices(value)).toBe(json)
    }),
  )
  const long = [
    Array.from({ length: 3_000 }, (_, n) => ({ slug: `note-${n}`, title: undefined, n })),
    { pages: Array.from({ length: 30_000 }, (_, n) => (n % 7 ? n : undefined)), next: null },
    { content: [{ text: `${'"\n👩‍👩‍👧‍👦'.repeat(50_000)}\ud800` }] },
    { one: '😀'.repeat(100_000), two: ` ${'😀'.repeat(100_000)}` },
  ]
  for (const value of long) {
    expect(await jsonInSlices(value)).toBe(JSON.stringify(value))
    expect([...jsonParts(value)].length).toBeGreaterThan(1)
  }
})

it('lets others have a turn while it writes a long list', async () => {
  const slow = {
    toJSON() {
      takeMs(0.1)
      return { slug: 'a'.repeat(1_000) }
    },
  }
  const turns = await turnsDuring(() =>
    jsonInSlices({ pages: Array.from({ length: 1_000 }, () => slow) }),
  )
  expect(turns).toBeGreaterThan(2)
})
