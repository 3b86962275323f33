import { expect, it } from 'vitest'
import { openClosing } from './closing.ts'

it('closes the last first, everything, and once', async () => {
  const closing = openClosing()
  const closed: string[] = []
  closing.add(() => closed.push('store'))
  closing.add(() => Promise.reject(new Error('stuck')))
  closing.add(async () => closed.push('thread'))
  await expect(closing.run()).rejects.toThrow('stuck')
  await expect(closing.run()).rejects.toThrow('stuck')
  expect(closed).toEqual(['thread', 'store'])
})
