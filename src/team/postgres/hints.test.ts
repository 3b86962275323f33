import { expect, it } from 'vitest'
import type { Database } from './database.ts'
import { openHints } from './hints.ts'

it('sends what follows at once together', async () => {
  const sent: PromiseWithResolvers<never[]>[] = []
  const rows = (): Promise<never[]> => {
    const one = Promise.withResolvers<never[]>()
    sent.push(one)
    return one.promise
  }
  const hints = openHints({ writing: { rows } } as unknown as Database, 'main')
  hints.tell()
  expect(sent).toHaveLength(1)
  for (let each = 0; each < 10; each++) hints.tell()
  sent[0]!.resolve([])
  await expect.poll(() => sent.length, { timeout: 60_000 }).toBe(2)
  sent[1]!.reject(new Error('out of reach'))
  await hints.close()
  expect(sent).toHaveLength(2)
})
