import fc from 'fast-check'
import { expect, it } from 'vitest'
import { liveCallIn, type LiveCall } from './live.ts'

const whole: LiveCall = {
  key: 'k',
  at: 1,
  client: 'c/1',
  who: 'token:ann',
  surface: 'native',
  tool: 'search',
  args: '{}',
  documents: ['a.md'],
  ms: 2,
  outcome: 'error',
}

it('reads a call as it was written', () => {
  expect(liveCallIn(JSON.parse(JSON.stringify(whole)))).toEqual(whole)
})

it('makes every field what it says, whatever was written', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (some, other) => {
      const call = liveCallIn({ ...whole, client: some, documents: other, args: other, ms: some })
      expect(typeof call!.client).toBe('string')
      expect(typeof call!.args).toBe('string')
      expect(Number.isNaN(call!.ms)).toBe(false)
      expect(call!.documents.every((each) => typeof each === 'string')).toBe(true)
      expect(liveCallIn(some === null || typeof some !== 'object' ? some : {})).toBeUndefined()
    }),
    // Nothing can be made of it, not even a number.
    { examples: [[[{ toString: 0 }], []]] },
  )
})
