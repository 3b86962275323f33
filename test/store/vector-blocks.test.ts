/** Vectors in the database: blocks that are fetched once, stay few, and are noticed when damaged. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { parseStoreAddress } from '../../src/core/domain/store-address.ts'
import { resolveLink } from '../../src/core/indexing/resolve-link.ts'
import { openPostgresStore } from '../../src/team/postgres/open-postgres-store.ts'
import type { PostgresStore } from '../../src/team/postgres/open-postgres-store.ts'
import { note, segmentOf } from '../contract/store-contract.ts'
import { startPglite } from '../support/pglite-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

async function setUp() {
  const server = await startPglite()
  onTestFinished(() => server.close())
  const address = parseStoreAddress(`${server.url}?base=blocks`)
  const open = async (copies = temporaryFolder()) => {
    const store = await openPostgresStore({ address, format: 'test', sources: '', copies })
    onTestFinished(() => store.close())
    return store
  }
  const count = async (what: string): Promise<number> => {
    const { rows } = await server.database.query<{ n: number }>(
      `SELECT count(*)::integer AS n FROM cairn.${what}`,
    )
    return rows[0]!.n
  }
  return { server, open, count }
}

async function seen(store: PostgresStore, since = 0) {
  const found = new Map<number, string>()
  const stamp = await store.vectorsSince('e', since, (doc, data) =>
    found.set(doc, `${data.length} ${data[0]}`),
  )
  return { stamp, found: [...found].toSorted(([a], [b]) => a - b) }
}

const vectorsOf = (doc: number, length: number, first = doc) => ({
  doc,
  digest: 'd',
  data: new Uint8Array(length).fill(first),
})

it('gathers many small blocks into one, and forgets the rest', { timeout: 600_000 }, async () => {
  const { open, count, server } = await setUp()
  const [store, other] = [await open(), await open()]
  const documents = Array.from({ length: 45 }, (_, no) => note(no, `${no}.md`, { digest: 'd' }))
  await store.commit({ put: documents, segment: segmentOf(documents) }, resolveLink)
  for (const { no } of documents) await store.putVectors('e', [vectorsOf(no, 10 + no)])
  // Again, otherwise; and one that has changed since.
  await store.putVectors('e', [vectorsOf(3, 5, 99), { ...vectorsOf(4, 5), digest: 'old' }])
  await store.commit({ remove: [7] }, resolveLink)
  const living = await count('vector_blocks WHERE replaced_at IS NULL')
  expect(living).toBeLessThan(30)
  const expected = documents
    .filter(({ no }) => no !== 7)
    .map(({ no }) => [no, no === 3 ? '5 99' : `${10 + no} ${no}`])
  for (const each of [store, other]) expect((await seen(each)).found).toEqual(expected)
  expect([...(await store.vectorDocs('e'))]).toHaveLength(44)
  expect(await store.check()).toEqual([])

  // What is new since is all that is told.
  const { stamp } = await seen(other)
  await store.putVectors('e', [vectorsOf(9, 3, 42)])
  expect((await seen(other, stamp)).found).toEqual([[9, '3 42']])

  // What was made part of another is gone a minute later.
  await server.database.exec(
    "UPDATE cairn.vector_blocks SET replaced_at = replaced_at - interval '61 seconds'",
  )
  await store.putVectors('e', [vectorsOf(9, 3, 43)])
  expect(await count('vector_blocks WHERE replaced_at IS NOT NULL')).toBe(0)
  expect(await store.check()).toEqual([])
  await store.serveEmbedder(undefined)
  expect(await count('vector_blocks')).toBe(0)
  expect(await store.check()).toEqual([])
})

it(
  'fetches a large block once, and again where the copy is damaged',
  { timeout: 600_000 },
  async () => {
    const { open, server } = await setUp()
    const store = await open()
    const documents = [note(1, 'a.md', { digest: 'd' }), note(2, 'b.md', { digest: 'd' })]
    await store.commit({ put: documents, segment: segmentOf(documents) }, resolveLink)
    await store.putVectors('e', [vectorsOf(1, 300_000), vectorsOf(2, 200_000)])
    await store.serveEmbedder('e')
    const copies = temporaryFolder()
    const reader = await open(copies)
    const expected = [
      [1, '300000 1'],
      [2, '200000 2'],
    ]
    for (let time = 0; time < 3; time++) expect((await seen(reader)).found).toEqual(expected)
    expect(reader.copies()).toMatchObject({ fetched: 1, found: 2 })
    const again = await open(copies)
    expect((await seen(again)).found).toEqual(expected)
    expect(again.copies()).toMatchObject({ fetched: 0, found: 1 })

    const [name] = readdirSync(copies)
    const file = join(copies, name!)
    const bytes = readFileSync(file)
    bytes[bytes.length - 5]! ^= 0xff
    writeFileSync(file, bytes)
    expect((await seen(again)).found).toEqual(expected)
    expect(again.copies()).toMatchObject({ fetched: 1 })

    // Damage in the database is told apart from an answer.
    await server.database.exec(
      `UPDATE cairn.segment_pages SET data = set_byte(data, 0, get_byte(data, 0) # 1)
     WHERE stream = 'data'`,
    )
    const stranger = await open()
    await expect(seen(stranger)).rejects.toThrow(/damaged/)
  },
)
