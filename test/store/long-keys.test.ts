/** Names, tags, links and paths that nobody would write, thousands of letters long and alike. */
import { rmSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parseStoreAddress } from '../../src/core/domain/store-address.ts'
import { resolveLink } from '../../src/core/indexing/resolve-link.ts'
import { openMemoryStore } from '../support/memory-store/open-memory-store.ts'
import { isLongKey, isShortKey } from '../../src/team/postgres/keys.ts'
import { openPostgresStore } from '../../src/team/postgres/open-postgres-store.ts'
import type { Store } from '../../src/core/store/store.ts'
import { note, segmentOf, wiki } from '../contract/store-contract.ts'
import { startPglite } from '../support/pglite-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const ALIKE = 'lorem-ipsum'.repeat(800)
const MANY = 40

/** Ends of 9,000 letters and more that differ in the last; the first are as long as an index takes. */
const LENGTHS = [197, 198, 199, 200, 201, 2_000, ALIKE.length]

function documents() {
  return Array.from({ length: MANY }, (_, no) => {
    const name = (of: number) => `${ALIKE.slice(0, LENGTHS[of % LENGTHS.length])}${of}`
    return note(no, `${'deep/'.repeat(600)}${name(no)}.md`, {
      title: `T${no} ${name(no)}`,
      aliases: [name(no)],
      names: [name(no)],
      tags: [name(no)],
      links: [wiki(name((no + 1) % MANY)), wiki(name(MANY + no))],
    })
  })
}

async function facts(store: Store): Promise<unknown> {
  const all = documents()
  await store.commit({ put: all, segment: segmentOf(all) }, resolveLink)
  // One goes and comes back: the link to it breaks and heals.
  await store.commit({ remove: [3, 6] }, resolveLink)
  const broken = await store.brokenLinks({ offset: 0, limit: -1 })
  const again = [all[3]!, all[6]!]
  await store.commit({ put: again, segment: segmentOf(again) }, resolveLink)
  const { from, to } = await store.edges()
  return {
    broken: broken.total,
    edges: Array.from(from, (doc, place) => `${doc} ${to[place]}`).toSorted(),
    named: await Promise.all(
      all.map(async ({ names }) => (await store.named(names)).map(({ no }) => no)),
    ),
    tagged: await Promise.all(
      all.map(async ({ tags }) => [...(await store.matching({ tags: [...tags] }))]),
    ),
    paths: await Promise.all(
      all.map(async ({ path }) =>
        (await store.findByPathFolded(path.toUpperCase())).map(({ no }) => no),
      ),
    ),
    check: await store.check(),
  }
}

describe('long keys', { timeout: 900_000 }, () => {
  it('find what they find in memory, and by an index', async () => {
    const server = await startPglite()
    onTestFinished(() => server.close())
    const copies = temporaryFolder()
    onTestFinished(() => rmSync(copies, { recursive: true, force: true }))
    const address = parseStoreAddress(`${server.url}?base=long`)
    const store = await openPostgresStore({ address, format: 'test', sources: '', copies })
    onTestFinished(() => store.close())
    const expected = (await facts(openMemoryStore())) as { readonly edges: readonly string[] }
    expect(expected.edges.length).toBeGreaterThanOrEqual(MANY)
    expect(await facts(store)).toEqual(expected)

    const plan = async (table: string, column: string, isSame: typeof isLongKey) => {
      const asked = `SELECT 1 FROM cairn.${table} WHERE base = 1 AND ${isSame(column, "'x'::text")}`
      const { rows } = await server.database.query(`EXPLAIN ${asked}`)
      return JSON.stringify(rows)
    }
    await server.database.exec('SET enable_seqscan = off; SET enable_bitmapscan = off')
    for (const table of ['names', 'tags', 'links']) {
      expect(await plan(table, 'key', isLongKey)).toContain(`${table}_long`)
      expect(await plan(table, 'key', isShortKey)).toContain(`${table}_key`)
    }
    expect(await plan('documents', 'path_folded', isLongKey)).toContain('documents_path_long')
  })
})
