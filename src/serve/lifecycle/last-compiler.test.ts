import { cachedDataVersionTag } from 'node:v8'
import { expect, it } from 'vitest'
import { compileLast } from './last-compiler.ts'

it('leaves the engine as it was, so that code which is kept fits the next process', () => {
  const before = cachedDataVersionTag()
  compileLast('late')
  const meanwhile = cachedDataVersionTag()
  compileLast('usual')
  expect(cachedDataVersionTag()).toBe(before)
  expect(meanwhile !== before).toBe(process.versions.v8.startsWith('13.'))
})
