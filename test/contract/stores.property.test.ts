/** Random batches: every store tells the same afterwards as the one that keeps plain maps. */
import fc from 'fast-check'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { parseStoreAddress } from '../../src/core/domain/store-address.ts'
import { resolveLink } from '../../src/core/indexing/resolve-link.ts'
import { openMemoryStore } from '../support/memory-store/open-memory-store.ts'
import { openPostgresStore } from '../../src/team/postgres/open-postgres-store.ts'
import { openSqliteStore } from '../../src/core/store/sqlite/open-sqlite-store.ts'
import type { Batch, Store } from '../../src/core/store/store.ts'
import { startPglite } from '../support/pglite-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { fileRecord, note, segmentOf, wiki } from './store-contract.ts'

const NAMES = ['tea', 'Tea', 'cup', 'größe', '茶', '😀', '\u{ff5e}wave', 'a b']
const name = fc.constantFrom(...NAMES)
const path = fc
  .tuple(fc.constantFrom('', 'x/', 'y/'), name)
  .map(([folder, each]) => `${folder}${each}.md`)

const document = fc.record({
  no: fc.nat({ max: 9 }),
  path,
  source: fc.constantFrom('notes', 'docs'),
  title: name,
  aliases: fc.uniqueArray(name, { maxLength: 2 }),
  tags: fc.array(fc.constantFrom('red', 'Red', '#big'), { maxLength: 2 }),
  updatedAt: fc.option(fc.nat({ max: 3 }), { nil: undefined }),
  digest: fc.constantFrom('one', 'two', 'three'),
  links: fc.array(name, { maxLength: 3 }),
})

const batch = fc.record({
  put: fc.uniqueArray(document, {
    maxLength: 3,
    comparator: (a, b) => a.no === b.no || (a.path === b.path && a.source === b.source),
  }),
  remove: fc.array(fc.nat({ max: 9 }), { maxLength: 2 }),
  touch: fc.array(
    fc.record({ no: fc.nat({ max: 9 }), size: fc.constant(5), modifiedAt: fc.nat({ max: 2 }) }),
    { maxLength: 1 },
  ),
  skipped: fc.array(path, { maxLength: 1 }),
  /** How many generations ago the batch was begun. */
  late: fc.option(fc.nat({ max: 2 }), { nil: undefined }),
  merges: fc.boolean(),
  vectors: fc.boolean(),
})

type Drawn = typeof batch extends fc.Arbitrary<infer Value> ? Value : never

async function commit(store: Store, drawn: Drawn): Promise<unknown> {
  const { put, remove, touch, skipped, late, merges, vectors } = drawn
  const documents = put.map(({ links, ...more }) =>
    note(more.no, more.path, { ...more, links: links.map(wiki) }),
  )
  const { generation } = await store.stamps()
  const segments = await store.segments()
  const leftOut: string[] = []
  const common: Batch = {
    checkedAt: 7,
    ...(late !== undefined && { asOf: Math.max(0, generation - late) }),
    onLeftOut: ({ source, path: at }) => leftOut.push(`${source}/${at}`),
  }
  const outcome: unknown[] = [
    await store.commit(
      {
        ...common,
        put: documents,
        remove,
        touch,
        files: skipped.map((each) => fileRecord(each, 'skipped', 'why')),
        ...(documents.length > 0 && { segment: segmentOf(documents) }),
      },
      resolveLink,
    ),
    leftOut,
  ]
  if (merges && segments.length > 1) {
    const from = segments.map(({ id }) => id)
    const docs = (await Promise.all(from.map((id) => store.segmentDocs(id)))).flat()
    const to = docs.length > 0 ? { ...segmentOf([]), docs } : undefined
    outcome.push(await store.commit({ merge: { from, to } }, resolveLink))
  }
  if (vectors) {
    const rows = put.map(({ no, digest }) => ({ doc: no, digest, data: Uint8Array.of(no) }))
    await store.putVectors('e', rows)
  }
  return outcome
}

async function everythingOf(store: Store): Promise<unknown> {
  const all = { offset: 0, limit: -1 }
  const { epoch: _, ...stamps } = await store.stamps()
  const nos = [...(await store.pathOrder())]
  const half = Uint32Array.from(nos.filter((_, place) => place % 2 === 0))
  const orders = ['updated', 'created', 'stale', 'title', 'path'] as const
  const { from, to, type, types } = await store.edges()
  return {
    stamps,
    nos,
    documents: await store.documents(nos),
    chunks: await store.chunksOf(nos),
    lists: await Promise.all(orders.map((order) => store.list({}, order, all))),
    red: (await store.matching({ tags: ['red', 'big'], tagMode: 'all' })).toSorted(),
    files: [await store.files('notes'), await store.listFiles({}, { offset: 0, limit: 99 })],
    sources: await store.sources(),
    edges: [...from]
      .map((each, index) => `${each} ${to[index]} ${JSON.stringify(types[type[index] ?? -1])}`)
      .toSorted(),
    links: await Promise.all(nos.map((no) => store.linksFrom(no))),
    linksTo: await Promise.all(nos.map((no) => store.linksTo(no))),
    broken: await store.brokenLinks(all),
    dead: await Promise.all(nos.map((no) => store.deadEnds(no, 3))),
    named: await Promise.all(NAMES.map((each) => store.named([each.toLowerCase()]))),
    like: await store.namesLike('t', 99),
    tags: await store.tags(9),
    duplicates: await store.duplicates(),
    counts: await store.counts(),
    among: await Promise.all([
      store.list({ among: half }, 'updated', all),
      store.tags(9, half),
      store.brokenLinks(all, half),
      store.counts(half),
    ]),
    // What a segment is called is the store's own business.
    segments: (await store.segments()).map(({ id: _id, ...segment }) => segment),
    changes: await Promise.all([0, 1, 2].map((ago) => store.changesSince(stamps.generation - ago))),
    vectors: (await store.vectorDocs('e')).toSorted(),
    without: [await store.withoutVectors('e', 1), await store.withoutVectors('e')],
    check: await store.check(),
  }
}

async function tellsTheSame(open: (run: number) => Promise<Store>, numRuns: number): Promise<void> {
  let run = 0
  await fc.assert(
    fc.asyncProperty(fc.array(batch, { minLength: 1, maxLength: 8 }), async (batches) => {
      const memory = openMemoryStore()
      const store = await open(run++)
      try {
        for (const each of batches) {
          expect(await commit(store, each)).toEqual(await commit(memory, each))
          expect(await everythingOf(store)).toEqual(await everythingOf(memory))
        }
      } finally {
        await store.close()
      }
    }),
    { numRuns },
  )
}

it('tells the same from a file as from memory, whatever was committed', async () => {
  const folder = temporaryFolder()
  const open = async (run: number) =>
    (await openSqliteStore(join(folder, `${run}.db`), 'test')).store
  await tellsTheSame(open, 40)
})

it('tells the same from PostgreSQL', async () => {
  const copies = temporaryFolder()
  const server = await startPglite()
  onTestFinished(() => server.close())
  const open = (run: number) => {
    const address = parseStoreAddress(`${server.url}?base=${run}`)
    return openPostgresStore({ address, format: 'test', sources: '', copies })
  }
  await tellsTheSame(open, 10)
})
