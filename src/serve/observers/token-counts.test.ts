import { appendFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import type { CallRecord } from '../door/observer.ts'
import { openTokenCounter, readTokenCounts } from './token-counts.ts'

function callOf(client: string | undefined): CallRecord {
  const call = { tool: 'search', access: 'read', outcome: 'ok' } as const
  return { ...call, surface: 'native', client, principal: undefined, startedAt: 0, durationMs: 1 }
}

it('adds up what processes gave and spared, by client', () => {
  const state = temporaryFolder({})
  expect(readTokenCounts(state)).toEqual([])
  const [one, two] = [openTokenCounter(state), openTokenCounter(state)]
  one.ended?.(callOf('claude-code/2.1'), { texts: ['a'.repeat(3_150)] })
  one.ended?.(callOf('claude-code/2.2'), { texts: ['a'.repeat(350)], saved: 50 })
  two.ended?.(callOf(undefined), { texts: ['a'.repeat(105)], saved: 0 })
  two.ended?.(callOf('claude-code'), { texts: ['a'], saved: 1 })
  // A program that reads values alone, and a call that failed, were given nothing.
  two.ended?.(callOf('claude-code'), { texts: [], reply: {} })
  two.ended?.({ ...callOf('claude-code'), outcome: 'invalid' }, { texts: ['No.'] })
  void one.close?.()
  void two.close?.()
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
  counter.ended?.(callOf('a'), { texts: ['a'] })
  expect(() => counter.close?.()).not.toThrow()
})
