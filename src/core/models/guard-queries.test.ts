import { describe, expect, it, vi } from 'vitest'
import { SOON } from '../../../test/support/soon.ts'
import type { Embedder } from './embedder.ts'
import { guardQueries, type GuardOptions } from './guard-queries.ts'

/** An embedder that does what the test says, and a clock that the test moves. */
function guarded(answer: (text: string) => Promise<Float32Array>, options: GuardOptions = {}) {
  const asked: string[] = []
  let time = 0
  const embedder: Embedder = {
    id: 'test',
    dimensions: 1,
    embedDocuments: async () => [],
    embedQuery(text) {
      asked.push(text)
      return answer(text)
    },
  }
  const guard = guardQueries(embedder, { waitMs: 30, restMs: 100, now: () => time, ...options })
  const ask = (text: string) =>
    guard.embedQuery(text).then(
      (vector) => [...vector],
      (error: Error) => error.message,
    )
  return { ask, asked, pass: (ms: number) => (time += ms) }
}

const vector = (text: string) => Promise.resolve(Float32Array.of(text.length))
const never = () => new Promise<never>(() => {})

describe('questions to an embedder', () => {
  it('are remembered, the latest ones', async () => {
    const { ask, asked } = guarded(vector, { remembered: 2 })
    for (const text of ['a', 'b', 'a', 'ccc', 'a', 'b']) await ask(text)
    expect(asked).toEqual(['a', 'b', 'ccc', 'b'])
    expect(await ask('b')).toEqual([1])
  })

  it('that are the same at the same time are one', async () => {
    const answer = Promise.withResolvers<Float32Array>()
    const { ask, asked } = guarded(() => answer.promise)
    const both = Promise.all([ask('tea'), ask('tea')])
    answer.resolve(await vector('tea'))
    expect(await both).toEqual([[3], [3]])
    expect(asked).toEqual(['tea'])
  })

  it('stop for a while after a failure, longer every time, and go on after a success', async () => {
    let broken = true
    const { ask, asked, pass } = guarded((text) =>
      broken ? Promise.reject(new Error('gone')) : vector(text),
    )
    expect(await ask('a')).toBe('gone')
    expect(await ask('b')).toBe('gone')
    pass(99)
    expect(await ask('c')).toBe('gone')
    expect(asked).toEqual(['a'])
    pass(1)
    expect(await ask('d')).toBe('gone')
    pass(199)
    expect(await ask('e')).toBe('gone')
    expect(asked).toEqual(['a', 'd'])
    pass(1)
    broken = false
    expect(await ask('f')).toEqual([1])
    broken = true
    expect(await ask('g')).toBe('gone')
    pass(100)
    broken = false
    expect(await ask('h')).toEqual([1])
  })

  it('that fail together count once', async () => {
    const { ask, asked, pass } = guarded(() => Promise.reject(new Error('gone')))
    await Promise.all(['a', 'b', 'c'].map(ask))
    pass(100)
    await ask('d')
    expect(asked).toEqual(['a', 'b', 'c', 'd'])
  })

  it('wait a bounded time, and what hangs is not asked again meanwhile', async () => {
    const { ask, asked, pass } = guarded(never)
    expect(await ask('a')).toBe('The embedder did not answer within 30 ms.')
    pass(100)
    expect(await ask('b')).toBe('The embedder did not answer within 30 ms.')
    expect(asked).toEqual(['a'])
  })

  it('answered late are known the next time', async () => {
    const late = Promise.withResolvers<void>()
    const { ask, asked } = guarded((text) => late.promise.then(() => vector(text)))
    expect(await ask('tea')).toContain('did not answer')
    late.resolve()
    await vi.waitFor(async () => expect(await ask('tea')).toEqual([3]), SOON)
    expect(asked).toEqual(['tea'])
  })

  it('are bounded in number', async () => {
    const { ask, asked } = guarded(never, { atOnce: 2 })
    const all = await Promise.all(['a', 'b', 'c'].map(ask))
    expect(all[2]).toContain('too many questions')
    expect(asked).toEqual(['a', 'b'])
  })

  it('can be given up by whoever asks', async () => {
    const embedder: Embedder = {
      id: 'test',
      dimensions: 1,
      embedDocuments: async () => [],
      embedQuery: never,
    }
    const guard = guardQueries(embedder)
    const stop = new AbortController()
    const { signal } = stop
    const asking = guard.embedQuery('a', { signal })
    stop.abort(new Error('enough'))
    await expect(asking).rejects.toThrow('enough')
    await expect(guard.embedQuery('b', { signal })).rejects.toThrow('enough')
  })
})
