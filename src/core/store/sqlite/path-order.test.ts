/** What is asked of all documents is read in pieces, so that nobody waits for all of a large base. */
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { Connection } from './connection.ts'
import { fileTable } from './files-table.ts'
import { documentTable } from './documents-table.ts'

const COUNT = 25_000

/** As much of a file as the order of paths is read from. */
function manyDocuments(): { connection: Connection; asked: number[] } {
  const database = new DatabaseSync(':memory:')
  database.exec(`
    CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);
    INSERT INTO meta VALUES ('generation', '1');
    CREATE TABLE documents (no INTEGER PRIMARY KEY, source TEXT, path TEXT, digest TEXT);
    CREATE UNIQUE INDEX documents_path ON documents (source, path);
    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${COUNT - 1})
    INSERT INTO documents SELECT i, 'source' || (i % 3), 'note-' || ((i * 7919) % ${COUNT}), 'digest-' || (i % 20000)
      FROM n;
  `)
  const asked: number[] = []
  class Counting extends Connection {
    override numbers(...given: Parameters<Connection['numbers']>): Uint32Array {
      const numbers = super.numbers(...given)
      asked.push(numbers.length)
      return numbers
    }
    override all(...given: Parameters<Connection['all']>): ReturnType<Connection['all']> {
      const rows = super.all(...given)
      asked.push(rows.length)
      return rows
    }
  }
  return { connection: new Counting(database), asked }
}

const inOrder = (connection: Connection): number[] =>
  connection.all('SELECT no FROM documents ORDER BY source, path').map(({ no }) => Number(no))

it('tells the order of paths as in one piece, and never asks for it in one piece', async () => {
  const { connection, asked } = manyDocuments()
  const order = [...(await documentTable(connection).pathOrder())]
  expect(Math.max(...asked)).toBeLessThanOrEqual(10_000)
  expect(order).toEqual(inOrder(connection))
})

it('lists all of them, and never asks for their order in one piece', async () => {
  const { connection, asked } = manyDocuments()
  const get = connection.get.bind(connection)
  const listed: unknown[] = []
  connection.get = (sql, ...values) => {
    if (!sql.startsWith('SELECT no, size')) return get(sql, ...values)
    listed.push(values[0])
    return undefined
  }
  await documentTable(connection).list({}, 'path', { offset: 0, limit: -1 })
  expect(Math.max(...asked)).toBeLessThanOrEqual(10_000)
  expect(listed).toEqual(inOrder(connection))
})

it('finds documents with the same bytes in pieces, in the order of paths', async () => {
  const { connection, asked } = manyDocuments()
  const found = await documentTable(connection).duplicates()
  expect(Math.max(...asked)).toBeLessThanOrEqual(1_000)
  expect(found).toHaveLength(COUNT - 20_000)
  const rank = new Map(inOrder(connection).map((no, at) => [no, at]))
  const ranks = found.map(({ nos }) => nos.map((no) => rank.get(no)!))
  for (const group of ranks) expect(group).toEqual(group.toSorted((a, b) => a - b))
  expect(ranks.map(([first]) => first)).toEqual(
    ranks.map(([first]) => first!).toSorted((a, b) => a - b),
  )
})

it('reads the order again where documents came meanwhile', async () => {
  const { connection, asked } = manyDocuments()
  const reading = connection.numbers.bind(connection)
  connection.numbers = (...given) => {
    const numbers = reading(...given)
    if (asked.length === 1) {
      connection.run("INSERT INTO documents VALUES (?, 'a', 'first', '')", COUNT)
      connection.run("UPDATE meta SET value = '2' WHERE key = 'generation'")
    }
    return numbers
  }
  const order = await documentTable(connection).pathOrder()
  expect([...order]).toEqual(inOrder(connection))
  expect(order[0]).toBe(COUNT)
})

it('looks files up by their paths, and never goes through all of a source', async () => {
  const { connection } = manyDocuments()
  const columns = ['size', 'modified_at', 'stamp', 'checked_at']
  for (const column of columns) connection.prepare(`ALTER TABLE documents ADD ${column}`).run()
  connection
    .prepare(
      `CREATE TABLE files (source, path, ${columns.join(', ')}, state, reason, PRIMARY KEY (source, path))`,
    )
    .run()
  connection.run("INSERT INTO documents (no, source, path) VALUES (90000, 'source1', 'a/b/c')")
  connection.run("INSERT INTO documents (no, source, path) VALUES (90001, 'source1', 'a/b0')")
  const plans: string[] = []
  const lists = connection.lists.bind(connection)
  connection.lists = (sql, ...values) => {
    const plan = connection.all(`EXPLAIN QUERY PLAN ${sql}`, ...values)
    plans.push(...plan.map((row) => String(row['detail'])))
    return lists(sql, ...values)
  }
  const found = await fileTable(connection).files('source1', ['a/b', 'note-7919', 'nobody'])
  expect(found.map(({ path }) => path)).toEqual(['a/b/c', 'note-7919'])
  expect(plans).toHaveLength(12)
  for (const plan of plans) expect(plan).toMatch(/SEARCH .*source=\? AND path[=<>]/)
})
