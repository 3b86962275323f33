/** A store over a network answers each call after a while: a search must not make many. */
import { expect, it } from 'vitest'
import type { Store } from '../../src/core/store/store.ts'
import { openTestBase } from '../support/open-test-base.ts'

/** Writes down the name of every call from now on. */
function recordCalls(store: Store): string[] {
  const calls: string[] = []
  const methods = store as unknown as Record<string, (...values: unknown[]) => unknown>
  for (const [name, method] of Object.entries(methods)) {
    methods[name] = (...values) => {
      calls.push(name)
      return method.apply(store, values)
    }
  }
  return calls
}

// The store over a file hands its calls on by itself, past what is recorded here.
const inMemory = process.env['CAIRN_TEST_STORE'] !== 'sqlite'

it.runIf(inMemory)(
  'asks the store at most six times for a warm search, however many it finds',
  async () => {
    const note = (at: number) =>
      `# Note ${at}\n\nBoil tea water ${at}, see [[n${(at + 1) % 40}]].\n`
    const notes = Array.from({ length: 40 }, (_, at) => [`n${at}.md`, note(at)] as const)
    const { call, store } = await openTestBase(Object.fromEntries(notes), { learns: true })
    await call('search', { query: 'boil tea water' })
    const calls = recordCalls(store)
    const { results } = await call('search', { query: 'boil tea water', limit: 20 })
    expect(results.length).toBeGreaterThan(5)
    expect(calls.length, calls.join(', ')).toBeLessThanOrEqual(6)
    expect(calls).toContain('stamps')
  },
)
