/** Links are read a page at a time, and a page begins where the one before ended. */
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { Connection } from './connection.ts'
import { linkTable } from './links-table.ts'
import { SCHEMA } from './schema.ts'

const COUNT = 6_000

/** Two documents with many links to a third, and how SQLite finds what it is asked for. */
function manyLinks(): { connection: Connection; plans: Set<string>; most: () => number } {
  const database = new DatabaseSync(':memory:')
  database.exec(SCHEMA)
  database.exec(`
    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${COUNT - 1})
    INSERT INTO links (doc, ordinal, kind, target, line, key, attachment, to_doc)
      SELECT doc, i, 'wiki', 'to ' || (i % 1500), 1, 'k', i % 1500 = 3,
        CASE WHEN i % 1500 < 1000 THEN 9 END
      FROM n, (SELECT 1 AS doc UNION SELECT 2)
      WHERE i % 1500 <> 4 OR doc = 1;
  `)
  const plans = new Set<string>()
  let most = 0
  class Explaining extends Connection {
    override all(sql: string, ...values: number[]): ReturnType<Connection['all']> {
      for (const row of super.all(`EXPLAIN QUERY PLAN ${sql}`, ...values)) {
        plans.add(String(row['detail']))
      }
      const rows = super.all(sql, ...values)
      most = Math.max(most, rows.length)
      return rows
    }
  }
  return { connection: new Explaining(database), plans, most: () => most }
}

it('finds the next page of links without going through those before', async () => {
  const { connection, plans } = manyLinks()
  const links = linkTable(connection)
  expect(await links.linksFrom(1)).toHaveLength(COUNT)
  expect([...plans]).toEqual([expect.stringContaining('(doc=? AND ordinal>?)')])
  plans.clear()
  expect(await links.linksTo(9)).toHaveLength(2 * 4_000 - 4)
  expect([...plans]).toEqual([expect.stringContaining('(to_doc=? AND (doc,ordinal)>(?,?))')])
  plans.clear()
  expect(await links.linksBetween(2, 9)).toHaveLength(4_000 - 4)
  expect([...plans]).toEqual([expect.stringContaining('(to_doc=? AND doc=? AND ordinal>?)')])
})

it('tells where links lead nowhere without reading those that lead somewhere', async () => {
  const { connection, plans } = manyLinks()
  const links = linkTable(connection)
  expect(await links.deadEnds(1, 2)).toEqual(['to 1000', 'to 1001'])
  expect(await links.deadEnds(1, 9_999)).toHaveLength(500)
  expect([...plans]).toEqual([expect.stringContaining('(doc=? AND ordinal>?)')])
})

it('reads what all links say a part at a time, also of one note with very many', async () => {
  const { connection, plans, most } = manyLinks()
  const targets = await linkTable(connection).linkTargets(['wiki'])
  expect(targets).toHaveLength(2 * COUNT - 4)
  expect(targets.map(({ from }) => from)).toEqual(targets.map(({ from }) => from).toSorted())
  expect([...plans]).toEqual([expect.stringContaining('((doc,ordinal)>(?,?))')])
  expect(most()).toBeLessThan(COUNT)
})
