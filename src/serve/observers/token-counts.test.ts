import { appendFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { openTokenCounter, readTokenCounts } from './token-counts.ts'

it('adds up what processes gave and spared, by client', () => {
  const state = temporaryFolder({})
  expect(readTokenCounts(state)).toEqual([])
  const [one, two] = [openTokenCounter(state), openTokenCounter(state)]
  one.add('claude-code/2.1', { given: 900, saved: 0 })
  one.add('claude-code/2.2', { given: 100, saved: 50 })
  two.add(undefined, { given: 30, saved: 0 })
  two.add('claude-code', { given: 1, saved: 1 })
  one.close()
  two.close()
  expect(readTokenCounts(state)).toEqual([
    { client: 'claude-code', calls: 3, given: 1_001, saved: 51 },
    { client: 'unknown', calls: 1, given: 30, saved: 0 },
  ])
  const [file] = readdirSync(join(state, 'tokens'))
  appendFileSync(join(state, 'tokens', file!), '{"client": "half')
  expect(readTokenCounts(state)).toHaveLength(2)
})

it('ends no call where it cannot write', () => {
  const counter = openTokenCounter('/dev/null/nowhere')
  counter.add('a', { given: 1, saved: 0 })
  expect(() => counter.close()).not.toThrow()
})
