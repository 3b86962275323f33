/** What an answer costs the store: over a network every call is a round trip. */
import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { formatOf } from '../../src/serve/parts/formats.ts'
import { openKnowledge } from '../../src/serve/parts/open-knowledge.ts'
import type { Caller } from '../../src/core/domain/caller.ts'
import { bringMeaning } from '../../src/core/indexing/bring-meaning.ts'
import { lookThrough, planChanges, sync } from '../../src/core/indexing/indexer.ts'
import type { Store } from '../../src/core/store/store.ts'
import { openNativeSurface } from '../../src/serve/native/open-native-surface.ts'
import { openTestBase, openTestBaseAt } from '../support/open-test-base.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const HTTP = { host: '', port: 0, allowedHosts: [], allowedOrigins: [], publicUrl: undefined }

/** The same store, with a note of every call. */
function noting(whole: Store, calls: string[]): Store {
  return new Proxy(whole, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        // How many records it reads is what a list costs.
        calls.push(name === 'list' ? `list of ${JSON.stringify(args[2])}` : String(name))
        return value.apply(target, args) as unknown
      }
    },
  }) as Store
}

async function openCounted(files: Readonly<Record<string, string>>) {
  const base = await openTestBase(files, { learns: true })
  const calls: string[] = []
  const store = noting(base.store, calls)
  const { sources, writing } = base.base
  const kb = openKnowledge({ config: { http: HTTP }, store, sources, writing })
  const surface = openNativeSurface(kb, {
    version: '0',
    log: (error) => void base.bugs.push(error),
  })
  const call = async (tool: string, args: object, caller?: Caller): Promise<readonly string[]> => {
    calls.length = 0
    const { signal } = new AbortController()
    await surface.call(tool, args, { signal, progress: () => {}, ...(caller && { caller }) })
    return [...calls]
  }
  return { ...base, counted: call }
}

const NOTES = Object.fromEntries(
  Array.from({ length: 40 }, (_, at) => [
    `n${at}.md`,
    `# Note ${at}\n\nTea and a kettle, see [[n${(at * 7) % 40}]].\n\n${`Water number ${at}. `.repeat(30)}`,
  ]),
)

it('answers a warm search with at most six calls of the store', async () => {
  const { counted } = await openCounted(NOTES)
  const ask = { query: 'how does water become tea in a kettle' }
  await counted('search', ask)
  const calls = await counted('search', ask)
  expect(calls.length).toBeLessThanOrEqual(6)
  expect(calls.filter((name) => name === 'stamps')).toHaveLength(1)
  const filtered = await counted('search', { ...ask, path: 'n1*.md' })
  expect(filtered.length).toBeLessThanOrEqual(8)
})

it('finds out that nothing has changed without opening what was learned, and by one list', async () => {
  const folder = temporaryFolder(NOTES)
  // What was written in the moment of a look is read once more.
  for (const name of Object.keys(NOTES)) utimesSync(join(folder, name), 1_000, 1_000)
  const { base, store: whole, sync: index } = await openTestBaseAt(folder, { learns: true })
  await index()
  const calls: string[] = []
  const store = noting(whole, calls)
  const lease = { owner: 'nobody', fence: -1 }
  const parts = { store, sources: [...base.sources.values()], formatOf, lease }
  const look = await lookThrough(parts)
  const plans = await planChanges(parts, look)
  const report = await sync(parts, { look, plans })
  expect(report).toMatchObject({ indexed: 0, unchanged: Object.keys(NOTES).length })
  await bringMeaning({ store, sources: base.sources }, { kind: 'corpus' })
  expect(calls.filter((name) => name === 'files' || name === 'model')).toEqual(['files'])
})

it('lists, counts and reports a part of the base with as many calls as the whole of it', async () => {
  const { counted } = await openCounted(NOTES)
  const caller: Caller = { principal: 'guest', may: ['read'], sees: ({ path }) => /1/.test(path) }
  const questions: [string, object][] = [
    ['list', { sort: 'updated', limit: 3 }],
    ['insights', { report: 'tags' }],
    ['insights', { report: 'broken_links' }],
    ['insights', { report: 'overview' }],
  ]
  for (const [tool, args] of questions) {
    await counted(tool, args)
    const whole = await counted(tool, args)
    await counted(tool, args, caller)
    const part = await counted(tool, args, caller)
    const asked = (calls: readonly string[]) => calls.filter((name) => name !== 'stamps').toSorted()
    expect(asked(part), `${tool} ${JSON.stringify(args)}`).toEqual(asked(whole))
  }
})

it('cuts a reply that is over its budget without searching again', async () => {
  const long = Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => [
      `${'deep/'.repeat(40)}n${at}.md`,
      `# ${'Title '.repeat(60)}${at}\n\n${'tea kettle water '.repeat(200)}`,
    ]),
  )
  const { counted, call } = await openCounted(long)
  const ask = { query: 'tea kettle', limit: 50, detail: 'detailed' }
  const first = await call('search', ask)
  expect(first['results'].length).toBeLessThan(50)
  await counted('search', ask)
  expect((await counted('search', ask)).filter((name) => name === 'stamps')).toHaveLength(1)
  const next = await call('search', { ...ask, cursor: first['next_cursor'] })
  const ids = [...first['results'], ...next['results']].map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
})
