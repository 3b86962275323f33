/**
 * Several bases in one database, filled and changed in turns: each says exactly what it would say
 * alone in a file, and no word, name, count, suggestion, cursor or number of another.
 */
import fc from 'fast-check'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { memorySource } from '../../bench/vault.ts'
import { formatOf } from '../../src/serve/parts/formats.ts'
import { openKnowledge } from '../../src/serve/parts/open-knowledge.ts'
import { parseStoreAddress } from '../../src/core/domain/store-address.ts'
import { sync } from '../../src/core/indexing/indexer.ts'
import { learnMeaning } from '../../src/core/indexing/learn-meaning.ts'
import { openPostgresStore } from '../../src/team/postgres/open-postgres-store.ts'
import { openReplica } from '../../src/team/replica/open-replica.ts'
import { openSqliteStore } from '../../src/core/store/sqlite/open-sqlite-store.ts'
import type { Store } from '../../src/core/store/store.ts'
import { openNativeSurface } from '../../src/serve/native/open-native-surface.ts'
import { startPglite } from '../support/pglite-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Hostile names among them: what is between the bases must not depend on how they are called. */
const BASES = ['main', "O'Hare; --", 'MAIN'] as const
/** Each base's notes say a word that stands nowhere else. */
const MARKS = ['quixotic', 'zeppelin', 'marzipan'] as const
const NAMES = ['tea', 'kettle', 'harbour', 'lighthouse', 'tide'] as const
const WORDS = ['steam', 'boil', 'ferry', 'lamp', 'moon', 'pilot', 'leaf', 'quay'] as const

const note = fc.record({
  name: fc.constantFrom(...NAMES),
  words: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 }),
  link: fc.constantFrom(...NAMES),
  tag: fc.constantFrom('red', 'blue'),
})
const step = fc.record({
  base: fc.nat({ max: BASES.length - 1 }),
  notes: fc.uniqueArray(note, { maxLength: 4, selector: ({ name }) => name }),
})
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

const HTTP = { host: '', port: 0, allowedHosts: [], allowedOrigins: [], publicUrl: undefined }

function filesOf({ base, notes }: Step) {
  return notes.map(({ name, words, link, tag }) => ({
    path: `${name}.md`,
    text: `---\ntags: [${tag}, ${MARKS[base]}-tag]\n---\n# ${name} ${MARKS[base]}\n\n${words.join(' ')} [[${link}]] [[${MARKS[base]}]]\n`,
  }))
}

async function fill(store: Store, now: Step): Promise<void> {
  const sources = new Map([['notes', memorySource('notes', filesOf(now))]])
  const lease = (await store.acquireLease('1@test:1', 600_000))!
  await sync({ store, sources: [...sources.values()], formatOf, lease })
  await learnMeaning({ store, sources })
}

/** Everything that tools show of a base, errors with their suggestions and all pages included. */
async function everythingShown(store: Store, now: Step): Promise<unknown[]> {
  const sources = new Map([['notes', memorySource('notes', filesOf(now))]])
  const kb = openKnowledge({ config: { http: HTTP }, store, sources })
  const surface = openNativeSurface(kb, { version: '0', log: () => {} })
  const call = async (tool: string, args: Record<string, unknown>) => {
    const client = { signal: new AbortController().signal, client: 'test', progress: () => {} }
    const { structured, isError } = await surface.call(tool, args, client)
    return { ...structured, isError } as Record<string, unknown>
  }
  const shown: unknown[] = []
  for (const query of [...WORDS, ...NAMES, ...MARKS, 'ketle', '"steam boil"']) {
    shown.push(await call('search', { query, limit: 2 }))
  }
  let cursor: unknown
  for (let page = 0; page < NAMES.length; page++) {
    const listed = await call('list', { limit: 2, ...(cursor ? { cursor } : {}) })
    shown.push(listed)
    cursor = listed['next_cursor']
    if (cursor === undefined) break
  }
  for (const id of [...NAMES, ...MARKS, 'ligthouse']) {
    shown.push(await call('fetch', { id }), await call('neighbors', { id }))
  }
  for (const report of ['tags', 'orphans', 'broken_links', 'hubs', 'duplicates']) {
    shown.push(await call('insights', { report }))
  }
  shown.push(await store.counts(), [...(await store.pathOrder())], await store.namesLike('', -1))
  shown.push(await store.tags(99), await store.sources(), await store.reserveNumbers(0))
  const { epoch: _, ...stamps } = await store.stamps()
  shown.push(stamps, await store.changesSince(0), await store.check())
  return shown
}

it('tells nothing of one base in another', { timeout: 600_000 }, async () => {
  const database = await startPglite()
  onTestFinished(() => database.close())
  let run = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 7 }), async (steps) => {
      run++
      const stores = await Promise.all(
        BASES.map(async (base) => {
          const address = { ...parseStoreAddress(database.url), base: `${base} ${run}` }
          const more = { format: 'test', sources: '', copies: temporaryFolder() }
          const shared = openReplica(await openPostgresStore({ address, ...more })).store
          const file = join(temporaryFolder(), 'index.db')
          return { shared, alone: (await openSqliteStore(file, 'test')).store }
        }),
      )
      try {
        const last = new Map<number, Step>()
        for (const each of steps) {
          const { shared, alone } = stores[each.base]!
          for (const store of [shared, alone]) await fill(store, each)
          last.set(each.base, each)
        }
        for (const [base, now] of last) {
          const { shared, alone } = stores[base]!
          const shown = await everythingShown(shared, now)
          expect(shown).toEqual(await everythingShown(alone, now))
          const foreign = MARKS.filter((_, other) => other !== base)
          // What somebody asked for is said back to them; nothing else may name it.
          const unasked = JSON.stringify(shown.slice(-9))
          expect(foreign.filter((mark) => unasked.includes(mark))).toEqual([])
        }
      } finally {
        for (const { shared, alone } of stores) {
          await shared.close()
          await alone.close()
        }
      }
    }),
    { numRuns: 3 },
  )
})
